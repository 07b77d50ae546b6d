"""The part of a program on which a question can depend.

Rules are followed backwards from the atoms that answer a question. Atoms are abstracted to trees of
functors (names, numbers and variables become None), so that a question about one action leaves out the
rules of the others. The result is a splitting set of the program (Lifschitz and Turner 1994): what
stays decides the same atoms as the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from .narrowing import Narrowing, Read, Step, reads_of
from .program import CLiteral, CTerm, Rule, literal_variables
from .shapes import DEPTH, Pattern, Shape, compatible, cut, opposite, shape_of
from .rulebase import asks, cyclic_predicates
from .terms import Atom, Signature, Term, facts_text
from .vocabulary import Vocabulary


class Goals(msgspec.Struct, frozen=True):
    """What a slice is made for.

    `asked` answer the question; `checks` are wanted only where they are derived, never explained where
    they are not; `narrow` are checks that leave out rules whose head takes any first argument.
    """

    asked: tuple[Pattern, ...]
    checks: tuple[Pattern, ...] = ()
    narrow: tuple[Pattern, ...] = ()


class Way(msgspec.Struct, array_like=True):
    """A rule that can derive atoms of a pattern: what its positive literals need, and all that its body reads.

    `contrary` are the opposites of the needs, -1 where no rule derives one; `binders` are pairs of places: the
    second need gives a value in the first.
    """

    head: int
    rule: int
    needs: list[int]
    body: list[int]
    contrary: list[int]
    binders: list[tuple[int, int]] = []


class Slice(msgspec.Struct, array_like=True):
    """What some goals depend on: rules by index, the ways between patterns, the predicates among them.

    `facts` are those of the packs' cards: the arguments by predicate, and as program texts; `given` are the patterns
    that they match. What an explanation asks of the rules as a whole stands here too,
    so that few of them need be unpacked: `texts` in the order of `rules`, the rules by their heads, those that
    ask for a reading, and the predicates that depend positively on themselves.
    """

    rules: list[int]
    used: set[str]
    patterns: list[Pattern]
    ways: list[Way]
    asked: int = 0
    checks: int = 0
    facts: dict[str, list[Any]] = {}
    fact_texts: dict[str, str] = {}
    given: list[int] = []
    texts: list[str] = []
    heads: dict[str, list[int]] = {}
    asking: list[int] = []
    cyclic: list[str] = []


class Live:
    """What can fire with some facts: `rules` by index, the predicates they derive, and what keeps the others."""

    def __init__(self, rules: set[int], ways: Mapping[int, list[Way]], patterns: list[Pattern], alive: set[int],
                 wanted: set[int], derived: set[Signature]) -> None:
        self.rules = rules
        self.derived = derived
        self._ways = ways
        self._patterns = patterns
        self._alive = alive
        self._wanted = wanted

    def read(self) -> set[Signature]:
        """The predicates that the rules read or derive: the facts of others need not be grounded."""
        return {(self._patterns[i][0], len(self._patterns[i][1])) for i in self._wanted}

    def missing(self, rule: int, args: tuple[Term, ...]) -> list[int]:
        """Which of the positive literals of a rule nothing makes true, where it is to derive an atom."""
        shapes = tuple(shape_of(arg) for arg in args)
        lacking: set[int] | None = None
        for way in self._ways.get(rule, ()):
            if all(map(compatible, shapes, self._patterns[way.head][1])):
                lacks = {place for place, need in enumerate(way.needs) if need not in self._alive}
                if not lacks and way.head in self._wanted:
                    return []
                lacking = lacks if lacking is None else lacking & lacks
        return sorted(lacking or ())


class Liveness:
    """Which rules of a slice can fire: every positive literal has a fact, or a rule that can fire.

    Rules that cannot derive nothing, so the program without them has the same model; grounding them is
    what costs.
    """

    def __init__(self, part: Slice) -> None:
        self.ways = part.ways
        self.part = part
        self._heads: dict[int, list[int]] = {}
        for i, way in enumerate(part.ways):
            self._heads.setdefault(way.head, []).append(i)
        self._by_signature: dict[str, list[tuple[int, tuple[Shape, ...] | None]]] = {}
        for i, (name, args) in enumerate(part.patterns):
            shapes = None if all(shape is None for shape in args) else args
            self._by_signature.setdefault(f"{name}/{len(args)}", []).append((i, shapes))
        self._by_rule: dict[int, list[Way]] = {}
        for way in part.ways:
            self._by_rule.setdefault(way.rule, []).append(way)
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

    def rules(self, facts: Iterable[Atom], told: bool = True) -> Live:
        """The rules that can fire with these facts and that the goals read, and of the others what keeps them.

        Where nothing is `told`, only the goals count, not what explains why one of them does not hold.
        """
        rows: dict[str, list[tuple[Term, ...]]] = {}
        for name, args in facts:
            rows.setdefault(f"{name}/{len(args)}", []).append(args)
        alive = {*self._stated(rows), *self.part.given}
        todo = list(alive)
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
        wanted = self._below(range(self.part.asked), fired, alive if told else None)
        wanted |= self._below(range(self.part.asked, self.part.asked + self.part.checks), fired, None)
        kept: set[int] = set()
        derived: set[Signature] = set()
        for index in fired:
            way = self.ways[index]
            if way.head in wanted:
                kept.add(way.rule)
                name, args = self.part.patterns[way.head]
                derived.add((name, len(args)))
        return Live(kept, self._by_rule, self.part.patterns, alive, wanted, derived)

    def _below(self, goals: Iterable[int], fired: set[int], alive: set[int] | None) -> set[int]:
        """The patterns that the goals read through the ways that fired.

        With `alive`, also what tells why the others did not: what they lack, what contradicts it, and its numbers.
        """
        seen = set(goals)
        todo = list(seen)
        while todo:
            for index in self._heads.get(todo.pop(), ()):
                way = self.ways[index]
                if index in fired:
                    more: Iterable[int] = way.body
                elif alive is not None:
                    more = [pattern for need, contrary in zip(way.needs, way.contrary, strict=True)
                            if need not in alive for pattern in (need, contrary) if pattern >= 0]
                    more.extend(way.needs[giver] for place, giver in way.binders if way.needs[place] not in alive)
                else:
                    continue
                for pattern in more:
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
                    if not any(all(map(compatible, row, wanted)) for row in shapes):
                        continue
                found.append(index)
        return found


class Slicer:
    """Slices of a list of rules (or of those at some places of it); each pattern is followed once and remembered.

    `facts` are those that come with the rules; with a vocabulary it is known which of them no situation
    adds to, and the slices are narrowed by that.
    """

    def __init__(
        self, rules: list[Rule], consts: Iterable[str] = (), places: list[int] | None = None,
        facts: Iterable[Atom] = (), vocabulary: Vocabulary | None = None,
    ) -> None:
        self.rules = rules
        self.places = places if places is not None else list(range(len(rules)))
        self.consts = frozenset(consts)
        self.facts = list(facts)
        self.vocabulary = vocabulary
        self._records = vocabulary.card_records() if vocabulary is not None else set()
        self._binding: dict[int, list[tuple[int, int]]] = {}
        self._heads: dict[tuple[str, int], list[int]] = {}
        for i in self.places:
            self._heads.setdefault((rules[i].name, len(rules[i].args)), []).append(i)
        self._next: dict[Pattern, list[tuple[int, list[Pattern], list[Pattern]]]] = {}
        derived = {f"{name}/{arity}" for name, arity in self._heads}
        self._derived = frozenset(derived - stated_in(vocabulary)) if vocabulary is not None else frozenset()
        self._closed = frozenset(closed_in(vocabulary) - derived) if vocabulary is not None else frozenset()

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
        steps: list[Step] = []
        opposites = frozenset(self._heads)
        at = 0
        while at < len(order):
            for index, body, needs in self._follow(order[at]):
                rule = self.rules[index]
                if at not in narrow or rule.args[0][0] != "v":
                    reads = reads_of(rule, (number(p) for p in body), opposites)
                    reads.extend(Read(number(p), [["v", "_"], ["v", "_"]], 0, False) for p in self._choices(index))
                    steps.append(Step(at, index, [number(p) for p in needs], reads))
            at += 1
        narrowing = Narrowing(order, asked + checks, steps, self.rules, self._closed, self._derived, self.facts)
        narrowing.run()
        return self._slice(order, asked, checks, narrowing)

    def _slice(self, order: list[Pattern], asked: int, checks: int, narrowing: Narrowing) -> Slice:
        """The patterns and rules that the goals still reach, numbered anew."""
        ways: dict[int, list[Step]] = {}
        for step in narrowing.steps:
            ways.setdefault(step.head, []).append(step)
        reached = dict.fromkeys(range(asked + checks))
        todo = list(reached)
        kept: list[Step] = []
        while todo:
            for step in ways.get(todo.pop(), ()):
                kept.append(step)
                for read in step.reads:
                    if read.pattern not in reached:
                        reached[read.pattern] = None
                        todo.append(read.pattern)
        number = {pattern: i for i, pattern in enumerate(reached)}
        patterns = [order[pattern] for pattern in reached]
        rules = sorted({step.rule for step in kept})
        heads: dict[str, list[int]] = {}
        for index in rules:
            heads.setdefault(self.rules[index].signature, []).append(index)
        facts: dict[str, list[Any]] = {}
        for name, args in narrowing.facts:
            facts.setdefault(f"{name}/{len(args)}", []).append(args)
        return Slice(
            rules, {f"{name}/{len(args)}" for name, args in patterns}, patterns,
            [Way(number[step.head], step.rule, [number[p] for p in step.needs],
                 list(dict.fromkeys(number[read.pattern] for read in step.reads)),
                 [-1 if read.contrary is None else number[read.contrary]
                  for read in step.reads if read.binds and not read.scope],
                 self._binders(step.rule)) for step in kept],
            asked, checks, facts, {name: facts_text((name.rpartition("/")[0], tuple(row)) for row in rows_of)
                                   for name, rows_of in facts.items()},
            matching(patterns, narrowing.facts), [self.rules[index].text for index in rules], heads,
            [index for index in rules if asks(self.rules[index])],
            sorted(cyclic_predicates(self.rules[index] for index in rules)))

    def _binders(self, index: int) -> list[tuple[int, int]]:
        """Pairs of positive literals: the second says who or how much is meant in the first.

        What a card consists of does not: which card it would be is for nobody to say.
        """
        if index not in self._binding:
            rule = self.rules[index]
            literals = [lit for lit in rule.body if lit[0] == "p" and not lit[1]]
            own = rule.head_variables()
            told = [speaks(literal, self.vocabulary, self._records) for literal in literals]
            self._binding[index] = [
                (place, giver) for place, literal in enumerate(literals) for giver, other in enumerate(literals)
                if giver != place and told[giver] and not (literal_variables(literal) & literal_variables(other) <= own)]
        return self._binding[index]

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
                    needs = [(lit[2], tuple(cut(self._shape(arg, env)) for arg in lit[3]))
                             for lit in rule.body if lit[0] == "p" and not lit[1]]
                    out.append((index, list(self._body(rule.body, env)), needs))
            self._next[pattern] = out
        return self._next[pattern]

    def _match(self, term: CTerm, shape: Shape, env: dict[str, Shape]) -> bool:
        tag = term[0]
        if tag == "v":
            known = env.get(term[1])
            if known is None:
                env[term[1]] = shape
                return True
            return shape is None or compatible(known, shape)
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
                name, args = literal[2], tuple(cut(self._shape(arg, env)) for arg in literal[3])
                yield name, args
                if (opposite(name), len(args)) in self._heads:
                    yield opposite(name), args
            elif tag == "q":
                yield from self._body([literal[1], *literal[2]], env)
            elif tag == "a":
                for _, conditions in literal[3]:
                    yield from self._body(conditions, env)


def matching(patterns: list[Pattern], facts: Iterable[Atom]) -> list[int]:
    """The patterns that some of the facts match."""
    shapes: dict[str, set[tuple[Shape, ...]]] = {}
    for name, args in facts:
        shapes.setdefault(f"{name}/{len(args)}", set()).add(tuple(shape_of(arg) for arg in args))
    return [i for i, (name, args) in enumerate(patterns)
            if any(all(map(compatible, row, args)) for row in shapes.get(f"{name}/{len(args)}", ()))]


def stated_in(vocabulary: Vocabulary) -> set[str]:
    """The predicates that facts can have beside what rules derive, and their negatives."""
    found = {"happened/2", "ask/1", "option/2", "reading/2", "chosen/2", "named_in/1"}
    for decl in vocabulary.predicates.values():
        if decl.role in ("fact", "input") or decl.keys or decl.verb or decl.name in vocabulary.types:
            found.add(decl.signature)
    return found | {f"-{signature}" for signature in found}


def closed_in(vocabulary: Vocabulary) -> set[str]:
    """The predicates of which all facts come with the rules: the keys of cards and of what stands in cards."""
    kinds = vocabulary.card_records()
    keys: dict[str, list[str]] = {}
    for decl in vocabulary.predicates.values():
        for kind, _ in decl.keys:
            keys.setdefault(decl.signature, []).append(kind)
    found = {signature for signature, of in keys.items() if set(of) <= kinds}
    for decl in vocabulary.predicates.values():
        emitted = decl.verb or decl.signature in ("card/2", "card_name/2", "card_unmodelled/2")
        if emitted and not decl.keys:
            found.add(decl.signature)
    return found


def speaks(literal: CLiteral, vocabulary: Vocabulary | None, records: set[str]) -> bool:
    """Whether a literal speaks of the situation, not of what cards consist of."""
    decl = vocabulary.predicate(literal[2], len(literal[3])) if vocabulary is not None else None
    return decl is None or records.isdisjoint(decl.types)
