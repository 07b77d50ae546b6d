"""Sentences that can be confused: each is written out with sample values and read back.

A sample is a text that a person could write, so every finding comes with the words that are understood twice,
or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from .grammar import Grammar, Names
from .samples import Samples
from .sentences import FACTS, QUESTIONS
from .templates import printed
from .vocabulary import Decl, type_of

VARIED = 10
"""How many samples are tried for each argument."""


class Confusion(msgspec.Struct):
    """A text that the declaration `decl` writes and that `others` read too; where there are none, nobody reads it."""

    decl: Decl
    text: str
    others: list[Decl]


def table(grammar: Grammar) -> Names:
    """Names for every type that has names: a unit of many models, one of a single model, sides, weapons."""
    names = Names()
    for side in ("red", "blue"):
        names.add("side", side, side)
    for unit in ("alpha", "beta"):
        for kind in ("unit", "component"):
            names.add(kind, unit, unit)
    names.add("model", "beta", ("m", "beta", "trooper", 1))
    names.add("model", "trooper 2 of alpha", ("m", "alpha", "trooper", 2))
    names.add("kind", "troopers of alpha", ("kind", "alpha", "trooper"))
    names.add("weapon", "cannon", "cannon")
    names.add("weapon", "cannons", "cannon", also=True)
    for decl in grammar.vocabulary.types.values():
        if decl.names and decl.name not in names.terms:
            names.add(decl.name, f"{decl.noun} one", f"{decl.name} one")
    for kind in grammar.vocabulary.card_kinds():
        for of in (kind, "card"):
            names.add(of, f"some {kind.replace('_', ' ')}", f"some/{kind}")
    names.add("keyword", "SOME KEYWORD", "SOME KEYWORD")
    return names


def confusions(grammar: Grammar) -> Iterator[Confusion]:
    """What can be read in more than one way, and what cannot be read back, each pair of declarations once."""
    names = table(grammar)
    samples = Samples(grammar.vocabulary, names)
    seen: set[tuple[str, ...]] = set()
    for root in (FACTS, QUESTIONS):
        for row in grammar.sentences.rows(root):
            read = False
            texts = list(written(row.template, samples))
            for text in texts:
                found = grammar.readings(text, names, root == QUESTIONS)
                read = read or any(reading.decl.signature == row.decl.signature for reading in found)
                if len(found) > 1:
                    others = {reading.decl.signature: reading.decl for reading in found
                              if reading.decl.signature != row.decl.signature}
                    key = (root, *sorted([row.decl.signature, *others]))
                    if key not in seen:
                        seen.add(key)
                        yield Confusion(row.decl, text, list(others.values()) or [row.decl])
            if texts and not read:
                yield Confusion(row.decl, texts[0], [])


def written(template: str, samples: Samples) -> Iterator[str]:
    """A template with sample values: the first of each argument, then others, one argument at a time."""
    slots = [arg for what, arg in printed(template) if what == "slot"]
    options = {arg: samples.of(type_of(arg)) for arg in slots}
    if not all(options.values()):
        return
    base: dict[str, str] = {}
    for arg in slots:
        alike = sum(type_of(other) == type_of(arg) for other in base)
        base[arg] = options[arg][min(alike, len(options[arg]) - 1)]
    yield samples.fill(template, base)
    for arg in slots:
        for value in options[arg][:VARIED]:
            if value != base[arg]:
                yield samples.fill(template, {**base, arg: value})
