"""Cycles through negation: rules that make something depend on its own absence.

A program without such a cycle between its predicates is stratified (Apt, Blair and Walker 1988) and has
exactly one stable model. Predicates alone are too coarse (whether one action is barred may well depend on
whether another is not), so atoms are taken apart by the functors that can stand in their arguments:
one taking apart that shows no cycle is enough.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product
from math import prod
from typing import Any, TypeVar

from .program import CLiteral, CTerm, Rule, literal_variables, term_variables
from .vocabulary import Decl, Vocabulary

T = TypeVar("T", bound=Hashable)
Signature = tuple[str, int]
Shape = Any
"""`ANY` for the unknown, `NAME` for a name or a number, or (functor, shapes of its arguments)."""
Node = tuple[str, int, tuple[Shape, ...]]
ANY, NAME = "*", "$"
WAYS: tuple[tuple[tuple[int, ...], int], ...] = (((), 0), ((1,), 1), ((0, 1), 1), ((0, 1), 2))
"""The arguments by which atoms are taken apart, and how deep; coarse ways first, as they cost less."""
DEPTH = 2
MANY = 6000
"""The most instances of one rule that a way may take; beyond, its variables stand for anything."""
TRIED = 40
"""From how many absences a way round is looked for; the shortest is told."""
FEW = 4000
"""The most shapes of one phrase; beyond, its longest argument stands for anything."""
_VALUES = {
    **dict.fromkeys(("number", "delta", "threshold", "inches", "text", "day"), NAME), "value": ANY,
    "roll": ("dice", (ANY, ANY, ANY)),
}


class Cycle:
    """A cycle through negation: its rules, each with the predicate that it derives; the first negates the next."""

    def __init__(self, rules: list[Rule], names: list[str]) -> None:
        self.rules = rules
        self.names = names


def cycles(rules: list[Rule], vocabulary: Vocabulary) -> list[Cycle]:
    """A cycle for each set of predicates that depend on their own negation however they are taken apart."""
    flat = [Flat(rule) for rule in rules]
    groups = _negative_groups(flat)
    if not groups:
        return []
    domains = Domains(flat, vocabulary)
    found: list[Cycle] = []
    for places, depth in WAYS:
        knots = [knot for group in groups for knot in Apart(group, places, depth, domains).knots(flat)]
        groups = [knot.signatures for knot in knots]
        found = [knot.cycle() for knot in knots] if (places, depth) == WAYS[-1] else []
    return found


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


def _negative_groups(rules: list[Flat]) -> list[set[Signature]]:
    """The strongly connected predicates that have a negation among them."""
    graph: dict[Signature, set[Signature]] = {}
    negative: set[tuple[Signature, Signature]] = set()
    for rule in rules:
        for literal, absent in rule.parts:
            part = (literal[2], len(literal[3]))
            graph.setdefault(rule.signature, set()).add(part)
            if absent:
                negative.add((rule.signature, part))
    return [group for group in components(graph) if any(a in group and b in group for a, b in negative)]


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


class Apart:
    """One way to take the atoms of a set of predicates apart."""

    def __init__(self, group: set[Signature], places: tuple[int, ...], depth: int, domains: Domains) -> None:
        self.group = group
        self.places = places
        self.depth = depth
        self.domains = domains

    def knots(self, rules: list[Flat]) -> list[Knot]:
        """The sets of nodes that depend on each other, one of them on an absence.

        A node meets every other that can stand for the same atom.
        """
        edges: dict[tuple[Node, Node, bool], Rule] = {}
        for rule in rules:
            if rule.signature in self.group:
                for head, part, absent in self._edges(rule):
                    edges.setdefault((head, part, absent), rule.rule)
        heads: dict[Signature, set[Node]] = {}
        for head, _, _ in edges:
            heads.setdefault(head[:2], set()).add(head)
        same: dict[Node, list[Node]] = {}
        graph: dict[Node, set[Node]] = {}
        steps: dict[tuple[Node, Node], tuple[Rule, bool]] = {}
        for (head, part, absent), by in edges.items():
            if part not in same:
                same[part] = [node for node in heads.get(part[:2], ()) if all(map(meets, part[2], node[2]))]
            for node in same[part]:
                graph.setdefault(head, set()).add(node)
                if absent or (head, node) not in steps:
                    steps[head, node] = by, absent
        found = []
        for nodes in components(graph):
            inside = {pair: step for pair, step in steps.items() if pair[0] in nodes and pair[1] in nodes}
            if any(absent for _, absent in inside.values()):
                found.append(Knot({node[:2] for node in nodes}, inside))
        return found

    def _edges(self, rule: Flat) -> Iterator[tuple[Node, Node, bool]]:
        """What a rule makes depend on what."""
        for literal, absent in rule.parts:
            if (literal[2], len(literal[3])) not in self.group:
                continue
            terms = [args[place] for args in (rule.args, literal[3]) for place in self.places if place < len(args)]
            names = list(dict.fromkeys(name for term in terms for name in _names(term, self.depth)))
            options = _few([self.domains.shapes(["v", name], rule, self.depth) for name in names])
            for values in product(*options):
                env = dict(zip(names, values, strict=True))
                yield self._node(rule.name, rule.args, env), self._node(literal[2], literal[3], env), absent

    def _node(self, name: str, args: list[CTerm], env: dict[str, Shape]) -> Node:
        return name, len(args), tuple(
            _shape(args[place], env, self.depth) if place < len(args) else NAME for place in self.places)


def _few(options: list[set[Shape]]) -> list[list[Shape]]:
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


def _names(term: CTerm, depth: int) -> Iterator[str]:
    if term[0] == "v" and depth:
        yield term[1]
    elif term[0] == "f" and depth > 1:
        for arg in term[2]:
            yield from _names(arg, depth - 1)


def _shape(term: CTerm, env: dict[str, Shape], depth: int) -> Shape:
    if depth == 0:
        return ANY
    if term[0] == "v":
        return cut(env.get(term[1], ANY), depth)
    if term[0] == "f":
        return term[1], tuple(_shape(arg, env, depth - 1) for arg in term[2])
    return NAME


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


class Knot:
    """Nodes that all depend on each other; `steps` gives the rule between two, and whether it needs an absence."""

    def __init__(self, signatures: set[Signature], steps: dict[tuple[Node, Node], tuple[Rule, bool]]) -> None:
        self.signatures = signatures
        self.steps = steps

    def cycle(self) -> Cycle:
        """A short way round that begins with an absence."""
        after: dict[Node, list[Node]] = {}
        for head, node in self.steps:
            after.setdefault(head, []).append(node)
        absent = [pair for pair, (_, absence) in self.steps.items() if absence]
        ways = [[head, *_path(after, node, head)] for head, node in absent[:TRIED]]
        nodes = min(ways, key=len)
        return Cycle([self.steps[pair][0] for pair in zip(nodes, [*nodes[1:], nodes[0]], strict=True)],
                     [node[0] for node in nodes])


def _path(after: dict[Node, list[Node]], start: Node, goal: Node) -> list[Node]:
    """A shortest way from one node to another, without the last; empty where they are the same."""
    if start == goal:
        return []
    before: dict[Node, Node] = {start: start}
    todo = [start]
    for here in todo:
        for there in after.get(here, ()):
            if there not in before:
                before[there] = here
                todo.append(there)
        if goal in before:
            break
    path = [before[goal]]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


def components(graph: dict[T, set[T]]) -> list[set[T]]:
    """The strongly connected sets of a graph that hold a cycle (Tarjan 1972, without recursion)."""
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: list[T] = []
    on: set[T] = set()
    out: list[set[T]] = []
    for root in graph:
        if root in index:
            continue
        work: list[tuple[T, Iterator[T]]] = [(root, iter(graph.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, following = work[-1]
            for child in following:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on.add(child)
                    work.append((child, iter(graph.get(child, ()))))
                    break
                if child in on:
                    low[node] = min(low[node], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group: set[T] = set()
                    while True:
                        member = stack.pop()
                        on.discard(member)
                        group.add(member)
                        if member == node:
                            break
                    if len(group) > 1 or node in graph.get(node, ()):
                        out.append(group)
    return out
