"""Whatever is thrown at the readers, only an error of the judge's own comes out, and a name stays a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from adjudicator.errors import JudgeError
from adjudicator.grammar import Grammar
from adjudicator.judge import Judge
from adjudicator.situation import Situation
from adjudicator.terms import parse, text
from adjudicator.vocabulary import Vocabulary
from adjudicator.yamltext import Document, read

PACK = str(Path(__file__).parent / "packs" / "market")
CALM = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
SITUATION = f"""\
pack: {PACK}
now: {{round: 2, turn: east, phase: morning}}
sides: [east, west]
units:
  mill: {{side: east, worth: 3}}
  smithy: {{side: west, worth: 2, models: {{smith: 2, boy: {{count: 3}}}}}}
facts:
  - mill owes 2 to smithy
  - mill traded last turn
  - smithy is open
ask: can mill trade?
"""
PIECES = ["mill", "smithy", "owes", "is", "open", "not", "2", '8"', "to", "vouches", "<", "{", "}", "|", "?", ".", ":", ",", "and",
          "traded", "in round 2", "this turn", "can", "trade", "the", "\t", "\u00a0", "’", '"', "2D6+1", "+1", "4+", "Σ", "ß", "İ",
          "😀", "\u202e", "-", "99999999999", "½", "²", "٣"]
NASTY = ['q"', 'a").', "a\\", '\\"', "x). p(y", "%", "%*", "*%", "#const", "#script (python)", "a\nb", ":-", "not mill", "mill;smithy",
         '"). holds(may("mill",trade)). q("', "{Unit}", "''", "mill's", "’", "1", "-1", "a, b and c", "a.", "?", "ß", "İ", "\u2028"]


def tried(judge: Judge, written: str) -> Situation | None:
    """The situation of a text, ruled upon; None where the judge refuses it in its own words."""
    try:
        situation = judge.situation_from_text(written)
        for question, span in situation.asks:
            ruling = judge.rule(situation, question, span, changes=False)
            json.dumps(ruling.to_dict())
    except JudgeError as error:
        assert error.show().startswith(("situation:", "error:", "market/")), error.show()
        assert "\x1b" not in error.show()
        return None
    return situation


# Text -------------------------------------------------------------------------------------------


@settings(CALM, max_examples=150)
@given(st.text(max_size=200))
@example("")
@example("&a [*a]")
@example("a: &x {b: *x}")
@example("!!python/object/apply:os.system ['true']")
@example("? [a]\n: b")
@example("- - - - -")
@example("a: 1\n---\nb: 2")
@example("\x00")
@example("%YAML 9.9\n---\na: b")
@example("a: b: c")
@example("\ufeffpack: x")
@example("<<: {pack: kernel}")
def test_any_text_is_a_document_or_an_error_with_its_place(written: str) -> None:
    try:
        document = Document(written, "situation")
    except JudgeError as error:
        assert error.show()
    else:
        assert document.file == "situation"


@CALM
@given(st.text(max_size=120))
def test_any_text_is_a_situation_or_an_error(judge: Judge, written: str) -> None:
    tried(judge, written)


@st.composite
def mutated(draw: st.DrawFn, of: str) -> str:
    """A text with one to four places changed: cut, doubled, swapped, or with something put in."""
    out = of
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(out)))
        end = min(len(out), at + draw(st.integers(0, 12)))
        put = draw(st.sampled_from(["", out[at:end] * 2, draw(st.sampled_from(PIECES)), draw(st.text(max_size=4)),
                                    draw(st.sampled_from(["\n", "\n  ", ": ", "- ", "[", "]", "{", "}", "&a ", "*a", "!x ", "#", "'", '"',
                                                          "|", ">", "? ", "null", "~", "yes", "<<: "]))]))
        out = out[:at] + put + out[end:]
    return out


@settings(CALM, max_examples=100)
@given(mutated(SITUATION))
def test_a_damaged_situation_is_ruled_upon_or_refused_in_the_judges_own_words(judge: Judge, written: str) -> None:
    tried(judge, written)


def values() -> st.SearchStrategy[object]:
    leaves = st.none() | st.booleans() | st.integers() | st.sampled_from([*NASTY, *PIECES]) | st.text(max_size=10)
    keys = st.sampled_from(["side", "worth", "models", "weapons", "keywords", "abilities", "datasheet", "count", "mill", "", "range"])
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=6)


@settings(CALM, max_examples=100)
@given(st.dictionaries(st.sampled_from(["pack", "date", "now", "sides", "units", "facts", "ask", "expect", "name", "readings", "no key"]),
                       values(), max_size=6))
def test_any_value_under_any_key_is_read_or_refused(judge: Judge, found: dict[str, object]) -> None:
    tried(judge, json.dumps({"pack": PACK, "sides": ["east"], **found}))


@settings(CALM, max_examples=60)
@given(values())
def test_any_unit_is_read_or_refused(judge: Judge, unit: object) -> None:
    tried(judge, json.dumps({"pack": PACK, "sides": ["east"], "units": {"mill": unit, "smithy": {"side": "east"}}}))


# Sentences --------------------------------------------------------------------------------------


@settings(CALM, max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join) | st.text(max_size=60) | mutated("mill owes 2 to smithy"))
@example("mill owes 2 to " + "smithy " * 400)
@example("{Unit} is open")
@example("mill owes 99999999999999999999 to smithy")
def test_any_sentence_and_any_question_is_read_or_refused(judge: Judge, sentence: str) -> None:
    situation = judge.situation_from_text(SITUATION)
    for reading in (lambda: situation.with_facts([sentence]), lambda: situation.ask(sentence)):
        try:
            reading()
        except JudgeError as error:
            assert error.show()


@pytest.mark.parametrize("kind", ["number", "delta", "threshold", "inches", "dice", "roll", "text", "day", "unit", "time", "unit_list"])
@settings(CALM, max_examples=25)
@given(written=st.text(max_size=30) | st.lists(st.sampled_from(PIECES), max_size=5).map(" ".join))
def test_any_phrase_is_a_term_or_refused(judge: Judge, kind: str, written: str) -> None:
    situation = judge.situation_from_text(SITUATION)
    term = situation.grammar.find_phrase(written, kind, situation.names)
    if term is None:
        assert situation.grammar.unknown_phrase(written, kind, situation.names).show()
    else:
        assert parse(text(term)) == term


# Names ------------------------------------------------------------------------------------------


@settings(CALM, max_examples=80)
@given(st.sampled_from(NASTY) | st.text(min_size=1, max_size=20))
def test_a_name_adds_no_rule_and_stays_the_name(judge: Judge, name: str) -> None:
    """A unit called by anything: its situation is refused, or its name is one string in the atoms, no more."""
    written = json.dumps({"pack": PACK, "sides": ["east"], "units": {name: {"side": "east"}, "plain": {"side": "east"}},
                          "ask": "can plain trade?"})
    situation = tried(judge, written)
    if situation is None:
        return
    other = tried(judge, written.replace(json.dumps(name), '"another"'))
    assert other is not None
    assert ("component", (name,)) in situation.atoms()
    assert len(situation.atoms()) == len(other.atoms())
    ruling = judge.rule(situation, "can plain trade?", changes=False)
    assert ruling.verdict == "no"
    assert ruling.to_dict() == judge.rule(other, "can plain trade?", changes=False).to_dict()


@pytest.mark.parametrize("name", [n for n in NASTY if "\n" not in n and n.isprintable()])
def test_a_name_can_be_spoken_of_whatever_is_in_it(judge: Judge, name: str) -> None:
    written = json.dumps({"pack": PACK, "sides": ["east"], "units": {name: {"side": "east"}, "plain": {"side": "east"}},
                          "facts": [f"plain owes 3 to {name}", f"{name} is open"], "ask": f"is plain in debt to {name}?"})
    situation = judge.situation_from_text(written)
    ruling = judge.rule(situation, situation.asks[0][0], changes=False)
    assert ruling.verdict == "yes"
    assert name in ruling.answer


@CALM
@given(st.recursive(
    st.integers(-2**31, 2**31 - 1) | st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12),
    lambda inner: st.tuples(st.sampled_from(["f", "list", "", "m"]), inner)
    | st.tuples(st.sampled_from(["g", ""]), inner, inner) | st.tuples(st.sampled_from(["c", "none"])),
    max_leaves=8,
))
def test_a_term_is_the_same_after_clingo_has_printed_it(term: object) -> None:
    import clingo

    assert parse(text(term)) == term  # type: ignore[arg-type]
    assert parse(str(clingo.parse_term(text(term)))) == term  # type: ignore[arg-type]


# Files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("data", "message"), [
    (b"\xff\xfe\x00\x01", "no text in UTF-8"),
    (b"\x7fELF\x02\x01\x01\x00" * 40, ""),
    (b"a: b\n" * 2_000_000, "larger than"),
    (b"", "empty"),
    (b"# nothing\n", "empty"),
    (b"a: &a [x]\nb: *a\n", "anchors and aliases"),
    (b"[" * 50_000, ""),
    (b"{a: " * 20_000, ""),
    (b"- " * 30_000 + b"x", ""),
])
def test_a_bad_file_is_one_clear_error(judge: Judge, tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "situation.yaml"
    path.write_bytes(data)
    with pytest.raises(JudgeError) as caught:
        judge.situation_from_file(str(path))
    assert message in caught.value.show()
    assert len(caught.value.show()) < 2000


def test_what_is_no_file_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.yaml", Path("a\0b"), tmp_path / ("x" * 400)):
        with pytest.raises(JudgeError):
            read(path)


def test_a_vocabulary_of_nothing_reads_nothing() -> None:
    situation_grammar = Grammar(Vocabulary())
    from adjudicator.grammar import Names

    with pytest.raises(JudgeError):
        situation_grammar.read_fact("anything", Names())
