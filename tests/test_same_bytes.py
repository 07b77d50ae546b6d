"""The same facts in any order give the same bytes of the ruling."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.judge import Judge

PACK = str(Path(__file__).parent / "packs" / "market")
FACTS = ["mill owes 2 to smithy", "smithy owes 5 to bakery", "bakery owes 1 to mill", "mill owes 9 to bakery", "mill is open",
         "smithy is open", "bakery is not open", "guild vouches for mill", "guild vouches for smithy", "mill traded last turn",
         "smithy traded"]
QUESTIONS = ["can mill trade?", "can bakery trade?", "what does mill owe?", "is mill in debt to bakery?",
             "in what order do the shops pay?", "what happens?"]
HEAD = "pack: {pack}\nnow: {{round: 2, turn: east, phase: morning}}\nsides: [{sides}]\n"
SHOPS = ["mill: {side: east, worth: 3}", "smithy: {side: east, worth: 2}", "bakery: {side: west, worth: 1}",
         "guild: {side: west, worth: 9}"]


def situation(facts: list[str], shops: list[str]) -> str:
    lines = [HEAD.format(pack=PACK, sides="east, west"), "units:", *(f"  {shop}" for shop in shops)]
    return "\n".join([*lines, "facts:", *(f"  - {fact}" for fact in facts)])


def ruled(judge: Judge, text: str, question: str) -> str:
    return json.dumps(judge.rule(judge.situation_from_text(text), question).to_dict(), ensure_ascii=False)


@pytest.mark.parametrize("question", QUESTIONS)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_order_of_facts_and_units_and_saying_twice_change_no_byte(
    judge: Judge, question: str, data: st.DataObject
) -> None:
    facts = data.draw(st.lists(st.sampled_from(FACTS), min_size=1, unique=True))
    mixed = data.draw(st.permutations(facts))
    again = data.draw(st.lists(st.sampled_from(facts), max_size=3))
    expected = ruled(judge, situation(facts, SHOPS), question)
    assert ruled(judge, situation([*mixed, *again], data.draw(st.permutations(SHOPS))), question) == expected


def test_another_process_with_other_hashes_gives_the_same_bytes(tmp_path: Path) -> None:
    file = tmp_path / "situation.yaml"
    file.write_text(situation(FACTS, SHOPS) + "\nask: what does mill owe?\n")
    printed = set()
    for seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "JUDGE_CACHE": str(tmp_path / f"cache{seed}"),
                       "PYTHONPATH": str(Path(__file__).parent.parent)}
        ran = subprocess.run([sys.executable, "-m", "adjudicator", "rule", "--json", str(file)], env=environment,
                             capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr.decode()
        printed.add(ran.stdout)
    assert len(printed) == 1


def test_asking_again_gives_the_same_bytes_whatever_was_asked_between(judge: Judge) -> None:
    text = situation(FACTS, SHOPS)
    first = [ruled(judge, text, question) for question in QUESTIONS]
    assert [ruled(judge, text, question) for question in reversed(QUESTIONS)] == first[::-1]
    fresh = Judge()
    assert [ruled(fresh, text, question) for question in QUESTIONS] == first
