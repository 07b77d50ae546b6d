"""Partial orders: what must come before what, how many orders that leaves, and who chooses."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .ruling import Ruling
from .saying import listed
from .terms import Term, sort_key

if TYPE_CHECKING:
    from .hearing import Hearing


def fill_order(hearing: Hearing, ruling: Ruling) -> None:
    """Fill a ruling of kind `order` from `item/2`, `before/3` and `chooser/2` of the model."""
    question, solved = hearing.target.term, hearing.solved
    items = sorted((x for q, x in solved.extension("item", 2) if q == question), key=sort_key)
    pairs = [(x, y) for q, x, y in solved.extension("before", 3) if q == question]
    ruling.verdict = "order"
    count = linear_extensions(items, pairs)
    choosers = [hearing.sayer.term(s) for q, s in solved.extension("chooser", 2) if q == question]
    said = " before ".join(listed([hearing.sayer.term(x) for x in layer]) for layer in layers(items, pairs))
    left = "1 order" if count == 1 else f"{count} orders"
    who = f", {listed(choosers)} chooses" if choosers and count > 1 else ""
    ruling.answer = f"{said or 'nothing to order'} ({left}{who})"
    ruling.value = str(count)
    for x, y in reduced(pairs):
        reason = hearing.explainer.why(("before", (question, x, y)))
        ruling.because.extend([reason] if not reason.hidden else reason.children)


def layers(items: list[Term], pairs: list[tuple[Term, Term]]) -> list[list[Term]]:
    """The items by the earliest place that they can have."""
    left = list(items)
    out: list[list[Term]] = []
    while left:
        first = [x for x in left if not any(b == x and a in left for a, b in pairs)]
        if not first:
            return [*out, left]
        out.append(first)
        left = [x for x in left if x not in first]
    return out


def reduced(pairs: list[tuple[Term, Term]]) -> list[tuple[Term, Term]]:
    """The pairs that do not follow from two others."""
    known = set(pairs)
    middle = {x for pair in pairs for x in pair}
    return [(a, b) for a, b in pairs if not any((a, m) in known and (m, b) in known for m in middle)]


def linear_extensions(items: list[Term], pairs: list[tuple[Term, Term]]) -> int:
    """How many total orders respect the pairs (counted over down-sets; at most 20 items)."""
    if len(items) > 20:
        return 0
    place = {x: i for i, x in enumerate(items)}
    needs = [0] * len(items)
    for a, b in pairs:
        if a in place and b in place:
            needs[place[b]] |= 1 << place[a]

    @cache
    def count(done: int) -> int:
        if done == (1 << len(items)) - 1:
            return 1
        return sum(count(done | 1 << i) for i in range(len(items)) if not done >> i & 1 and needs[i] & ~done == 0)

    return count(0)
