"""The choice on which a ruling depends, and what making it states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from .terms import Atom, sort_key

if TYPE_CHECKING:
    from .hearing import Hearing


class Option(msgspec.Struct, frozen=True):
    """One option of a choice: how it is said, and the atom that takes it."""

    said: str
    atom: Atom


class Choice(msgspec.Struct, frozen=True):
    """An open choice: whose it is, what it is about, and what there is to choose."""

    owner: str
    about: str
    options: list[Option]


def open_choice(hearing: Hearing) -> Choice | None:
    """The first choice that is open in a hearing, or None."""
    for owner, choice in hearing.open_choices():
        options = sorted((o for c, o in hearing.solved.extension("option", 2) if c == choice), key=sort_key)
        say = hearing.sayer.term
        return Choice(say(owner), say(choice), [Option(say(o), ("chosen", (choice, o))) for o in options])
    return None
