"""Rules with what does not depend on a model, worked out once for a slice of a program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .program import CLiteral, CTerm, Rule
from .saying import Line, kinds_of, parts_of
from .terms import Signature
from .vocabulary import Vocabulary


class RuleBase:
    """Rules with what does not depend on a model: their heads, variable types, literal orders and cycles."""

    def __init__(self, rules: list[Rule], consts: Mapping[str, CTerm], vocabulary: Vocabulary) -> None:
        self.rules = rules
        self.consts = consts
        self.vocabulary = vocabulary
        self.plans: dict[tuple[int, frozenset[str]], list[int]] = {}
        self._heads: dict[Signature, list[Rule]] = {}
        for rule in rules:
            self._heads.setdefault((rule.name, len(rule.args)), []).append(rule)
        self._asking: dict[tuple[str, int], dict[str, list[tuple[Rule, list[CLiteral]]]]] = {}
        self._lines: dict[int, Line] = {}
        self._kinds: dict[int, dict[str, str]] = {}
        self._cyclic: set[str] | None = None

    @property
    def cyclic(self) -> set[str]:
        """The predicates that depend positively on themselves."""
        if self._cyclic is None:
            self._cyclic = cyclic_predicates(self.rules)
        return self._cyclic

    def deriving(self, name: str, arity: int) -> list[Rule]:
        """The rules with such a head."""
        return self._heads.get((name, arity), [])

    def constants(self, name: str, arity: int) -> set[str]:
        """The texts that stand as first argument of a predicate in the bodies of the rules."""
        return set(self.asking(name, arity))

    def asking(self, name: str, arity: int) -> dict[str, list[tuple[Rule, list[CLiteral]]]]:
        """For each text in the first argument of a predicate: the rules that ask for it, and their other literals."""
        if (name, arity) not in self._asking:
            self._asking[name, arity] = self.asking_of(self.rules, name, arity)
        return self._asking[name, arity]

    def asking_of(self, rules: list[Rule], name: str, arity: int) -> dict[str, list[tuple[Rule, list[CLiteral]]]]:
        """What `asking` says, of these rules."""
        found: dict[str, list[tuple[Rule, list[CLiteral]]]] = {}
        for rule in rules:
            for literal in rule.body:
                same = literal[0] == "p" and literal[2] == name and len(literal[3]) == arity
                if same and literal[3][0][0] == "s":
                    rest = [other for other in rule.body if other is not literal]
                    found.setdefault(literal[3][0][1], []).append((rule, rest))
        return found

    def line(self, rule: Rule) -> Line:
        """The line of a rule, taken apart: texts, and variables with their types."""
        key = id(rule)
        if key not in self._lines:
            self._lines[key] = parts_of(rule.line, self.kinds(rule))
        return self._lines[key]

    def kinds(self, rule: Rule) -> dict[str, str]:
        """The types of a rule's variables, from the declarations of the predicates that hold them."""
        key = id(rule)
        if key not in self._kinds:
            self._kinds[key] = variable_kinds(rule, self.vocabulary)
        return self._kinds[key]


def variable_kinds(rule: Rule, vocabulary: Vocabulary) -> dict[str, str]:
    found: dict[str, str] = {}
    kinds_of(vocabulary, rule.name.lstrip("-"), rule.args, found)
    for literal in rule.body:
        for part in predicates_of(literal):
            kinds_of(vocabulary, part[2].lstrip("-"), part[3], found)
    for literal in rule.body:
        if literal[0] == "c" and len(literal[3]) == 1 and literal[2][0] == "v":
            for name in plain_variables(literal[3][0][1]):
                if name in found:
                    found.setdefault(literal[2][1], found[name])
    return found


def plain_variables(term: CTerm) -> list[str]:
    return [term[1]] if term[0] == "v" else []


def asks(rule: Rule, name: str = "reading", arity: int = 2) -> bool:
    """Whether a rule asks for a text in the first argument of a predicate."""
    return any(literal[0] == "p" and literal[2] == name and len(literal[3]) == arity and literal[3][0][0] == "s"
               for literal in rule.body)


def predicates_of(literal: CLiteral) -> Iterator[CLiteral]:
    if literal[0] == "p":
        yield literal
    elif literal[0] == "q":
        yield from predicates_of(literal[1])
        for part in literal[2]:
            yield from predicates_of(part)
    elif literal[0] == "a":
        for _, conditions in literal[3]:
            for condition in conditions:
                yield from predicates_of(condition)


def cyclic_predicates(rules: Iterable[Rule]) -> set[str]:
    """The predicates that depend positively on themselves: the strongly connected parts (Tarjan 1972)."""
    graph: dict[str, set[str]] = {}
    for rule in rules:
        uses = graph.setdefault(rule.name, set())
        uses.update(literal[2] for literal in rule.body if literal[0] == "p" and not literal[1])
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    held: set[str] = set()
    cyclic = {name for name, uses in graph.items() if name in uses}

    def enter(name: str) -> tuple[str, Iterator[str]]:
        index[name] = low[name] = len(index)
        stack.append(name)
        held.add(name)
        return name, iter(graph.get(name, ()))

    def visit(root: str) -> None:
        path = [enter(root)]
        while path:
            name, rest = path[-1]
            for other in rest:
                if other not in index:
                    path.append(enter(other))
                    break
                if other in held:
                    low[name] = min(low[name], index[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[name])
                if low[name] == index[name]:
                    part = stack[stack.index(name):]
                    del stack[-len(part):]
                    held.difference_update(part)
                    if len(part) > 1:
                        cyclic.update(part)

    for name in graph:
        if name not in index:
            visit(name)
    return cyclic
