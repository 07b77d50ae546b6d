"""Rulings as text that a person can read aloud: the verdict first, the reasons below it, what was assumed last.

    NO: alpha cannot act                                                    [01.01]  a-game 2026-10
      alpha moved this turn, so it may not act                                              [01.01]
        alpha moved this turn                                                                stated

The right-hand column says where a line comes from: a rule by its reference, a stated fact, an assumed one.
"""

from __future__ import annotations

from collections.abc import Iterator

from .errors import printable
from .reason import Reason
from .ruling import Assumption, Change, Ruling

WIDTH = 100
LEVELS = 2
ALL_LEVELS = 99
INDENT = "  "
GAP = 2
_LABELS = {"yes": "YES", "no": "NO", "order": "ORDER", "outcome": "OUTCOME", "not-modelled": "NOT MODELLED"}
_COLORS = {"yes": "32", "no": "31", "depends": "33", "not-modelled": "35"}
KINDS = {"possible": "can still happen", "state": "how things stand", "history": "history"}
"""What a change is, as it is told."""
_SOURCES = {"stated": "stated", "assumed": "assumed"}


def as_text(ruling: Ruling, width: int = WIDTH, levels: int = LEVELS, color: bool = False) -> str:
    """The ruling as text.

    `width` is in characters, `levels` how many levels of reasons are shown (`ALL_LEVELS` for every step);
    `color` marks the verdict for a terminal.
    """
    return "\n".join(Page(max(width, 40), levels, color).lines(ruling))


def is_cut(ruling: Ruling, levels: int = LEVELS) -> bool:
    """Whether the ruling has reasons further down than `levels`."""
    def deeper(reasons: list[Reason], level: int) -> bool:
        return any(level > levels or deeper(reason.children, level + _step(reason)) for reason in reasons)

    return deeper(ruling.because, 1)


def label(verdict: str, value: str = "") -> str:
    """The word or the number that opens a ruling: `YES:`, `5+:`, `DEPENDS`."""
    if verdict == "depends":
        return "DEPENDS"
    return f"{(verdict == 'value' and value) or _LABELS.get(verdict, verdict.upper())}:"


class Page:
    """One ruling being set: remembers which reasons have been told already."""

    def __init__(self, width: int, levels: int, color: bool) -> None:
        self.width = width
        self.levels = levels
        self.color = color
        self.told: set[tuple[str, str]] = set()

    def lines(self, ruling: Ruling) -> Iterator[str]:
        yield from self.verdict(ruling)
        for branch in ruling.branches:
            yield from self._set(f"{branch.option}: {self._follows(branch.verdict, branch.answer)}", "", 1)
        for reason in self._opening(ruling.because):
            yield from self._reason(reason, 1)
        for opening, items in _closing(ruling):
            if items:
                yield from self._set(f"{opening} {'; '.join(items)}.", "", 0)

    def verdict(self, ruling: Ruling) -> Iterator[str]:
        """The line that opens a ruling: the verdict, the citations and the packs."""
        opening = label(ruling.verdict, ruling.value)
        cited = f"[{', '.join(ruling.citations)}]" if ruling.citations else ""
        stamp = ruling.packs + (f", as of {ruling.date}" if ruling.date else "")
        text, right = f"{opening} {ruling.answer}".rstrip(), f"{cited}  {stamp}".strip()
        below = ""
        if cited and len(text) + GAP + len(right) > self.width:
            right, below = cited, stamp
        first = True
        for line in self._set(text, right, 0):
            if first and self.color and line.startswith(opening):
                code = _COLORS.get(ruling.verdict, "36")
                line = f"\x1b[1;{code}m{opening}\x1b[0m{line[len(opening):]}"
            first = False
            yield line
        if below:
            yield from self._right(below)

    def _follows(self, verdict: str, answer: str) -> str:
        return answer if verdict in ("value", "order", "outcome") else f"{label(verdict)} {answer}"

    def _reason(self, reason: Reason, level: int, free: int = 0) -> Iterator[str]:
        if level > self.levels:
            return
        known = (reason.text, reason.kind)
        again = known in self.told and bool(reason.children)
        source = f"[{reason.ref}]" if reason.ref else _SOURCES.get(reason.kind, "")
        yield from self._set(f"{reason.text} (as above)" if again else reason.text, source, level + free)
        if again:
            return
        step = _step(reason)
        if level + step <= self.levels:
            self.told.add(known)
        for child in _once(reason.children, reason.text):
            yield from self._reason(child, level + step, free + 1 - step)

    def _opening(self, reasons: list[Reason]) -> Iterator[Reason]:
        """The reasons of the first level. What was merely assumed is left to the closing lines, unless all is shown."""
        deciding = [r for r in reasons if r.children or r.kind != "assumed"]
        yield from _once(reasons if self.levels >= ALL_LEVELS or not deciding else deciding)

    def _right(self, text: str) -> Iterator[str]:
        return (row.rjust(self.width) for row in wrapped(printable(text), self.width, "", ""))

    def _set(self, text: str, right: str, level: int) -> Iterator[str]:
        start = INDENT * level
        return paragraph(text, right, self.width, start, start + INDENT + INDENT)


