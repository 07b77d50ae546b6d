"""What the documentation shows is what the project does.

`python tests/test_docs.py` writes the parts that are made from the project anew: help texts, files, outputs.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from click import Context  # noqa: E402
from click.testing import CliRunner  # noqa: E402
from commands import run  # noqa: E402

from adjudicator.cli import cli  # noqa: E402

PAGES = [ROOT / "README.md", ROOT / "LIMITATIONS.md", *sorted((ROOT / "docs").glob("*.md"))]
_MADE = re.compile(r"(<!-- (the file|the output of|the help of) (.*?) -->\n```\w+\n)(.*?)(```\n)", re.S)
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
COMMANDS = cli.list_commands(Context(cli))


def made(kind: str, what: str) -> str:
    """What a marked block must hold."""
    if kind == "the file":
        return (ROOT / what).read_text()
    words = what.split()[1:]
    if kind == "the help of":
        return CliRunner().invoke(cli, [*words, "--help"], prog_name="judge", terminal_width=100).output
    return run(*[str(ROOT / word) if (ROOT / word).exists() else word for word in words]).out


def renewed(text: str) -> str:
    """A page with every marked block made anew."""
    return _MADE.sub(lambda found: found.group(1) + made(found.group(2), found.group(3)) + found.group(5), text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_that_show_files_help_and_output_are_current(page: Path) -> None:
    assert page.read_text() == renewed(page.read_text()), f"run: python tests/{Path(__file__).name}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_described(name: str) -> None:
    text = (ROOT / "docs" / "commands.md").read_text()
    assert f"<!-- the help of judge {name} -->" in text
    for parameter in cli.commands[name].params:
        if isinstance(parameter, click.Option):
            assert all(option in text for option in parameter.opts)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in _LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_pages_show_exist(page: Path) -> None:
    for name in re.findall(r"(?:^|`|&& )judge ([a-z][a-z-]*)", page.read_text(), re.M):
        assert name in COMMANDS, f"judge {name}"


def test_the_example_of_the_readme_runs_as_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                                                   ) -> None:
    found = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert found is not None
    monkeypatch.chdir(ROOT)
    exec(compile(found.group(1), "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines()[0].startswith("yes [")


def test_the_situation_that_the_how_to_starts_from_is_one(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(pack: .*?)```", (ROOT / "docs" / "how-to.md").read_text(), re.S)
    assert found is not None
    path = tmp_path / "smallest.yaml"
    path.write_text(found.group(1))
    assert run("rule", path).out.startswith("NO: squad cannot declare a charge")


def test_the_case_of_the_tutorial_passes(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(name: .*?)```", (ROOT / "docs" / "tutorial.md").read_text(), re.S)
    assert found is not None
    path = tmp_path / "case.yaml"
    path.write_text(found.group(1))
    assert run("test", path).code == 0


if __name__ == "__main__":
    listing = ROOT / "docs" / "commands.md"
    for command in COMMANDS:
        if f"<!-- the help of judge {command} -->" not in listing.read_text():
            section = f"## judge {command}\n\n<!-- the help of judge {command} -->\n```text\n```\n\n## judge repl\n"
            listing.write_text(listing.read_text().replace("## judge repl\n", section))
    for one in PAGES:
        one.write_text(renewed(one.read_text()))
