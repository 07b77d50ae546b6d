"""All sentences of a vocabulary, and the tries that read them.

A trie of all of them costs more than a ruling on a few facts. So the first texts are read with tries of
the sentences that could fit them: those whose longest literal word stands in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .templates import Node, add
from .vocabulary import Decl, Vocabulary, type_of

FACTS, QUESTIONS = "facts", "questions"
FEW = 80
"""How many texts are read before the tries of all sentences are worth their price."""
_SLOT = re.compile(r"\{([^}]*)\}")
_LOOSE = re.compile(r"<[^>]*>|\{[^}]*\}|\S*\|\S*")
_RUN = re.compile(r"[^\W_]+")


class Row(NamedTuple):
    """A template below its root, with what must stand in any text that it reads."""

    template: str
    decl: Decl
    positive: bool
    question: bool
    fragment: str


class Tries:
    """Tries by what is read: facts, questions, and the phrases of each type."""

    def __init__(self) -> None:
        self.facts = Node()
        self.questions = Node()
        self.phrases: dict[str, Node] = {}
        self.clashes: list[tuple[str, str]] = []

    def add(self, root: str, row: Row) -> None:
        """Add a template; one that reads the same as another is noted as a clash."""
        clash = add(self.root(root), row.template, row.decl, row.positive, row.question)
        if clash:
            self.clashes.append((clash, row.decl.signature))

    def root(self, root: str) -> Node:
        """The trie of a root, made where there was none."""
        if root == FACTS:
            return self.facts
        return self.questions if root == QUESTIONS else self.phrases.setdefault(root[1:], Node())


class Sentences:
    """The templates of a vocabulary by their root: `facts`, `questions`, or a type with a colon before it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._rows: dict[str, list[Row]] = {}
        self.asked = 0
        self._whole: Tries | None = None
        self._phrases: dict[str, list[Decl]] = {}
        self._events: list[Decl] = []
        for decl in vocabulary.terms.values():
            if decl.role == "event":
                self._events.append(decl)
            elif decl.role != "question" and not (decl.type == "keyword" and not decl.args):
                self._phrases.setdefault(decl.type, []).append(decl)

    def rows(self, root: str) -> list[Row]:
        """The templates of a root."""
        if root not in self._rows:
            fragments = self.vocabulary.fragments
            found = self._rows[root] = []
            for template, decl, positive in self._templates(root):
                fragment = fragments.get(template)
                if fragment is None:
                    fragment = fragments[template] = fragment_of(template)
                found.append(Row(template, decl, positive, root == QUESTIONS, fragment))
        return self._rows[root]

    def _templates(self, root: str) -> Iterator[tuple[str, Decl, bool]]:
        """The templates of a root, each with its declaration and its sense."""
        predicates, terms = self.vocabulary.predicates.values(), self.vocabulary.terms.values()
        if root == FACTS:
            for decl in (*(decl for decl in predicates if decl.role == "fact"), *self._events):
                yield from ((template, decl, True) for template in decl.sentences)
                yield from ((template, decl, False) for template in decl.negatives)
        elif root == QUESTIONS:
            for decl in predicates:
                if decl.asks and decl.role in ("fact", "derived") and "event" not in decl.types:
                    yield from ((template, decl, True) for template in decl.asks)
            for decl in terms:
                if decl.role in ("event", "question"):
                    asked = decl.asks if decl.role == "event" else decl.sentences
                    yield from ((template, decl, True) for template in asked)
        else:
            for decl in (*(self._events if root == ":event" else ()), *self._phrases.get(root[1:], ())):
                yield from ((template, decl, True) for template in decl.sentences)

    @property
    def whole(self) -> Tries:
        """The tries of all sentences."""
        if self._whole is None:
            self._whole = Tries()
            for root in (FACTS, QUESTIONS, ":event", *(f":{kind}" for kind in self._phrases if kind != "event")):
                for row in self.rows(root):
                    self._whole.add(root, row)
        return self._whole

    def fitting(self, text: str, root: str) -> Tries:
        """Tries that read a folded text as those of all sentences would, in the same order."""
        self.asked += 1
        if self._whole is not None or self.asked > FEW:
            return self.whole
        tries = Tries()
        todo, seen = [root], {root}
        while todo:
            here = todo.pop()
            for row in self.rows(here):
                if row.fragment in text:
                    tries.add(here, row)
                    todo.extend(_new([*self._below(row), *([":time"] if row.decl.role == "event" else [])], seen))
            todo.extend(_new(self._parts(here[1:]), seen) if here.startswith(":") else ())
        return tries

    def _below(self, row: Row) -> Iterator[str]:
        for slot in _SLOT.findall(row.template):
            yield f":{type_of(slot)}"

    def _parts(self, kind: str) -> Iterator[str]:
        decl = self.vocabulary.types.get(kind)
        for part in decl.of if decl is not None else ():
            yield f":{part}"
        if kind.endswith("_list"):
            yield f":{kind.removesuffix('_list')}"


def fragment_of(template: str) -> str:
    """The longest run of letters and digits that any text read by the template must hold, folded."""
    return max(_RUN.findall(_LOOSE.sub(" ", template).casefold()), key=len, default="")


def _new(roots: Iterator[str] | list[str], seen: set[str]) -> list[str]:
    found = [root for root in dict.fromkeys(roots) if root not in seen]
    seen.update(found)
    return found
