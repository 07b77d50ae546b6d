"""A node of an explanation."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from .terms import Atom


class Reason(msgspec.Struct):
    """A node of an explanation.

    `kind` is one of rule, stated, given, assumed, absence, comparison, sum; `ref` the rule of the game
    that made it; `atom` what it speaks of, `holds` whether that is true.
    """

    text: str
    kind: str
    ref: str = ""
    children: list[Reason] = []
    atom: Atom | None = None
    holds: bool = True
    background: bool = False
    partial: str = ""
    shared: bool = False
    hidden: bool = False
    ours: bool = False

    def walk(self) -> Iterator[Reason]:
        """This node and everything below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()
