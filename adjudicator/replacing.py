"""What a pack replaces of those that it extends: rules by reference, whole or by their head."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .errors import RuleError, did_you_mean
from .program import CTerm, Rule
from .terms import Atom, Term, parse

if TYPE_CHECKING:
    from .cards import Card
    from .packs import Pack


class Replaced:
    """What later packs replace: whole rules by reference, or only those with a certain head.

    `replaces: [09.06]` takes away every rule of an earlier pack with this reference;
    `replaces: ["01.01: bar(_,act,_)"]` only those that derive such an atom.
    """

    def __init__(self, packs: list[Pack]) -> None:
        self.at = {pack.name: i for i, pack in enumerate(packs)}
        self.entries = [(*_entry(text), i) for i, pack in enumerate(packs) for text in pack.replaces]
        self.packs = packs

    def rule(self, rule: Rule) -> bool:
        return any(rule.ref == ref and self.at[rule.pack] < at and (head is None or _heads(rule, head))
                   for ref, head, at in self.entries)

    def card(self, card: Card) -> bool:
        return any(card.ref == ref and self.at[card.pack] < at and head is None for ref, head, at in self.entries)

    def check(self, rules: list[Rule], cards: list[Card]) -> None:
        """Raise `RuleError` for what is replaced but does not exist."""
        known: list[Rule | Card] = [*rules, *cards]
        for ref, head, at in self.entries:
            refs = {one.ref for one in known if self.at[one.pack] < at}
            own = f"the pack {self.packs[at].name} replaces"
            if ref not in refs:
                raise RuleError(f"{own} {ref}, which no earlier pack has", hint=did_you_mean(ref, sorted(refs)))
            if head is not None and not any(
                rule.ref == ref and self.at[rule.pack] < at and _heads(rule, head) for rule in rules
            ):
                heads = sorted({rule.text.partition(" :- ")[0].rstrip(".") for rule in rules if rule.ref == ref})
                raise RuleError(f"{own} a rule of {ref} that does not exist", hint=f"{ref} derives {', '.join(heads)}")


def _entry(text: str) -> tuple[str, Atom | None]:
    """A reference, and the head that follows it after a colon."""
    ref, colon, head = (part.strip() for part in text.partition(": "))
    if not colon:
        return ref, None
    negative = head.startswith("-")
    term = parse(re.sub(r"\s+", "", head.removeprefix("-")))
    assert isinstance(term, tuple)
    return ref, (f"-{term[0]}" if negative else term[0], term[1:])


def _heads(rule: Rule, head: Atom) -> bool:
    """Whether the head of a rule is of this form; `_` stands for anything."""
    name, args = head
    return rule.name == name and len(rule.args) == len(args) and all(map(_fits, rule.args, args))


def _fits(term: CTerm, pattern: Term) -> bool:
    if pattern == ("_",):
        return True
    if term[0] == "f" and isinstance(pattern, tuple):
        return bool(term[1] == pattern[0]) and len(term[2]) == len(pattern) - 1 and all(
            map(_fits, term[2], pattern[1:]))
    return bool(term[0] in "ns" and term[1] == pattern)
