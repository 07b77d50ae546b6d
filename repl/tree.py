"""The reasons of a ruling as a tree whose places have numbers, so that a part of it can be asked for.

      1  the squad ran this turn, which bars it from this                          [09.06]
        1.1  the squad ran this turn                                                stated
      2  it would be in reach (2 below: why 2)
"""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator import JudgeError, Reason, Ruling, wrapped

TWO, ALL = 2, 99
INDENT = "  "


def branch(ruling: Ruling, place: str) -> Reason:
    """The reason at a place such as 2.1. Raises `JudgeError` where there is none."""
    reasons = ruling.because
    reason: Reason | None = None
    for part in place.split("."):
        if not part.isdigit() or not 1 <= int(part) <= len(reasons):
            raise JudgeError(f"there is no reason {place}", hint="why tells them with their places")
        reason = reasons[int(part) - 1]
        reasons = reason.children
    assert reason is not None
    return reason


def tree(reasons: list[Reason], width: int, levels: int, start: str = "") -> Iterator[str]:
    """The lines of reasons down to so many levels; what is deeper is counted."""
    told: set[tuple[str, str]] = set()
    for number, reason in enumerate(reasons, start=1):
        yield from _lines(reason, f"{start}{number}", 1, width, levels, told)


def at(reason: Reason, place: str, width: int) -> Iterator[str]:
    """The lines of one reason with everything below it."""
    yield from _lines(reason, place, 1, width, ALL, set())


def _lines(
    reason: Reason, place: str, level: int, width: int, levels: int, told: set[tuple[str, str]]
) -> Iterator[str]:
    known = (reason.text, reason.kind)
    again = bool(reason.children) and known in told
    below = sum(1 for child in reason.children for _ in child.walk())
    folded = level >= levels and below and not again
    note = " (as above)" if again else f" ({below} below: why {place})" if folded else ""
    source = f"[{reason.ref}]" if reason.ref else reason.kind if reason.kind in ("stated", "assumed") else ""
    opening = f"{INDENT * level}{place}  "
    rows = wrapped(reason.text + note, max(width - len(source) - 2, width // 2), opening, " " * len(opening))
    if source:
        rows[-1] += source.rjust(max(width - len(rows[-1]), len(source) + 2))
    yield from rows
    if again or folded:
        return
    told.add(known)
    for number, child in enumerate(reason.children, start=1):
        yield from _lines(child, f"{place}.{number}", level + 1, width, levels, told)
