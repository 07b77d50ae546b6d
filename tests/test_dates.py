"""Rules and cards with dates: the day of a situation, the day asked for, and the newest version where there is neither."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from commands import run

from adjudicator import Judge

PACK = """\
name: dated
version: 2026-12-01
extends: [wh40k-11e]
sources: [a pack for tests]
"""
RULES = """\
%*! rule dated/1 "Deep water"
@until 2026-03-01
A unit that advanced does nothing wrong.
*%
%*! rule dated/1 "Deep water"
@since 2026-03-01
A unit that advanced cannot declare a charge, whatever else lets it.
*%
%*! deep_water
@term bar "the water is deep"
*%
%@ "{U} advanced through deep water"
bar(U,declare_charge,deep_water) :- this_turn(advanced(U)).
%*! shallow_water
@term bar "the water is shallow"
*%
%@ dated/2 "{U} stood in shallow water" since 2026-02-01 until 2026-03-01
bar(U,declare_charge,shallow_water) :- considered(U,declare_charge), this_turn(remained_stationary(U)).
%*! rule dated/2 "Shallow water"
For one month no unit that remained stationary charged.
*%
"""
CARDS = """\
- stratagem: Wading Boots
  ref: dated/wading-boots
  until: 2026-06-01
  cost: 1
  when: [{phase: charge}]
  target: {unit: friendly}
  effects:
    - modify: {roll: charge, by: +1}
  summary: one more on the charge roll.

- stratagem: Wading Boots
  ref: dated/wading-boots
  since: 2026-06-01
  cost: 2
  when: [{phase: charge}]
  target: {unit: friendly}
  effects:
    - modify: {roll: charge, by: +2}
  summary: two more on the charge roll.

- stratagem: Rubber Rings
  ref: dated/rubber-rings
  since: 2026-06-01
  cost: 1
  when: [{phase: charge}]
  target: {unit: friendly}
  asp: |
    %@ "{U} has rubber rings on and cannot run"
    bar(U,declare_charge,deep_water) :- considered(U,declare_charge), in_effect("dated/rubber-rings",U).
  effects:
    - modify: {roll: charge, by: +1}
  summary: the unit floats and cannot charge.
"""
SITUATION = """\
pack: {pack}
{date}now: {{round: 2, turn: red, phase: charge}}
sides: {{red: , blue: }}
units:
  boyz: {{side: red, datasheet: orks/boyz, models: 10}}
  kin: {{side: blue, datasheet: leagues-of-votann/hearthkyn-warriors}}
facts:
  - boyz is 8" from kin
{facts}
ask: {ask}
"""


@pytest.fixture
def dated(tmp_path: Path) -> Path:
    folder = tmp_path / "dated"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK)
    (folder / "water.lp").write_text(RULES)
    (folder / "cards.yaml").write_text(CARDS)
    return folder


def ruling(pack: Path | str, ask: str, *facts: str, date: str = "", as_of: str = "") -> tuple[str, str]:
    """The verdict and the value of one question about a small charge."""
    judge = Judge(as_of=as_of)
    text = dedent(SITUATION).format(pack=pack, date=f"date: {date}\n" if date else "", ask=ask,
                                    facts="\n".join(f"  - {fact}" for fact in facts))
    situation = judge.situation_from_text(text, "dated.yaml")
    told = judge.rule(situation, ask)
    return told.verdict, told.value


@pytest.mark.parametrize(("day", "verdict"), [
    ("2026-01-31", "yes"), ("2026-02-01", "no"), ("2026-02-28", "no"), ("2026-03-01", "yes"), ("", "yes"),
])
def test_a_rule_holds_from_its_first_day_to_the_day_before_its_last(dated: Path, day: str, verdict: str) -> None:
    for told in ({"date": day}, {"as_of": day}):
        assert ruling(dated, "can boyz declare a charge?", "boyz remained stationary", **told)[0] == verdict


@pytest.mark.parametrize(("day", "cost", "needed"), [
    ("2026-05-31", "1 CP", "7+"), ("2026-06-01", "2 CP", "6+"), ("", "2 CP", "6+"),
])
def test_the_version_of_a_card_that_is_in_force_is_the_one_used(dated: Path, day: str, cost: str, needed: str) -> None:
    for told in ({"date": day}, {"as_of": day}):
        assert ruling(dated, "what does Wading Boots cost red?", **told)[1] == cost
        used = "red used Wading Boots on boyz"
        assert ruling(dated, "what does boyz need to charge kin?", used, **told)[1] == needed


@pytest.mark.parametrize(("day", "in_effect", "charge"), [
    ("2026-05-31", "no", "yes"), ("2026-06-01", "yes", "no"), ("", "yes", "no"),
])
def test_a_card_does_nothing_before_its_first_day_and_neither_do_its_rules(
    dated: Path, day: str, in_effect: str, charge: str
) -> None:
    used = "red used Rubber Rings on boyz"
    assert ruling(dated, "is Rubber Rings in effect for boyz?", used, date=day)[0] == in_effect
    assert ruling(dated, "can boyz declare a charge?", used, date=day)[0] == charge


def test_the_day_that_is_asked_for_comes_before_that_of_the_situation(dated: Path) -> None:
    ask = "can boyz declare a charge?"
    assert ruling(dated, ask, "boyz remained stationary", date="2026-02-10")[0] == "no"
    assert ruling(dated, ask, "boyz remained stationary", date="2026-02-10", as_of="2026-05-01")[0] == "yes"


def test_the_command_line_rules_as_of_a_day(dated: Path, tmp_path: Path) -> None:
    path = tmp_path / "wade.yaml"
    path.write_text(SITUATION.format(pack=dated, date="", facts="  - boyz remained stationary",
                                     ask="can boyz declare a charge?"))
    assert run("rule", path, "--as-of", "2026-02-10").out.startswith("NO")
    assert run("rule", path, "--as-of", "2026-04-10").out.startswith("YES")
    assert run("rule", path).out.startswith("YES")


def test_a_rule_is_told_in_the_version_of_the_day_and_the_others_are_named() -> None:
    told = run("rules", "12.08").out
    assert "in force: since 2026-09-02" in told
    for days in ("until 2026-07-22", "since 2026-07-22 until 2026-08-26", "since 2026-08-26 until 2026-09-02"):
        assert f"another version: {days}" in told
    assert "in force: since 2026-08-26 until 2026-09-02" in run("rules", "12.08", "--as-of", "2026-08-28").out
