"""The part of a program on which a question can depend.

Rules are followed backwards from the atoms that answer a question. Atoms are abstracted to trees of
functors (names, numbers and variables become None), so that a question about one action leaves out the
rules of the others. The result is a splitting set of the program (Lifschitz and Turner 1994): what
stays decides the same atoms as the whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from .program import CLiteral, CTerm, Rule
from .terms import Atom, Term

Shape = Any
"""None for anything, or (functor, argument shapes)."""
Pattern = tuple[str, tuple[Shape, ...]]
DEPTH = 4


def shape_of(term: Term, depth: int = DEPTH) -> Shape:
    """The shape of a ground term."""
    if not isinstance(term, tuple) or depth == 0:
        return None
    return (term[0], tuple(shape_of(arg, depth - 1) for arg in term[1:]))


class Goals(msgspec.Struct, frozen=True):
    """What a slice is made for.

    `asked` answer the question; `checks` are wanted only where they are derived, never explained where
    they are not; `narrow` are checks that leave out rules whose head takes any first argument.
    """

    asked: tuple[Pattern, ...]
    checks: tuple[Pattern, ...] = ()
    narrow: tuple[Pattern, ...] = ()


class Way(msgspec.Struct, array_like=True):
    """A rule that can derive atoms of a pattern: what its positive literals need, and all that its body reads."""

    head: int
    rule: int
    needs: list[int]
    body: list[int]


class Slice(msgspec.Struct, array_like=True):
    """What some goals depend on: rules by index, the ways between patterns, the predicates among them."""

    rules: list[int]
    used: set[str]
    patterns: list[Pattern]
    ways: list[Way]
    asked: int = 0
    checks: int = 0


class Liveness:
    """Which rules of a slice can fire: every positive literal has a fact, or a rule that can fire.

    Rules that cannot derive nothing, so the program without them has the same model; grounding them is
    what costs. What is only checked is followed through rules that can fire alone.
    """

    def __init__(self, part: Slice) -> None:
        self.ways = part.ways
        self.part = part
        self._heads: dict[int, list[int]] = {}
        for i, way in enumerate(part.ways):
            self._heads.setdefault(way.head, []).append(i)
        self._asked = self._below(range(part.asked), None)
        self._by_signature: dict[str, list[tuple[int, tuple[Shape, ...] | None]]] = {}
        for i, (name, args) in enumerate(part.patterns):
            shapes = None if all(shape is None for shape in args) else args
            self._by_signature.setdefault(f"{name}/{len(args)}", []).append((i, shapes))
        self._waiting: list[list[int]] = [[] for _ in part.patterns]
        self._needs: list[int] = []
        self._free: list[int] = []
        for i, way in enumerate(part.ways):
            needs = set(way.needs)
            self._needs.append(len(needs))
            if not needs:
                self._free.append(i)
            for pattern in needs:
                self._waiting[pattern].append(i)

    def rules(self, facts: Iterable[Atom]) -> set[int]:
        """The rules that can fire with these facts, by index."""
        rows: dict[str, list[tuple[Term, ...]]] = {}
        for name, args in facts:
            rows.setdefault(f"{name}/{len(args)}", []).append(args)
        todo = self._stated(rows)
        alive = set(todo)
        left = list(self._needs)
        fired: set[int] = set()

        def fire(index: int) -> None:
            way = self.ways[index]
            fired.add(index)
            if way.head not in alive:
                alive.add(way.head)
                todo.append(way.head)

        for index in self._free:
            fire(index)
        while todo:
            for index in self._waiting[todo.pop()]:
                left[index] -= 1
                if not left[index]:
                    fire(index)
        wanted = self._below(range(self.part.asked, self.part.asked + self.part.checks), fired) | self._asked
        return {self.ways[i].rule for i in fired if self.ways[i].head in wanted}

    def _below(self, goals: Iterable[int], fired: set[int] | None) -> set[int]:
        """The patterns that the goals read, through all ways or through those that fired."""
        seen = set(goals)
        todo = list(seen)
        while todo:
            for index in self._heads.get(todo.pop(), ()):
                if fired is None or index in fired:
                    for pattern in self.ways[index].body:
                        if pattern not in seen:
                            seen.add(pattern)
                            todo.append(pattern)
        return seen

    def _stated(self, rows: dict[str, list[tuple[Term, ...]]]) -> list[int]:
        found: list[int] = []
        for signature, args in rows.items():
            shapes: set[tuple[Shape, ...]] | None = None
            for index, wanted in self._by_signature.get(signature, ()):
                if wanted is not None:
                    if shapes is None:
                        shapes = {tuple(shape_of(term) for term in row) for row in args}
                    if not any(all(map(_compatible, row, wanted)) for row in shapes):
                        continue
                found.append(index)
        return found


class Slicer:
    """Slices of a list of rules (or of those at some places of it); each pattern is followed once and remembered."""

    def __init__(self, rules: list[Rule], consts: Iterable[str] = (), places: list[int] | None = None) -> None:
        self.rules = rules
        self.places = places if places is not None else list(range(len(rules)))
        self.consts = frozenset(consts)
        self._heads: dict[tuple[str, int], list[int]] = {}
        for i in self.places:
            self._heads.setdefault((rules[i].name, len(rules[i].args)), []).append(i)
        self._next: dict[Pattern, list[tuple[int, list[Pattern], list[Pattern]]]] = {}

    @property
    def in_force(self) -> list[Rule]:
        """The rules that are sliced."""
        return [self.rules[i] for i in self.places]

    def reach(self, goals: Goals) -> Slice:
        """What the goals depend on. Their patterns come first: what is asked, then what is checked."""
        place: dict[Pattern, int] = {}
        order: list[Pattern] = []

        def number(pattern: Pattern) -> int:
            if pattern not in place:
                place[pattern] = len(order)
                order.append(pattern)
            return place[pattern]

        asked = len({number(goal) for goal in goals.asked})
        for goal in (*goals.checks, *goals.narrow):
            number(goal)
        checks = len(order) - asked
        narrow = {place[goal] for goal in goals.narrow if goal not in goals.checks}
        ways: list[Way] = []
        at = 0
        while at < len(order):
            for index, body, needs in self._follow(order[at]):
                if at not in narrow or self.rules[index].args[0][0] != "v":
                    read = [number(p) for p in (*body, *self._choices(index))]
                    ways.append(Way(at, index, [number(p) for p in needs], read))
            at += 1
        used = {f"{name}/{len(args)}" for name, args in order}
        return Slice(sorted({way.rule for way in ways}), used, order, ways, asked, checks)

    def _choices(self, index: int) -> list[Pattern]:
        """Where a rule opens a choice, its options count too."""
        rule = self.rules[index]
        if rule.name == "open" and len(rule.args) == 3:
            return [("option", (self._shape(rule.args[2], {}), None))]
        return []

    def _follow(self, pattern: Pattern) -> list[tuple[int, list[Pattern], list[Pattern]]]:
        """The rules that can derive a pattern: index, all patterns of the body, those of its positive literals."""
        if pattern not in self._next:
            name, args = pattern
            out = []
            for index in self._heads.get((name, len(args)), ()):
                env: dict[str, Shape] = {}
                rule = self.rules[index]
                if all(self._match(term, shape, env) for term, shape in zip(rule.args, args, strict=True)):
                    needs = [(lit[2], tuple(_cut(self._shape(arg, env)) for arg in lit[3]))
                             for lit in rule.body if lit[0] == "p" and not lit[1]]
                    out.append((index, list(dict.fromkeys(self._body(rule.body, env))), needs))
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
