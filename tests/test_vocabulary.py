"""Declarations: what a block declares, and the sentences that are made from it."""

from __future__ import annotations

import pytest

from adjudicator.blocks import Block, interrogate, negate, read_block
from adjudicator.errors import RuleError
from adjudicator.vocabulary import Vocabulary


def declared(*texts: str) -> Vocabulary:
    """The vocabulary that these blocks make."""
    vocabulary = Vocabulary()
    for text in texts:
        read_block(Block(f" {text}", "test.lp", 1, 1, text.split("\n")), vocabulary, "test")
    return vocabulary


@pytest.mark.parametrize(("sentence", "negative"), [
    ("{Unit} is|are engaged", "{Unit} is|are not engaged"),
    ("{Unit} has|have lost {Number}", "{Unit} has|have not lost {Number}"),
    ("{Unit} can act", "{Unit} can not act"),
    ("{Unit} advanced", ""),
])
def test_a_sentence_with_an_auxiliary_verb_is_negated_by_itself(sentence: str, negative: str) -> None:
    assert negate(sentence) == negative


@pytest.mark.parametrize(("sentence", "question"), [
    ("{Unit} is|are engaged with {Unit'}", "is|are {Unit} engaged with {Unit'}?"),
    ("{Unit} was set up", "was {Unit} set up?"),
    ("{Unit} advanced", ""),
    ("no model of {Unit} is wounded", ""),
])
def test_a_sentence_with_an_auxiliary_verb_is_asked_by_itself(sentence: str, question: str) -> None:
    assert interrogate(sentence) == question


def test_a_fact_has_its_sentences_types_and_default() -> None:
    decl = declared('visible(Unit, Unit\')\nSeen.\n@fact "{Unit} is visible to {Unit\'}"\n@also "{Unit\'} sees {Unit}"\n@default true\n'
                    '@key unit sees').predicates["visible/2"]
    assert (decl.role, decl.doc, decl.default, decl.types) == ("fact", "Seen.", True, ["unit", "unit"])
    assert decl.sentences == ["{Unit} is visible to {Unit'}", "{Unit'} sees {Unit}"]
    assert decl.negatives[0] == "{Unit} is not visible to {Unit'}"
    assert decl.keys == [["unit", "sees"]]


def test_a_term_has_a_type_and_an_event_is_one_of_the_type_event() -> None:
    vocabulary = declared('act\n@term action "act"', 'moved(Unit)\n@event "{Unit} moved"\n@not "{Unit} did not move"')
    assert vocabulary.terms["act/0"].type == "action"
    assert vocabulary.terms["moved/1"].type == "event"
    assert not vocabulary.predicates


def test_a_question_has_a_kind_and_answers() -> None:
    decl = declared('far(Unit)\n@question value "how far is {Unit}?"\n@answer "{Unit} is {Answer} away"').terms["far/1"]
    assert (decl.role, decl.kind) == ("question", "value")


def test_a_rule_has_a_title_a_summary_a_status_and_dates() -> None:
    rule = declared('rule A.1 "A title"\nWhat it says,\non two lines.\n@status partial the second half\n@since 2026-01-01').rules["A.1"]
    assert (rule.title, rule.summary) == ("A title", "What it says, on two lines.")
    assert (rule.status, rule.reason, rule.since, rule.until) == ("partial", "the second half", "2026-01-01", "")


def test_a_type_has_a_noun_names_parts_and_freedom() -> None:
    kinds = declared("type weapon_ability", "type unit\n@names units", "type bearer\n@of unit model\n@noun \"unit or model\"",
                     "type keyword\n@free upper").types
    assert kinds["weapon_ability"].noun == "weapon ability"
    assert kinds["unit"].names == "units"
    assert (kinds["bearer"].of, kinds["bearer"].noun) == (["unit", "model"], "unit or model")
    assert kinds["keyword"].free == "upper"


def test_what_starts_with_an_underscore_tells_nothing() -> None:
    assert declared("_near(Unit)\n@helper").predicates["_near/1"].opaque


def test_an_effect_verb_has_its_fields() -> None:
    decl = declared("modify(Effect, Roll, Delta)\n@effect modify: {roll: Roll, by?: Delta}").predicates["modify/3"]
    assert decl.verb == "modify"
    assert decl.fields == [["roll", "Roll"], ["by?", "Delta"]]


@pytest.mark.parametrize("text", ["p(", "p(X", "p(x)", "1p", "p(A) q", "type", "rule", 'rule A "t"', "p(A)\n@fact", "p(A)\n@default true",
                                  "p(A)\n@term \"x\"", "p(A)\n@question \"x?\"", "p(A)\n@effect modify {", "", "  ", "p(A)\n@"])
def test_a_block_that_declares_nothing_is_an_error_of_the_rules(text: str) -> None:
    with pytest.raises(RuleError):
        declared(text)
