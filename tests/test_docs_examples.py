"""The examples of the documentation load as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator import packs
from adjudicator.compile import compile_text
from adjudicator.vocabulary import Vocabulary

DOCS = Path(__file__).resolve().parent.parent / "docs"
_BLOCK = re.compile(r"^```asp\n(.*?)^```", re.S | re.M)
EXAMPLES = [(f"{page.name}:{page.read_text()[:found.start()].count(chr(10)) + 2}", found.group(1))
            for page in sorted(DOCS.rglob("*.md")) for found in _BLOCK.finditer(page.read_text())]


def test_the_page_on_the_language_has_examples() -> None:
    assert any(name.startswith("rule-language.md") for name, _ in EXAMPLES)


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_loads(tmp_path: Path, name: str, text: str) -> None:
    """By itself as a file of rules; where it speaks of the kernel, as a pack upon the kernel."""
    compile_text(text, name, "example", Vocabulary())
    known = "".join(f"%*! type {kind}\n*%\n" for kind in ("roll_kind", "weapon_kind"))
    (tmp_path / "pack.yaml").write_text('name: example\nversion: "1"\nextends: [kernel]\n')
    (tmp_path / "example.lp").write_text(known + text)
    loaded = packs.load([str(tmp_path)])
    assert loaded.main.name == "example"
