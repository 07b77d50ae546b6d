"""The language of rules and sentences: templates, reading, saying, and what an error shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator import packs
from adjudicator.errors import ErrorGroup, JudgeError, RuleError, SituationError, Span
from adjudicator.grammar import Names, fold
from adjudicator.judge import Judge
from adjudicator.saying import Sayer, listed, number
from adjudicator.situation import Situation
from adjudicator.templates import expand, printed, words
from adjudicator.terms import Term
from adjudicator.vocabulary import Decl, Vocabulary, type_of

MARKET = str(Path(__file__).parent / "packs" / "market")


# Templates --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("template", "count"), [
    ("{Unit} advanced", 1),
    ("{Unit} is|are <already> engaged", 4),
    ("<the> {Unit} <very <much> > is", 4),
    ("{Unit}'s turn", 1),
    ("a|b|c", 3),
    ("", 1),
])
def test_a_template_expands_to_all_its_readings(template: str, count: int) -> None:
    assert len({tuple(reading) for reading in expand(template)}) == count


def test_the_printed_form_takes_the_first_alternative_and_no_optional_word() -> None:
    parts = printed("{Unit} is|are <already> engaged with {Unit'}")
    assert [value for kind, value in parts if kind == "slot"] == ["Unit", "Unit'"]
    assert "".join(value for _, value in parts) == "Unit is engaged with Unit'"


def test_closing_punctuation_is_a_word_of_its_own() -> None:
    assert words("turn?") == [("word", "turn"), ("word", "?")]


@pytest.mark.parametrize(("argument", "kind"), [("Unit", "unit"), ("Unit'", "unit"), ("WeaponAbility''", "weapon_ability"),
                                                ("AllocatedList", "allocated_list")])
def test_an_argument_is_named_by_its_type(argument: str, kind: str) -> None:
    assert type_of(argument) == kind


# Reading ----------------------------------------------------------------------------------------


@pytest.fixture
def market(judge: Judge) -> Situation:
    """A situation of the tiny pack: `mill`, `smithy` and `old mill`."""
    return judge.situation_from_text(
        f"pack: {MARKET}\nnow: {{round: 2, turn: east, phase: morning}}\nsides: [east, west]\n"
        "units: {mill: {side: east}, old mill: {side: east}, smithy: {side: west}, Mo's Inn: {side: west}}\n")


@pytest.mark.parametrize(("sentence", "atom", "positive"), [
    ("mill owes 2 to smithy", ("owes", ("mill", 2, "smithy")), True),
    ("Mill  OWES two to the smithy.", ("owes", ("mill", 2, "smithy")), True),
    ("mill owe 2 to old mill", ("owes", ("mill", 2, "old mill")), True),
    ("old mill does not owe 2 to smithy", ("owes", ("old mill", 2, "smithy")), False),
    ("mill vouches kindly for smithy", ("vouches", ("mill", "smithy")), True),
    ("mo’s inn is not open", ("is_open", ("Mo's Inn",)), False),
    ("old mill is open", ("is_open", ("old mill",)), True),
])
def test_a_sentence_states_a_fact(market: Situation, sentence: str, atom: object, positive: bool) -> None:
    reading = market.grammar.read_fact(sentence, market.names)
    assert (reading.atom, reading.positive) == (atom, positive)


@pytest.mark.parametrize(("sentence", "time"), [
    ("mill traded", None),
    ("mill traded this turn", ("this_turn",)),
    ("mill traded last turn", ("last_turn",)),
    ("mill traded in round 3", ("in_round", 3)),
    ("mill traded in west's turn of round 1", ("in_turn", "west", 1)),
    ("mill traded in west's evening phase", ("in_phase_of", "west", ("evening",))),
])
def test_an_event_may_have_a_time(market: Situation, sentence: str, time: Term | None) -> None:
    assert market.grammar.read_fact(sentence, market.names).time == time


@pytest.mark.parametrize(("kind", "text", "term"), [
    ("number", "7", 7), ("number", "-7", -7), ("number", "seven", 7), ("delta", "+1", 1), ("delta", "−2", -2),
    ("threshold", "4+", 4), ("inches", '8"', 800), ("inches", "8.5 inches", 850), ("inches", "0.25in", 25),
    ("dice", "2 5 6", ("list", 2, 5, 6)), ("dice", "2, 5 and 6", ("list", 2, 5, 6)), ("roll", "2D6+1", ("dice", 2, 6, 1)),
    ("roll", "d3", ("dice", 1, 3, 0)), ("day", "2026-11-30", "2026-11-30"),
    ("unit_list", "mill, smithy and old mill", ("list", "mill", "smithy", "old mill")), ("time", "in round two", ("in_round", 2)),
])
def test_a_value_is_read_and_said_again(market: Situation, kind: str, text: str, term: Term) -> None:
    assert market.grammar.find_phrase(text, kind, market.names) == term
    said = Sayer(market.loaded.vocabulary, market.names).term(term, kind)
    assert market.grammar.find_phrase(said, kind, market.names) == term


@pytest.mark.parametrize(("kind", "text"), [("number", '8"'), ("number", "4+"), ("inches", "8"), ("threshold", "4"), ("dice", ""),
                                            ("unit", "mil"), ("unit", "mills"), ("time", "tomorrow"), ("unit_list", "mill,")])
def test_what_is_no_value_of_the_type_is_not_taken_for_one(market: Situation, kind: str, text: str) -> None:
    assert market.grammar.find_phrase(text, kind, market.names) is None


def test_a_longer_name_is_preferred_and_a_unit_may_be_named_after_its_side(judge: Judge) -> None:
    situation = judge.situation_from_text(
        f"pack: {MARKET}\nsides: [east]\nunits: {{east: {{side: east}}, east gate: {{side: east}}, east gate 2: {{side: east}}}}\n")
    for name in ("east gate", "east gate 2"):
        assert situation.ask(f"can {name} trade?").atom[1][0] == name


def test_text_is_compared_without_case_spaces_and_typographic_marks() -> None:
    assert fold("  The  “Mill’s”\tDoor − 3″ ") == 'the "mill\'s" door - 3"'


@pytest.mark.parametrize(("items", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_a_list_is_said_with_commas_and_one_and(items: list[str], said: str) -> None:
    assert listed(items) == said


@pytest.mark.parametrize(("value", "kind", "said"), [(800, "inches", '8"'), (850, "inches", '8.5"'), (25, "inches", '0.25"'),
                                                     (-100, "inches", '-1"'), (4, "threshold", "4+"), (1, "delta", "+1"), (3, "", "3")])
def test_a_number_is_said_as_its_type_prints_it(value: int, kind: str, said: str) -> None:
    assert number(value, kind) == said


# Round trip -------------------------------------------------------------------------------------


VALUES: dict[str, Term] = {
    "number": 3, "delta": -1, "threshold": 4, "inches": 850, "dice": ("list", 2, 5), "roll": ("dice", 2, 6, 1), "day": "2026-11-30",
    "text": "some words", "value": 3,
}
PEOPLE = """\
sides: [east, west]
units:
  mill: {side: east, models: {miller: 3, boy: 2}, weapons: {flail: {}}}
  smithy: {side: west, models: {smith: 1}, weapons: {hammer: {}}}