def paragraph(text: str, right: str, width: int, start: str, hang: str) -> Iterator[str]:
    """A text wrapped to the width, `start` before its first row and `hang` before the others.

    `right` stands at the right edge of its last row, or on a row of its own where there is no room.
    """
    rows = wrapped(printable(text), width, start, hang)
    right = printable(right)
    if right and len(rows[-1]) + GAP + len(right) > width:
        short = wrapped(printable(text), max(width - GAP - len(right), width // 2), start, hang)
        if len(rows[-1]) > width // 2 and len(short[-1]) + GAP + len(right) <= width:
            rows = short
        else:
            yield from rows
            yield from (row.rjust(width) for row in wrapped(right, width, "", ""))
            return
    if right:
        rows[-1] = f"{rows[-1]}{right.rjust(width - len(rows[-1]))}"
    yield from rows


def _step(reason: Reason) -> int:
    """How many levels a reason takes: none where it has no source and only leads to one other reason."""
    passes = not reason.ref and reason.kind not in _SOURCES and len(reason.children) == 1
    return 0 if passes else 1


def _once(reasons: list[Reason], above: str = "") -> Iterator[Reason]:
    """The reasons without those that end here and only repeat the line above or a sister."""
    told = {above}
    for reason in reasons:
        if reason.children or reason.text not in told:
            yield reason
        told.add(reason.text)


def wrapped(text: str, width: int, start: str, hang: str) -> list[str]:
    """The words of a text in rows of at most `width` characters (a longer word has a row of its own)."""
    rows, row = [], start
    empty = True
    for word in text.split():
        if not empty and len(row) + 1 + len(word) > width:
            rows.append(row)
            row, empty = hang, True
        row, empty = (row + word if empty else f"{row} {word}"), False
    return [*rows, row]


def _closing(ruling: Ruling) -> Iterator[tuple[str, list[str]]]:
    yield "Assumed:", [_assumed(a) for a in ruling.assumptions]
    yield "Would change it:", [_change(change) for change in ruling.changes]
    yield "Not looked at (known by name alone):", ruling.unread
    yield "Contested:", [contested.said() for contested in ruling.contested]


def _assumed(assumption: Assumption) -> str:
    return f"{assumption.text} (if not: {_LABELS.get(assumption.turns, assumption.turns)})" if assumption.turns else (
        assumption.text)


def _change(change: Change) -> str:
    marked = [then_of(change), *([KINDS[change.kind]] if change.kind != "state" else [])]
    return f"{' and '.join(change.facts)} ({', '.join(marked)})"


def then_of(change: Change) -> str:
    """What the ruling would be after a change."""
    return change.answer or _LABELS.get(change.verdict, change.verdict) or "no value"
