"""The part of a program on which a question can depend.

Rules are followed backwards from the atoms that answer a question. Atoms are abstracted to trees of
functors (names, numbers and variables become None), so that a question about one action leaves out the
rules of the others. The result is a splitting set of the program (Lifschitz and Turner 1994): what
stays decides the same atoms as the whole.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from .narrowing import Narrowing, Read, Step, reads_of
from .program import CLiteral, CTerm, Rule, literal_variables
from .rulebase import asks, cyclic_predicates
from .shapes import DEPTH, Pattern, Shape, compatible, cut, opposite
from .terms import Atom, facts_text
from .vocabulary import Vocabulary


class Goals(msgspec.Struct, frozen=True):
    """What a slice is made for.

    `asked` answer the question; `checks` are wanted only where they are derived, never explained where
    they are not; `narrow` are checks that leave out rules whose head takes any first argument.
    """

    asked: tuple[Pattern, ...]
    checks: tuple[Pattern, ...] = ()
    narrow: tuple[Pattern, ...] = ()


class Join(msgspec.Struct, array_like=True):
    """A variable of a rule that stands for a card or a part of one.

    `places` are (pattern, argument) of the positive literals that hold it, `heads` the arguments of the head
    that it is; `card` the place of the need that is a fact of the card itself, -1 where there is none.
    """

    places: list[tuple[int, int]]
    heads: list[int]
    card: int


class Way(msgspec.Struct, array_like=True):
    """A rule that can derive atoms of a pattern: what its positive literals need, and all that its body reads.

    `contrary` are the opposites of the needs, -1 where no rule derives one; `binders` are pairs of places: the
    second need gives a value in the first. `joins` are its variables that stand for cards and their parts;
    `wants` the patterns of card facts in the body, each with the joins that are its first two arguments, or -1.
    """

    head: int
    rule: int
    needs: list[int]
    body: list[int]
    contrary: list[int]
    binders: list[tuple[int, int]] = []
    joins: list[Join] = []
    wants: list[tuple[int, list[int]]] = []


class Slice(msgspec.Struct, array_like=True):
    """What some goals depend on: rules by index, the ways between patterns, the predicates among them.

    `facts` are those of the packs' cards: the arguments by predicate, and as program texts with the places of the
    first two arguments among the owners (-1 for others); `owners` are those that a situation can name; `masks` are
    the patterns that they match, with the owners in each argument (little-endian bytes).

    What an explanation asks of the rules as a whole stands here too, so that few of them need be unpacked: `texts`
    in the order of `rules`, the rules by their heads, those that ask for a reading, and the predicates that
    depend positively on themselves.
    """

    rules: list[int]
    used: set[str]
    patterns: list[Pattern]
    ways: list[Way]
    asked: int = 0
    checks: int = 0
    facts: dict[str, list[Any]] = {}
    fact_texts: dict[str, list[tuple[int, int, str]]] = {}
    owners: dict[str, int] = {}
    masks: dict[int, list[bytes]] = {}
    texts: list[str] = []
    heads: dict[str, list[int]] = {}
    asking: list[int] = []
    cyclic: list[str] = []


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
        texts: dict[str, list[tuple[int, int, str]]] = {}
        for name, args in narrowing.facts:
            first, second = [narrowing.owners.get(arg, -1) for arg in (*args, (), ())[:2]]
            texts.setdefault(f"{name}/{len(args)}", []).append((first, second, facts_text([(name, args)])))
        named = {owner: i for owner, i in narrowing.owners.items() if isinstance(owner, str)}
        masks = {number[pattern]: [mask.to_bytes(mask.bit_length() // 8 + 1, "little") for mask in of]
                 for pattern, of in narrowing.given().items() if pattern in number}
        return Slice(
            rules, {f"{name}/{len(args)}" for name, args in patterns}, patterns,
            [Way(number[step.head], step.rule, [number[p] for p in step.needs],
                 list(dict.fromkeys(number[read.pattern] for read in step.reads)),
                 [-1 if read.contrary is None else number[read.contrary]
                  for read in step.reads if read.binds and not read.scope],
                 self._binders(step.rule), *self._joins(step, number, narrowing.closed)) for step in kept],
            asked, checks, facts, texts, named, masks, [self.rules[index].text for index in rules], heads,
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
                if giver != place and told[giver] and literal_variables(literal) & literal_variables(other) - own]
        return self._binding[index]

    def _joins(self, step: Step, number: dict[int, int], closed: list[bool]) -> tuple[
        list[Join], list[tuple[int, list[int]]]
    ]:
        """The variables of a way that stand for parts of cards, and the card facts that it reads."""
        rule = self.rules[step.rule]
        joins: dict[str, Join] = {}
        place = 0
        for read in step.reads:
            if not read.binds or read.scope:
                continue
            for i, term in enumerate(read.args):
                for name in self._cards_in(term, read.signature, i):
                    join = joins.setdefault(name, Join([], [], -1))
                    join.places.append((number[read.pattern], i))
                    if not i and term[0] == "v" and closed[read.pattern]:
                        join.card = place
            place += 1
        for i, term in enumerate(rule.args):
            if term[0] == "v" and term[1] in joins:
                joins[term[1]].heads.append(i)
        order = {name: i for i, name in enumerate(joins)}
        wants = [(number[read.pattern], [order.get(term[1], -1) if term[0] == "v" else -1 for term in read.args[:2]])
                 for read in step.reads if closed[read.pattern]]
        return list(joins.values()), wants

    def _cards_in(self, term: CTerm, signature: str, argument: int) -> list[str]:
        """The variables of an argument that stand for a card or a part of one: itself, or those right inside it."""
        if self.vocabulary is None:
            return []
        if term[0] == "v":
            return [term[1]] if term[1] != "_" and self._is_record(signature, argument) else []
        decl = self.vocabulary.term(term[1], len(term[2])) if term[0] == "f" else None
        if decl is None:
            return []
        return [part[1] for part, kind in zip(term[2], decl.types, strict=True)
                if part[0] == "v" and part[1] != "_" and kind in self._records]

    def _is_record(self, signature: str, argument: int) -> bool:
        """Whether an argument of a predicate stands for a card or a part of one."""
        decl = self.vocabulary.predicates.get(signature.removeprefix("-")) if self.vocabulary is not None else None
        return decl is not None and decl.types[argument] in self._records

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
