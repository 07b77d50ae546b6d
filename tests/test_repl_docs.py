"""What the pages about the interactive judge show is what it does.

`python tests/test_repl_docs.py` writes the reference and the answers of the tutorial's session anew.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROMPT = "judge> "
REFERENCE, TUTORIAL = ROOT / "docs" / "repl.md", ROOT / "docs" / "repl-tutorial.md"
_SESSION = re.compile(r"(<!-- a session -->\n```text\n)(.*?)(```\n)", re.S)

if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from adjudicator.repl.commands import commands  # noqa: E402
from adjudicator.repl.reference import reference  # noqa: E402
from adjudicator.repl.session import Session  # noqa: E402
from adjudicator.repl.suggesting import KINDS  # noqa: E402

from adjudicator import Judge  # noqa: E402


def typed(block: str) -> list[str]:
    return [line.removeprefix(PROMPT) for line in block.splitlines() if line.startswith(PROMPT)]


def replayed(block: str) -> str:
    """A session with the answers that its lines get."""
    told: list[str] = []
    session = Session(Judge(), told.append)
    for line in typed(block):
        told.append(PROMPT + line)
        session.take(line)
    return "\n".join(told) + "\n"


def renewed(page: str) -> str:
    return _SESSION.sub(lambda found: found[1] + replayed(found[2]) + found[3], page)


def test_the_session_of_the_tutorial_is_what_the_judge_answers() -> None:
    page = TUTORIAL.read_text()
    assert page == renewed(page), f"run: python tests/{Path(__file__).name}"


def test_the_tutorial_settles_a_dispute_in_ten_lines_from_nothing() -> None:
    found = _SESSION.search(TUTORIAL.read_text())
    assert found is not None
    assert len(typed(found[2])) == 10
    assert re.search(r"^NO: ", found[2], re.M)
    assert re.search(r"^YES: ", found[2], re.M)


def test_the_reference_is_made_from_the_registry() -> None:
    assert REFERENCE.read_text() == "\n".join(reference()) + "\n", f"run: python tests/{Path(__file__).name}"


def test_every_command_has_help_and_completes_with_what_there_is() -> None:
    for name, one in commands().items():
        assert one.usage.startswith(name)
        assert one.summary.endswith(".")
        assert set(one.completes) <= set(KINDS)
        assert not re.search(r"[A-Z]{2,}", one.usage) or one.completes or name in ("roll", "quit"), name


if __name__ == "__main__":
    REFERENCE.write_text("\n".join(reference()) + "\n")
    TUTORIAL.write_text(renewed(TUTORIAL.read_text()))
