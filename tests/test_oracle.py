"""The explainer agrees with clingo: every atom of a model has a support, no other atom has one.

clingo is the oracle. It solves, and it says of every rule instance that the explainer names whether the model meets
its body. Random small programs bring what a rule may hold: arithmetic, comparisons, negation, aggregates, conditional
literals, intervals, pools, strings, tuples. Random situations bring the rules of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from oracle import (
    candidates,
    check_against_clingo,
    compiled,
    everything,
    explainer,
    fact_atoms,
    plain,
    renamed,
    solved,
)
from programs import CONSTANTS, Text, programs

from adjudicator.errors import JudgeError
from adjudicator.hearing import Hearing
from adjudicator.judge import Judge
from adjudicator.reason import Reason
from adjudicator.solve import solve
from adjudicator.terms import Atom, Term, atom_text, parse

EXTRA = [args[0] for _, args in sorted(fact_atoms([f"e0({c})" for c in CONSTANTS]), key=str)]
CALM = settings(deadline=None, suppress_health_check=list(HealthCheck))
ROUGH = settings(CALM, phases=[Phase.explicit, Phase.reuse, Phase.generate])
"""Without shrinking, which takes minutes where an example takes half a second."""


# Random programs --------------------------------------------------------------------------------


@settings(CALM, max_examples=60)
@given(programs())
def test_random_programs_have_the_model_of_their_text_and_supports_for_just_its_atoms(program: Text) -> None:
    original = plain(program.text + "".join(f"\n{fact}." for fact in program.facts))
    try:
        unit, vocabulary = compiled(program.text)
    except JudgeError:
        assume(False)
        raise
    stated = fact_atoms(program.facts)
    model = solved(unit, stated)
    if original is not None:  # None: an atom and its negative, which only the compiled program can hold together
        assert {renamed(atom) for atom in original} == {atom_text(atom) for atom in everything(model)}
    check_against_clingo(unit, vocabulary, model, stated, candidates(unit, model, EXTRA[:8]))


@settings(CALM, max_examples=40)
@given(programs(), st.data())
def test_whatever_is_asked_of_a_random_program_is_told(program: Text, data: st.DataObject) -> None:
    try:
        unit, vocabulary = compiled(program.text)
    except JudgeError:
        assume(False)
        raise
    stated = fact_atoms(program.facts)
    model = solved(unit, stated)
    judge = explainer(unit, vocabulary, model, stated)
    for atom in data.draw(st.lists(st.sampled_from(sorted(candidates(unit, model, EXTRA[:4]), key=str)), max_size=12)):
        reason = judge.why(atom) if model.holds(atom) else judge.why_not(atom)
        assert reason.atom is not None
        assert reason.holds or not model.holds(atom)


ODD = [
    "p0(X) :- e0(X), not e0(X+1).",
    "p0(X) :- e0(X), not X = X+1.",
    "p0(X) :- e0(X), X < b.",
    'p0(X) :- e0(X), X < "s".',
    "p0(X) :- e0(X), f(a) < X.",
    "p0(N) :- N = #count { X : e0(X) }.",
    "p0(N) :- N = #sum { X : e0(X) }.",
    "p0(N) :- N = #sum+ { X : e0(X) }.",
    "p0(N) :- N = #min { X : e0(X) }.",
    "p0(N) :- N = #max { X : e0(X) }.",
    "p0(N) :- N = #min { X : e2(X) }.",
    "p0(N) :- N = #sum { X,Y : e1(X,Y), not e0(Y) }.",
    "p0(X) :- e0(X), #count { Y : e1(X,Y) } = 0.",
    "p0(X) :- e0(X), 1 <= #count { Y : e1(X,Y) } <= 2.",
    "p0(X) :- e0(X), not #count { Y : e1(X,Y) } > 0.",
    "p0(X) :- e0(X), X < Y : e1(X,Y).",
    "p0(X) :- e0(X), not e0(Y) : e1(X,Y).",
    "p0(X) :- e0(X), #false : e1(X,_).",
    "p1(X,Y) :- e0(X), Y = 1..3.",
    "p1(X,1..2) :- e0(X).",
    "p0(X) :- e1(X,0..1).",
    "p0(X) :- e0(X), not e0(1..2).",
    "p1(X,(Y;a)) :- e1(X,Y).",
    "p0(-7/2). p0(-7\\2). p0(7\\(-2)). p0(2**10). p0(0**0). p0(|-3|). p0(2147483647+1). p0(2**(-1)).",
    "p0(X+1) :- e0(X).",
    "p0(X) :- e0(X+1).",
    "p0(X) :- e0(2-X).",
    "p0(X/0) :- e0(X).",
    "p0(X) :- f(X) = Y, e0(Y).",
    "p0((X,a)) :- e0(X). p0((X,)) :- e0(X). p0(()).",
    "-p0(X) :- e0(X), not e2(X). p2(X) :- -p0(X).",
    "p1(X,Y) :- e1(X,Y). p1(X,Z) :- p1(X,Y), e1(Y,Z).",
    "p0(X) :- e0(X), X = f(_).",
]
FACTS = ["e0(a)", "e0(b)", 'e0("s")', 'e0("q\\"\\\\")', "e0(1)", "e0(2)", "e0(-2)", "e0(f(a))", "e1(a,1)", "e1(1,2)", "e1(2,1)",
         "e1(b,0)", "e1(2,a)"]


@pytest.mark.parametrize("rules", ODD)
def test_each_construct_means_what_it_means_to_clingo(rules: str) -> None:
    program = Text([rules], FACTS)
    unit, vocabulary = compiled(program.text)
    stated = fact_atoms(FACTS)
    model = solved(unit, stated)
    original = plain(program.text + "".join(f"{fact}." for fact in FACTS))
    assert original is not None
    assert {renamed(atom) for atom in original} == {atom_text(atom) for atom in everything(model)}
    check_against_clingo(unit, vocabulary, model, stated, candidates(unit, model, EXTRA))


@pytest.mark.parametrize("rules", [
    "p0(a) :- p0(b). p0(b) :- p0(a). p0(a) :- e0(a). p0(b) :- e0(b).",
    "p1(X,Y) :- p1(Y,X). p1(X,Y) :- e1(X,Y).",
    "p0(X) :- e0(X). p0(X) :- p2(X). p2(X) :- p0(X).",
])
def test_no_atom_rests_on_itself(rules: str) -> None:
    """The order of the rules tempts a support to go in a circle."""
    unit, vocabulary = compiled(Text([rules]).text)
    stated = fact_atoms(FACTS)
    model = solved(unit, stated)
    check_against_clingo(unit, vocabulary, model, stated, candidates(unit, model, []))
    judge = explainer(unit, vocabulary, model, stated)
    for atom in everything(model):
        for path in paths(judge.why(atom)):
            assert len(path) == len(set(path)), f"{atom_text(atom)} goes in a circle"


def paths(reason: Reason, above: tuple[Atom, ...] = ()) -> Iterator[tuple[Atom, ...]]:
    """The atoms from the top of a tree down to each of its leaves."""
    here = (*above, reason.atom) if reason.atom is not None else above
    if not reason.children:
        yield here
    for child in reason.children:
        yield from paths(child, here)


def test_a_long_chain_is_followed_to_its_end_in_good_time() -> None:
    """A hundred steps, each with many ways back: supports are found without trying every way."""
    unit, vocabulary = compiled(Text(["p0(0).", "p0(X+1) :- p0(X), X < 100.", "p0(X-1) :- p0(X), X > 0."]).text)
    model = solved(unit, set())
    judge = explainer(unit, vocabulary, model, set())
    assert judge.support(("p0", (100,))) is not None


# Random situations ------------------------------------------------------------------------------


UNITS = """\
pack: wh40k-11e
now: {round: 2, turn: red, phase: PHASE}
sides: [red, blue]
units:
  boyz: {side: red, datasheet: orks/boyz, models: 10}
  nobz: {side: red, keywords: [INFANTRY, ORKS], abilities: ["Waaagh!"], models: {nob: {count: 5, M: 6, T: 5, Sv: 4+, W: 2, Ld: 7+}}}
  warriors: {side: blue, datasheet: leagues-of-votann/hearthkyn-warriors, models: 10}
  captain: {side: blue, T: 5, Sv: 3+, W: 5, M: 5, Ld: 6+, keywords: [INFANTRY, CHARACTER]}
