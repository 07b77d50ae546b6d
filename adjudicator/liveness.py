"""Which rules of a slice can fire with the facts of a situation, before anything is grounded.

A rule can fire where every positive literal has a fact or a rule that can, and where the variables that stand
for cards and their parts can have a value: for each argument that holds such a value, the cards that can occur
in it are bounded (as in `narrowing`). Rules that cannot fire derive nothing, so the program without them has
the same model; grounding them is what costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .shapes import Pattern, Shape, compatible, shape_of
from .slicing import Slice, Way
from .terms import Atom, Signature, Term

Mask = int
ALL: Mask = -1


class Live:
    """What can fire with some facts: `rules` by index, the predicates they derive, and what keeps the others.

    `cards` bounds the facts of cards that the rules can read: for each predicate, pairs of masks of the owners in
    the first two arguments.
    """

    def __init__(self, rules: set[int], derived: set[Signature], cards: Mapping[str, set[tuple[Mask, Mask]]],
                 ways: Mapping[int, list[tuple[int, Way]]], patterns: list[Pattern], lacks: Lacks,
                 wanted: set[int]) -> None:
        self.rules = rules
        self.derived = derived
        self.cards = cards
        self._ways = ways
        self._patterns = patterns
        self._lacks = lacks
        self._wanted = wanted

    def read(self) -> set[Signature]:
        """The predicates that the rules read or derive: the facts of others need not be grounded."""
        return {(self._patterns[i][0], len(self._patterns[i][1])) for i in self._wanted}

    def missing(self, rule: int, args: tuple[Term, ...]) -> list[int]:
        """Which of the positive literals of a rule nothing makes true, where it is to derive an atom."""
        shapes = tuple(shape_of(arg) for arg in args)
        lacking: set[int] | None = None
        for index, way in self._ways.get(rule, ()):
            if all(map(compatible, shapes, self._patterns[way.head][1])):
                lacks = set(self._lacks.of(index, way))
                if not lacks and way.head in self._wanted:
                    return []
                lacking = lacks if lacking is None else lacking & lacks
        return sorted(lacking or ())


class Lacks:
    """What keeps ways from being taken: needs that nothing makes true, or a card that none can be."""

    def __init__(self, alive: set[int], cardless: Mapping[int, int]) -> None:
        self.alive = alive
        self._cardless = cardless

    def of(self, index: int, way: Way) -> list[int]:
        """The places of the needs that are lacking."""
        lacks = [place for place, need in enumerate(way.needs) if need not in self.alive]
        if not lacks and index in self._cardless:
            return [self._cardless[index]]
        return lacks


class Liveness:
    """Answers which rules of a slice can fire."""

    def __init__(self, part: Slice) -> None:
        self.ways = part.ways
        self.part = part
        self._heads: dict[int, list[int]] = {}
        self._by_rule: dict[int, list[tuple[int, Way]]] = {}
        self._waiting: list[list[int]] = [[] for _ in part.patterns]
        self._needs: list[int] = []
        self._free: list[int] = []
        self._readers: dict[int, list[int]] = {}
        for i, way in enumerate(part.ways):
            self._heads.setdefault(way.head, []).append(i)
            self._by_rule.setdefault(way.rule, []).append((i, way))
            needs = set(way.needs)
            self._needs.append(len(needs))
            if not needs:
                self._free.append(i)
            for pattern in needs:
                self._waiting[pattern].append(i)
            for join in way.joins:
                for pattern, _ in join.places:
                    self._readers.setdefault(pattern, []).append(i)
        self._by_signature: dict[str, list[tuple[int, tuple[Shape, ...] | None]]] = {}
        for i, (name, args) in enumerate(part.patterns):
            shapes = None if all(shape is None for shape in args) else args
            self._by_signature.setdefault(f"{name}/{len(args)}", []).append((i, shapes))
        self._masks = {pattern: [int.from_bytes(mask, "little") for mask in masks]
                       for pattern, masks in part.masks.items()}

    def rules(self, facts: Iterable[Atom], told: bool = True) -> Live:
        """The rules that can fire with these facts and that the goals read, and of the others what keeps them.

        Where nothing is `told`, only the goals count, not what explains why one of them does not hold.
        """
        rows: dict[str, list[tuple[Term, ...]]] = {}
        for name, args in facts:
            rows.setdefault(f"{name}/{len(args)}", []).append(args)
        stated = self._stated(rows)
        alive, fired = self._fired(stated, {})
        bounds, cardless = self._bounds(stated, fired, rows)
        if cardless:
            alive, fired = self._fired(stated, cardless)
        lacks = Lacks(alive, cardless)
        wanted = self._below(range(self.part.asked), fired, lacks if told else None)
        wanted |= self._below(range(self.part.asked, self.part.asked + self.part.checks), fired, None)
        kept: set[int] = set()
        derived: set[Signature] = set()
        cards: dict[str, set[tuple[Mask, Mask]]] = {}
        for index in fired:
            way = self.ways[index]
            if way.head in wanted:
                kept.add(way.rule)
                name, args = self.part.patterns[way.head]
                derived.add((name, len(args)))
                for pattern, places in way.wants:
                    name, args = self.part.patterns[pattern]
                    one, two, *_ = (*(ALL if at < 0 else self._known(way.joins[at].places, bounds) for at in places),
                                    ALL, ALL)
                    cards.setdefault(f"{name}/{len(args)}", set()).add((one, two))
        return Live(kept, derived, cards, self._by_rule, self.part.patterns, lacks, wanted)

    def _fired(self, stated: Iterable[int], barred: Mapping[int, int]) -> tuple[set[int], set[int]]:
        """The patterns that can have atoms, and the ways that can be taken, without the barred ones."""
        alive = {*stated, *self._masks}
        todo = list(alive)
        left = list(self._needs)
        fired: set[int] = set()

        def fire(index: int) -> None:
            if index not in barred:
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
        return alive, fired

    def _bounds(
        self, stated: Iterable[int], fired: set[int], rows: Mapping[str, list[tuple[Term, ...]]]
    ) -> tuple[dict[int, list[Mask]], dict[int, int]]:
        """For each pattern that is read for cards, those that can occur in its arguments; and the ways without any."""
        bounds = {pattern: list(masks) for pattern, masks in self._masks.items()}
        for pattern in stated:
            if pattern in self._readers:
                name, args = self.part.patterns[pattern]
                masks = bounds.setdefault(pattern, [0] * len(args))
                for row in rows[f"{name}/{len(args)}"]:
                    for i, term in enumerate(row):
                        masks[i] |= self._mask(term)
        for index in fired:
            pattern = self.ways[index].head
            if pattern in self._readers and pattern not in bounds:
                bounds[pattern] = [0] * len(self.part.patterns[pattern][1])
        todo = {index for index in fired if self.ways[index].head in bounds}
        while todo:
            index = todo.pop()
            way = self.ways[index]
            masks = bounds[way.head]
            before = list(masks)
            if self._cardless(way, bounds) >= 0:
                continue
            bound = {argument: self._known(join.places, bounds) for join in way.joins for argument in join.heads}
            for argument in range(len(masks)):
                masks[argument] |= bound.get(argument, ALL)
            if masks != before:
                todo.update(reader for reader in self._readers.get(way.head, ())
                            if reader in fired and self.ways[reader].head in bounds)
        found = {index: self._cardless(self.ways[index], bounds) for index in fired if self.ways[index].joins}
        return bounds, {index: place for index, place in found.items() if place >= 0}

    def _cardless(self, way: Way, bounds: Mapping[int, list[Mask]]) -> int:
        """The place of a need of which no card can be the one that it speaks of; -1 where each can be some card."""
        return next((join.card for join in way.joins if join.card >= 0 and not self._known(join.places, bounds)), -1)

    def _mask(self, term: Term) -> Mask:
        """The cards that a term of the situation names."""
        if isinstance(term, str):
            return 1 << self.part.owners[term] if term in self.part.owners else 0
        mask = 0
        if isinstance(term, tuple):
            for part in term[1:]:
                mask |= self._mask(part)
        return mask

    @staticmethod
    def _known(places: list[tuple[int, int]], bounds: Mapping[int, list[Mask]]) -> Mask:
        mask = ALL
        for pattern, argument in places:
            of = bounds.get(pattern)
            if of is not None:
                mask &= of[argument]
        return mask

    def _below(self, goals: Iterable[int], fired: set[int], lacks: Lacks | None) -> set[int]:
        """The patterns that the goals read through the ways that fired.

        With `lacks`, also what tells why the others did not: what they lack, what contradicts it, and its values.
        """
        seen = set(goals)
        todo = list(seen)
        while todo:
            for index in self._heads.get(todo.pop(), ()):
                way = self.ways[index]
                if index in fired:
                    more: Iterable[int] = way.body
                elif lacks is not None:
                    more = self._lacking(index, way, lacks)
                else:
                    continue
                for pattern in more:
                    if pattern not in seen:
                        seen.add(pattern)
                        todo.append(pattern)
        return seen

    @staticmethod
    def _lacking(index: int, way: Way, lacks: Lacks) -> list[int]:
        """The patterns that tell why a way cannot be taken."""
        alive, contrary = lacks.alive, way.contrary
        more: list[int] = []
        for place, need in enumerate(way.needs):
            if need not in alive:
                more.append(need)
                if contrary[place] >= 0:
                    more.append(contrary[place])
                if way.binders:
                    more.extend(way.needs[giver] for at, giver in way.binders if at == place)
        if not more:
            more = [way.needs[place] for place in lacks.of(index, way)]
        return more

    def _stated(self, rows: Mapping[str, list[tuple[Term, ...]]]) -> list[int]:
        """The patterns that the facts match."""
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
