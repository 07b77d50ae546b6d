"""Which terms can stand where: the shapes of arguments, as the rules and the vocabulary give them.

An abstract interpretation of the rules: for each argument of each predicate the functors that can stand there,
two deep, as the least fixpoint over heads and bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from .program import CLiteral, CTerm, Rule, literal_variables, term_variables
from .vocabulary import Decl, Vocabulary

Signature = tuple[str, int]
Shape = Any
"""`ANY` for the unknown, `NAME` for a name or a number, or (functor, shapes of its arguments)."""
ANY, NAME = "*", "$"
DEPTH = 2
MANY = 6000
"""The most shapes of an argument, or of the variables of a rule together; beyond, they stand for anything."""
FEW = 4000
"""The most shapes of one phrase; beyond, its longest argument stands for anything."""
_VALUES = {
    **dict.fromkeys(("number", "delta", "threshold", "inches", "text", "day"), NAME), "value": ANY,
    "roll": ("dice", (ANY, ANY, ANY)),
}


class Flat:
    """A rule with the variables of its aggregates and conditional literals made its own.

    `parts` are its predicate literals, each with whether the rule needs its absence (or all of it), `givers`
    the literals that say which values its variables can have, `local` those that say it of variables inside
    an aggregate or a conditional literal.
    """

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.name, self.args = rule.name, rule.args
        self.signature: Signature = (rule.name, len(rule.args))
        self.parts: list[tuple[CLiteral, bool]] = []
        self.givers: list[CLiteral] = []
        self.local: list[CLiteral] = []
        shared = {v for arg in rule.args for v in term_variables(arg)}
        shared |= {v for literal in rule.body for v in literal_variables(literal)}
        count = 0
        for literal in rule.body:
            if literal[0] == "q":
                count += 1
                self._local(literal[1:2], literal[2], shared, count)
            elif literal[0] == "a":
                self.givers.append(literal)
                for _, conditions in literal[3]:
                    count += 1
                    self._local([], conditions, shared, count)
            else:
                self.givers.append(literal)
                if literal[0] == "p":
                    self.parts.append((literal, bool(literal[1])))

    def _local(self, told: list[CLiteral], conditions: list[CLiteral], shared: set[str], count: int) -> None:
        for literal in told:
            if literal[0] == "p":
                self.parts.append((_own(literal, shared, count), bool(literal[1])))
        for literal in conditions:
            mine = _own(literal, shared, count)
            self.local.append(mine)
            if mine[0] == "p":
                self.parts.append((mine, True))


def _own(node: Any, shared: set[str], count: int) -> Any:
    """A literal or a term with the variables that it does not share renamed."""
    if isinstance(node, list):
        if len(node) == 2 and node[0] == "v" and node[1] not in shared:
            return ["v", f"{node[1]}@{count}"]
        return [_own(part, shared, count) for part in node]
    return node


class Domains:
    """Which shapes each argument of each predicate can have: those that rules and statements put there."""

    def __init__(self, rules: list[Flat], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.of: dict[tuple[str, int, int], set[Shape]] = {}
        self._types: dict[tuple[str, int], set[Shape]] = {}
        for decl in vocabulary.predicates.values():
            if decl.role in ("fact", "input") or decl.verb or decl.keys:
                for place, kind in enumerate(decl.types):
                    for name in (decl.name, f"-{decl.name}"):
                        self.of.setdefault((name, decl.arity, place), set()).update(self._said(kind))
        readers: dict[Signature, list[int]] = {}
        for i, rule in enumerate(rules):
            for literal in (*rule.givers, *rule.local):
                if literal[0] == "p" and not literal[1]:
                    readers.setdefault((literal[2], len(literal[3])), []).append(i)
        todo = dict.fromkeys(range(len(rules)))
        while todo:
            i = next(iter(todo))
            del todo[i]
            rule = rules[i]
            for place, term in enumerate(rule.args):
                known = self.of.setdefault((rule.name, len(rule.args), place), set())
                if ANY in known:
                    continue
                new = self.shapes(term, rule, DEPTH) - known
                if new:
                    if ANY in new or len(known) + len(new) > MANY:
                        known.clear()
                        new = {ANY}
                    known |= new
                    todo.update(dict.fromkeys(readers.get((rule.name, len(rule.args)), ())))

    def _said(self, kind: str, depth: int = DEPTH) -> set[Shape]:
        """The shapes of what a person can say where a value of the type is wanted."""
        if (kind, depth) not in self._types:
            found: set[Shape] = set()
            seen: set[str] = set()
            todo = [kind]
            while todo:
                part = todo.pop()
                if part in seen:
                    continue
                seen.add(part)
                declared = self.vocabulary.types.get(part)
                phrases = [decl for decl in self.vocabulary.terms.values() if part in (decl.type, decl.role)]
                for decl in phrases:
                    found |= self._phrase(decl, depth)
                if part in _VALUES:
                    found.add(_VALUES[part])
                elif part == "question":
                    found |= {("is", (shape,)) for decl in self.vocabulary.predicates.values() if decl.asks
                              for shape in self._phrase(decl, depth - 1)} if depth > 1 else {("is", (ANY,))}
                elif part == "dice" or part.endswith("_list") or (declared is None and not phrases):
                    found.add(ANY)
                else:
                    found.add(NAME)
                    todo.extend(declared.of if declared is not None else ())
            self._types[kind, depth] = {ANY} if ANY in found else found
        return self._types[kind, depth]

    def _phrase(self, decl: Decl, depth: int) -> set[Shape]:
        inner = [sorted(self._said(kind, depth - 1), key=repr) if depth > 1 else [ANY] for kind in decl.types]
        while prod(map(len, inner)) > FEW:
            inner[max(range(len(inner)), key=lambda i: len(inner[i]))] = [ANY]
        return {(decl.name, parts) for parts in product(*inner)}

    def shapes(self, term: CTerm, rule: Flat, depth: int) -> set[Shape]:
        """The shapes of the values that a term can have in a rule."""
        if depth == 0:
            return {ANY}
        if term[0] == "f":
            inner = [sorted(self.shapes(arg, rule, depth - 1), key=repr) for arg in term[2]]
            if prod(map(len, inner)) > MANY:
                inner = [[ANY] for _ in inner]
            return {(term[1], parts) for parts in product(*inner)}
        if term[0] != "v":
            return {NAME}
        found: set[Shape] | None = None
        for literal in rule.local if "@" in term[1] else rule.givers:
            for here in self._given(literal, term):
                found = here if found is None else {
                    a if b == ANY else b for a in found for b in here if meets(a, b)}
        if found is None:
            return {ANY}
        other = {(right[1], ()) for literal in rule.givers if literal[:3] == ["c", 0, term]
                 for op, right in literal[3][:1] if op == "!=" and right[0] == "f" and not right[2]}
        return {cut(shape, depth) for shape in found if shape not in other}

    def _given(self, literal: CLiteral, variable: CTerm) -> Iterator[set[Shape]]:
        """What a literal says of the shapes of a variable."""
        if literal[0] == "p" and not literal[1]:
            for place, arg in enumerate(literal[3]):
                if arg == variable:
                    here = self.of.get((literal[2], len(literal[3]), place), set())
                    if ANY not in here:
                        yield here
                elif arg[0] == "f" and variable in arg[2]:
                    at = arg[2].index(variable)
                    outer = self.of.get((literal[2], len(literal[3]), place), set())
                    if ANY not in outer:
                        inner = {shape[1][at] for shape in outer if isinstance(shape, tuple)
                                 and shape[0] == arg[1] and len(shape[1]) == len(arg[2])}
                        if ANY not in inner:
                            yield inner
        elif literal[0] == "c" and not literal[1] and literal[2] == variable and literal[3][0][0] == "=":
            right = literal[3][0][1]
            if right[0] == "f":
                yield {(right[1], (ANY,) * len(right[2]))}
            elif right[0] in "nsoi":
                yield {NAME}
        elif literal[0] == "a" and literal[2] in ("sum", "count") and literal[4] and literal[4][1] == variable:
            yield {NAME}


def few(options: list[set[Shape]]) -> list[list[Shape]]:
    """The options of some variables, coarser where together they are too many: first less deep, then unknown.

    Variables of few shapes are given up before those of many, which tell more apart.
    """
    if prod(map(len, options)) > MANY:
        options = [{cut(shape, 1) for shape in shapes} for shapes in options]
    for i in sorted(range(len(options)), key=lambda i: len(options[i])):
        if prod(map(len, options)) <= MANY:
            break
        options[i] = {ANY}
    return [sorted(shapes, key=repr) for shapes in options]


def cut(shape: Shape, depth: int) -> Shape:
    """A shape down to a depth."""
    if depth == 0:
        return ANY
    return (shape[0], tuple(cut(part, depth - 1) for part in shape[1])) if isinstance(shape, tuple) else shape


def meets(a: Shape, b: Shape) -> bool:
    """Whether two shapes can be those of the same term."""
    if ANY in (a, b):
        return True
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    return bool(a[0] == b[0]) and len(a[1]) == len(b[1]) and all(map(meets, a[1], b[1]))
