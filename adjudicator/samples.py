"""Texts that stand for values: what a person could write where a value of a type is wanted.

The scaffold shows them, and the linter reads sentences with them to see which can be confused.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from .grammar import Names
from .templates import printed
from .vocabulary import Decl, Vocabulary, type_of

VALUES = {
    "number": "2", "delta": "+1", "threshold": "4+", "inches": '6"', "dice": "2 5 6", "roll": "D6+1",
    "text": '"some text"', "day": "2026-12-01", "value": "4",
}
MANY = 24
DEPTH = 2


class Samples:
    """Sample texts by type, out of the phrases of a vocabulary and the names that are known."""

    def __init__(self, vocabulary: Vocabulary, names: Names | None = None) -> None:
        self.vocabulary = vocabulary
        self.names = names if names is not None else Names()
        self.phrases: dict[str, list[Decl]] = {}
        for decl in vocabulary.terms.values():
            if decl.role in ("term", "event") and decl.sentences:
                self.phrases.setdefault(decl.type, []).append(decl)
        self._known: dict[tuple[str, int], list[str]] = {}

    def of(self, kind: str, depth: int = DEPTH) -> list[str]:
        """Some texts that are read as a value of the type, simple ones first; none where only a name could be."""
        key = (kind, depth)
        if key not in self._known:
            self._known[key] = []
            self._known[key] = list(dict.fromkeys(islice(self._texts(kind, depth), MANY)))
        return self._known[key]

    def first(self, kind: str) -> str:
        """One such text; where there is none, the noun of the type."""
        found = self.of(kind)
        return found[0] if found else self.noun(kind)

    def noun(self, kind: str) -> str:
        decl = self.vocabulary.types.get(kind)
        return decl.noun if decl is not None else kind.replace("_", " ")

    def _texts(self, kind: str, depth: int) -> Iterator[str]:
        if kind in VALUES:
            yield VALUES[kind]
            return
        yield from self.names.known(kind)
        phrases = self.phrases.get(kind, ())
        for decl in phrases:
            if not decl.args:
                yield self.fill(decl.sentences[0])
        decl_of = self.vocabulary.types.get(kind)
        for part in decl_of.of if decl_of is not None else ():
            yield from self.of(part, depth)
        if depth:
            for decl in phrases:
                if decl.args:
                    filled = self.filled(decl.sentences[0], depth - 1)
                    if filled:
                        yield filled
        if kind.endswith("_list"):
            items = self.of(kind.removesuffix("_list"), depth)
            if items:
                yield " and ".join(items[:2])
        if decl_of is not None and decl_of.free:
            yield "SOMETHING" if decl_of.free == "upper" else "something"

    def fill(self, template: str, values: dict[str, str] | None = None) -> str:
        """The printed form of a template with the values given for its arguments, or their nouns."""
        given = values or {}
        return "".join(text if what == "text" else given.get(text, f"<{self.noun(type_of(text))}>")
                       for what, text in printed(template))

    def filled(self, template: str, depth: int = DEPTH) -> str:
        """The printed form of a template with a sample for each argument; empty where one has none."""
        values: dict[str, str] = {}
        for what, arg in printed(template):
            if what == "slot":
                options = self.of(type_of(arg), depth)
                if not options:
                    return ""
                used = sum(type_of(other) == type_of(arg) for other in values)
                values[arg] = options[min(used, len(options) - 1)]
        return self.fill(template, values)
