"""What the rules derive for a situation besides the answer to one question: the order of phases, what may be done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .explain import Explainer
from .saying import Sayer
from .shapes import Pattern
from .situation import Situation, list_facts
from .slicing import Goals
from .solve import Given, Solved
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
        day = judge.day(situation)
        self.sayer = Sayer(situation.loaded.vocabulary, situation.names)
        readings: list[Atom] = [("reading", item) for item in sorted(situation.readings().items())]
        extra = list(extra)
        lists = [fact for _, args in extra for arg in args for fact in list_facts(arg)]
        part = judge.part(situation, day, Goals(tuple(goals)))
        every = [*situation.atoms(), *readings, *extra, *lists]
        self.atoms = every
        self._part, self._live = part, part.live(self.atoms)
        self.solved: Solved = part.solve(self.atoms, self._live)

    def explainer(self) -> Explainer:
        """Explains the atoms of this model."""
        return Explainer(self._part.base, self.solved, self.sayer, Given(self.atoms, self._part.cards), {},
                         lambda rule, args: self._part.missing(self._live, rule, args))
