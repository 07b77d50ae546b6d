"""Holding the explainer against clingo: what both say about one program."""

from __future__ import annotations

from itertools import product

import clingo

from adjudicator.compile import Unit, check, compile_text
from adjudicator.explain import Explainer
from adjudicator.grammar import Names
from adjudicator.program import Rule, literal_text, term_text
from adjudicator.rulebase import RuleBase
from adjudicator.saying import Sayer
from adjudicator.solve import Solved, solve
from adjudicator.terms import NEGATIVE, Atom, Term, atom_text, parse, text
from adjudicator.vocabulary import Vocabulary


def compiled(source: str) -> tuple[Unit, Vocabulary]:
    """The rules and declarations of a text, checked."""
    vocabulary = Vocabulary()
    unit = compile_text(source, "test.lp", "test", vocabulary)
    check([unit], vocabulary, {"test"})
    return unit, vocabulary


def plain(program: str) -> set[str] | None:
    """The atoms of the one model that clingo finds, as text with negatives renamed; None without a model."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    models: list[list[clingo.Symbol]] = []
    control.solve(on_model=lambda model: models.append(list(model.symbols(atoms=True))))
    return {str(symbol) for symbol in models[0]} if models else None


def renamed(atom: str) -> str:
    return NEGATIVE + atom[1:] if atom.startswith("-") else atom


def solved(unit: Unit, facts: set[Atom]) -> Solved:
    """The model of compiled rules with facts, as a ruling sees it."""
    consts = "".join(f"#const {name}={term_text(value)}." for name, value in unit.consts.items())
    derived = {(rule.name, len(rule.args)) for rule in unit.rules}
    return solve(consts + "\n".join(rule.text for rule in unit.rules) + "\n", sorted(facts, key=str), derived)


def fact_atoms(facts: list[str]) -> set[Atom]:
    """Facts that are written as clingo reads them."""
    return {(shown[0], shown[1:]) for shown in map(parse, (str(clingo.parse_term(fact)) for fact in facts))}  # type: ignore[index, misc]


def explainer(unit: Unit, vocabulary: Vocabulary, model: Solved, stated: set[Atom]) -> Explainer:
    return Explainer(RuleBase(unit.rules, unit.consts, vocabulary), model, Sayer(vocabulary, Names()), stated, {})


def everything(model: Solved) -> set[Atom]:
    """All atoms of a model."""
    return {(name, args) for name, arity in model.signatures() for args in model.extension(name, arity)}


def candidates(unit: Unit, model: Solved, extra: list[Term]) -> set[Atom]:
    """Atoms that could be: each derived predicate over all terms that occur in the model, and over `extra`."""
    terms: dict[Term, None] = dict.fromkeys(extra)
    for _, args in everything(model):
        terms.update(dict.fromkeys(args))
    found: set[Atom] = set()
    for name, arity in {(rule.name, len(rule.args)) for rule in unit.rules}:
        found.update((name, args) for args in product(terms, repeat=arity))
    return found


def met(supports: list[tuple[Rule, dict[str, Term]]], model: set[Atom], consts: dict[str, list[object]]) -> list[bool]:
    """Whether clingo finds that the model meets the body of each rule instance and derives its head."""
    lines = [f"#const {name}={term_text(value)}." for name, value in consts.items()]
    lines += [f"{atom_text(atom)}." for atom in model]
    for i, (rule, env) in enumerate(supports):
        values = [f"{name}={text(value)}" for name, value in env.items()]
        head = ",".join(["0", *map(term_text, rule.args)])
        body = [*values, *map(literal_text, rule.body)] or ["#true"]
        lines.append(f"met__({i},({head})) :- {'; '.join(body)}.")
    found = plain("\n".join(lines)) or set()
    numbers = {int(atom[6:].split(",")[0]) for atom in found if atom.startswith("met__(")}
    return [i in numbers for i in range(len(supports))]


def check_against_clingo(unit: Unit, vocabulary: Vocabulary, model: Solved, stated: set[Atom],
                         outside: set[Atom]) -> None:
    """Every atom of the model has a support that clingo confirms, and no atom `outside` has one."""
    atoms = everything(model)
    judge = explainer(unit, vocabulary, model, stated)
    supports: list[tuple[Rule, dict[str, Term]]] = []
    for atom in sorted(atoms, key=str):
        found = judge.support(atom)
        assert found is not None, f"{atom_text(atom)} has no support"
        rule, env = found
        if rule is None:
            assert atom in stated, atom_text(atom)
            continue
        assert (rule.name, len(rule.args)) == (atom[0], len(atom[1]))
        supports.append((rule, env))
        founded(judge, atom)
    for (rule, env), holds in zip(supports, met(supports, atoms, unit.consts), strict=True):
        assert holds, f"clingo does not meet {rule.text} with {env}"
    for atom in outside - atoms:
        assert judge.support(atom) is None, f"{atom_text(atom)} has a support but is not in the model"


def founded(judge: Explainer, atom: Atom, path: frozenset[Atom] = frozenset()) -> None:
    """Follow supports down to the facts: none rests on what it supports."""
    assert atom not in path, f"{atom_text(atom)} rests on itself"
    found = judge.support(atom, path)
    assert found is not None, f"{atom_text(atom)} has no founded support"
    rule, env = found
    if rule is None:
        return
    for literal in rule.body:
        if literal[0] == "p" and not literal[1]:
            below = (literal[2], tuple(judge.matcher.value(arg, env) for arg in literal[3]))
            if below[0] in judge.base.cyclic:
                founded(judge, below, path | {atom})  # type: ignore[arg-type]
