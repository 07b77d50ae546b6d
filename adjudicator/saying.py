"""Saying terms and atoms in the sentences of the vocabulary."""

from __future__ import annotations

import re

from .grammar import Names
from .program import CTerm
from .templates import printed
from .terms import Atom, Term
from .vocabulary import Decl, Vocabulary, type_of


class Sayer:
    """Prints atoms and terms as a person would say them, with the names of one situation."""

    def __init__(self, vocabulary: Vocabulary, names: Names) -> None:
        self.vocabulary = vocabulary
        self.names = names

    def term(self, term: Term, kind: str = "", negative: bool = False) -> str:
        """A term as words: `5+` for a threshold, `8"` for a distance, a declared phrase for a function."""
        if isinstance(term, int):
            return number(term, kind)
        if isinstance(term, str):
            return self.names.shown.get(term, term)
        shown = self.names.shown.get(term)
        if shown is not None:
            return shown
        if term == ("_",):
            return f"any {self.noun(kind)}".strip()
        if term[0] == "list":
            items = [self.term(item, kind.removesuffix("_list")) for item in term[1:]]
            return " ".join(items) if kind == "dice" else listed(items)
        if term[0] == "dice":
            return roll(term)
        decl = self.vocabulary.term(term[0], len(term) - 1)
        if decl is not None and decl.sentences:
            return self.fill(decl, term[1:], negative)
        if len(term) == 1:
            return str(term[0]).strip("_").replace("_", " ")
        return f"{str(term[0]).replace('_', ' ')} {listed([self.term(arg) for arg in term[1:]])}"

    def noun(self, kind: str) -> str:
        decl = self.vocabulary.types.get(kind)
        return decl.noun if decl is not None else "stated distance" if kind == "inches" else kind.replace("_", " ")

    def fill(self, decl: Decl, args: tuple[Term, ...], negative: bool = False) -> str:
        """The sentence of a declaration with its arguments, or its negative."""
        nested = "event" in decl.types and not decl.negatives
        template = decl.sentences[0]
        if negative and decl.negatives and not nested:
            template = decl.negatives[0]
        out = []
        for what, value in printed(template):
            if what == "text":
                out.append(value)
            else:
                index = decl.args.index(value)
                kind = type_of(value)
                text = self.term(args[index], kind, negative and nested)
                out.append(f'"{text}"' if kind == "text" and decl.role in ("fact", "event") else text)
        return "".join(out)

    def atom(self, atom: Atom, negative: bool = False) -> str:
        """An atom as its sentence; an undeclared or silent one as its ASP text would read."""
        name, args = atom
        if name.startswith("-"):
            name, negative = name[1:], not negative
        decl = self.vocabulary.predicate(name, len(args))
        if decl is None or not decl.sentences:
            said = " ".join([name.strip("_").replace("_", " "), *(self.term(arg) for arg in args if arg != ())])
            return f"not: {said}" if negative else said
        return self.fill(decl, args, negative)

    def line(self, parts: Line, env: dict[str, Term]) -> str:
        """A rule's line with the values of its variables."""
        return "".join(
            name if kind is None else self.term(env[name], kind) if name in env else "any" for name, kind in parts
        )


Line = list[tuple[str, str | None]]
"""A line taken apart: (text, None) or (variable, type)."""


def parts_of(template: str, kinds: dict[str, str]) -> Line:
    """A template taken apart; `{D:inches}` forces a type on a variable."""
    parts: Line = []
    for i, piece in enumerate(re.split(r"\{([^}]*)\}", template)):
        if i % 2:
            name, _, kind = piece.partition(":")
            parts.append((name, kind or kinds.get(name, "")))
        elif piece:
            parts.append((piece, None))
    return parts


def number(value: int, kind: str) -> str:
    """A number as its type prints it; inches come in hundredths."""
    if kind == "inches":
        whole, part = divmod(abs(value), 100)
        sign = "-" if value < 0 else ""
        return f'{sign}{whole}{f".{part:02d}".rstrip("0") if part else ""}"'
    if kind == "threshold":
        return f"{value}+"
    if kind == "delta":
        return f"{value:+d}" if value else "0"
    return str(value)


def roll(term: tuple[Term, ...]) -> str:
    """A dice expression such as `2D6+1`."""
    count, sides, plus = term[1], term[2], term[3]
    return f"{'' if count == 1 else count}D{sides}{f'+{plus}' if plus else ''}"


def listed(items: list[str]) -> str:
    """`a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def kinds_of(vocabulary: Vocabulary, name: str, args: list[CTerm], found: dict[str, str]) -> None:
    """Add the types of the variables among `args`, as the declaration of `name` gives them."""
    decl = vocabulary.predicate(name, len(args))
    if decl is None:
        return
    for arg, kind in zip(args, decl.types, strict=True):
        _term_kinds(vocabulary, arg, kind, found)


def _term_kinds(vocabulary: Vocabulary, term: CTerm, kind: str, found: dict[str, str]) -> None:
    if term[0] == "v":
        if term[1] != "_" and (term[1] not in found or found[term[1]] in ("", "value", "term")):
            found[term[1]] = kind
    elif term[0] == "f" and term[2]:
        decl = vocabulary.term(term[1], len(term[2]))
        for i, arg in enumerate(term[2]):
            _term_kinds(vocabulary, arg, decl.types[i] if decl else "", found)
