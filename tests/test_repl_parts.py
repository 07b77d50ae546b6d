"""The parts of the terminal by themselves: colours, toolbar, configuration, registry, autosave."""

from __future__ import annotations

from pathlib import Path

import pytest
from adjudicator.repl import autosave, config
from adjudicator.repl.commands import commands, find
from adjudicator.repl.keys import is_open
from adjudicator.repl.lexer import STYLE, tokens
from adjudicator.repl.plain import statements
from adjudicator.repl.session import Session
from adjudicator.repl.terminal import Terminal
from adjudicator.repl.toolbar import toolbar
from commands import CHARGE

from adjudicator import Draft, Judge


@pytest.fixture
def session(judge: Judge) -> Session:
    found = Session(judge, lambda _: None)
    found.begin(judge.situation_from_text(CHARGE))
    return found


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUDGE_HOME", str(tmp_path))
    return tmp_path


def kinds(line: str, session: Session) -> dict[str, str]:
    found = list(tokens(line, session.situation))
    assert "".join(text for _, text in found) == line
    return {text: kind for kind, text in found if kind}


def test_names_numbers_commands_and_unknown_words_are_told_apart(session: Session) -> None:
    assert kinds('boyz is 8" from buri', session) == {"boyz": "name", '8"': "number", "buri": "name"}
    assert kinds("drop boyz advanced", session) == {"drop": "command", "boyz": "name"}
    assert kinds("boyz frobnicated today", session)["frobnicated"] == "unknown"
    assert kinds("# boyz advanced", session) == {"# boyz advanced": "comment"}
    assert kinds("", session) == {}


def test_colours_have_no_background_and_are_the_terminals_own() -> None:
    assert not any("bg:" in how or "#" in how for how in STYLE.values())


def test_the_toolbar_tells_how_things_stand(session: Session) -> None:
    session.take("can boyz declare a charge?")
    text = "".join(part[1] for part in toolbar(session, 200))
    assert "wh40k-11e" in text
    assert "red's charge phase, round 2" in text
    assert "2 units, 2 facts" in text
    assert " NO " in text


def test_the_toolbar_leaves_out_what_does_not_fit(session: Session) -> None:
    for width in (10, 30, 60, 200):
        assert sum(len(part[1]) for part in toolbar(session, width)) <= width


def test_the_first_run_writes_a_configuration_whose_values_are_the_defaults(home: Path) -> None:
    assert config.load() == (config.Config(), [])
    text = (home / config.FILE).read_text()
    assert config.read(text.replace("# ", "#  ")) == (config.Config(), [])
    assert all(f"\n{name} = " in text for name in config.Config.__dataclass_fields__)


@pytest.mark.parametrize(("text", "said"), [
    ('keyz = "vi"', "did you mean keys"), ("keys = 3", "a text"), ('keys = "nano"', "one of emacs, vi"),
    ("pager = 1", "true or false"), ("pager = ", "repl.toml"),
])
def test_a_mistake_in_the_configuration_is_told_and_the_default_used(text: str, said: str) -> None:
    settings, wrong = config.read(text)
    assert settings == config.Config()
    assert said in wrong[0]


def test_colour_follows_the_configuration_then_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert config.use_color(config.Config())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not config.use_color(config.Config())
    assert config.use_color(config.Config(color="always"))
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not config.use_color(config.Config())


def test_the_longest_command_is_the_one_that_is_meant() -> None:
    found = find("why not boyz advanced")
    assert found is not None
    assert (found[0].name, found[1]) == ("why not", "boyz advanced")
    assert find("whatever") is None
    assert {"why", "what if", "next phase", "as of", "quit"} <= set(commands())


def test_a_key_with_its_lines_is_one_paste() -> None:
    lines = ["units:", "  boyz: {side: red}", "", "facts:", "- boyz advanced", "did boyz advance?"]
    assert list(statements(iter(lines))) == ["units:\n  boyz: {side: red}\n", "facts:\n- boyz advanced", "did boyz advance?"]


def test_typing_goes_on_where_a_part_of_a_file_has_begun() -> None:
    assert is_open("units:")
    assert is_open("units:\n  boyz: {side: red}")
    assert not is_open("units:\n  boyz: {side: red}\n")
    assert not is_open("charge roll: 3 4")


def test_the_file_of_a_session_that_still_runs_is_not_lost(home: Path) -> None:
    autosave.keep(Draft.from_text(CHARGE))
    assert autosave.own().exists()
    assert autosave.lost() == []
    autosave.end()
    assert not autosave.own().exists()


def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("JUDGE_HOME", str(home / "file"))
    autosave.keep(Draft.from_text(CHARGE))
    settings, wrong = config.load()
    assert settings == config.Config()
    assert "cannot be read" in wrong[0]


def test_rules_that_cannot_be_loaded_end_the_conversation_with_their_error(home: Path) -> None:
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    from adjudicator import UsageError

    with create_pipe_input() as pipe:
        terminal = Terminal(lambda: Judge(["no-such-pack"]), config.Config(), input=pipe, output=DummyOutput())
        with pytest.raises(UsageError, match="no pack"):
            terminal.run()
