"""The compiled form of a rule: what the explainer matches and what the cache keeps.

Terms and literals are nested lists of strings and numbers, so that MessagePack holds them as they are:

    term     ["n", 5]  ["s", "text"]  ["v", "U"]  ["f", name, [args]]  ["o", op, left, right]  ["i", from, to]
    literal  ["p", naf, name, [args]]                       a predicate, `naf` 1 for default negation
             ["c", naf, term, [[op, term], ...]]            a comparison, possibly chained
             ["a", naf, function, [[terms, literals], ...], [op, term]|None, [op, term]|None]
             ["q", literal, [literals]]                     a conditional literal
             ["b", naf, truth]                              #true or #false
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from .terms import NEGATIVE, text

CTerm = list[Any]
CLiteral = list[Any]


class Rule(msgspec.Struct, omit_defaults=True):
    """One rule after unpooling, with its annotation and its place."""

    name: str
    args: list[CTerm]
    body: list[CLiteral]
    text: str
    ref: str = ""
    line: str = ""
    flags: list[str] = []
    since: str = ""
    until: str = ""
    file: str = ""
    row: int = 0
    pack: str = ""
    reason: str = ""

    @property
    def signature(self) -> str:
        return f"{self.name}/{len(self.args)}"

    def head_variables(self) -> set[str]:
        """The variables of the head."""
        return {name for term in self.args for name in term_variables(term)}


class Program(msgspec.Struct):
    """The compiled rules of a set of packs, in the order of their files."""

    rules: list[Rule] = []
    consts: dict[str, CTerm] = {}


def term_variables(term: CTerm) -> Iterator[str]:
    """Every variable of a term, anonymous ones left out."""
    tag = term[0]
    if tag == "v":
        if term[1] != "_":
            yield term[1]
    elif tag == "f":
        for arg in term[2]:
            yield from term_variables(arg)
    elif tag == "o":
        yield from term_variables(term[2])
        yield from term_variables(term[3])
    elif tag == "i":
        yield from term_variables(term[1])
        yield from term_variables(term[2])


def binds(term: CTerm) -> Iterator[str]:
    """The variables that matching a ground value against the term gives a value to."""
    tag = term[0]
    if tag == "v":
        if term[1] != "_":
            yield term[1]
    elif tag == "f":
        for arg in term[2]:
            yield from binds(arg)
    elif tag == "o" and term[1] in "+-" and not (set(term_variables(term[2])) and set(term_variables(term[3]))):
        yield from binds(term[2])
        yield from binds(term[3])


def literal_variables(literal: CLiteral) -> set[str]:
    """The variables that must have a value before the literal can be evaluated (its global ones)."""
    tag = literal[0]
    found: set[str] = set()
    if tag == "p":
        for arg in literal[3]:
            found.update(term_variables(arg))
    elif tag == "c":
        found.update(term_variables(literal[2]))
        for _, term in literal[3]:
            found.update(term_variables(term))
    elif tag == "a":
        for guard in (literal[4], literal[5]):
            if guard is not None:
                found.update(term_variables(guard[1]))
    return found


def inner_variables(literal: CLiteral) -> set[str]:
    """All variables inside an aggregate or a conditional literal."""
    found: set[str] = set()
    if literal[0] == "a":
        for terms, conditions in literal[3]:
            for term in terms:
                found.update(term_variables(term))
            for condition in conditions:
                found |= literal_variables(condition)
    elif literal[0] == "q":
        found |= literal_variables(literal[1])
        for condition in literal[2]:
            found |= literal_variables(condition)
    return found


def plan(body: list[CLiteral], bound: frozenset[str]) -> tuple[list[int], set[str]]:
    """An order in which the literals can be evaluated, and the variables that stay without a value.

    Tests come as soon as they can, then positive literals with the most bound arguments; this is
    the safety condition of clingo's manual (section 3.1.2) turned into an order.
    """
    have, left, order = set(bound), list(range(len(body))), []
    outer = [_outer(body, i) for i in range(len(body))]
    while left:
        best, best_score = -1, -1
        for i in left:
            score = _score(body[i], have, outer[i])
            if score > best_score:
                best, best_score = i, score
        if best_score < 0:
            break
        left.remove(best)
        order.append(best)
        have |= _gives(body[best])
    missing: set[str] = set()
    for i in left:
        missing |= (literal_variables(body[i]) | outer[i]) - have
    return order, missing


def _outer(body: list[CLiteral], index: int) -> set[str]:
    """Variables that an aggregate or a conditional literal shares with the rest of the rule."""
    inner = inner_variables(body[index])
    if not inner:
        return set()
    rest: set[str] = set()
    for i, literal in enumerate(body):
        if i != index:
            rest |= literal_variables(literal)
    return inner & rest


def _gives(literal: CLiteral) -> set[str]:
    tag = literal[0]
    if tag == "p" and not literal[1]:
        return {v for arg in literal[3] for v in binds(arg)}
    if tag == "c" and not literal[1]:
        return literal_variables(literal)
    if tag == "a" and literal[4] is not None and literal[4][0] == "=":
        return set(term_variables(literal[4][1]))
    return set()


def _score(literal: CLiteral, have: set[str], outer: set[str]) -> int:
    tag = literal[0]
    free = literal_variables(literal) - have
    if tag == "p" and not literal[1]:
        computed = {v for arg in literal[3] for v in term_variables(arg)} - {
            v for arg in literal[3] for v in binds(arg)
        }
        if computed - have:
            return -1
        return 500 if not free else 100 - len(free) + 20 * sum(
            1 for arg in literal[3] if have.issuperset(term_variables(arg))
        )
    if tag == "c":
        if not free:
            return 1000
        if not literal[1] and len(literal[3]) == 1 and literal[3][0][0] == "=":
            right = literal[3][0][1]
            left_free = set(term_variables(literal[2])) - have
            right_free = set(term_variables(right)) - have
            if (not right_free and left_free <= set(binds(literal[2]))) or (
                not left_free and right_free <= set(binds(right)) and right[0] != "i"
            ):
                return 900
        return -1
    if tag == "a":
        assigned = set(term_variables(literal[4][1])) if literal[4] and literal[4][0] == "=" else set()
        if free - assigned or outer - have:
            return -1
        return 40 if free else 60
    if tag == "q":
        return 30 if not outer - have else -1
    return 700 if not free else -1


def rule_text(rule: Rule) -> str:
    """The rule in the syntax of the program that clingo sees, negatives renamed."""
    head = literal_text(["p", 0, rule.name, rule.args])
    if not rule.body:
        return head + "."
    return f"{head} :- {'; '.join(literal_text(b) for b in rule.body)}."


def literal_text(literal: CLiteral) -> str:
    tag = literal[0]
    if tag == "q":
        return f"{literal_text(literal[1])} : {', '.join(literal_text(c) for c in literal[2])}"
    sign = "not " if literal[1] else ""
    if tag == "p":
        name = str(NEGATIVE + literal[2][1:] if literal[2].startswith("-") else literal[2])
        return sign + name + (f"({','.join(term_text(a) for a in literal[3])})" if literal[3] else "")
    if tag == "b":
        return sign + ("#true" if literal[2] else "#false")
    if tag == "c":
        return sign + term_text(literal[2]) + "".join(f" {op} {term_text(t)}" for op, t in literal[3])
    elements = "; ".join(
        ",".join(term_text(t) for t in terms) + (" : " + ", ".join(literal_text(c) for c in conditions))
        for terms, conditions in literal[3]
    )
    left = f"{term_text(literal[4][1])} {literal[4][0]} " if literal[4] else ""
    right = f" {literal[5][0]} {term_text(literal[5][1])}" if literal[5] else ""
    return f"{sign}{left}#{literal[2]} {{ {elements} }}{right}"


def term_text(term: CTerm) -> str:
    tag = term[0]
    if tag == "v":
        return str(term[1])
    if tag == "n":
        return str(term[1])
    if tag == "s":
        return text(str(term[1]))
    if tag == "i":
        return f"({term_text(term[1])}..{term_text(term[2])})"
    if tag == "o":
        if term[1] == "abs":
            return f"|{term_text(term[2])}|"
        sign = "\\" if term[1] == "%" else term[1]
        return f"({term_text(term[2])}{sign}{term_text(term[3])})"
    if not term[2]:
        return str(term[1]) or "()"
    tail = "," if not term[1] and len(term[2]) == 1 else ""
    return f"{term[1]}({','.join(term_text(a) for a in term[2])}{tail})"
