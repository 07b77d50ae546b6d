"""Which records of the packs, and which rules, a slice can need: relevance by constants, before there are facts.

The keys of rule cards become facts that no situation adds to: their predicates are closed. So what a
slice can do with them is known when it is made. Two bounds are computed for every pattern and each
of its arguments, over the owners of those facts (cards, their effects, filters and moments): which can
occur there at all (forwards, from the facts), and which the goals can ask about (backwards, from
the heads to the bodies, as magic sets do: Bancilhon, Maier, Sagiv and Ullman 1986). A fact that lies
outside the second is left out, and so is a rule that then can never fire; both bounds are
computed anew until nothing more falls away. What stays decides the same goals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .program import CLiteral, CTerm, Rule, term_variables
from .shapes import Pattern, compatible, opposite, shape_of
from .terms import Atom, Term

Mask = int
"""A set of owners: bit i stands for the i-th."""


class Read:
    """A literal of a rule's body: the pattern it reads, its arguments, and what bounds its variables.

    `scope` is 0 for the body itself and another number for each aggregate element or conditional
    literal; `binds` says that the values of variables must make this literal true; `contrary` is the pattern
    of the opposite, where rules derive it.
    """

    __slots__ = ("args", "binds", "contrary", "pattern", "scope", "signature")

    def __init__(self, pattern: int, args: list[CTerm], scope: int, binds: bool, signature: str = "") -> None:
        self.pattern = pattern
        self.args = args
        self.scope = scope
        self.binds = binds
        self.contrary: int | None = None
        self.signature = signature


class Step:
    """A way of a slice while it is being made: which rule derives which pattern, and what its body reads."""

    __slots__ = ("head", "needs", "reads", "rule")

    def __init__(self, head: int, rule: int, needs: list[int], reads: list[Read]) -> None:
        self.head = head
        self.rule = rule
        self.needs = needs
        self.reads = reads


class Narrowing:
    """The bounds of one slice. `steps` and `facts` are what stays after `run`."""

    def __init__(
        self, patterns: Sequence[Pattern], goals: int, steps: list[Step], rules: Sequence[Rule],
        closed: frozenset[str], derived: frozenset[str], facts: Iterable[Atom],
    ) -> None:
        self.patterns = patterns
        self.goals = goals
        self.steps = steps
        self.rules = rules
        self.closed = [f"{name}/{len(args)}" in closed for name, args in patterns]
        self.derived = [f"{name}/{len(args)}" in derived for name, args in patterns]
        used = {f"{name}/{len(args)}" for name, args in patterns}
        self.facts = [fact for fact in facts if f"{fact[0]}/{len(fact[1])}" in used]
        owners = dict.fromkeys(args[0] for name, args in self.facts if args and f"{name}/{len(args)}" in closed)
        self.owners = {owner: i for i, owner in enumerate(owners)}
        self._bit = {owner: 1 << i for i, owner in enumerate(owners)}
        self._all = (1 << len(owners)) - 1
        self._masks: dict[Atom, tuple[Mask, ...]] = {
            fact: tuple(self._mask(arg) for arg in fact[1]) for fact in self.facts}
        self._matching = self._by_pattern()

    def run(self) -> None:
        """Leave out facts and rules until nothing more falls away."""
        while True:
            before = len(self.facts), len(self.steps)
            self._drop_dead()
            self._forwards()
            self._backwards()
            if (len(self.facts), len(self.steps)) == before:
                return

    def given(self) -> dict[int, list[Mask]]:
        """The patterns that the facts match which stay, and the owners in each of their arguments."""
        kept = set(self.facts)
        found: dict[int, list[Mask]] = {}
        for pattern, facts in self._matching.items():
            for fact in facts:
                if fact in kept:
                    before = found.get(pattern, [0] * len(fact[1]))
                    found[pattern] = [a | b for a, b in zip(before, self._masks[fact], strict=True)]
        return found

    # Facts ------------------------------------------------------------------------------------

    def _mask(self, term: Term) -> Mask:
        own = self._bit.get(term, 0)
        if own or not isinstance(term, tuple):
            return own
        for part in term[1:]:
            own |= self._mask(part)
        return own

    def _by_pattern(self) -> dict[int, list[Atom]]:
        by_signature: dict[tuple[str, int], list[tuple[Atom, tuple[object, ...]]]] = {}
        for fact in self.facts:
            shapes = tuple(shape_of(arg) for arg in fact[1])
            by_signature.setdefault((fact[0], len(fact[1])), []).append((fact, shapes))
        return {i: [fact for fact, shapes in by_signature.get((name, len(args)), ())
                    if all(map(compatible, shapes, args))]
                for i, (name, args) in enumerate(self.patterns) if (name, len(args)) in by_signature}

    # Rules that can fire ----------------------------------------------------------------------

    def _drop_dead(self) -> None:
        """Leave out the rules of which some positive literal no fact and no rule can make true."""
        kept = set(self.facts)
        alive = {i for i in range(len(self.patterns)) if not self.closed[i] and not self.derived[i]}
        alive.update(i for i, facts in self._matching.items() if any(fact in kept for fact in facts))
        waiting: dict[int, list[int]] = {}
        left = []
        todo: list[int] = list(alive)
        for at, step in enumerate(self.steps):
            needs = set(step.needs)
            left.append(len(needs))
            for need in needs:
                waiting.setdefault(need, []).append(at)
            if not needs and step.head not in alive:
                alive.add(step.head)
                todo.append(step.head)
        while todo:
            for at in waiting.get(todo.pop(), ()):
                left[at] -= 1
                head = self.steps[at].head
                if not left[at] and head not in alive:
                    alive.add(head)
                    todo.append(head)
        self.steps = [step for at, step in enumerate(self.steps) if not left[at]]

    # Bounds -----------------------------------------------------------------------------------

    def _forwards(self) -> None:
        """For each argument of each pattern, the owners that can occur in it."""
        kept = set(self.facts)
        self._occurs: list[list[Mask]] = []
        for i, (_, args) in enumerate(self.patterns):
            start = 0 if self.closed[i] or self.derived[i] else self._all
            masks = [start] * len(args)
            for fact in self._matching.get(i, ()):
                if fact in kept:
                    masks = [mask | more for mask, more in zip(masks, self._masks[fact], strict=True)]
            self._occurs.append(masks)
        readers: dict[int, list[int]] = {}
        for at, step in enumerate(self.steps):
            for read in step.reads:
                if read.binds:
                    readers.setdefault(read.pattern, []).append(at)
        todo = dict.fromkeys(range(len(self.steps)))
        while todo:
            at = next(iter(todo))
            del todo[at]
            step = self.steps[at]
            known = self._known(step, 0)
            if known is None:
                continue
            masks = self._occurs[step.head]
            changed = False
            for i, term in enumerate(self.rules[step.rule].args):
                more = masks[i] | self._bound(term, known)
                if more != masks[i]:
                    masks[i] = more
                    changed = True
            if changed:
                todo.update(dict.fromkeys(readers.get(step.head, ())))

    def _known(self, step: Step, scope: int) -> dict[str, Mask] | None:
        """The owners that each variable can hold by the positive literals of a scope; None where that is impossible."""
        known: dict[str, Mask] = {}
        for read in step.reads:
            if not read.binds or read.scope != scope:
                continue
            occurs = self._occurs[read.pattern]
            for i, term in enumerate(read.args):
                for name in term_variables(term):
                    known[name] = known.get(name, self._all) & occurs[i]
                if not i and self.closed[read.pattern] and term[0] == "v" and term[1] != "_" and not known[term[1]]:
                    return None
        return known

    def _bound(self, term: CTerm, known: dict[str, Mask]) -> Mask:
        """The owners that can occur in a term."""
        tag = term[0]
        if tag == "v":
            return known.get(term[1], self._all)
        if tag == "s":
            return self._bit.get(term[1], 0)
        if tag == "f":
            found = 0
            for part in term[2]:
                found |= self._bound(part, known)
            return found
        return 0

    def _backwards(self) -> None:
        """For each argument of each pattern, the owners that the goals can ask about; then leave out the rest."""
        self._asked: list[list[Mask] | None] = [None] * len(self.patterns)
        ways: dict[int, list[Step]] = {}
        for step in self.steps:
            ways.setdefault(step.head, []).append(step)
        todo: dict[int, None] = {}
        for goal in range(self.goals):
            self._asked[goal] = [self._all] * len(self.patterns[goal][1])
            todo[goal] = None
        wanted: set[int] = set()
        while todo:
            head = next(iter(todo))
            del todo[head]
            for step in ways.get(head, ()):
                for pattern, masks in self._demands(step):
                    wanted.add(id(step))
                    before = self._asked[pattern]
                    after = masks if before is None else [a | b for a, b in zip(before, masks, strict=True)]
                    if after != before:
                        self._asked[pattern] = after
                        todo[pattern] = None
        self.steps = [step for step in self.steps if id(step) in wanted or (
            not step.reads and self._asked[step.head] is not None)]
        asked: set[Atom] = set()
        for i, facts in self._matching.items():
            limits = self._asked[i]
            if limits is not None:
                asked.update(fact for fact in facts
                             if not any(mask & ~limit for mask, limit in zip(self._masks[fact], limits, strict=True)))
        self.facts = [fact for fact in self.facts if fact in asked]

    def _demands(self, step: Step) -> Iterator[tuple[int, list[Mask]]]:
        """What a rule asks about in its body when its head is asked about."""
        limits = self._asked[step.head]
        assert limits is not None
        known = self._known(step, 0)
        if known is None:
            return
        for term, limit in zip(self.rules[step.rule].args, limits, strict=True):
            if term[0] == "s" and self._bit.get(term[1], 0) & ~limit:
                return
            for name in term_variables(term):
                known[name] = known.get(name, self._all) & limit
        for read in step.reads:
            term = read.args[0] if read.args else ["b"]
            owner = read.binds and not read.scope and self.closed[read.pattern] and term[0] == "v" and term[1] != "_"
            if owner and not known[term[1]]:
                return
        inner: dict[int, dict[str, Mask] | None] = {0: known}
        for read in step.reads:
            if read.scope not in inner:
                found = self._known(step, read.scope)
                inner[read.scope] = None if found is None else {**found, **known}
            here = inner[read.scope]
            if here is not None:
                yield read.pattern, [self._bound(arg, here) for arg in read.args]


def reads_of(rule: Rule, numbers: Iterator[int], opposites: frozenset[tuple[str, int]]) -> list[Read]:
    """The literals of a body with their patterns, whose numbers come in the order of `slicing`'s walk."""
    found: list[Read] = []
    scope = 0

    def take(literals: list[CLiteral], here: int) -> None:
        nonlocal scope
        for literal in literals:
            tag = literal[0]
            if tag == "p":
                own = Read(next(numbers), literal[3], here, not literal[1], f"{literal[2]}/{len(literal[3])}")
                found.append(own)
                if (opposite(literal[2]), len(literal[3])) in opposites:
                    own.contrary = next(numbers)
                    found.append(Read(own.contrary, literal[3], here, False))
            elif tag == "q":
                scope += 1
                inside = scope
                at = len(found)
                take([literal[1]], inside)
                for read in found[at:]:
                    read.binds = False
                take(literal[2], inside)
            elif tag == "a":
                for _, conditions in literal[3]:
                    scope += 1
                    take(conditions, scope)

    take(rule.body, 0)
    return found