facts: [FACTS]
"""
STATEMENTS = [
    "boyz advanced", "boyz fell back", "boyz remained stationary", "nobz made a normal move", "nobz advanced",
    'boyz is 8" from warriors', 'nobz is 1" from captain', 'nobz is 14" from warriors', "warriors is battle-shocked",
    "boyz is battle-shocked", "red called the Waaagh!", "nobz is not on the battlefield", "boyz declared a charge",
    "captain was set up", "nobz is below half-strength", "warriors has lost 6 of its models", "boyz shot last turn",
]
ASKED = ["can boyz declare a charge?", "can nobz fall back?", "can boyz advance?", "is warriors battle-shocked?",
         "can nobz declare a charge?", "is captain on the battlefield?"]


@st.composite
def hearings(draw: st.DrawFn) -> tuple[str, list[str], str]:
    phase = draw(st.sampled_from(["movement", "shooting", "charge", "fight"]))
    stated = draw(st.lists(st.sampled_from(STATEMENTS), max_size=6, unique=True))
    return UNITS.replace("PHASE", phase), stated, draw(st.sampled_from(ASKED))


def heard(judge: Judge, text: str, stated: list[str], question: str) -> Hearing | None:
    """The hearing of a question, without the statements that the packs do not know; None where facts disagree."""
    known = []
    empty = judge.situation_from_text(text.replace("FACTS", ""))
    for sentence in stated:
        try:
            empty.with_facts([sentence])
            known.append(sentence)
        except JudgeError:
            continue
    try:
        situation = empty.with_facts(known)
        hearing = Hearing(judge, situation, situation.ask(question), question, ())
        hearing.check_consistent()
    except JudgeError:
        return None
    return hearing


@settings(ROUGH, max_examples=10)
@given(hearings())
def test_in_random_situations_every_derived_atom_has_a_founded_support_and_no_other_has(
    judge: Judge, drawn: tuple[str, list[str], str]
) -> None:
    hearing = heard(judge, *drawn)
    assume(hearing is not None)
    assert hearing is not None
    part, live = hearing.part, hearing.live
    rules = [hearing.loaded.rule(index) for index in sorted(live.rules)]
    facts = [*hearing.given, *map(atom_of, part.cards.text(live.cards).splitlines())]
    model = solve(part.text(live), facts, live.derived)
    unit = compiled("")[0]
    unit.rules, unit.consts = rules, dict(hearing.loaded.consts)
    outside = set(islice(absent(rules, model), 1500))
    check_against_clingo(unit, hearing.loaded.vocabulary, model, set(facts), outside)


def atom_of(line: str) -> Atom:
    """The atom of a fact as it stands in a program."""
    name, *args = parse(line.removesuffix("."))
    return name, tuple(args)


def absent(rules: list[object], model: object) -> Iterator[Atom]:
    """Atoms like those of the model that it does not have: one argument exchanged for another in the same place."""
    places: dict[tuple[str, int, int], dict[Term, None]] = {}
    atoms = sorted(everything(model), key=str)  # type: ignore[arg-type]
    for name, args in atoms:
        for i, arg in enumerate(args):
            places.setdefault((name, len(args), i), {})[arg] = None
    for name, args in atoms:
        for i in range(len(args)):
            for other in islice(places[name, len(args), i], 4):
                changed = (name, (*args[:i], other, *args[i + 1:]))
                if not model.holds(changed):  # type: ignore[attr-defined]
                    yield changed


@settings(ROUGH, max_examples=10)
@given(hearings())
def test_the_part_of_the_packs_that_a_question_needs_decides_as_the_whole_does(
    judge: Judge, drawn: tuple[str, list[str], str]
) -> None:
    hearing = heard(judge, *drawn)
    assume(hearing is not None)
    assert hearing is not None
    program = judge.program(hearing.loaded, hearing.day)
    facts = [*hearing.atoms(), *hearing.loaded.card_facts(hearing.day)]
    whole = plain(program + "".join(f"{atom_text(atom)}.\n" for atom in facts))
    assert whole is not None
    told = [reason for top in hearing.ruling(0).because for reason in top.walk() if reason.atom is not None]
    for reason in told:
        shown = atom_text(reason.atom)
        if "(_" not in shown and ",_" not in shown:
            assert (shown in whole) == reason.holds, shown
    target = hearing.target.atom
    assert target is not None
    assert hearing.solved.holds(target) == (atom_text(target) in whole)
