"""Cycles through negation: rules that make something depend on its own absence.

A program without such a cycle between its predicates is stratified (Apt, Blair and Walker 1988) and has
exactly one stable model. Predicates alone are too coarse (whether one action is barred may well depend on
whether another is not), so atoms are taken apart by the functors that can stand in their arguments:
one taking apart that shows no cycle is enough.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product
from typing import TypeVar

from .lint_shapes import ANY, NAME, Domains, Flat, Shape, Signature, cut, few, meets
from .program import CTerm, Rule
from .vocabulary import Vocabulary

T = TypeVar("T", bound=Hashable)
Node = tuple[str, int, tuple[Shape, ...]]
WAYS: tuple[tuple[tuple[int, ...], int], ...] = (((), 0), ((1,), 1), ((0, 1), 1), ((0, 1), 2))
"""The arguments by which atoms are taken apart, and how deep; coarse ways first, as they cost less."""
TRIED = 40
"""From how many absences a way round is looked for; the shortest is told."""


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
            options = few([self.domains.shapes(["v", name], rule, self.depth) for name in names])
            for values in product(*options):
                env = dict(zip(names, values, strict=True))
                yield self._node(rule.name, rule.args, env), self._node(literal[2], literal[3], env), absent

    def _node(self, name: str, args: list[CTerm], env: dict[str, Shape]) -> Node:
        return name, len(args), tuple(
            _shape(args[place], env, self.depth) if place < len(args) else NAME for place in self.places)


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
