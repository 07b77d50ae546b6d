"""Sentence templates: `{Unit} is|are <already> engaged with {Unit'}`.

Words are literal, `a|b` offers alternatives (the first is printed), `<...>` holds optional words (not
printed) and `{Name}` is an argument. Templates of one kind share a trie, so that reading a sentence
costs one walk however many templates there are; completion walks the same trie.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from .vocabulary import Decl, type_of

_PIECE = re.compile(r"\{([^}]*)\}|<([^>]*)>|('s\b)|([^\s{}<>]+)")


class Node:
    """A trie node: the words and argument types that may come next, and what ends here."""

    __slots__ = ("ends", "shown", "slots", "words")

    def __init__(self, shown: str = "") -> None:
        self.shown = shown
        self.words: dict[str, Node] = {}
        self.slots: dict[str, Node] = {}
        self.ends: list[End] = []


class End(msgspec.Struct):
    """A template that ends at a node: its declaration, which argument each slot fills, its sense."""

    decl: Decl
    order: list[int]
    positive: bool = True
    question: bool = False


def expand(template: str) -> list[list[tuple[str, str]]]:
    """All readings of a template as lists of ("word", text) and ("slot", argument)."""
    readings: list[list[tuple[str, str]]] = [[]]
    for found in _PIECE.finditer(template):
        slot, optional, possessive, word = found.groups()
        if slot is not None:
            choices = [[("slot", slot)]]
        elif optional is not None:
            choices = [[], *expand(optional)]
        elif possessive is not None:
            choices = [[("word", "'s")]]
        else:
            choices = [words(part) for part in word.split("|")] if word.strip("|") else [words(word)]
        readings = [head + tail for head in readings for tail in choices]
    return readings


def words(text: str) -> list[tuple[str, str]]:
    """A literal as words, its closing punctuation apart."""
    found = re.match(r"(.*?)([?:,.!]*)$", text, re.S)
    body, tail = (found.group(1), found.group(2)) if found else (text, "")
    return [("word", part) for part in (body, *tail) if part]


def add(root: Node, template: str, decl: Decl, positive: bool = True, question: bool = False) -> str:
    """Add a template to a trie; the signature of another declaration that reads the same, or ""."""
    clash = ""
    for reading in expand(template):
        node, order = root, []
        for kind, value in reading:
            if kind == "slot":
                order.append(decl.args.index(value))
                node = node.slots.setdefault(type_of(value), Node())
            else:
                node = node.words.setdefault(value.casefold(), Node(value))
        for end in node.ends:
            if end.decl.signature != decl.signature or end.positive != positive:
                clash = end.decl.signature
        if not any(e.decl is decl and e.order == order and e.positive == positive for e in node.ends):
            node.ends.append(End(decl, order, positive, question))
    return clash


@lru_cache(maxsize=4096)
def printed(template: str) -> list[tuple[str, str]]:
    """The printed form as ("text", words) and ("slot", argument): first alternatives, no optionals."""
    parts: list[tuple[str, str]] = []
    position = 0
    for found in re.finditer(r"\{([^}]*)\}|\s*<[^>]*>", template):
        if found.start() > position:
            parts.append(("text", template[position : found.start()]))
        if found.group(1) is not None:
            parts.append(("slot", found.group(1)))
        position = found.end()
    parts.append(("text", template[position:]))
    return [(kind, re.sub(r"([^\s|]+)(?:\|[^\s|]+)+", r"\1", text) if kind == "text" else text)
            for kind, text in parts if text]


def leaves(node: Node, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every template below a node as readable text, for suggestions: ("{unit} moved", End)."""
    for end in node.ends:
        yield prefix.strip(), end
    for word, child in node.words.items():
        glue = "" if word in ("'s", "?", ":", ",", ".", "!") else " "
        yield from leaves(child, f"{prefix}{glue}{word}")
    for kind, child in node.slots.items():
        yield from leaves(child, f"{prefix} {{{kind}}}")
