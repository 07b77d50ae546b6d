"""Syntax highlighting out of the vocabulary: names of the situation, numbers, commands, words that nothing knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.styles import Style

if TYPE_CHECKING:
    from adjudicator import Situation

    from .session import Session

STYLE = {
    "name": "ansigreen",
    "number": "ansimagenta",
    "command": "bold",
    "unknown": "underline",
    "comment": "italic",
    "bottom-toolbar": "noreverse",
    "bottom-toolbar.text": "",
    "toolbar.label": "italic",
    "toolbar.verdict": "bold",
}
"""The terminal's own colours, none of them with a background: they can be read on light and on dark."""
PARTS = re.compile(r"(?P<number>\d+(?:\.\d+)?(?:\"|\+|[dD]\d+(?:\+\d+)?)?)|(?P<word>[^\W\d_][\w'!-]*)|\s+|.", re.S)
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


def style() -> Style:
    return Style.from_dict(STYLE)


def tokens(line: str, situation: Situation) -> Iterator[tuple[str, str]]:
    """The parts of a line with what each is: `name`, `number`, `command`, `unknown`, `comment` or nothing."""
    if line.lstrip().startswith("#"):
        yield "comment", line
        return
    from .commands import find

    position = 0
    found = find(line)
    if found is not None and not situation.grammar.reads(line, situation.names):
        position = len(line) - len(line.lstrip()) + len(found[0].name)
        yield "command", line[:position]
    low = line.translate(_STRAIGHT).lower()
    known = words_of(situation)
    while position < len(line):
        end = _name_at(low, position, situation) if len(low) == len(line) else 0
        if end:
            yield "name", line[position:end]
        else:
            part = PARTS.match(line, position)
            assert part is not None
            end = part.end()
            if part["number"]:
                yield "number", part[0]
            elif part["word"] and part["word"].lower() not in known and end < len(line):
                yield "unknown", part[0]
            else:
                yield "", part[0]
        position = end


def _name_at(low: str, position: int, situation: Situation) -> int:
    """Where a name of the situation ends that begins here, the longest; 0 for none."""
    if position and low[position - 1].isalnum():
        return 0
    return max((end for kind in situation.names.terms for _, end in situation.names.at(kind, low, position)), default=0)


_words: tuple[object, frozenset[str]] = (None, frozenset())


def words_of(situation: Situation) -> frozenset[str]:
    """The words of all sentences of a vocabulary; kept for the last one."""
    global _words
    vocabulary = situation.loaded.vocabulary
    if _words[0] is not vocabulary:
        texts = (re.sub(r"\{[^}]*\}", " ", text) for decls in (vocabulary.predicates, vocabulary.terms)
                 for decl in decls.values() for text in (*decl.sentences, *decl.negatives, *decl.asks))
        found = {word.lower() for text in texts for word in re.findall(r"[^\W\d_][\w'!-]*", text)}
        _words = (vocabulary, frozenset(found | {"the", "a", "an", "s", "for", "of", "and"}))
    return _words[1]


class SentenceLexer(Lexer):
    """Colours what is typed, once there is a session."""

    def __init__(self, session: Callable[[], Session | None]) -> None:
        self.session = session

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        lines = document.lines

        def line(number: int) -> StyleAndTextTuples:
            text = lines[number] if number < len(lines) else ""
            session = self.session() if text.strip() else None
            if session is None:
                return [("", text)]
            return [(f"class:{kind}" if kind else "", part) for kind, part in tokens(text, session.situation)]

        return line