"""


def sample(vocabulary: Vocabulary, names: Names, kind: str, depth: int = 0) -> Term | None:
    """A term of a type: a value, what the situation names, or a declared phrase; else a name that is made for it."""
    if kind in VALUES and kind not in vocabulary.types:
        return VALUES[kind]
    if kind.endswith("_list"):
        inner = sample(vocabulary, names, kind.removesuffix("_list"), depth)
        return None if inner is None else ("list", inner, inner)
    if names.terms.get(kind):
        return next(iter(names.terms[kind].values()))
    declared = vocabulary.types.get(kind)
    if declared is not None and declared.of:
        return next((t for part in declared.of if (t := sample(vocabulary, names, part, depth)) is not None), None)
    phrases = [decl for decl in vocabulary.terms.values()
               if decl.sentences and decl.role in ("term", "event") and decl.type == kind]
    for decl in sorted(phrases, key=lambda decl: decl.arity):
        args = [sample(vocabulary, names, part, depth + 1) for part in decl.types] if depth < 3 else [None]
        if None not in args:
            return (decl.name, *args)
    if phrases:
        return None
    name = f"some {kind.replace('_', ' ')}"
    names.add(kind, name, name)
    return name


def round_trips(situation: Situation) -> list[str]:
    """What the printed form of a sentence is read as, where that is not what was said."""
    vocabulary, names, wrong = situation.loaded.vocabulary, situation.names, []
    sayer = Sayer(vocabulary, names)
    decls: list[Decl] = [decl for decl in vocabulary.predicates.values() if decl.role == "fact"]
    decls += [decl for decl in vocabulary.terms.values() if decl.role in ("event", "question")]
    for decl in decls:
        args = tuple(sample(vocabulary, names, kind) for kind in decl.types)
        if None in args:
            continue
        asks = decl.role == "question"
        for positive in (True,) if asks or not decl.negatives else (True, False):
            said = sayer.fill(decl, args, not positive)  # type: ignore[arg-type]
            found = [(r.atom, r.positive) for r in situation.grammar.readings(said, names, asks)]
            if found != [((decl.name, args), positive)]:
                wrong.append(f"{decl.signature}: {said!r} is read as {found}")
    return wrong


@pytest.mark.parametrize("pack", [MARKET, "wh40k-11e"])
def test_every_sentence_is_read_back_as_what_it_says(judge: Judge, pack: str) -> None:
    assert round_trips(judge.situation_from_text(f"pack: {pack}\n{PEOPLE}")) == []


def readable(vocabulary: Vocabulary) -> set[str]:
    """The types whose phrases a person can write: in facts, in questions, and in the keys of cards and situations."""
    decls = [decl for decl in vocabulary.predicates.values() if decl.role == "fact" or decl.asks or decl.keys or decl.verb]
    decls += [decl for decl in vocabulary.terms.values() if decl.role in ("event", "question")]
    todo, found = [kind for decl in decls for kind in decl.types], set()
    while todo:
        kind = todo.pop()
        if kind not in found:
            found.add(kind)
            todo.extend(vocabulary.types[kind].of if kind in vocabulary.types else [])
            todo.extend([kind.removesuffix("_list")] if kind.endswith("_list") else [])
            todo.extend(part for decl in vocabulary.terms.values() if decl.type == kind for part in decl.types)
    return found | {"event", "time"}


@pytest.mark.parametrize("pack", [MARKET, "wh40k-11e"])
def test_no_two_declarations_read_the_same_sentence(judge: Judge, pack: str) -> None:
    """Two phrases of a type that nobody writes, such as needs, may be the same."""
    loaded, grammar = judge.load([pack])
    kinds = readable(loaded.vocabulary)
    told = {name for name, decl in loaded.vocabulary.terms.items() if decl.role == "term" and decl.type not in kinds}
    assert [clash for clash in grammar.clashes if not told.issuperset(clash)] == []


# Errors in rules --------------------------------------------------------------------------------


def refused(folder: Path, text: str, name: str = "rules.lp") -> JudgeError:
    """The error of a pack with this one file."""
    (folder / "pack.yaml").write_text('name: tiny\nversion: "1"\nextends: [kernel]\n')
    (folder / name).write_text(text)
    with pytest.raises(JudgeError) as caught:
        packs.load([str(folder)])
    return caught.value


DECLARED = '%*! tall(Unit)\n@fact "{Unit} is|are tall"\n*%\n%*! rule T1 "Tall"\nTall ones.\n*%\n'  # six lines
RULE = [
    ("tall(U) :- unit(U), tal(U).", "tal/1 is not declared", 7, 21, "did you mean tall?"),
    ("tall(U) :- unit(U,1).", "unit has 2 arguments here", 7, 12, "it is declared as unit/1"),
    ("tall(U) :- not unit(U).", "variable U is unsafe", 7, 1, "add a literal"),
    ("tall(U) :- unit(V).", "variable U is unsafe", 7, 1, "add a literal"),
    ("tall(U) :- unit(U), X < 3.", "variable X is unsafe", 7, 1, "add a literal"),
    ("tall(U) :- unit(U) unit(U).", "syntax error", 7, 20, ""),
    ("{ tall(U) } :- unit(U).", "a rule may not use this", 7, 1, "a breach is a derived atom"),
    (":- tall(U).", "integrity constraint", 7, 1, "a breach is a derived atom"),
    ("tall(U) ; -tall(U) :- unit(U).", "a rule may not use this", 7, 1, "a breach is a derived atom"),
    ("tall(U) :- unit(U), not not tall(U).", "double negation", 7, 21, ""),
    ("tall(@f(U)) :- unit(U).", "a rule may not use this", 7, 6, ""),
    ("tall(U) :- unit(U), not 1 < 2 < 3.", "negated chain", 7, 21, ""),
    ("#show tall/1. #external tall(a).", "a rule may not use this", 7, 15, ""),
    ("%@ T1 \"{X} is tall\"\ntall(U) :- unit(U).", "the line speaks of {X}", 8, 1, "its variables are U"),
    ("%@ T1 \"tall\" backgroud\ntall(U) :- unit(U).", "there is no flag backgroud", 7, 1, "did you mean background?"),
    ("%*! small(Unit)\n@fcat \"{Unit} is small\"\n*%", "there is no directive @fcat", 8, 1, "did you mean @fact?"),
    ("%*! small(Unit)\nno role\n*%", "small/1 has no role", 7, 1, "add one of @fact"),
    ("%*! small(unit)\n@helper\n*%", "'unit' is no name of an argument", 7, 1, "with a capital"),
    ("%*! Small(Unit)\n@helper\n*%", "no head of a declaration", 7, 1, "write: %*! name(Type"),
    ("%*! tall(Unit)\n@helper\n*%", "tall/1 is declared twice", 7, 1, "the other declaration is at tiny/rules.lp:1"),
    ("%*! small(Unit)\n@fact \"{Unit} shrank\"\n*%", "small/1 has no negative", 7, 1, "@not"),
    ("%*! small(Unit)\n@question maybe \"small?\"\n*%", "there is no kind of question 'maybe'", 8, 1, "a question is one of"),
    ("%*! rule T2 Small\nx\n*%", "a rule is declared by its reference and its title", 7, 1, "write: %*! rule"),
    ("%*! rule T2 \"Small\"\n*%", "rule T2 has no summary", 7, 1, "say in a line"),
    ("%*! rule T2 \"Small\"\nx\n@status done\n*%", "there is no status done", 9, 1, "encoded, partial"),
    ("%*! type place\n@colour red\n*%", "there is no directive @colour", 8, 1, "known: names"),
]


@pytest.mark.parametrize(("text", "message", "line", "column", "hint"), RULE)
def test_a_wrong_rule_is_one_error_with_its_place_and_what_would_be_right(
    tmp_path: Path, text: str, message: str, line: int, column: int, hint: str
) -> None:
    error = refused(tmp_path, DECLARED + text + "\n")
    assert message in error.message
    assert hint in error.hint
    assert error.span is not None
    assert (error.span.file, error.span.line, error.span.column) == ("tiny/rules.lp", line, column)
    source = (DECLARED + text).split("\n")[line - 1]
    shown = error.show().splitlines()
    assert shown[0].startswith(f"tiny/rules.lp:{line}:{column}: error: ")
    assert shown[1] == f"    {source}"
    assert shown[2].index("^") == 4 + column - 1
    assert error.exit_code == 3


def test_a_rule_without_a_reference_is_refused(tmp_path: Path) -> None:
    error = refused(tmp_path, DECLARED[:DECLARED.index("%*! rule")] + "tall(U) :- unit(U).\n")
    assert error.message == "this rule has no reference"
    assert error.span is not None
    assert error.span.line == 4
    assert "write %@ REF" in error.hint


def test_all_that_is_wrong_in_rules_is_told_at_once(tmp_path: Path) -> None:
    error = refused(tmp_path, DECLARED + "tall(U) :- unit(U), tal(U).\ntall(U) :- unit(U), un(U).\n")
    assert isinstance(error, ErrorGroup)
    assert [e.span.line for e in error.errors if e.span] == [7, 8]
    assert error.show().count("error:") == 2


CARD = "size: Big\nref: big\nsummary: big ones\n"
KINDS = ('%*! type card\n@of size\n*%\n%*! type size\n*%\n%*! reach(Card, Number)\n@key size reach\n@input\n*%\n'
         '%*! wide(Card)\n@helper\n*%\n')


@pytest.mark.parametrize(("text", "message", "line", "hint"), [
    (CARD + "reech: 3", "a size has no key reech", 4, "did you mean reach?"),
    (CARD + "reach: far", "", 4, ""),
    (CARD + "reach: {a: b}", "", 4, ""),
    (CARD.replace("ref: big\n", ""), "this card has no ref", 1, ""),
    (CARD.replace("size", "seize"), "there is no kind of card 'seize'", 1, "known: "),
    (CARD + CARD, "stands twice", 4, "it stands first in line 1"),
    ("[" + CARD, "", 0, ""),
    (f"- {CARD.replace(chr(10), chr(10) + '  ')}\n- {CARD.replace(chr(10), chr(10) + '  ')}", "declared twice", 5, ""),
    (CARD + "asp: |\n  wide(big) :- not reach(big,X), X > 1.", "variable X is unsafe", 5, ""),
])
def test_a_wrong_card_is_one_error_with_its_place(tmp_path: Path, text: str, message: str, line: int, hint: str) -> None:
    (tmp_path / "kinds.lp").write_text(KINDS)
    error = refused(tmp_path, text, "card.yaml")
    assert message in error.message
    assert hint in error.hint
    assert error.span is not None
    assert error.span.file == "tiny/card.yaml"
    assert not line or error.span.line == line
    if error.span.source:
        assert error.span.source == text.split("\n")[error.span.line - 1]


# Errors in situations ---------------------------------------------------------------------------


@pytest.mark.parametrize(("sentence", "message", "hint", "underlined"), [
    ("mill ows 2 to smithy", "this sentence is not understood", "the nearest sentence is: {unit} owe", ""),
    ("mil is open", "there is no unit 'mil'", "did you mean mill?", "mil"),
    ("mill owes 2 to nobody at all", "there is no unit 'nobody at all'", "the situation has", "nobody at all"),
    ("x" * 600, "longer than 500 characters", "", ""),
])
def test_a_wrong_sentence_shows_the_nearest_one(judge: Judge, sentence: str, message: str, hint: str, underlined: str) -> None:
    text = f"pack: {MARKET}\nsides: [east]\nunits:\n  mill: {{side: east}}\n  smithy: {{side: east}}\nfacts:\n  - {sentence}\n"
    with pytest.raises(SituationError) as caught:
        judge.situation_from_text(text, "some.yaml")
    error = caught.value
    assert message in error.message
    assert hint in error.hint
    assert error.span is not None
    assert (error.span.file, error.span.line) == ("some.yaml", 7)
    if underlined:
        source, caret = error.show().splitlines()[1:3]
        assert source[caret.index("^"):caret.rindex("^") + 1] == underlined


def test_a_caret_stands_below_its_place_in_a_long_line_too() -> None:
    source = "a" * 300 + "b" + "c" * 300
    shown, caret = Span("f", 1, 301, source).caret().splitlines()
    assert shown[caret.index("^")] == "b"
    assert len(shown) < 200


def test_control_characters_cannot_reach_the_terminal() -> None:
    assert RuleError("a\x1b[31mb", Span("f", 1, 1, "\x1b[0m")).show() == "f:1:1: error: a\\x1b[31mb\n    \\x1b[0m\n    ^"
