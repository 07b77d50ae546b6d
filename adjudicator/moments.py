"""Moments: whose turn, which phase and round it is, what comes next, and what that makes of what happened.

"alpha moved" says that it happened this turn. When the moment moves on, the same words would say
something else, so every event is told again with the time at which it happened. Which phases there are,
in which order, and in which phase an event usually happens, is asked of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .draft import Draft
from .errors import SituationError
from .saying import Sayer
from .situation import Situation
from .terms import Atom, Term

if TYPE_CHECKING:
    from .grammar import Reading
    from .judge import Judge
    from .shapes import Pattern

THIS_TURN, THIS_PHASE, LAST_TURN, EARLIER = ("this_turn",), ("this_phase",), ("last_turn",), ("earlier",)
PASSING = frozenset({"step_now", "just_after", "just_before"})
"""Facts of the kernel that speak of the present step and end with it; so do dice that were rolled in it."""
_GOALS: list[Pattern] = [
    ("phase", (None, None)), ("turn_place", (None, None)), ("usual_phase", (None, None)), ("this_phase", (None,)),
]


@dataclass(frozen=True)
class Moment:
    """A moment of the battle; what is not known is None (a round: 0)."""

    side: str | None = None
    phase: Term | None = None
    round: int = 0

    def atom(self) -> Atom | None:
        """The atom that states the moment, or None where nothing is known."""
        if self.side is not None and self.phase is not None:
            return ("now", (self.side, self.phase, self.round)) if self.round else ("now_in", (self.side, self.phase))
        if self.side is not None:
            return "turn_of", (self.side,)
        if self.phase is not None:
            return "in_phase", (self.phase,)
        return ("now_round", (self.round,)) if self.round else None

    def told(self, situation: Situation) -> str:
        """The moment as a sentence, empty where nothing is known of it."""
        atom = self.atom()
        return Sayer(situation.loaded.vocabulary, situation.names).atom(atom) if atom is not None else ""


@dataclass(frozen=True)
class Moved:
    """A draft at another moment: the facts told again as (before, now), and those that have ended."""

    draft: Draft
    retold: tuple[tuple[str, str], ...] = ()
    ended: tuple[str, ...] = ()


def moment_of(situation: Situation) -> Moment:
    """The moment that a situation states."""
    moment = Moment()
    for statement in situation.statements:
        moment = _with(moment, statement.atom)
    return moment


def is_moment(reading: Reading) -> bool:
    """Whether a sentence says which moment it is."""
    return reading.positive and reading.atom[0] in ("now", "now_in", "turn_of", "in_phase", "now_round")


def _with(moment: Moment, atom: Atom) -> Moment:
    name, args = atom
    if name in ("now", "now_in"):
        moment = replace(moment, side=str(args[0]), phase=args[1])
        return replace(moment, round=args[2]) if name == "now" and isinstance(args[2], int) else moment
    if name in ("now_turn", "turn_of"):
        return replace(moment, side=str(args[0]))
    if name in ("now_phase", "in_phase"):
        return replace(moment, phase=args[0])
    if name == "now_round" and isinstance(args[0], int):
        return replace(moment, round=args[0])
    return moment


class Clock:
    """The order of sides and phases as the rules have it for one situation, and where events belong in it."""

    def __init__(self, judge: Judge, situation: Situation) -> None:
        self.situation = situation
        self.now = moment_of(situation)
        solved = judge.model_of(situation, _GOALS)
        self.phases = [phase for phase, _ in sorted(solved.extension("phase", 2), key=lambda row: row[1])]
        self.sides = [str(side) for side, _ in sorted(solved.extension("turn_place", 2), key=lambda row: row[1])]
        self.usual: dict[Term, Term] = {row[0]: row[1] for row in solved.extension("usual_phase", 2)}
        self.here = {event for (event,) in solved.extension("this_phase", 1)}

    # What comes next --------------------------------------------------------------------------

    def next_phase(self) -> Moment:
        """The moment after this phase: the next one, or the first of the next turn."""
        if self.now.phase not in self.phases:
            return replace(self.now, side=self.now.side or self._first_side(), phase=self._first_phase())
        place = self.phases.index(self.now.phase) + 1
        return replace(self.now, phase=self.phases[place]) if place < len(self.phases) else self.next_turn()

    def next_turn(self) -> Moment:
        """The beginning of the next side's turn; after the last side's, of the next round."""
        if self.now.side not in self.sides:
            return Moment(self._first_side(), self._first_phase(), self.now.round)
        place = self.sides.index(self.now.side) + 1
        if place < len(self.sides):
            return Moment(self.sides[place], self._first_phase(), self.now.round)
        return Moment(self.sides[0], self._first_phase(), (self.now.round or 1) + 1)

    def _first_side(self) -> str:
        if not self.sides:
            raise SituationError("the situation has no sides yet", hint="name them: sides: [red, blue]")
        return self.sides[0]

    def _first_phase(self) -> Term:
        if not self.phases:
            raise SituationError("the rules at hand name no phases")
        return self.phases[0]

    def meant(self, atom: Atom) -> Moment:
        """The moment that a sentence means, with what it leaves out taken from the present one."""
        said, now = _with(Moment(), atom), self.now
        side, phase = said.side or now.side, said.phase or now.phase
        number = said.round or now.round
        if said.side and now.side and said.side != now.side:
            phase = said.phase
            if not said.round and number and self._place(said.side) < self._place(now.side):
                number += 1
        return Moment(side, phase, number)

    def _place(self, side: str) -> int:
        return self.sides.index(side) if side in self.sides else 0

    # Moving there -----------------------------------------------------------------------------

    def moved(self, draft: Draft, to: Moment) -> Moved:
        """The draft at another moment, with its events told so that they stay when they happened."""
        other_turn = self._differs(to, "side") or self._differs(to, "round")
        other_phase = other_turn or self._differs(to, "phase")
        sayer = Sayer(self.situation.loaded.vocabulary, self.situation.names)
        grammar, names = self.situation.grammar, self.situation.names
        facts: list[str] = []
        retold: list[tuple[str, str]] = []
        ended: list[str] = []
        for sentence in draft.facts:
            reading = grammar.read_fact(sentence, names)
            if is_moment(reading):
                continue
            if other_phase and (reading.atom[0] in PASSING or "dice" in reading.decl.types):
                ended.append(sentence)
                continue
            said = sentence
            if other_phase and reading.decl.role == "event":
                event: Term = (reading.atom[0], *reading.atom[1])
                time = reading.time or THIS_TURN
                then = self._time(event, time, to, other_turn)
                if then != time:
                    said = f"{sayer.term(event, 'event', not reading.positive)} {sayer.term(then, 'time')}"
                    retold.append((sentence, said))
            facts.append(said)
        now = _now(to, sayer)
        return Moved(replace(draft.having("now", now), facts=tuple(dict.fromkeys(facts))), tuple(retold), tuple(ended))

    def _differs(self, to: Moment, what: str) -> bool:
        before = getattr(self.now, what)
        return bool(before) and before != getattr(to, what)

    def _time(self, event: Term, time: Term, to: Moment, other_turn: bool) -> Term:
        """When an event happened, said so that it holds at the moment to come."""
        assert isinstance(time, tuple)
        side, number = self.now.side, self.now.round or (1 if to.round else 0)
        if side is None:
            return time
        if time == THIS_PHASE:
            return self._in_phase(side, self.now.phase, number) if self.now.phase is not None else time
        if time == THIS_TURN:
            usual = self.usual.get(event)
            if not other_turn:
                here = event in self.here and usual is None and self.now.phase is not None
                return self._in_phase(side, self.now.phase, number) if here else time
            phase = usual if usual is not None else self.now.phase if event in self.here else None
            return self._in_phase(side, phase, number) if phase is not None else _numbered("in_turn", side,
                                                                                           number=number)
        if time == LAST_TURN and other_turn:
            return self._last_turn(side, number)
        if time[0] in ("in_turn", "in_phase_of") and number and self._differs(to, "round") and not isinstance(
                time[-1], int):
            return (*time, number)
        return time

    def _in_phase(self, side: str, phase: Term | None, number: int) -> Term:
        assert phase is not None
        return _numbered("in_phase_of", side, phase, number=number)

    def _last_turn(self, side: str, number: int) -> Term:
        if side not in self.sides:
            return EARLIER
        place = self.sides.index(side)
        if place == 0 and number == 1:
            return EARLIER
        return _numbered("in_turn", self.sides[place - 1], number=number - (place == 0) if number else 0)


def _numbered(functor: str, *args: Term, number: int) -> Term:
    return (functor, *args, number) if number else (functor, *args)


def _now(moment: Moment, sayer: Sayer) -> Mapping[str, str]:
    """The moment as the `now` of a situation file says it."""
    now = {"round": str(moment.round) if moment.round else "", "turn": moment.side or "",
           "phase": sayer.term(moment.phase, "phase") if moment.phase is not None else ""}
    return {key: value for key, value in now.items() if value}


def taken_in(draft: Draft, situation: Situation) -> Draft:
    """The draft with what its facts say of the moment under its key `now`, where it is edited."""
    said = [s for s in draft.facts if is_moment(situation.grammar.read_fact(s, situation.names))]
    if not said:
        return draft
    sayer = Sayer(situation.loaded.vocabulary, situation.names)
    now = {**draft.now, **_now(moment_of(situation), sayer)}
    return draft.without_facts(*said).having("now", now)


