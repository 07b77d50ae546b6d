"""What would change a ruling: the smallest sets of facts that turn its verdict.

One more program: the changeable facts become choices, the opposite verdict the goal, and sets are
enumerated by their size, smallest first. Changeable are the facts that were stated in a sentence and
those that the ruling assumed; measured numbers and dice stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import clingo
import msgspec

from .interrupt import stoppable
from .ruling import CHANGES, Change, Ruling
from .terms import Atom, Term, atom_text, facts_text, parse, text

if TYPE_CHECKING:
    from .hearing import Hearing

MAX_FACTS = 24
MAX_SIZE = 3
MAX_CHANGES = 5
WIDEST = 17
_EVER = ("earlier",)
_STILL = (("this_turn",), ("this_phase",))
_FIXED = frozenset({"inches", "number", "dice", "delta", "threshold", "roll", "value"})


class Candidate(msgspec.Struct):
    """A fact that may be turned: whether it is stated now, how its being turned is said, and what was assumed."""

    atom: Atom
    stated: bool
    said: str
    assumed: str = ""


def find_changes(hearing: Hearing, ruling: Ruling) -> None:
    """Fill `ruling.changes`, and mark the assumptions that would turn it alone."""
    candidates = candidates_of(hearing, ruling)
    goal = _goal(hearing, ruling)
    if not candidates or goal is None:
        return
    opposite = {"yes": "no", "no": "yes"}.get(ruling.verdict, "")
    sets, usual = _sets(hearing, candidates, goal)
    moments = Moments(hearing, usual)
    for chosen, value in sets:
        kinds = [kind_of(c, moments) for c in chosen]
        ruling.changes.append(Change([c.said for c in chosen], opposite or value, kinds=kinds))
    single = {c.facts[0]: c.verdict for c in ruling.changes if len(c.facts) == 1}
    said = {c.said: c for c in candidates if not c.stated}
    for assumption in ruling.assumptions:
        for text_of, verdict in single.items():
            candidate = said.get(text_of)
            if candidate is not None and candidate.assumed == assumption.text:
                assumption.turns = verdict


class Moments:
    """Which events the moment of a situation still allows: those whose usual phase is not over yet."""

    def __init__(self, hearing: Hearing, usual: dict[Term, Term]) -> None:
        solved = hearing.solved
        self._place = {phase: place for phase, place in solved.extension("phase", 2) if isinstance(place, int)}
        self._usual = usual
        self._now = max((self._place.get(phase, 0) for (phase,) in solved.extension("now_phase", 1)), default=0)

    def is_past(self, event: Term) -> bool:
        """Whether the phase in which such an event happens is over."""
        place = self._place.get(self._usual.get(event, ()))
        return place is not None and place < self._now


def kind_of(candidate: Candidate, moments: Moments) -> str:
    """Which of `CHANGES` a turned fact is.

    An event that was stated is history; one that was not can still happen this turn while its phase is
    not over; every other fact is how things stand.
    """
    if candidate.atom[0].lstrip("-") != "happened":
        return "state"
    if not _can_happen(candidate) or moments.is_past(candidate.atom[1][0]):
        return "history"
    return "possible"


def _can_happen(candidate: Candidate) -> bool:
    name, args = candidate.atom
    return name == "happened" and not candidate.stated and args[1] in _STILL


def candidates_of(hearing: Hearing, ruling: Ruling) -> list[Candidate]:
    """The facts that may be turned, in a fixed order: assumed ones by the tree, then stated ones."""
    found: dict[Atom, Candidate] = {}
    for top in ruling.because:
        for reason in top.walk():
            if reason.kind == "assumed" and reason.atom is not None:
                atom = _soonest(hearing.explainer.stated_form(reason.atom))
                found.setdefault(atom, Candidate(atom, False, said(hearing, atom), reason.text))
    used = hearing.used
    stated = [s for s in hearing.situation.statements if s.sentence]
    for statement in sorted(stated, key=lambda s: atom_text(s.atom)):
        name, args = statement.atom
        if f"{name}/{len(args)}" not in used or _is_measured(hearing, statement.atom):
            continue
        found.setdefault(statement.atom, Candidate(statement.atom, True, said(hearing, statement.atom, negative=True)))
    return list(found.values())[:MAX_FACTS]


def _soonest(atom: Atom) -> Atom:
    """What did not happen at any time of the battle would be otherwise if it happened this turn."""
    name, args = atom
    return (name, (args[0], _STILL[0])) if name == "happened" and args[1] == _EVER else atom


def said(hearing: Hearing, atom: Atom, negative: bool = False) -> str:
    """The sentence of a fact; an event of this turn without its time."""
    name, args = atom
    if name.lstrip("-") == "happened" and len(args) == 2:
        if name.startswith("-"):
            negative = not negative
        event = hearing.sayer.term(args[0], "event", negative)
        return event if args[1] == ("this_turn",) else f"{event} {hearing.sayer.term(args[1], 'time')}"
    return hearing.sayer.atom(atom, negative)


def _is_measured(hearing: Hearing, atom: Atom) -> bool:
    name, args = atom
    if name.lstrip("-") == "happened" and isinstance(args[0], tuple):
        decl = hearing.loaded.vocabulary.term(str(args[0][0]), len(args[0]) - 1)
    else:
        decl = hearing.loaded.vocabulary.predicate(name, len(args))
    return decl is None or decl.joins or any(kind in _FIXED for kind in decl.types)


# Text -------------------------------------------------------------------------------------------


def as_lines(ruling: Ruling, width: int, color: bool = False) -> Iterator[str]:
    """What would change a ruling, as text: the verdict, then the sets of facts, the smallest first."""
    from .render import KINDS, Page, paragraph, then_of

    yield from Page(width, 0, color).verdict(ruling)
    if not ruling.changes:
        yield "  Nothing that could be otherwise would change it."
    for number, change in enumerate(ordered(ruling), start=1):
        for place, (fact, kind) in enumerate(zip(change.facts, change.kinds, strict=True)):
            last = place == len(change.facts) - 1
            right = f"{KINDS[kind].ljust(WIDEST)}  {then_of(change) if last else ''}"
            opening = f"  {number}. " if not place else "     and "
            yield from (line.rstrip() for line in paragraph(fact, right.ljust(WIDEST + 8), width, opening, "     "))


def ordered(ruling: Ruling) -> list[Change]:
    """The changes of a ruling: the smallest first, among those of one size what can still be brought about."""
    return sorted(ruling.changes, key=lambda change: (len(change.facts), CHANGES.index(change.kind)))


def told(ruling: Ruling) -> dict[str, object]:
    """What would change a ruling as `judge change --json` writes it."""
    whole = ruling.to_dict()
    return {**{key: whole[key] for key in ("question", "verdict", "answer", "packs", "date")},
            "changes": [{"facts": c.facts, "kinds": c.kinds, "kind": c.kind, "verdict": c.verdict, "answer": c.answer}
                        for c in ordered(ruling)]}


# The solve --------------------------------------------------------------------------------------


def _goal(hearing: Hearing, ruling: Ruling) -> str | None:
    """Constraints that leave only models in which the verdict is another one."""
    question = text(hearing.target.term)
    if hearing.target.kind == "value":
        solved = hearing.solved
        now = [v for q, v in solved.extension("answer", 2) if q == hearing.target.term]
        same = ", ".join(f"answer({question},{text(v)})" for v in now)
        return f":- {same}.\n:- not answer({question},_).\n"
    atom = hearing.target.atom
    if atom is None:
        return None
    shown = atom_text((f"-{atom[0]}", atom[1]) if hearing.target.default else atom)
    wanted = (ruling.verdict == "no") != hearing.target.default
    return f":- {'not ' if wanted else ''}{shown}.\n"


def _sets(
    hearing: Hearing, candidates: list[Candidate], goal: str
) -> tuple[list[tuple[list[Candidate], str]], dict[Term, Term]]:
    """The smallest sets that turn the ruling, each with the value it gives, and the usual phases of events."""
    turned = {c.atom for c in candidates}
    program, read = hearing.program(turned)
    lines = [program, goal, ":- contradiction(_).\n#defined contradiction/1.\n#defined answer/2.\n"]
    for i, candidate in enumerate(candidates):
        shown = atom_text(candidate.atom)
        lines.append(f"{{ _turn({i}) }}. {shown} :- {'not ' if candidate.stated else ''}_turn({i}).\n")
        negative = (candidate.atom[0][1:], candidate.atom[1]) if candidate.atom[0].startswith("-") else (
            f"-{candidate.atom[0]}", candidate.atom[1])
        lines.append(f":- {shown}, {atom_text(negative)}.\n"
                     f"#defined {_signature(negative)}.\n#defined {_signature(candidate.atom)}.\n")
    lines.append(f"_turned(K) :- K = #count{{ I : _turn(I) }}, K <= {MAX_SIZE}.\n")
    lines.append("#show _turn/1. #show answer/2.\n")
    facts = facts_text(a for a in hearing.given if a not in turned and (a[0], len(a[1])) in read)
    control = clingo.Control(["--warn=none", "0"], logger=lambda *_: None)
    found: list[tuple[frozenset[int], str]] = []
    with stoppable(control):
        try:
            control.add("base", [], "".join(lines))
            control.add("base", [], facts)
            control.ground([("base", [])])
        except RuntimeError:
            return [], {}
        for size in range(1, MAX_SIZE + 1):
            if len(found) >= MAX_CHANGES or size > len(candidates):
                break
            found.extend(_of_size(control, size, hearing, [s for s, _ in found]))
    found.sort(key=lambda item: (len(item[0]), sorted(item[0])))
    pairs = [parse(str(a.symbol)) for a in control.symbolic_atoms.by_signature("usual_phase", 2)]
    usual = {pair[1]: pair[2] for pair in pairs if isinstance(pair, tuple)}
    return [([candidates[i] for i in sorted(chosen)], value) for chosen, value in found[:MAX_CHANGES]], usual


def _signature(atom: Atom) -> str:
    return f"{atom_text((atom[0], ()))}/{len(atom[1])}"


def _of_size(
    control: clingo.Control, size: int, hearing: Hearing, known: list[frozenset[int]]
) -> list[tuple[frozenset[int], str]]:
    out: list[tuple[frozenset[int], str]] = []
    wanted = clingo.Function("_turned", [clingo.Number(size)])
    with control.solve(yield_=True, assumptions=[(wanted, True)]) as handle:
        for count, model in enumerate(handle):
            chosen: set[int] = set()
            values = []
            for symbol in model.symbols(shown=True):
                if symbol.name == "_turn":
                    chosen.add(symbol.arguments[0].number)
                elif symbol.name == "answer" and hearing.target.kind == "value":
                    question, value = map(parse, map(str, symbol.arguments))
                    if question == hearing.target.term:
                        values.append(hearing.sayer.term(value))
            if not any(k <= chosen for k in known):
                out.append((frozenset(chosen), ", ".join(sorted(values))))
            if len(out) >= 4 * MAX_CHANGES or count > 400:
                break
    return out
