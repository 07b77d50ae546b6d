"""What can come next in a sentence: a pure function from text, cursor and situation to suggestions.

It walks the same trie of templates that reads sentences, with the names of the situation at hand, so a
suggestion is always a step towards a sentence that the judge understands.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from .grammar import VALUE_TYPES, Grammar, Names, fold
from .situation import Situation
from .templates import Node, printed
from .vocabulary import Vocabulary

HINTS = {
    "number": "3", "inches": '8"', "threshold": "4+", "dice": "2 5 6", "delta": "+1", "roll": "D6", "text": '"..."',
    "day": "2026-10-03",
}
EXAMPLES = frozenset(HINTS.values())
MAX = 60


class Suggestion(msgspec.Struct, frozen=True):
    """Text that may stand from `start` (a position in the typed text) on, and a few words about it."""

    text: str
    start: int
    about: str = ""


def complete(text: str, cursor: int, situation: Situation) -> list[Suggestion]:
    """The suggestions at a cursor, those that continue the typed letters first.

    Text that opens like a question is completed as one; the rest as a fact. At most `MAX` are given.
    """
    typed = text[:cursor]
    lead = len(typed) - len(typed.lstrip())
    body = typed[lead:].casefold()
    grammar = situation.grammar
    walker = _Walker(grammar, situation.names, body)
    found: dict[str, tuple[tuple[int, int], Suggestion]] = {}
    for rank, root in enumerate((grammar.questions, grammar.facts)):
        for start, word, about in walker.walk(root, 0, rank):
            closeness = _closeness(body[start:], fold(word))
            if closeness is None:
                continue
            key = f"{start}:{word}"
            item = Suggestion(word, start + lead, about)
            likely = (closeness, 2 if word in EXAMPLES else rank)
            if key not in found or found[key][0] > likely:
                found[key] = (likely, item)
    best = sorted(found.values(), key=lambda item: (-item[1].start, item[0], item[1].text.casefold()))
    return [item for _, item in best[:MAX]]


def _closeness(typed: str, word: str) -> int | None:
    """0 for a continuation of what is typed, 1 for its letters in order, None where they do not fit."""
    if not typed:
        return 0
    if word.startswith(typed):
        return None if word == typed else 0
    letters = iter(word)
    return 1 if len(typed) > 1 and all(letter in letters for letter in typed.replace(" ", "")) else None


class _Walker:
    """Follows the templates along what is typed, and gives what may stand where it ends."""

    def __init__(self, grammar: Grammar, names: Names, body: str) -> None:
        self.grammar = Grammar(grammar.vocabulary, grammar.sentences, grammar.tries)
        self.names = names
        self.body = body
        self._open: set[tuple[str, int]] = set()

    def walk(self, node: Node, position: int, rank: int, fresh: bool = True) -> Iterator[tuple[int, str, str]]:
        start = position
        while start < len(self.body) and self.body[start] == " ":
            start += 1
        rest = self.body[start:]
        at_end = len(rest) < 40 and (fresh or start > position)
        for end in node.ends:
            if end.decl.role == "event" and at_end and not fresh:
                yield from self._slot("time", start, rank)
        for word, child in node.words.items():
            if self.body.startswith(word, start) and self._whole(start + len(word), word):
                yield from self.walk(child, start + len(word), rank, False)
            elif at_end or (not word[0].isalnum() and len(rest) < 40):
                yield start, self._shown(child), _about(child)
        for kind, child in node.slots.items():
            if at_end:
                yield from self._slot(kind, start, rank)
            for _, stop in list(self.grammar._slot(kind, self.body, start, self.names, False)):
                if stop < len(self.body):
                    yield from self.walk(child, stop, rank, False)

    def _whole(self, stop: int, word: str) -> bool:
        return stop >= len(self.body) or not (self.body[stop].isalnum() and word[-1].isalnum())

    def _shown(self, child: Node) -> str:
        """The word of a node with those that must follow it, up to the next argument."""
        shown = child.shown
        while len(child.words) == 1 and not child.slots and not child.ends:
            child = next(iter(child.words.values()))
            shown += child.shown if not child.shown[0].isalnum() else f" {child.shown}"
        return shown

    def _slot(self, kind: str, start: int, rank: int) -> Iterator[tuple[int, str, str]]:
        if (kind, start) in self._open:
            return
        self._open.add((kind, start))
        decl = self.grammar.vocabulary.types.get(kind)
        noun = decl.noun if decl is not None else kind.replace("_", " ")
        if kind in VALUE_TYPES:
            yield start, HINTS.get(kind, ""), noun
        for name in self.names.known(kind):
            yield start, name, noun
        for part in decl.of if decl is not None else ():
            yield from self._slot(part, start, rank)
        if kind.endswith("_list"):
            yield from self._slot(kind[:-5], start, rank)
        root = self.grammar.phrases.get(kind)
        if root is not None:
            yield from self.walk(root, start, rank)
        self._open.discard((kind, start))


def _about(node: Node) -> str:
    """The summary of the declaration that a word leads to, where it leads to one alone."""
    while len(node.words) + len(node.slots) == 1 and not node.ends:
        node = next(iter((*node.words.values(), *node.slots.values())))
    return node.ends[0].decl.doc.split(". ")[0][:60] if len(node.ends) == 1 else ""


def phrasebook(vocabulary: Vocabulary, questions: bool = False) -> list[str]:
    """Every fact that can be stated (or question that can be asked), as it is printed, its places in braces."""
    found = set()
    for decl in [*vocabulary.predicates.values(), *vocabulary.terms.values()]:
        if questions:
            asked = decl.role in ("fact", "event") or (decl.role == "derived" and "event" not in decl.types)
            templates = decl.sentences if decl.role == "question" else decl.asks if asked else []
        else:
            templates = decl.sentences if decl.role in ("fact", "event") else []
        for template in templates[:1]:
            kinds = dict(zip(decl.args, decl.types, strict=True))
            found.add("".join(text if what == "text" else f"{{{noun(vocabulary, kinds[text])}}}"
                              for what, text in printed(template)))
    return sorted(found)


def noun(vocabulary: Vocabulary, kind: str) -> str:
    """What a type of argument is called."""
    decl = vocabulary.types.get(kind)
    return decl.noun if decl is not None else kind.replace("_", " ")
