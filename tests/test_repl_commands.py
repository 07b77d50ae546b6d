"""What each line of a conversation does, without a terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from adjudicator.repl.session import Session
from commands import CHARGE, run

from adjudicator import Judge, JudgeError
from adjudicator.cases import load_cases, run_case

Say = Callable[..., str]


class Talk:
    """A session, and what it answers to lines."""

    def __init__(self, judge: Judge, text: str = CHARGE) -> None:
        self.told: list[str] = []
        self.session = Session(judge, self.told.append)
        if text:
            self.session.begin(judge.situation_from_text(text))

    def __call__(self, *lines: str) -> str:
        """The answers to these lines."""
        before = len(self.told)
        for line in lines:
            self.session.take(line)
        return "\n".join(self.told[before:])

    def wrong(self, line: str) -> JudgeError:
        with pytest.raises(JudgeError) as caught:
            self.session.take(line)
        return caught.value

    @property
    def facts(self) -> tuple[str, ...]:
        return self.session.draft.facts


@pytest.fixture
def talk(judge: Judge) -> Talk:
    return Talk(judge)


@pytest.fixture
def empty(judge: Judge) -> Talk:
    return Talk(judge, "")


def test_units_come_in_one_line(empty: Talk) -> None:
    told = empty("unit boyz: 10 orks/boyz for red", "unit mob: 12 boyz for red", "unit solo: 1 model for blue, T 4, W 2")
    assert "boyz (red, orks/boyz): 10 models" in told
    assert empty.session.draft.units["mob"] == {"side": "red", "datasheet": "orks/boyz", "models": "12"}
    assert empty.session.draft.sides == ["red", "blue"]
    assert "solo (blue): 1 model" in empty("units")


def test_a_unit_may_be_written_as_a_file_does(empty: Talk) -> None:
    empty("unit guard: {side: blue, keywords: [INFANTRY], models: {boss: {count: 1, W: 2}, man: {count: 4, W: 1}}}")
    assert "guard (blue): 5 models, 1 boss, 4 man" in empty("units")


@pytest.mark.parametrize(("line", "hint"), [
    ("unit boyz: 10 boys for red", "did you mean"),
    ("unit boyz: 10 boyz", "for SIDE"),
    ("unit boyz", "unit NAME:"),
    ("unit boyz: 10 nobody/here for red", "known:"),
])
def test_a_wrong_unit_says_what_would_be_right(empty: Talk, line: str, hint: str) -> None:
    assert hint in empty.wrong(line).hint
    assert not empty.session.draft.units


def test_a_fact_is_stated_once(talk: Talk) -> None:
    assert talk("buri advanced") == "3 facts"
    assert talk("buri made an advance move") == "that is fact 3 already"
    assert "drop 1" in talk.wrong("boyz did not advance").hint


@pytest.mark.parametrize("line", ["not boyz advanced", "drop 1", "drop boyz advanced", "not boyz made an advance move"])
def test_a_fact_is_taken_back(talk: Talk, line: str) -> None:
    assert "taken back: boyz advanced" in talk(line)
    assert talk.facts == ('boyz is 8" from buri',)


def test_a_unit_goes_with_what_was_said_of_it(talk: Talk) -> None:
    assert "taken back" in talk("drop unit buri")
    assert list(talk.session.draft.units) == ["boyz"]
    assert talk.facts == ("boyz advanced",)


def test_a_unit_whose_name_is_that_of_a_command_is_a_unit(talk: Talk) -> None:
    talk("unit roll: 1 model for red, W 1", "unit why not: 1 model for red, W 1", "roll advanced", "why not advanced")
    assert talk.facts[-2:] == ("roll advanced", "why not advanced")
    assert "YES: roll advanced" in talk("did roll advance?")


def test_a_moment_is_stated_and_goes_on(talk: Talk) -> None:
    assert "it is red's charge phase, round 3" in talk("it is red's charge phase, round 3")
    assert "boyz advanced in red's movement phase of round 2" in talk.facts
    talk("next phase", "next turn")
    assert talk("now") == "it is blue's command phase, round 3"


def test_undo_and_redo(talk: Talk) -> None:
    talk("buri advanced", "next turn")
    talk("undo", "undo")
    assert talk.facts == ("boyz advanced", 'boyz is 8" from buri')
    talk("redo")
    assert talk.facts[-1] == "buri advanced"
    talk("reset", "undo")
    assert talk.facts[-1] == "buri advanced"
    assert talk("redo", "redo") .endswith("there is nothing to do again")


def test_reset_facts_keeps_the_table(talk: Talk) -> None:
    talk("reset facts")
    assert (talk.facts, list(talk.session.draft.units)) == ((), ["boyz", "buri"])


def test_why_folds_and_unfolds(talk: Talk) -> None:
    talk("can boyz declare a charge?")
    assert "  1  boyz advanced this turn" in talk("why")
    assert talk("why 1").startswith("  1  boyz advanced this turn")
    assert "1.1  boyz advanced this turn" in talk("why full")
    assert "no reason 7.3" in talk.wrong("why 7.3").message
    assert "NO: boyz cannot" in talk("why not")
    assert "NO: buri did not advance" in talk("why not buri advanced")
    assert "but it is so" in talk("why not boyz advanced")


def test_what_if_leaves_the_situation_as_it_is(talk: Talk) -> None:
    talk("can boyz declare a charge?")
    told = talk("what if not boyz advanced")
    assert "now:      NO" in told
    assert "what if:  YES" in told
    assert "they part at" in told
    assert len(talk.facts) == 2
    assert "what if:  YES" in talk("what if boyz did not advance")


def test_change_finds_what_turns_a_ruling(talk: Talk) -> None:
    talk("can boyz declare a charge?")
    assert "boyz did not advance: YES" in talk("change")


def test_assumptions_become_facts(talk: Talk) -> None:
    talk("not boyz advanced", "can boyz declare a charge?")
    assert "  1  " in talk("assume")
    talk("assume not 1")
    assert len(talk.facts) == 2
    assert talk("can boyz declare a charge?").startswith("NO")
    assert "assume tells" in talk.wrong("assume 40").hint


def test_compare_rules_under_another_pack_or_day(talk: Talk) -> None:
    talk("can boyz declare a charge?")
    told = talk("compare 2026-01-01")
    assert "2026-01-01:" in told
    assert "now:" in told
    assert "no pack" in talk.wrong("compare nothing").message


def test_dice_are_thrown_or_stated(talk: Talk) -> None:
    assert len(talk("roll 6D6").split()) == 6
    talk("roll charge roll: 2D6")
    assert talk.facts[-1].startswith("charge roll: ")
    talk("drop 3", "roll charge roll: 3 4")
    assert talk.facts[-1] == "charge roll: 3 4"
    assert "at most" in talk.wrong("roll 900D6").hint


def test_can_tells_what_a_unit_may_do(talk: Talk) -> None:
    told = talk("can boyz")
    assert "boyz cannot start an action: boyz advanced this turn" in told
    talk("not boyz advanced")
    assert "boyz can declare a charge" in talk("can boyz")
    assert "boyz can declare a charge" in talk("can boyz declare a charge")


def test_uses_tells_the_cards_of_a_side(judge: Judge) -> None:
    text = CHARGE.replace("sides: [red, blue]", "sides: {red: {faction: orks, detachment: war horde}, blue: }").replace(
        "phase: charge", "phase: command").replace("boyz advanced", "boyz is unengaged")
    assert "red can call the Waaagh!" in Talk(judge, text)("uses red")
    assert "no side" in Talk(judge, text).wrong("uses green").message


def test_rules_and_cases_are_told(talk: Talk) -> None:
    assert talk("rule 09.06").startswith("09.06  Advance move")
    assert talk("rule advance move") == talk("rule 09.06")
    assert "no: " in talk("cases 09.06")
    assert "no case asserts 99.99" in talk("cases 99.99")
    assert "did you mean 09.06" in talk.wrong("rule 09.0 6").hint


def test_the_pack_and_the_day_can_be_changed(talk: Talk) -> None:
    assert "by the rules of 2026-01-01" in talk("as of 2026-01-01")
    assert talk.session.situation.date == "2026-01-01"
    talk("as of today")
    assert talk.session.situation.date == ""
    assert "ruling under" in talk("pack")
    assert "no pack" in talk.wrong("pack nothing").message
    assert "no day" in talk.wrong("as of never").message


def test_what_is_saved_can_be_loaded(talk: Talk, tmp_path: Path, judge: Judge) -> None:
    path = tmp_path / "saved here.yaml"
    talk(f"save {path}")
    assert "save over" in talk.wrong(f"save {path}").hint
    talk("buri advanced", f"save over {path}", "reset", f"load {path}")
    assert talk.facts[-1] == "buri advanced"
    assert judge.situation_from_file(str(path)).atoms() == talk.session.situation.atoms()


def test_a_case_is_saved_ready_for_the_suite(talk: Talk, tmp_path: Path, judge: Judge) -> None:
    path = tmp_path / "cases.yaml"
    talk("can boyz declare a charge?", f"save case {path} an advance bars a charge", "not boyz advanced",
         "can boyz declare a charge?", f"save case {path} without one there is a charge")
    cases = load_cases(path)
    assert [(c.name, c.expect.verdict) for c in cases] == [
        ("an advance bars a charge", "no"), ("without one there is a charge", "yes")]
    assert [run_case(judge, case).status for case in cases] == ["passed", "passed"]


def test_one_situation_of_several_is_loaded_by_its_name(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    both = [f"name: {name}\n{CHARGE}" for name in ("one", "two")]
    path.write_text("".join("- " + text.replace("\n", "\n  ").rstrip() + "\n" for text in both))
    assert "NO: boyz cannot declare a charge" in talk(f"load {path} two")
    assert "name that begins with 'three'" in talk.wrong(f"load {path} three").message


def test_the_session_is_told_as_markdown(talk: Talk, tmp_path: Path) -> None:
    talk("buri advanced", "did buri advance?")
    told = talk("log")
    assert "**did buri advance?**" in told
    assert "YES: buri advanced" in told
    talk(f"log {tmp_path / 'session.md'}")
    assert (tmp_path / "session.md").read_text().startswith("# Session")


def test_a_key_alone_is_a_part_of_a_situation(talk: Talk) -> None:
    talk("sides: [green]", "date: 2026-01-01", "units:\n  x: {side: green, W: 1}\nfacts:\n- x advanced")
    assert talk.session.draft.sides == ["red", "blue", "green"]
    assert talk.facts[-1] == "x advanced"
    assert talk.session.situation.date == "2026-01-01"


@pytest.mark.parametrize(("topic", "words"), [
    ("", ["the table", "undo", "help COMMAND"]), ("drop", ["drop 3"]), ("facts", ["{unit} advanced"]),
    ("questions", ["{unit} advance?"]), ("moments", ["this turn"]), ("files", ["pack: NAME"]), ("keys", ["Ctrl-R"]),
    ("charge", ["charge roll"]),
])
def test_help_tells_commands_topics_and_sentences(talk: Talk, topic: str, words: list[str]) -> None:
    told = talk(f"help {topic}")
    assert all(word in told for word in words)


def test_a_wrong_line_answers_with_what_is_nearest(talk: Talk) -> None:
    assert "the nearest sentence is" in talk.wrong("boyz advanceed").hint
    assert "buri" in talk.wrong("buuri advanced").hint
    assert "did you mean" in talk.wrong("help undoo").hint


def test_a_choice_is_made_and_can_be_taken_back(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the rules leave open, choosing one option gives the ruling of that branch."""
    for path in sorted((Path(__file__).parent / "cases").glob("*.yaml")):
        for case in load_cases(path):
            if case.expect.verdict == "depends":
                talk = Talk(judge, "")
                talk.session.begin(judge.situation(case.document, case.node))
                talk(judge.situation(case.document, case.node).asks[0][0])
                ruling = talk.session.ruling
                assert ruling is not None
                assert "chooses" in talk("choose")
                talk("choose 1")
                assert talk.session.ruling is not None
                first = ruling.branches[0]
                assert (talk.session.ruling.verdict, talk.session.ruling.answer) == (first.verdict, first.answer)
                assert "chosen:" in talk("facts")
                assert "drop choices" in talk.wrong("save case x.yaml").hint
                talk("drop choices")
                assert not talk.session.draft.chosen
                return
    pytest.skip("no case depends on a choice")


@pytest.fixture
def piped(tmp_path: Path) -> Path:
    path = tmp_path / "charge.yaml"
    path.write_text(CHARGE)
    return path


def test_a_pipe_ends_with_the_code_of_the_last_ruling(piped: Path) -> None:
    assert run("repl", piped, stdin="did boyz advance?\n").code == 0
    assert run("repl", piped, stdin="did boyz fly?\n").code == 3
    assert run("repl", piped, stdin="did boyz fly?\ndid boyz advance?\n").code == 0
    assert run("repl", piped, stdin="boyz is 9\" from nobody\n").code == 3


def test_a_whole_situation_can_come_through_a_pipe() -> None:
    ran = run("repl", stdin=CHARGE + "\ndid boyz advance?\n")
    assert "YES: boyz advanced" in ran.out
    assert ran.code == 0
    assert "\x1b" not in ran.out
