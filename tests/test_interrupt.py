"""Rulings that are stopped from another thread."""

from __future__ import annotations

import threading
import time

import clingo
import pytest

from adjudicator import Interrupted, Judge, Stop
from adjudicator.interrupt import stoppable

PIGEONS = "{at(P,H) : H=1..12} = 1 :- P=1..13. :- at(P,H), at(Q,H), P<Q."


def search(control: clingo.Control) -> None:
    with stoppable(control):
        control.add("base", [], PIGEONS)
        control.ground([("base", [])])
        control.solve()


def test_a_search_is_interrupted() -> None:
    stop, raised = Stop(), []

    def work() -> None:
        try:
            with stop.here():
                search(clingo.Control())
        except Interrupted as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    stop()
    thread.join(5)
    assert not thread.is_alive()
    assert raised


def test_no_search_begins_once_a_stop_is_wanted(judge: Judge) -> None:
    stop = Stop()
    stop()
    situation = judge.situation_from_text("pack: wh40k-11e\nsides: [red]\nunits: {boyz: {side: red, W: 1}}")
    with stop.here(), pytest.raises(Interrupted):
        judge.rule(situation, "did boyz advance?")
    assert judge.rule(situation, "did boyz advance?").verdict == "no"


def test_without_a_stop_nothing_is_watched() -> None:
    control = clingo.Control()
    with stoppable(control):
        pass
