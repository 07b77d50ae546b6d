"""What may contradict a stated fact: worked out of the rules once, so that a ruling only looks where something can."""

from __future__ import annotations

from .program import Rule
from .vocabulary import Vocabulary

DEEP = 6
ALTERNATIVES = 12
"""How far, and how widely, stated facts are sought on which a contradiction rests."""


def contrary_of(rules: list[Rule], vocabulary: Vocabulary) -> dict[str, list[str]]:
    """What rules derive, by predicate: the functors of the first arguments, empty where one is no function."""
    found: dict[str, set[str]] = {}
    negated = {rule.name[1:] for rule in rules if rule.name.startswith("-")}
    for rule in rules:
        told = vocabulary.predicate(rule.name, len(rule.args))
        if rule.name.lstrip("-") not in negated and (told is None or told.role != "fact") and rule.name != "happened":
            continue
        first = rule.args[0] if rule.args else ["v"]
        found.setdefault(rule.signature, set()).add(first[1] if first[0] == "f" and first[2] else "")
    return {signature: sorted(functors) for signature, functors in found.items()}


def armed_by(rules: list[Rule], vocabulary: Vocabulary) -> list[tuple[str, list[str]]]:
    """For each contradiction that rules derive: predicates of which one must have a stated fact, if any must."""
    heads: dict[str, list[Rule]] = {}
    for rule in rules:
        heads.setdefault(rule.signature, []).append(rule)
    known: dict[tuple[str, int], frozenset[str] | None] = {}

    def of_rule(rule: Rule, depth: int) -> frozenset[str] | None:
        needs = [of(f"{lit[2]}/{len(lit[3])}", depth) for lit in rule.body if lit[0] == "p" and not lit[1]]
        return min((one for one in needs if one is not None), key=len, default=None)

    def of(name: str, depth: int) -> frozenset[str] | None:
        decl = vocabulary.predicates.get(name.lstrip("-"))
        if depth == 0 or decl is None or decl.role == "input" or decl.keys or decl.verb:
            return None
        if (name, depth) not in known:
            below = [of_rule(rule, depth - 1) for rule in heads.get(name, ())]
            found = None if None in below else frozenset().union(
                *(one for one in below if one is not None), [name] if decl.role == "fact" else [])
            known[name, depth] = found if found is not None and len(found) <= ALTERNATIVES else None
        return known[name, depth]

    found: dict[str, list[str]] = {}
    for rule in heads.get("contradiction/1", ()):
        name = f"{rule.args[0][1]}/{len(rule.args[0][2])}"
        needs = of_rule(rule, DEEP) or frozenset()
        known_needs = found.get(name)
        found[name] = sorted({*(known_needs or ()), *needs}) if needs and known_needs != [] else []
    return list(found.items())
