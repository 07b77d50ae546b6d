"""Ground terms as plain Python values, and their ASP text.

A term is an `int` (a number), a `str` (an ASP string: what a user named) or a tuple whose first
item is the functor and whose others are the arguments; a constant is a tuple of one item. This is
the notion of a ground term of clingo's manual (section 3.1.1), held in hashable Python values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

Term = int | str | tuple[Any, ...]
Atom = tuple[str, tuple[Term, ...]]
"""A predicate name (with a leading `-` for its negative) and its arguments."""

Signature = tuple[str, int]
"""A predicate: its name and the number of its arguments."""

NEGATIVE = "n__"
"""Prefix that a strongly negated predicate has in the program that clingo sees."""


def const(name: str) -> Term:
    """The constant `name`."""
    return (name,)


def text(term: Term) -> str:
    """The term in ASP syntax; strings are escaped, so that a name stays a name."""
    if isinstance(term, int):
        return str(term)
    if isinstance(term, str):
        escaped = term.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
        return f'"{escaped}"'
    if term[0] == "":
        return f"({','.join(text(arg) for arg in term[1:])}{',' if len(term) == 2 else ''})"
    if len(term) == 1:
        return str(term[0])
    return f"{term[0]}({','.join(text(arg) for arg in term[1:])})"


@lru_cache(maxsize=65536)
def atom_text(atom: Atom) -> str:
    """The atom in the syntax of the program that clingo sees."""
    name, args = atom
    name = NEGATIVE + name[1:] if name.startswith("-") else name
    return f"{name}({','.join(text(arg) for arg in args)})" if args else name


def facts_text(atoms: Iterable[Atom]) -> str:
    """Facts as a program text; every name in it is a quoted string."""
    return "".join(f"{atom_text(atom)}.\n" for atom in atoms)


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[(),]|[^"(),]+')
_ESCAPE = re.compile(r"\\(.)")


@lru_cache(maxsize=65536)
def parse(shown: str) -> Term:
    """The ground term that clingo prints as `shown`. Reading the text is faster than walking the symbol."""
    stack: list[list[Term]] = [[]]
    name = ""
    pending = False
    for token in _TOKEN.findall(shown):
        if token == "(":
            stack.append([name])
            name, pending = "", False
        elif token == ")" or token == ",":
            if pending:
                stack[-1].append((name,))
                pending = False
            if token == ")":
                stack[-2].append(tuple(stack.pop()))
            name = ""
        elif token[0] == '"':
            stack[-1].append(_ESCAPE.sub(_unescape, token[1:-1]) if "\\" in token else token[1:-1])
        elif token[0].isdigit() or (token[0] == "-" and token[1:].isdigit()):
            stack[-1].append(int(token))
        else:
            name, pending = token, True
    if pending:
        stack[-1].append((name,))
    return stack[0][0]


def _unescape(found: re.Match[str]) -> str:
    return "\n" if found.group(1) == "n" else found.group(1)


def sort_key(term: Term) -> tuple[Any, ...]:
    """A total order on terms: numbers, then strings, then functions by name and arguments."""
    if isinstance(term, int):
        return (0, term)
    if isinstance(term, str):
        return (1, term)
    return (2, len(term), term[0], *(sort_key(arg) for arg in term[1:]))


def contains(term: Term, part: Term) -> bool:
    """Whether `part` occurs in `term`."""
    if term == part:
        return True
    return isinstance(term, tuple) and any(contains(arg, part) for arg in term[1:])


def as_term(value: Any) -> Term:
    """A term again: MessagePack has arrays where terms have tuples."""
    return tuple(as_term(part) for part in value) if isinstance(value, (list, tuple)) else value


def as_atoms(values: Iterable[Any]) -> list[Atom]:
    """Atoms again, out of MessagePack."""
    return [(name, tuple(as_term(arg) for arg in args)) for name, args in values]
