"""Reading sentences with the vocabulary, and saying atoms in them.

One walk over the trie of templates reads a fact or a question; arguments are read by their type: a
name that the situation knows, a number, a distance, a roll, a list, or a phrase declared as a term.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from .errors import SituationError, Span, did_you_mean
from .sentences import FACTS, QUESTIONS, Sentences, Tries
from .templates import End, Node, leaves
from .terms import Atom, Term
from .vocabulary import Decl, Vocabulary

_NUMBER_WORDS = {w: i for i, w in enumerate("zero one two three four five six seven eight nine ten".split())}
_PATTERNS = {
    "number": re.compile(r"-?\d{1,6}(?![\d.]*[\"+])|(?:" + "|".join(_NUMBER_WORDS) + r")\b", re.I),
    "delta": re.compile(r"[-+−]?\d{1,3}(?!\d)"),
    "threshold": re.compile(r"(\d)\+"),
    "inches": re.compile(r"(\d{1,4})(?:\.(\d{1,2}))?\s*(?:\"|inch(?:es)?\b|in\b)", re.I),
    "dice": re.compile(r"\d{1,2}(?!\d)(?:(?:\s*,\s*|\s+and\s+|\s+)\d{1,2}(?![\d\"+]))*"),
    "roll": re.compile(r"(\d{0,2})D(\d{1,2})(?:\s*\+\s*(\d{1,2}))?(?!\w)", re.I),
    "text": re.compile(r"\"([^\"]*)\""),
    "day": re.compile(r"\d{4}-\d{2}-\d{2}"),
}
VALUE_TYPES = frozenset(_PATTERNS)
MAX_LENGTH = 500


class Names:
    """The names that a situation gives, by type, with the term that each stands for."""

    def __init__(self) -> None:
        self.terms: dict[str, dict[str, Term]] = {}
        self.shown: dict[Term, str] = {}
        self.spelt: dict[str, dict[str, str]] = {}
        self._by_start: dict[str, dict[str, list[str]]] = {}

    def add(self, kind: str, name: str, term: Term, also: bool = False) -> None:
        """Let `name` be read as `term` where a `kind` is wanted; `also` marks a second spelling."""
        folded = fold(name)
        if not folded:
            return
        table = self.terms.setdefault(kind, {})
        if folded not in table or not also:
            table[folded] = term
            self.spelt.setdefault(kind, {})[folded] = name
        if not also:
            self.shown.setdefault(term, name)
        starts = self._by_start.setdefault(kind, {})
        bucket = starts.setdefault(folded[0], [])
        if folded not in bucket:
            bucket.append(folded)
            bucket.sort(key=len, reverse=True)

    def copy(self) -> Names:
        """The same names in tables of their own."""
        other = Names()
        other.terms = {kind: dict(table) for kind, table in self.terms.items()}
        other.spelt = {kind: dict(table) for kind, table in self.spelt.items()}
        other.shown = dict(self.shown)
        other._by_start = {kind: {start: list(names) for start, names in table.items()}
                           for kind, table in self._by_start.items()}
        return other

    def at(self, kind: str, text: str, position: int) -> Iterator[tuple[Term, int]]:
        """The names of a kind that stand at a position of a folded text, longest first."""
        table = self.terms.get(kind)
        if table is None or position >= len(text):
            return
        for name in self._by_start[kind].get(text[position], ()):
            end = position + len(name)
            if text.startswith(name, position) and not (
                end < len(text) and text[end].isalnum() and name[-1].isalnum()
            ):
                yield table[name], end

    def known(self, kind: str) -> list[str]:
        return sorted(self.spelt.get(kind, {}).values())


class Reading(msgspec.Struct):
    """What a sentence says: an atom with its sense and time, or a question term."""

    decl: Decl
    atom: Atom
    positive: bool = True
    time: Term | None = None
    question: bool = False


def fold(text: str) -> str:
    """The text as it is compared: one space, straight quotes, lower case."""
    return re.sub(r"\s+", " ", text.translate(_STRAIGHT)).strip().casefold()


_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "″": '"', "−": "-", "–": "-"})


class Grammar:
    """The sentences of a vocabulary: reading them and saying atoms in them."""

    def __init__(
        self, vocabulary: Vocabulary, sentences: Sentences | None = None, tries: Tries | None = None
    ) -> None:
        self.vocabulary = vocabulary
        self.sentences = sentences or Sentences(vocabulary)
        self._tries = tries
        self._open: set[tuple[str, int]] = set()
        self._keys: dict[str, dict[str, Decl]] = {}

    @property
    def tries(self) -> Tries:
        """The tries that texts are read with."""
        if self._tries is None:
            self._tries = self.sentences.whole
        return self._tries

    @property
    def facts(self) -> Node:
        return self.tries.facts

    @property
    def questions(self) -> Node:
        return self.tries.questions

    @property
    def phrases(self) -> dict[str, Node]:
        return self.tries.phrases

    def keys(self, kind: str) -> dict[str, Decl]:
        """The predicates that the keys of a kind of record become, by key."""
        if kind not in self._keys:
            self._keys[kind] = self.vocabulary.keys(kind)
        return self._keys[kind]

    @property
    def clashes(self) -> list[tuple[str, str]]:
        """Templates of different declarations that read the same text, by their signatures."""
        return self.sentences.whole.clashes

    def _fitting(self, folded: str, root: str) -> Grammar:
        """A grammar that reads this text as this one does, with as few sentences as that takes."""
        return Grammar(self.vocabulary, self.sentences, self.sentences.fitting(folded, root))

    # Reading ----------------------------------------------------------------------------------

    def read_fact(self, sentence: str, names: Names, span: Span | None = None) -> Reading:
        """The fact that a sentence states. Raises `SituationError` with the nearest sentence."""
        return self._read(sentence, FACTS, names, span, "sentence")

    def read_question(self, sentence: str, names: Names, span: Span | None = None) -> Reading:
        """The question that a sentence asks. Raises `SituationError` with the nearest one."""
        text = sentence.strip()
        return self._read(text if text.endswith("?") else f"{text}?", QUESTIONS, names, span, "question")

    def reads(self, sentence: str, names: Names, question: bool = False) -> bool:
        """Whether a fact (or a question) can be read so; cheaper than asking why it cannot."""
        if len(sentence) > MAX_LENGTH:
            return False
        folded = fold(sentence)
        root = QUESTIONS if question else FACTS
        for text in (folded.rstrip("? ") + "?",) if question else _without_stop(folded):
            part = self._fitting(text, root)
            if any(True for _ in part._walk(part.tries.root(root), text, 0, [], names, False)):
                return True
        return False

    def find_phrase(self, text: str, kind: str, names: Names) -> Term | None:
        """The term of a type that a text stands for, such as a duration; None where it stands for none."""
        folded = fold(text)
        for value, end in self._fitting(folded, f":{kind}")._slot(kind, folded, 0, names, False):
            if end == len(folded):
                return value
        return None

    def unknown_phrase(self, text: str, kind: str, names: Names, span: Span | None = None) -> SituationError:
        """The error for a text that is no term of a type, with the nearest one."""
        known = [t for t, _ in leaves(self.phrases[kind])] if kind in self.phrases else names.known(kind)
        noun = self.vocabulary.types[kind].noun if kind in self.vocabulary.types else kind
        return SituationError(f"there is no {noun} {text!r}", span,
                              did_you_mean(text, known, f"known: {', '.join(known[:12])}" if known else ""))

    def readings(self, sentence: str, names: Names, question: bool = False) -> list[Reading]:
        """Every way in which a fact (or a question) can be read."""
        folded = fold(sentence)
        found: list[Reading] = []
        root = QUESTIONS if question else FACTS
        for text in (folded,) if question else _without_stop(folded):
            part = self._fitting(text, root)
            for reading in part._walk(part.tries.root(root), text, 0, [], names, False):
                if reading not in found:
                    found.append(reading)
            if found:
                break
        return found

    def _read(self, sentence: str, root: str, names: Names, span: Span | None, what: str) -> Reading:
        if len(sentence) > MAX_LENGTH:
            raise SituationError(f"this {what} is longer than {MAX_LENGTH} characters", span)
        found = self.readings(sentence, names, what == "question")
        if len(found) == 1:
            return found[0]
        if found:
            sentences = "; ".join(dict.fromkeys(r.decl.sentences[0] for r in found))
            raise SituationError(f"this {what} can be read in more than one way", span, f"as {sentences}")
        raise self._unread(sentence, fold(sentence), self.tries.root(root), names, span, what)

    def _walk(
        self, node: Node, text: str, position: int, values: list[Term], names: Names, loose: bool
    ) -> Iterator[Reading]:
        length = len(text)
        for end in node.ends:
            rest = position
            while rest < length and text[rest] == " ":
                rest += 1
            if rest == length:
                yield self._reading(end, values, None)
            elif end.decl.role == "event":
                if end.question:
                    if text[rest:] == "?":
                        yield self._reading(end, values, None)
                    for time, stop in self._slot("time", text, rest, names, False):
                        if text[stop:].strip() in ("", "?"):
                            yield self._reading(end, values, time)
                    continue
                for time, stop in self._slot("time", text, rest, names, False):
                    if text[stop:].strip() == "":
                        yield self._reading(end, values, time)
        start = position
        while start < length and text[start] == " ":
            start += 1
        for word, child in node.words.items():
            if text.startswith(word, start):
                stop = start + len(word)
                if stop < length and text[stop].isalnum() and word[-1].isalnum():
                    continue
                yield from self._walk(child, text, stop, values, names, loose)
        for kind, child in node.slots.items():
            for value, stop in self._slot(kind, text, start, names, loose):
                yield from self._walk(child, text, stop, [*values, value], names, loose)

    def _reading(self, end: End, values: list[Term], time: Term | None) -> Reading:
        args: list[Term] = [()] * end.decl.arity
        for index, value in zip(end.order, values, strict=True):
            args[index] = value
        return Reading(end.decl, (end.decl.name, tuple(args)), end.positive, time, end.question)

    def _slot(self, kind: str, text: str, position: int, names: Names, loose: bool) -> Iterator[tuple[Term, int]]:
        while position < len(text) and text[position] == " ":
            position += 1
        pattern = _PATTERNS.get(kind)
        if pattern is not None:
            found = pattern.match(text, position)
            if found:
                yield _value(kind, found), found.end()
            return
        yield from names.at(kind, text, position)
        if text.startswith("the ", position):
            yield from names.at(kind, text, position + 4)
        root = self.phrases.get(kind)
        if root is not None and (kind, position) not in self._open:
            self._open.add((kind, position))
            try:
                yield from self._phrase(root, text, position, [], names, loose)
            finally:
                self._open.discard((kind, position))
        if kind.endswith("_list"):
            yield from self._list(kind[:-5], text, position, names, loose)
        decl = self.vocabulary.types.get(kind)
        ends: set[int] = set()
        for part in decl.of if decl is not None else ():  # of two readings of the same words, the first type's
            options = [o for o in self._slot(part, text, position, names, loose) if o[1] not in ends]
            yield from options
            ends.update(stop for _, stop in options)
        if loose and (kind in names.terms or (decl is not None and decl.names)):
            stop = position
            while stop < len(text):
                found_word = re.compile(r"\s*[^\s?,:]+").match(text, stop)
                if not found_word or found_word.end() - position > 60:
                    break
                stop = found_word.end()
                yield ("?", kind, text[position:stop]), stop

    def _phrase(
        self, node: Node, text: str, position: int, values: list[Term], names: Names, loose: bool
    ) -> Iterator[tuple[Term, int]]:
        for end in node.ends:
            args: list[Term] = [()] * end.decl.arity
            for index, value in zip(end.order, values, strict=True):
                args[index] = value
            yield (end.decl.name, *args), position
        start = position
        while start < len(text) and text[start] == " ":
            start += 1
        for word, child in node.words.items():
            if text.startswith(word, start):
                stop = start + len(word)
                if stop < len(text) and text[stop].isalnum() and word[-1].isalnum():
                    continue
                yield from self._phrase(child, text, stop, values, names, loose)
        for kind, child in node.slots.items():
            for value, stop in self._slot(kind, text, start, names, loose):
                yield from self._phrase(child, text, stop, [*values, value], names, loose)

    def _list(self, kind: str, text: str, position: int, names: Names, loose: bool) -> Iterator[tuple[Term, int]]:
        def more(stop: int, items: tuple[Term, ...]) -> Iterator[tuple[Term, int]]:
            yield ("list", *items), stop
            if len(items) >= 40:
                return
            glue = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*;\s*").match(text, stop)
            if glue:
                for value, end in self._slot(kind, text, glue.end(), names, loose):
                    yield from more(end, (*items, value))

        for value, stop in self._slot(kind, text, position, names, loose):
            yield from more(stop, (value,))

    def _unread(
        self, sentence: str, folded: str, root: Node, names: Names, span: Span | None, what: str
    ) -> SituationError:
        for reading in self._walk(root, folded, 0, [], names, True):
            unknown = next(iter(_unknown(reading.atom[1])), None)
            if unknown is not None:
                _, kind, name = unknown
                decl = self.vocabulary.types.get(kind)
                noun = decl.noun if decl else kind
                known = names.known(kind)
                at = folded.find(name)
                if span is not None and at >= 0 and sentence.casefold().find(name) >= 0:
                    at = sentence.casefold().find(name)
                    span = Span(span.file, span.line, span.column + at, span.source, len(name))
                listed = f"the situation has {', '.join(known[:10])}" if known else f"the situation names no {noun}"
                return SituationError(f"there is no {noun} {name!r}", span, did_you_mean(name, known, listed))
        return SituationError(f"this {what} is not understood: {sentence.strip()[:120]!r}", span,
                              self.suggest(folded, root, names))

    def suggest(self, folded: str, root: Node, names: Names) -> str:
        """The nearest sentence that exists, with the situation's own names in it where they match."""
        from difflib import SequenceMatcher

        bare = folded
        for kind in ("unit", "side"):
            for name in sorted(names.terms.get(kind, {}), key=len, reverse=True):
                bare = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "{" + kind + "}", bare)
        best, score = "", 0.0
        for template, _ in leaves(root):
            ratio = SequenceMatcher(None, bare, template).ratio()
            if ratio > score or (ratio == score and template < best):
                best, score = template, ratio
        return f"the nearest sentence is: {best}" if score > 0.4 else ""


def _without_stop(folded: str) -> tuple[str, ...]:
    """A text without its full stop, and with it, as it may belong to a name."""
    return (re.sub(r"\s*\.$", "", folded), folded) if folded.endswith(".") else (folded,)


def _unknown(terms: tuple[Term, ...]) -> Iterator[tuple[str, str, str]]:
    for term in terms:
        if isinstance(term, tuple):
            if term and term[0] == "?":
                yield term
            else:
                yield from _unknown(term[1:])


def _value(kind: str, found: re.Match[str]) -> Term:
    if kind == "number":
        text = found.group(0).casefold()
        return _NUMBER_WORDS[text] if text in _NUMBER_WORDS else int(text)
    if kind == "delta":
        return int(found.group(0))
    if kind == "threshold":
        return int(found.group(1))
    if kind == "inches":
        return int(found.group(1)) * 100 + int((found.group(2) or "0").ljust(2, "0"))
    if kind == "dice":
        return ("list", *(int(n) for n in re.findall(r"\d+", found.group(0))))
    if kind == "roll":
        return ("dice", int(found.group(1) or 1), int(found.group(2)), int(found.group(3) or 0))
    if kind == "day":
        return found.group(0)
    return found.group(1)
