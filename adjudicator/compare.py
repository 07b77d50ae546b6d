"""The same situation ruled under two sets of packs, or as of two days, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from .errors import SituationError
from .judge import Judge
from .reason import Reason
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

    What only some of the judges know is left out and told; what none of them knows is an error.
    Raises `SituationError` where the situation asks nothing and no question is given.
    """
    situations = [(label, judge, judge.situation(document, node, lenient=True)) for label, judge in judges]
    if set.intersection(*(set(situation.ignored or ()) for _, _, situation in situations)):
        judges[0][1].situation(document, node)
    asked = [question] if question else [text for text, _ in situations[0][2].asks]
    if not asked:
        raise SituationError(f"{document.file} asks nothing", hint="add a line ask: ... or give a question")
    found = []
    for text in asked:
        sides, errors = [], []
        for label, judge, situation in situations:
            try:
                ruling = judge.rule(situation, text)
            except SituationError as error:
                errors.append(error)
                ruling = Ruling(text, "not-modelled", error.message, packs=situation.loaded.stamp(),
                                date=judge.day(situation))
            sides.append(Side(label, ruling, list(dict.fromkeys(situation.ignored or []))))
        if len(errors) == len(sides):
            raise errors[0]
        differs = len({(s.ruling.verdict, s.ruling.value, s.ruling.answer) for s in sides}) > 1
        found.append(Comparison(text, sides, differs, parting([s.ruling for s in sides])))
    return found


def parting(rulings: list[Ruling]) -> list[str]:
    """The first reason of each ruling, in the order of its tree, that some other does not have.

    Empty where the reasons are the same; an empty text for a ruling that has none of its own. Two
    editions number their rules differently, so references count only where the words are all the same.
    """
    trees = [[reason for top in ruling.because for reason in top.walk()] for ruling in rulings]
    for with_refs in (False, True):
        told = [[(r.text, r.ref if with_refs else "") for r in tree] for tree in trees]
        common = set.intersection(*map(set, told)) if told else set()
        own = [next((i for i, reason in enumerate(reasons) if reason not in common), -1) for reasons in told]
        if max(own, default=-1) >= 0:
            return [_cited(tree[i]) if i >= 0 else "" for tree, i in zip(trees, own, strict=True)]
    return []


def _cited(reason: Reason) -> str:
    return f"{reason.text} [{reason.ref}]" if reason.ref else reason.text


# Text -------------------------------------------------------------------------------------------


def as_lines(comparison: Comparison, width: int) -> Iterator[str]:
    """A comparison as text: the question, the verdict of each side, where the reasons part, what is not known."""
    from .render import label, paragraph

    broad = max(len(side.label) for side in comparison.sides)

    def row(start: str, text: str, right: str = "") -> Iterator[str]:
        opening = f"  {start.ljust(broad)}  "
        return paragraph(text, right, width, opening, " " * len(opening))

    yield from paragraph(comparison.question, "differs" if comparison.differs else "the same", width, "", "  ")
    for side in comparison.sides:
        ruling = side.ruling
        cited = f"[{', '.join(ruling.citations)}]" if ruling.citations else ""
        yield from row(side.label, f"{label(ruling.verdict, ruling.value)} {ruling.answer}", cited)
    if comparison.parts:
        alike = len({part.rpartition(" [")[0] for part in comparison.parts}) == 1
        yield f"  {'The same by other rules, first here' if alike else 'The reasons part here'}:"
        for side, part in zip(comparison.sides, comparison.parts, strict=True):
            yield from row(side.label, part or "nothing more")
    for side in comparison.sides:
        if side.ignored:
            yield f"  Means nothing under {side.label}:"
            for text in side.ignored:
                yield from row("", text)
