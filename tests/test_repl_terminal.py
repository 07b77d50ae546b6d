"""The judge at a terminal, driven through prompt_toolkit's own pipe instead of keys and a screen."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from adjudicator.repl.config import Config
from adjudicator.repl.terminal import Terminal
from commands import CHARGE
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from adjudicator import Draft, Judge

F1, F3, F4, F5 = "\x1bOP", "\x1bOR", "\x1bOS", "\x1b[15~"
UP, TAB, ENTER, CTRL_C, CTRL_D, CTRL_R = "\x1b[A", "\t", "\r", "\x03", "\x04", "\x12"
Talk = Callable[..., Terminal]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUDGE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def talk(home: Path, judge: Judge) -> Iterator[Talk]:
    """Type these keys into a conversation; it is over when they are."""
    with create_pipe_input() as pipe:
        def talk(typed: str, file: str = "", **settings: object) -> Terminal:
            pipe.send_text(typed)
            config = Config(pager=False, color="never", **settings)  # type: ignore[arg-type]
            terminal = Terminal(lambda: judge, config, input=pipe, output=DummyOutput())
            terminal.run(file)
            return terminal

        yield talk


@pytest.fixture
def charge(tmp_path: Path) -> str:
    path = tmp_path / "charge.yaml"
    path.write_text(CHARGE)
    return str(path)


def answers(terminal: Terminal) -> str:
    return "\n".join(answer for _, told in terminal.session.log for answer in told)


def test_facts_and_questions_are_typed_and_answered(talk: Talk, charge: str) -> None:
    terminal = talk(f"buri advanced{ENTER}did buri advance?{ENTER}quit{ENTER}", charge)
    assert "YES: buri advanced" in answers(terminal)
    assert terminal.session.code == 0


def test_the_end_of_the_input_ends_the_conversation(talk: Talk) -> None:
    assert talk(CTRL_D).session.code == 0


def test_ctrl_c_drops_what_is_typed_and_nothing_else(talk: Talk, charge: str) -> None:
    terminal = talk(f"buri adva{CTRL_C}facts{ENTER}{CTRL_D}", charge)
    assert [line for line, _ in terminal.session.log][-1] == "facts"
    assert len(terminal.session.draft.facts) == 2


def test_what_was_typed_comes_back_in_the_next_session(talk: Talk, home: Path, charge: str) -> None:
    talk(f"buri advanced{ENTER}{CTRL_D}", charge)
    assert "buri advanced" in (home / "history").read_text()
    again = talk(f"{CTRL_R}buri adv{ENTER}{ENTER}{CTRL_D}", charge)
    assert "buri advanced" in again.session.draft.facts


def test_a_pasted_situation_is_taken_in_whole(talk: Talk) -> None:
    paste = f"\x1b[200~{CHARGE}\x1b[201~"
    terminal = talk(f"{paste}{ENTER}{ENTER}units{ENTER}{CTRL_D}")
    assert sorted(terminal.session.draft.units) == ["boyz", "buri"]
    assert "NO: boyz cannot declare a charge" in answers(terminal)


def test_a_part_of_a_situation_is_added(talk: Talk, charge: str) -> None:
    terminal = talk(f"units:{ENTER}  trukk: {{side: red, T: 8, Sv: 4+, W: 10}}{ENTER}{ENTER}{CTRL_D}", charge)
    assert sorted(terminal.session.draft.units) == ["boyz", "buri", "trukk"]
    assert len(terminal.session.draft.facts) == 2


def test_tab_completes_what_comes_next(talk: Talk, charge: str, home: Path, judge: Judge) -> None:
    """Completion runs in a thread, so the keys wait for it."""
    with create_pipe_input() as pipe:
        settings = Config(pager=False, color="never", complete_while_typing=False)
        terminal = Terminal(lambda: judge, settings, input=pipe, output=DummyOutput())
        terminal.do(f"load {charge}")
        typed = iter([f"buri adv{TAB}", ENTER, ENTER, CTRL_D])

        def feed() -> None:
            for keys in typed:
                pipe.send_text(keys)
                deadline = time.monotonic() + 5
                while keys.endswith(TAB) and time.monotonic() < deadline:
                    if terminal.prompt.default_buffer.text.startswith("buri advanced"):
                        break
                    time.sleep(0.02)
                time.sleep(0.05)

        import threading

        threading.Thread(target=feed, daemon=True).start()
        terminal.run()
    assert "buri advanced" in terminal.session.draft.facts


def test_function_keys_say_lines(talk: Talk, charge: str) -> None:
    terminal = talk(f"buri advanced{ENTER}{F3}{F5}{CTRL_D}", charge)
    assert [line for line, _ in terminal.session.log][1:] == ["buri advanced", "facts", "undo"]
    assert len(terminal.session.draft.facts) == 2


def test_f1_lists_the_keys_and_the_line_goes_on(talk: Talk, charge: str) -> None:
    terminal = talk(f"fac{F1}ts{ENTER}{CTRL_D}", charge)
    assert [line for line, _ in terminal.session.log][-1] == "facts"


def test_vi_keys_can_be_set_and_changed(talk: Talk) -> None:
    assert talk(CTRL_D, keys="vi").prompt.app.editing_mode == EditingMode.VI
    assert talk(f"{F4}{CTRL_D}").prompt.app.editing_mode == EditingMode.VI


def test_a_mistake_leaves_the_situation_as_it_was(talk: Talk, charge: str) -> None:
    wrong = ["boyz flew", "buuri advanced", "unit x: 5 nothing for red", "drop 9", "can boyz dance?", "next",
             "load nowhere.yaml", "unit boyz: 900 models for red", "boyz did not advance"]
    terminal = talk("".join(f"{line}{ENTER}" for line in wrong) + CTRL_D, charge)
    assert len(terminal.session.history) == 2
    assert answers(terminal).count("error:") == len(wrong)


def test_a_session_that_was_lost_can_be_brought_back(talk: Talk, home: Path, charge: str) -> None:
    home.mkdir()
    (home / "autosave-999999999.yaml").write_text(Draft.from_text(CHARGE).with_facts("buri advanced").text())
    terminal = talk(f"restore{ENTER}{CTRL_D}")
    assert "buri advanced" in terminal.session.draft.facts
    assert not list(home.glob("autosave-*"))


def test_the_situation_is_kept_in_a_file_until_the_session_ends(home: Path, judge: Judge, charge: str) -> None:
    with create_pipe_input() as pipe:
        terminal = Terminal(lambda: judge, Config(), input=pipe, output=DummyOutput())
        terminal.do(f"load {charge}")
        kept = home / f"autosave-{os.getpid()}.yaml"
        assert Draft.from_text(kept.read_text()) == terminal.session.draft
        pipe.send_text(CTRL_D)
        terminal.run()
        assert not kept.exists()


def test_ctrl_c_stops_a_ruling_and_nothing_else(home: Path, judge: Judge, charge: str,
                                                monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The ruling waits in clingo for a search that has no end in sight; the signal comes while it does."""
    import signal
    import threading

    import clingo

    from adjudicator.interrupt import stoppable as watched

    pigeons = "{at(P,H) : H=1..13} = 1 :- P=1..14. :- at(P,H), at(Q,H), P<Q."

    def endless(*args: object, **more: object) -> None:
        control = clingo.Control(["0"])
        with watched(control):
            control.add("base", [], pigeons)
            control.ground([("base", [])])
            control.solve()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background run is started without one
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    with create_pipe_input() as pipe:
        terminal = Terminal(lambda: judge, Config(pager=False, color="never"), input=pipe, output=DummyOutput())
        terminal.do(f"load {charge}")
        monkeypatch.setattr(judge, "hear", endless)
        threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        assert terminal.do("did buri advance?")
        assert time.monotonic() - start < 5
        assert len(terminal.session.draft.facts) == 2
        monkeypatch.undo()
        assert terminal.do("did boyz advance?")
        pipe.send_text(CTRL_D)
        terminal.run()
    deadline = time.monotonic() + 5
    while any(t.name == "ruling" for t in threading.enumerate()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(t.name == "ruling" for t in threading.enumerate())
    assert "YES: boyz advanced" in answers(terminal)


def test_embed_gives_the_situation_as_it_is_in_the_end(home: Path, judge: Judge) -> None:
    from adjudicator.repl.terminal import converse_about

    situation = judge.situation_from_text(CHARGE)
    with create_pipe_input() as pipe:
        pipe.send_text(f"buri advanced{ENTER}{CTRL_D}")
        after = converse_about(situation, judge, input=pipe, output=DummyOutput())
    assert [s.sentence for s in after.statements if s.sentence][-1] == "buri advanced"
    assert not any(s.sentence == "buri advanced" for s in situation.statements)
