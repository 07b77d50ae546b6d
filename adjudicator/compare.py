"""The same situation ruled under two sets of packs, or as of two days, side by side."""

from __future__ import annotations

from typing import Any

import msgspec

from .errors import SituationError
from .judge import Judge
from .ruling import Ruling
from .yamltext import Document, Node


class Side(msgspec.Struct):
    """One ruling of a comparison; `ignored` are the facts that mean nothing under these packs."""

    label: str
    ruling: Ruling
    ignored: list[str] = []


class Comparison(msgspec.Struct):
    """The rulings on one question; `parts` is the first reason of each side at which they part."""

    question: str
    sides: list[Side]
    differs: bool
    parts: list[str]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON writes it."""
        return {
            "question": self.question,
            "differs": self.differs,
            "parts": self.parts,
            "sides": [{"label": s.label, "ignored": s.ignored, "ruling": s.ruling.to_dict()} for s in self.sides],
        }


def compare(document: Document, node: Node, judges: list[tuple[str, Judge]], question: str = "") -> list[Comparison]:
    """Rule on the questions of a situation (or on the one given) with each of the judges.

    Raises `SituationError` where the situation asks nothing and no question is given.
    """
    situations = [(label, judge, judge.situation(document, node, lenient=True)) for label, judge in judges]
    asked = [question] if question else [text for text, _ in situations[0][2].asks]
    if not asked:
        raise SituationError(f"{document.file} asks nothing", hint="add a line ask: ... or give a question")
    found = []
    for text in asked:
        sides = []
        for label, judge, situation in situations:
            try:
                ruling = judge.rule(situation, text)
            except SituationError as error:
                ruling = Ruling(text, "not-modelled", error.message, packs=situation.loaded.stamp())
            sides.append(Side(label, ruling, list(dict.fromkeys(situation.ignored or []))))
        differs = len({(s.ruling.verdict, s.ruling.value, s.ruling.answer) for s in sides}) > 1
        found.append(Comparison(text, sides, differs, parting([s.ruling for s in sides])))
    return found


def parting(rulings: list[Ruling]) -> list[str]:
    """The first reason of each ruling, in the order of the trees, that the others do not have at that place."""
    told = [[f"{r.text} [{r.ref}]" if r.ref else r.text for top in ruling.because for r in top.walk()]
            for ruling in rulings]
    for place in range(max(map(len, told), default=0)):
        here = [reasons[place] if place < len(reasons) else "" for reasons in told]
        if len(set(here)) > 1:
            return here
    return []
