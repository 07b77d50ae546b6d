"""Moments move on, and what happened stays when it happened."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator import Clock, Draft, Judge, Moment, moment_of
from adjudicator.errors import SituationError

TABLE = """\
pack: wh40k-11e
sides: [red, blue]
units:
  boyz: {side: red, T: 5, Sv: 5+, W: 1}
  buri: {side: blue, T: 6, Sv: 3+, W: 5}
"""
Make = Callable[..., Draft]


def draft(now: str, *facts: str) -> Draft:
    return Draft.from_text(f"{TABLE}now: {now}\n" if now else TABLE).with_facts(*facts)


def next_phase(judge: Judge, before: Draft) -> Draft:
    clock = Clock(judge, before.situation(judge))
    return clock.moved(before, clock.next_phase()).draft


def stated(judge: Judge, before: Draft, sentence: str) -> Draft:
    """The draft at the moment that a sentence says."""
    situation = before.situation(judge)
    clock = Clock(judge, situation)
    reading = situation.grammar.read_fact(sentence, situation.names)
    return clock.moved(before, clock.meant(reading.atom)).draft


def told(judge: Judge, one: Draft) -> str:
    situation = one.situation(judge)
    return moment_of(situation).told(situation)


def test_the_phases_come_in_the_order_of_the_rules(judge: Judge) -> None:
    one, seen = draft("{round: 2, turn: red, phase: command}"), []
    for _ in range(11):
        seen.append(told(judge, one))
        one = next_phase(judge, one)
    assert seen[1] == "it is red's movement phase, round 2"
    assert seen[5] == "it is blue's command phase, round 2"
    assert seen[10] == "it is red's command phase, round 3"


def test_an_event_of_this_turn_is_told_with_its_usual_phase_once_the_turn_is_over(judge: Judge) -> None:
    one = draft("{round: 2, turn: red, phase: charge}", "boyz advanced")
    fight = next_phase(judge, one)
    assert fight.facts == ("boyz advanced",)
    assert next_phase(judge, fight).facts == ("boyz advanced in red's movement phase of round 2",)


def test_an_event_without_a_usual_phase_is_told_with_the_phase_in_which_it_was_stated(judge: Judge) -> None:
    one = draft("{round: 2, turn: red, phase: command}", "boyz was set up")
    assert next_phase(judge, one).facts == ("boyz was set up in red's command phase of round 2",)


def test_an_event_of_last_turn_is_told_with_its_turn(judge: Judge) -> None:
    one = draft("{round: 2, turn: red, phase: fight}", "buri fell back last turn")
    assert next_phase(judge, one).facts == ("buri fell back in blue's turn of round 1",)


def test_an_event_of_the_turn_before_does_not_leak_into_the_next(judge: Judge) -> None:
    one = draft("{round: 2, turn: red, phase: fight}", "boyz advanced", 'boyz is 8" from buri')
    question = "did boyz advance?"
    assert judge.rule(one.situation(judge), question).verdict == "yes"
    assert judge.rule(next_phase(judge, one).situation(judge), question).verdict == "no"


def test_a_round_that_nobody_named_is_the_first_when_the_second_begins(judge: Judge) -> None:
    one = next_phase(judge, draft("{turn: blue, phase: fight}", "buri fell back"))
    assert told(judge, one) == "it is red's command phase, round 2"
    assert one.facts == ("buri fell back in blue's movement phase of round 1",) or one.facts == (
        "buri fell back in blue's fight phase of round 1",)


def test_dice_are_over_with_their_phase(judge: Judge) -> None:
    one = draft("{round: 2, turn: red, phase: charge}", "charge roll: 3 4")
    situation = one.situation(judge)
    clock = Clock(judge, situation)
    moved = clock.moved(one, clock.next_phase())
    assert moved.ended == ("charge roll: 3 4",)
    assert moved.draft.facts == ()


@pytest.mark.parametrize(("sentence", "now"), [
    ("it is blue's charge phase, round 3", "it is blue's charge phase, round 3"),
    ("it is blue's movement phase", "it is blue's movement phase, round 2"),
    ("it is the fight phase", "it is red's fight phase, round 2"),
    ("it is round 4", "it is red's charge phase, round 4"),
    ("it is blue's turn", "it is blue's turn"),
])
def test_a_sentence_says_the_moment_with_what_it_leaves_out_taken_from_the_present(
    judge: Judge, sentence: str, now: str
) -> None:
    assert told(judge, stated(judge, draft("{round: 2, turn: red, phase: charge}"), sentence)) == now


def test_the_next_turn_of_a_side_that_comes_first_is_in_the_next_round(judge: Judge) -> None:
    one = stated(judge, draft("{round: 2, turn: blue, phase: fight}"), "it is red's command phase")
    assert told(judge, one) == "it is red's command phase, round 3"


def test_a_first_moment_leaves_events_as_they_were_said(judge: Judge) -> None:
    one = stated(judge, draft("", "boyz advanced"), "it is red's charge phase, round 2")
    assert one.facts == ("boyz advanced",)


def test_without_sides_there_is_no_next_phase(judge: Judge) -> None:
    one = Draft({"pack": "wh40k-11e"})
    with pytest.raises(SituationError, match="no sides"):
        Clock(judge, one.situation(judge)).next_phase()


def test_nothing_known_says_nothing(judge: Judge) -> None:
    assert Moment().told(draft("").situation(judge)) == ""


EVENTS = ("boyz advanced", "buri fell back", "boyz advanced last turn", "red called the Waaagh!",
          "buri made a charge move this phase", "boyz fell back in round 1", "boyz did not advance")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(st.sampled_from(EVENTS), unique=True, max_size=4), phase=st.sampled_from(
    ["command", "movement", "charge", "fight"]), side=st.sampled_from(["red", "blue"]), steps=st.integers(1, 6))
def test_however_far_the_moment_moves_the_facts_can_be_read_and_none_is_lost(
    judge: Judge, events: list[str], phase: str, side: str, steps: int
) -> None:
    if {"boyz advanced", "boyz did not advance"} <= set(events):
        return
    one = draft(f"{{round: 2, turn: {side}, phase: {phase}}}", *events)
    for _ in range(steps):
        one = next_phase(judge, one)
    assert len(one.facts) == len(events)
    one.situation(judge)
