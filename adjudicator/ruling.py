"""A ruling: one plain object, the same from the API, as JSON, in the interactive judge and in the suite."""

from __future__ import annotations

from typing import Any

import msgspec

from .reason import Reason

VERDICTS = ("yes", "no", "value", "order", "outcome", "depends", "not-modelled")


class Assumption(msgspec.Struct):
    """A fact that nobody stated and on which the ruling leaned; `turns` is the verdict without it, or empty."""

    text: str
    turns: str = ""


CHANGES = ("possible", "state", "history")
"""What kind of thing would have to be otherwise: something that can still happen, how things stand, or the past."""


class Change(msgspec.Struct):
    """A smallest set of facts that would turn the ruling, as sentences, and the verdict that it would give.

    `kinds` says of each fact which of `CHANGES` it is.
    """

    facts: list[str]
    verdict: str
    answer: str = ""
    kinds: list[str] = []

    @property
    def kind(self) -> str:
        """What the whole set is: the past where any of its facts is, then how things stand."""
        return max(self.kinds or ["state"], key=CHANGES.index)


class Branch(msgspec.Struct):
    """What follows from one option of a choice on which a ruling depends."""

    option: str
    verdict: str
    answer: str


class Read(msgspec.Struct):
    """A ruling under one option of a contested reading."""

    option: str
    basis: str
    taken: bool
    verdict: str
    answer: str


class Contested(msgspec.Struct):
    """A text that can be read in more than one way, and on which the ruling turns."""

    question: str
    options: list[Read]

    def said(self) -> str:
        """The question and what each option rules, the one taken marked."""
        told = [f"{o.option} ({o.basis}{', taken here' if o.taken else ''}): {o.verdict.upper()}, {o.answer}"
                for o in self.options]
        return f"{self.question} {'; '.join(told)}"


class Ruling(msgspec.Struct):
    """The answer to one question: verdict, reasons, assumptions, what would change it, and the packs.

    `verdict` is one of `VERDICTS`; `value` the bare value of a `value` verdict; `citations` the rules
    that decide, most decisive first; `because` the tree of reasons; `unread` the abilities of the units
    in question that the packs know by name alone.
    """

    question: str
    verdict: str
    answer: str
    value: str = ""
    citations: list[str] = []
    because: list[Reason] = []
    assumptions: list[Assumption] = []
    changes: list[Change] = []
    branches: list[Branch] = []
    contested: list[Contested] = []
    unread: list[str] = []
    packs: str = ""
    date: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The ruling as JSON writes it (see the reference of the JSON shapes)."""
        return {
            "question": self.question,
            "verdict": self.verdict,
            "answer": self.answer,
            "value": self.value,
            "citations": self.citations,
            "because": [reason_dict(reason) for reason in self.because],
            "assumptions": [{"text": a.text, "turns": a.turns} for a in self.assumptions],
            "changes": [{"facts": c.facts, "kinds": c.kinds, "verdict": c.verdict, "answer": c.answer}
                        for c in self.changes],
            "branches": [{"option": b.option, "verdict": b.verdict, "answer": b.answer} for b in self.branches],
            "contested": [
                {"question": c.question, "options": [
                    {"option": o.option, "basis": o.basis, "taken": o.taken, "verdict": o.verdict, "answer": o.answer}
                    for o in c.options]}
                for c in self.contested
            ],
            "unread": self.unread,
            "packs": self.packs,
            "date": self.date,
        }


def reason_dict(reason: Reason) -> dict[str, Any]:
    """A node of the tree of reasons with its children."""
    return {
        "text": reason.text,
        "kind": reason.kind,
        "ref": reason.ref,
        "holds": reason.holds,
        "children": [reason_dict(child) for child in reason.children],
    }


def citations(reasons: list[Reason]) -> list[str]:
    """The references of a tree, those of background reasons last."""
    first: list[str] = []
    later: list[str] = []

    def walk(reason: Reason, background: bool) -> None:
        background = background or reason.background
        if reason.ref:
            (later if background else first).append(reason.ref)
        for child in reason.children:
            walk(child, background)

    for reason in reasons:
        walk(reason, False)
    return list(dict.fromkeys([*first, *later]))
