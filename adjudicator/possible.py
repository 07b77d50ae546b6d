"""What someone may do now: every action that the rules know, asked at once of one model.

Actions with arguments ("ram {Unit}", "use {Card} on {Unit}") are asked with every name of the
situation that fits, as long as these are not too many.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import msgspec

from .errors import SituationError, did_you_mean
from .inquiry import Inquiry
from .situation import Situation
from .terms import Atom, Term, sort_key

if TYPE_CHECKING:
    from .judge import Judge
    from .shapes import Pattern
    from .vocabulary import Decl

UNIT = "unit"
MAX_VARIANTS = 200
"""An action that can be filled in in more ways than this is only named."""


class Possible(msgspec.Struct, frozen=True):
    """One action of an actor: whether it may be done, and where not the first reason with its reference."""

    action: str
    allowed: bool
    reason: str = ""
    ref: str = ""
    template: str = ""


class Possibilities(msgspec.Struct):
    """What an actor may do; `unasked` are the actions with more variants than can be gone through."""

    actor: str
    actions: list[Possible]
    unasked: list[str]


def possibilities(judge: Judge, situation: Situation, name: str, kind: str = UNIT) -> Possibilities:
    """What the unit (or the actor of another kind) of this name may do now.

    Raises `SituationError` where there is none of that name.
    """
    actor = _actor(situation, name, kind)
    found = Possibilities(name, [], [])
    asked: list[tuple[Decl, Term]] = []
    for decl in sorted(situation.loaded.vocabulary.terms.values(), key=lambda d: d.signature):
        if decl.type == "action" and decl.sentences and kind in (decl.by or [UNIT]):
            variants = _variants(situation, decl)
            if variants is None:
                found.unasked.append(decl.sentences[0])
            asked.extend((decl, term) for term in variants or ())
    questions: dict[Term, Term] = {term: ("may", actor, term) for _, term in asked}
    goals: list[Pattern] = [("ask", (None,)), ("holds", (("may", (None, None)),)), ("need", (None, None))]
    inquiry = Inquiry(judge, situation, goals, [("ask", (q,)) for q in questions.values()])
    known = {action for action, _ in inquiry.solved.extension("need", 2)}
    explainer = inquiry.explainer()
    for decl, term in asked:
        if term not in known:
            continue
        atom: Atom = ("holds", (questions[term],))
        said = inquiry.sayer.term(term)
        if inquiry.solved.holds(atom):
            found.actions.append(Possible(said, True, template=decl.sentences[0]))
        elif decl.args:
            found.actions.append(Possible(said, False, template=decl.sentences[0]))
        else:
            below = [r for r in explainer.why_not(atom).walk() if not r.hidden and r.text]
            reason = next((r for r in below if r.ref), below[-1] if below else None)
            found.actions.append(Possible(said, False, reason.text if reason else "", reason.ref if reason else "",
                                          decl.sentences[0]))
    return found


def _actor(situation: Situation, name: str, kind: str) -> Term:
    from .grammar import fold

    found = situation.names.terms.get(kind, {}).get(fold(name))
    if found is None:
        known = situation.names.known(kind)
        raise SituationError(f"there is no {kind} {name!r}",
                             hint=did_you_mean(name, known, f"the situation has {', '.join(known[:10]) or 'none'}"))
    return found


def _variants(situation: Situation, decl: Decl) -> list[Term] | None:
    """The action with every fitting name in its places; None where these are too many."""
    pools = [list(dict.fromkeys(_values(situation, kind))) for kind in decl.types]
    size = 1
    for pool in pools:
        size *= len(pool)
    if size > MAX_VARIANTS:
        return None
    return [(decl.name, *args) for args in product(*pools)]


def _values(situation: Situation, kind: str) -> Iterator[Term]:
    vocabulary = situation.loaded.vocabulary
    yield from sorted(set(situation.names.terms.get(kind, {}).values()), key=sort_key)
    for decl in vocabulary.terms.values():
        if decl.type == kind and not decl.args:
            yield (decl.name,)
    for part in vocabulary.types[kind].of if kind in vocabulary.types else ():
        yield from _values(situation, part)
