"""One generic walk from YAML records to facts, over the keys that the vocabulary declares.

A record is anything with declared keys: a rule card, an effect of a card, a unit of a situation, the
moment. `@key KIND KEY` on a predicate says that this key of this kind of record becomes an atom of the
predicate: the record first, the value last. A value whose type has keys of its own is a record too.
"""

from __future__ import annotations

import re

import yaml

from .errors import SituationError, did_you_mean
from .grammar import Grammar, Names
from .terms import Atom, Term
from .vocabulary import Decl
from .yamltext import Document, Node, is_mapping, is_scalar


class Records:
    """Walks records of one document; `facts` collects what they become."""

    def __init__(
        self, grammar: Grammar, names: Names, document: Document, ignored: list[str] | None = None
    ) -> None:
        self.ignored = ignored
        self.grammar = grammar
        self.vocabulary = grammar.vocabulary
        self.names = names
        self.document = document
        self.facts: list[tuple[Atom, Node]] = []
        self._verbs = self.vocabulary.verbs()
        self._numbers: dict[tuple[str, Term], int] = {}

    def keys(self, kind: str) -> dict[str, Decl]:
        """The predicates that the keys of a kind of record become, by key."""
        return self.grammar.keys(kind)

    def emit(self, name: str, args: tuple[Term, ...], node: Node) -> None:
        self.facts.append(((name, args), node))

    def walk(self, kind: str, owner: Term, node: Node, skip: frozenset[str] = frozenset()) -> None:
        """Facts for every key of a record. Raises `SituationError` for a key that no predicate declares."""
        keys = self.keys(kind)
        for key, value in self.document.items(node, f"a {kind}"):
            if key.value in skip:
                continue
            if key.value in keys:
                self.value(keys[key.value], owner, value)
            elif kind == "effect" and key.value in self._verbs:
                self.verb(self._verbs[key.value], owner, value)
            elif self.ignored is not None:
                self.ignored.append(str(key.value))
            else:
                known = [*keys, *skip, *(self._verbs if kind == "effect" else ())]
                raise self.document.unknown(key, known, f"a {kind.replace('_', ' ')}")

    def value(self, decl: Decl, owner: Term, node: Node) -> None:
        """The atoms of one key: one for each item of its value."""
        kind = decl.types[-1]
        nested = bool(self.keys(kind)) or kind == "effect"
        for item in self.document.list(node, decl.name):
            if nested and is_mapping(item):
                number = self._numbers[kind, owner] = self._numbers.get((kind, owner), 0) + 1
                ident: Term = (kind, owner, number)
                self.emit(decl.name, (owner, ident), item)
                self.walk(kind, ident, item)
            else:
                term = self.term(item, kind)
                self.emit(decl.name, (owner, term) if decl.arity > 1 else (term,), item)

    def verb(self, decl: Decl, owner: Term, node: Node) -> None:
        """The atom of an effect verb with its fields."""
        values: dict[str, Term] = {decl.args[0]: owner}
        if decl.fields and decl.fields[0][0] == "":
            for item in self.document.list(node, decl.verb):
                self.emit(decl.name, (owner, self.term(item, decl.types[1])), item)
            return
        given = {key.value: (key, value) for key, value in self.document.items(node, decl.verb)}
        for field, arg in decl.fields:
            wanted = field.removesuffix("?")
            if wanted in given:
                values[arg] = self.term(given.pop(wanted)[1], decl.types[decl.args.index(arg)])
            elif field.endswith("?"):
                values[arg] = ("none",)
            else:
                raise SituationError(f"{decl.verb} needs {wanted}", self.document.span(node),
                                     f"its keys are {', '.join(f for f, _ in decl.fields)}")
        for name, (key, _) in given.items():
            raise SituationError(f"{decl.verb} has no key {name}", self.document.span(key),
                                 did_you_mean(name, [f for f, _ in decl.fields],
                                              f"its keys are {', '.join(f for f, _ in decl.fields)}"))
        self.emit(decl.name, tuple(values[arg] for arg in decl.args), node)

    def term(self, node: Node, kind: str) -> Term:
        """The term that a scalar stands for, read by its type."""
        if not is_scalar(node):
            raise SituationError(f"a {kind.replace('_', ' ')} is a text", self.document.span(node))
        return self.read(str(node.value), kind, node)

    def read(self, text: str, kind: str, node: Node) -> Term:
        """The term that a text stands for where a value of `kind` is wanted."""
        bare = text.strip()
        if kind == "value":
            return self.figure(bare, node)
        if kind == "inches" and re.fullmatch(r"\d+(\.\d+)?", bare):
            bare += '"'
        if kind == "number" and re.fullmatch(r"-?\d{1,6}", bare):
            return int(bare)
        decl = self.vocabulary.types.get(kind)
        free = decl.free if decl is not None else ""
        known = self.grammar.find_phrase(bare, kind, self.names)
        if known is not None:
            return known
        if not free or not bare:
            if self.ignored is None:
                raise self.grammar.unknown_phrase(bare, kind, self.names, self.document.span(node))
            self.ignored.append(bare)
            return bare
        name = bare.upper() if free == "upper" else bare.lower() if free == "lower" else bare
        self.names.add(kind, name, name)
        return name

    def figure(self, text: str, node: Node) -> Term:
        """A characteristic as it is printed: `5+`, `6"`, `-1`, `D6+1`, `-`."""
        bare = text.strip().replace("−", "-").replace("–", "-")
        found = re.fullmatch(r"(-?\d{1,4})[\"+]?", bare)
        if found:
            return int(found.group(1))
        found = re.fullmatch(r"(\d{0,2})D(\d{1,2})(?:\+(\d{1,2}))?", bare, re.I)
        if found:
            return ("dice", int(found.group(1) or 1), int(found.group(2)), int(found.group(3) or 0))
        if bare.casefold() in ("-", "n/a", "*"):
            return ("none",)
        if bare.casefold() == "melee":
            return ("melee",)
        raise SituationError(f"{text!r} is no figure", self.document.span(node),
                             'a figure is a number, 4+, 6", -1, D6+1 or -')


def single_pair(node: Node) -> bool:
    """Whether a node is a mapping of one key to a scalar: a sentence with a colon, read by YAML as a mapping."""
    return (isinstance(node, yaml.MappingNode) and len(node.value) == 1
            and is_scalar(node.value[0][0]) and is_scalar(node.value[0][1]))
