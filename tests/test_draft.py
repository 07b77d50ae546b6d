"""Drafts: what a situation says as a value, edited, read again and saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import CHARGE

from adjudicator import Draft, Judge
from adjudicator.errors import SituationError


@pytest.fixture
def draft() -> Draft:
    return Draft.from_text(CHARGE)


def test_a_draft_that_is_written_and_read_again_is_the_same(draft: Draft) -> None:
    assert Draft.from_text(draft.text()) == draft


def test_every_situation_that_comes_with_the_judge_survives_being_written(root: Path, judge: Judge) -> None:
    for path in sorted((root / "facts" / "disputes").glob("*.yaml")):
        for _, draft in Draft.all_from_file(str(path)):
            again = Draft.from_text(draft.text())
            assert again == draft
            assert again.situation(judge).atoms() == draft.situation(judge).atoms()


def test_values_stay_the_texts_that_were_written() -> None:
    draft = Draft.from_text("pack: p\nunits:\n  yes: {side: off, W: 011, Sv: 3+}\nfacts:\n- 'hit rolls: 2 5'\n")
    assert draft.units == {"yes": {"side": "off", "W": "011", "Sv": "3+"}}
    assert draft.facts == ("hit rolls: 2 5",)
    assert Draft.from_text(draft.text()) == draft


@pytest.mark.parametrize("name", ["a: b", "#1", "it's", '"quoted"', "[x]", "null", "1", "- x", "{a}"])
def test_a_name_stays_a_name(name: str, judge: Judge) -> None:
    draft = Draft({"pack": "wh40k-11e"}).with_unit(name, {"side": name, "T": "5", "W": "1"})
    again = Draft.from_text(draft.text())
    assert list(again.units) == [name]
    assert again.sides == [name]
    assert again.situation(judge).names.terms["unit"]


def test_edits_make_other_drafts_and_leave_this_one(draft: Draft) -> None:
    more = draft.with_facts("buri advanced").with_unit("x", {"side": "green"}).without_unit("buri")
    assert (list(more.units), more.sides) == (["boyz", "x"], ["red", "blue", "green"])
    assert more.facts[-1] == "buri advanced"
    assert draft == Draft.from_text(CHARGE)


def test_a_part_is_added_to_what_there_is(draft: Draft) -> None:
    part = Draft.from_text("units:\n  x: {side: blue}\nfacts: [buri advanced, boyz advanced]\nnow: {phase: fight}\n")
    merged = draft.merged(part)
    assert list(merged.units) == ["boyz", "buri", "x"]
    assert merged.facts == ("boyz advanced", 'boyz is 8" from buri', "buri advanced")
    assert merged.now == {"round": "2", "turn": "red", "phase": "fight"}


def test_the_draft_of_a_situation_holds_what_was_stated_since(judge: Judge) -> None:
    situation = judge.situation_from_text(CHARGE).with_facts(["buri advanced"], ["boyz advanced"])
    assert Draft.of(situation).facts == ('boyz is 8" from buri', "buri advanced")


def test_facts_added_to_a_copy_do_not_show_in_the_situation_it_was_made_from(judge: Judge) -> None:
    """What joins units changes what a name means; only in the copy."""
    situation = judge.situation_from_text(CHARGE.replace("buri: {side: blue", "boss: {side: red"). replace(
        '  - boyz is 8" from buri\n', ""))
    before = {kind: dict(table) for kind, table in situation.names.terms.items()}
    situation.with_facts(["boss leads boyz"])
    assert situation.names.terms == before


def test_a_list_is_no_situation() -> None:
    with pytest.raises(SituationError, match="mapping"):
        Draft.from_text("[a, b]")
