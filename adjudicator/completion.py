"""What can come next in a sentence: a pure function from text, cursor and situation to suggestions.

It walks the same trie of templates that reads sentences, with the names of the situation at hand, so a
suggestion is always a step towards a sentence that the judge understands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from .grammar import VALUE_TYPES, Grammar, Names, fold
from .situation import Situation
from .templates import Node, printed
from .terms import Term
from .vocabulary import Decl, Vocabulary

HINTS = {
    "number": "3", "inches": '8"', "threshold": "4+", "dice": "2 5 6", "delta": "+1", "roll": "D6", "text": '"..."',
    "day": "2026-10-03",
}
MAX = 60
LONGEST = 40
ABOUT = 60
NAME, WORD, OTHER, EXAMPLE = range(4)
"""What comes first among equals: names that the situation lists, words, other names, examples of values."""
_CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
Found = tuple[int, str, str, int]
"""Where a suggestion starts, its text, what it is about, and its rank among equals."""


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
    body = typed[lead:].translate(_CURLY).lower()
    grammar = situation.grammar
    walker = _Walker(grammar, situation.names, body)
    found: dict[tuple[int, str], tuple[tuple[int, int], Suggestion]] = {}
    for root in (grammar.facts, grammar.questions):
        for start, word, about, rank in walker.walk(root, 0):
            closeness = _closeness(body[start:], fold(word))
            if closeness is None:
                continue
            likely = (closeness, rank)
            if (start, word) not in found or found[start, word][0] > likely:
                found[start, word] = (likely, Suggestion(word, start + lead, about))
    best = sorted(found.values(), key=lambda item: (-item[1].start, item[0], _natural(item[1].text)))
    return [item for _, item in best[:MAX]]


def _natural(text: str) -> list[tuple[int, str]]:
    """A key that sorts `squad 2` before `squad 10`."""
    return [(int(part) if part.isdigit() else -1, part.casefold()) for part in re.split(r"(\d+)", text)]


def _closeness(typed: str, word: str) -> int | None:
    """0 for a continuation of what is typed, 1 for its letters in order and close together, None where it does not fit.

    The letters must begin a word and lie within twice their number, or "adv" would be found in any long sentence.
    """
    if not typed:
        return 0
    if word.startswith(typed):
        return None if word == typed else 0
    letters = typed.replace(" ", "")
    if len(letters) < 2:
        return None
    starts = (i for i, letter in enumerate(word) if letter == letters[0] and not (i and word[i - 1].isalnum()))
    return 1 if any(_lies_within(letters, word[i : i + 2 * len(letters) + 2]) for i in starts) else None


def _lies_within(letters: str, text: str) -> bool:
    """Whether the letters stand in a text in their order."""
    rest = iter(text)
    return all(letter in rest for letter in letters)


class _Walker:
    """Follows the templates along what is typed, and gives what may stand where it ends."""

    def __init__(self, grammar: Grammar, names: Names, body: str) -> None:
        self.grammar = Grammar(grammar.vocabulary, grammar.sentences, grammar.tries)
        self.names = names
        self.body = body
        self._open: set[tuple[str, int]] = set()

    def walk(self, node: Node, position: int, fresh: bool = True, noun: str = "") -> Iterator[Found]:
        """What may stand at the end of the text from a node on; `noun` says of which type the words are."""
        start = position
        while start < len(self.body) and self.body[start] == " ":
            start += 1
        rest = self.body[start:]
        at_end = len(rest) < LONGEST and (fresh or start > position)
        for end in node.ends:
            if end.decl.role == "event" and at_end and not fresh:
                yield from self._slot("time", start)
        for word, child in node.words.items():
            if self.body.startswith(word, start) and self._whole(start + len(word), word):
                yield from self.walk(child, start + len(word), False, noun)
            elif at_end or (not word[0].isalnum() and len(rest) < LONGEST):
                yield start, self._shown(child), noun or _about(self.grammar.vocabulary, child), WORD
        for kind, child in node.slots.items():
            if at_end:
                yield from self._slot(kind, start)
            for _, stop in list(self.grammar._slot(kind, self.body, start, self.names, False)):
                yield from self.walk(child, stop, False, noun)

    def _whole(self, stop: int, word: str) -> bool:
        return stop >= len(self.body) or not (self.body[stop].isalnum() and word[-1].isalnum())

    def _shown(self, child: Node) -> str:
        """The word of a node with those that must follow it, up to the next argument."""
        shown = child.shown
        while len(child.words) == 1 and not child.slots and not child.ends:
            child = next(iter(child.words.values()))
            shown += child.shown if not child.shown[0].isalnum() else f" {child.shown}"
        return shown

    def _slot(self, kind: str, start: int) -> Iterator[Found]:
        if (kind, start) in self._open:
            return
        self._open.add((kind, start))
        decl = self.grammar.vocabulary.types.get(kind)
        called = noun(self.grammar.vocabulary, kind)
        if kind in VALUE_TYPES:
            yield start, HINTS.get(kind, ""), called, EXAMPLE
        for name in self._names(kind, self.body[start:]):
            yield start, name, called, NAME if decl is not None and decl.names else OTHER
        for part in decl.of if decl is not None else ():
            yield from self._slot(part, start)
        if kind.endswith("_list"):
            yield from self._slot(kind[:-5], start)
        root = self.grammar.phrases.get(kind)
        if root is not None:
            yield from self.walk(root, start, noun=called)
        self._open.discard((kind, start))

    def _names(self, kind: str, rest: str) -> Iterator[str]:
        """The names of a type; a second spelling of a thing only where the first one does not fit what is typed."""
        first: dict[Term, str] = {}
        for folded, name in self.names.spelt.get(kind, {}).items():
            term = self.names.terms[kind][folded]
            if term not in first or (rest and folded.startswith(rest) and not fold(first[term]).startswith(rest)):
                first.setdefault(term, name)
                yield name


def _about(vocabulary: Vocabulary, node: Node) -> str:
    """The sentence that a word leads to, with dots where it leads to several."""
    several = False
    while not node.ends:
        following = [*node.words.values(), *node.slots.values()]
        if not following:
            return ""
        several = several or len(following) > 1
        node = following[0]
    several = several or bool(node.words or node.slots)
    end = node.ends[0]
    return template(vocabulary, end.decl, end.question)[:ABOUT] + (" ..." if several else "")


def template(vocabulary: Vocabulary, decl: Decl, question: bool = False) -> str:
    """The printed sentence (or question) of a declaration with its places in braces; empty where it has none."""
    asked = decl.asks if question and decl.role != "question" else decl.sentences
    kinds = dict(zip(decl.args, decl.types, strict=True))
    return "".join(text if what == "text" else f"{{{noun(vocabulary, kinds[text])}}}"
                   for what, text in printed(asked[0])) if asked else ""


def phrasebook(vocabulary: Vocabulary, questions: bool = False) -> list[str]:
    """Every fact that can be stated (or question that can be asked), as it is printed, its places in braces."""
    found = set()
    for decl in [*vocabulary.predicates.values(), *vocabulary.terms.values()]:
        if decl.role in ("fact", "event") or (questions and decl.role == "question"):
            found.add(template(vocabulary, decl, questions))
        elif questions and decl.role == "derived" and "event" not in decl.types:
            found.add(template(vocabulary, decl, True))
    return sorted(found - {""})


def noun(vocabulary: Vocabulary, kind: str) -> str:
    """What a type of argument is called."""
    decl = vocabulary.types.get(kind)
    return decl.noun if decl is not None else kind.replace("_", " ")
