"""The package: what importing it costs, what is in it, and what it must not know."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import adjudicator

LAZY = ("rich", "prompt_toolkit", "json", "clingo.ast", "adjudicator.compile")


def modules_of(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running `code`."""
    tell = "import sys\nprint('modules', *sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", f"{code}\n{tell}"], capture_output=True, text=True, check=True)
    shown = next(line for line in ran.stderr.splitlines() if line.startswith("modules "))
    return set(shown.split())


def test_importing_the_package_imports_nothing_else() -> None:
    assert not {"clingo", "yaml", "click", "msgspec", "adjudicator.judge"} & modules_of("import adjudicator")


def test_every_public_name_is_there() -> None:
    for name in adjudicator.__all__:
        assert getattr(adjudicator, name).__name__ == name
    assert set(adjudicator.__all__) <= set(dir(adjudicator))
    with pytest.raises(AttributeError):
        adjudicator.Umpire  # noqa: B018


def test_a_ruling_from_the_cache_imports_nothing_that_it_does_not_need(root: Path) -> None:
    file = root / "facts" / "disputes" / "advance-and-charge.yaml"
    code = f"from adjudicator.cli import main\ntry: main(['rule', {str(file)!r}])\nexcept SystemExit: pass"
    modules_of(code)
    assert not set(LAZY) & modules_of(code)


def test_the_versions_agree(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["version"] == adjudicator.__version__
    assert f"## {project['version']}" in (root / "CHANGELOG.md").read_text()


def test_a_module_keeps_to_one_noun(root: Path) -> None:
    long = [f"{path}: {count} lines" for path in [*root.glob("adjudicator/*.py"), *root.glob("repl/*.py")]
            if (count := len(path.read_text().splitlines())) > 400]
    assert not long, "\n".join(long)


GAME = re.compile(
    r"(?<![a-z])(declare_charge|charge[sd]?|charging|fall[ _-]?back|waaagh|stratagems?|hazard(ous)?|"
    r"mortal[ _]?wounds?|battle[ _-]?shock(ed)?|(dis)?embark(ed)?|overwatch|devastating|orks?|votann|boyz|buri|"
    r"toughness|advanced)(?![a-z])",
    re.I)


def test_no_word_of_a_game_is_in_the_code(root: Path) -> None:
    found = []
    for path in sorted([*root.glob("adjudicator/*.py"), *root.glob("repl/*.py")]):
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            if GAME.search(line):
                found.append(f"{path.name}:{number}: {line.strip()}")
    assert not found, "\n".join(found)


def test_data_files_are_where_the_package_looks_for_them() -> None:
    from adjudicator.cases import own_suite
    from adjudicator.packs import available, facts_folder

    assert {"kernel", "wh40k-11e"} <= set(available())
    assert (facts_folder() / "disputes").is_dir()
    assert own_suite() is not None


def test_the_package_speaks_of_itself_alone(root: Path) -> None:
    """No path outside the repository stands in a file of it."""
    names = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True).stdout.split("\n")
    if not any(names):
        pytest.skip("no repository here")
    outside = re.compile(r"\.\./shared|(?<![.\w])/(?:work|tmp)/")
    found = [name for name in names if (root / name).is_file() and name != "tests/test_package.py"
             and outside.search((root / name).read_text(errors="replace"))]
    assert not found, found
