"""What the rules derive for a situation besides the answer to one question: the order of phases, what may be done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .explain import Explainer
from .saying import Sayer
from .situation import Situation, list_facts
from .slicing import Goals, Pattern
from .solve import Solved
from .terms import Atom

if TYPE_CHECKING:
    from .judge import Judge


class Inquiry:
    """The model of everything that the goals depend on, and an explainer of it.

    `extra` are facts beside those of the situation: what is asked, above all.
    """

    def __init__(
        self, judge: Judge, situation: Situation, goals: list[Pattern], extra: Iterable[Atom] = ()
    ) -> None:
        day, loaded = judge.day(situation), situation.loaded
        self.sayer = Sayer(loaded.vocabulary, situation.names)
        readings: list[Atom] = [("reading", item) for item in sorted(situation.readings().items())]
        extra = list(extra)
        lists = [fact for _, args in extra for arg in args for fact in list_facts(arg)]
        part = judge.part(situation, day, Goals(tuple(goals)))
        every = [*situation.atoms(), *loaded.card_facts(day), *readings, *extra, *lists]
        self.atoms = part.relevant(every)
        self.solved: Solved = part.solve(self.atoms)
        self._rules = part.base

    def explainer(self) -> Explainer:
        """Explains the atoms of this model."""
        return Explainer(self._rules, self.solved, self.sayer, set(self.atoms), {})
