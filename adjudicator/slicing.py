"""The part of a program on which a question can depend.

Rules are followed backwards from the atoms that answer a question. Atoms are abstracted to trees of
functors (names, numbers and variables become None), so that a question about one action leaves out the
rules of the others. The result is a splitting set of the program (Lifschitz and Turner 1994): what
stays decides the same atoms as the whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .program import CLiteral, CTerm, Rule
from .terms import Term

Shape = Any
"""None for anything, or (functor, argument shapes)."""
Pattern = tuple[str, tuple[Shape, ...]]
DEPTH = 4


def shape_of(term: Term, depth: int = DEPTH) -> Shape:
    """The shape of a ground term."""
    if not isinstance(term, tuple) or depth == 0:
        return None
    return (term[0], tuple(shape_of(arg, depth - 1) for arg in term[1:]))


class Slicer:
    """Slices of one set of rules; each pattern is followed once and remembered."""

    def __init__(self, rules: list[Rule], consts: Iterable[str] = ()) -> None:
        self.rules = rules
        self.consts = frozenset(consts)
        self._heads: dict[tuple[str, int], list[int]] = {}
        for i, rule in enumerate(rules):
            self._heads.setdefault((rule.name, len(rule.args)), []).append(i)
        self._next: dict[Pattern, list[tuple[int, list[Pattern]]]] = {}

    def reach(self, goals: Iterable[Pattern]) -> tuple[list[int], set[str]]:
        """The rules that the goals depend on, in order, and the `name/arity` of every atom among them."""
        todo, seen = list(goals), set()
        found: set[int] = set()
        used: set[str] = set()
        while todo:
            pattern = todo.pop()
            if pattern in seen:
                continue
            seen.add(pattern)
            used.add(f"{pattern[0]}/{len(pattern[1])}")
            for index, body in self._follow(pattern):
                found.add(index)
                todo.extend(body)
                todo.extend(self._choices(index))
        return sorted(found), used

    def _choices(self, index: int) -> list[Pattern]:
        """Where a rule opens a choice, its options count too."""
        rule = self.rules[index]
        if rule.name == "open" and len(rule.args) == 3:
            return [("option", (self._shape(rule.args[2], {}), None))]
        return []

    def _follow(self, pattern: Pattern) -> list[tuple[int, list[Pattern]]]:
        if pattern not in self._next:
            name, args = pattern
            out = []
            for index in self._heads.get((name, len(args)), ()):
                env: dict[str, Shape] = {}
                rule = self.rules[index]
                if all(self._match(term, shape, env) for term, shape in zip(rule.args, args, strict=True)):
                    out.append((index, list(dict.fromkeys(self._body(rule.body, env)))))
            self._next[pattern] = out
        return self._next[pattern]

    def _match(self, term: CTerm, shape: Shape, env: dict[str, Shape]) -> bool:
        tag = term[0]
        if tag == "v":
            known = env.get(term[1])
            if known is None:
                env[term[1]] = shape
                return True
            return shape is None or _compatible(known, shape)
        if shape is None:
            return True
        if tag == "f":
            if term[1] in self.consts and not term[2]:
                return False
            return shape[0] == term[1] and len(shape[1]) == len(term[2]) and all(
                self._match(arg, part, env) for arg, part in zip(term[2], shape[1], strict=True))
        return False

    def _shape(self, term: CTerm, env: dict[str, Shape], depth: int = DEPTH) -> Shape:
        if term[0] == "v":
            return env.get(term[1])
        if term[0] != "f" or depth == 0 or (not term[2] and term[1] in self.consts):
            return None
        return (term[1], tuple(self._shape(arg, env, depth - 1) for arg in term[2]))

    def _body(self, body: list[CLiteral], env: dict[str, Shape]) -> Iterable[Pattern]:
        for literal in body:
            tag = literal[0]
            if tag == "p":
                name, args = literal[2], tuple(_cut(self._shape(arg, env)) for arg in literal[3])
                yield name, args
                opposite = name[1:] if name.startswith("-") else f"-{name}"
                if (opposite, len(args)) in self._heads:
                    yield opposite, args
            elif tag == "q":
                yield from self._body([literal[1], *literal[2]], env)
            elif tag == "a":
                for _, conditions in literal[3]:
                    yield from self._body(conditions, env)


def _compatible(a: Shape, b: Shape) -> bool:
    if a is None or b is None:
        return True
    return a[0] == b[0] and len(a[1]) == len(b[1]) and all(map(_compatible, a[1], b[1]))


def _cut(shape: Shape, depth: int = DEPTH) -> Shape:
    if shape is None or depth == 0:
        return None
    return (shape[0], tuple(_cut(arg, depth - 1) for arg in shape[1]))
