"""One question about one situation: the solve, and the reading of its model as a ruling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from .errors import SituationError
from .explain import Explainer
from .grammar import Reading
from .part import program_text
from .reason import Reason
from .ruling import Assumption, Branch, Contested, Read, Ruling, citations
from .saying import Sayer, parts_of
from .shapes import Pattern, shape_of
from .situation import Situation, list_facts
from .slicing import Goals
from .solve import Given, Solved, solve
from .terms import Atom, Signature, Term, sort_key

if TYPE_CHECKING:
    from .judge import Judge

PROTOCOL: dict[str, tuple[tuple[str, int], ...]] = {
    "may": (),
    "is": (),
    "value": (("answer", 2),),
    "order": (("item", 2), ("before", 3), ("chooser", 2)),
    "outcome": (("result", 3),),
}
MOMENTS: tuple[Pattern, ...] = (("usual_phase", (None, None)), ("now_phase", (None,)), ("phase", (None, None)))
"""What tells whether an event can still happen."""
MAX_OPTIONS = 12
MAX_DEPTH = 4


class Target(msgspec.Struct):
    """What a question wants to know: the term that is asked and, for yes or no, the atom that decides."""

    term: Term
    kind: str
    atom: Atom | None = None
    default: bool = False


class Hearing:
    """One question about one situation: the solve, and the reading of its model."""

    def __init__(
        self, judge: Judge, situation: Situation, reading: Reading, question: str, extra: tuple[Atom, ...],
        readings: dict[str, str] | None = None,
    ) -> None:
        self.judge = judge
        self.situation = situation
        self.loaded = situation.loaded
        self.reading = reading
        self.question = question
        self.extra = extra
        self.readings = readings if readings is not None else situation.readings()
        self.target = target_of(reading)
        self.sayer = Sayer(self.loaded.vocabulary, situation.names)
        self.day = judge.day(situation)
        self._solved: Solved | None = None
        self._explainer: Explainer | None = None
        self.part = judge.part(situation, self.day, self.goals())
        self.rules, self.used = self.part.base, self.part.used
        self.given = self.atoms()
        self.live = self.part.live(self.given)

    def atoms(self) -> list[Atom]:
        """The facts that the program is given beside those of the cards: what is stated, and the question."""
        asked: list[Atom] = [("ask", (self.target.term,)), *list_facts(self.target.term),
                             *(("named_in", (name,)) for name in dict.fromkeys(names_in(self.target.term)))]
        readings: list[Atom] = [("reading", item) for item in sorted(self.readings.items())]
        return [*self.situation.atoms(), *readings, *self.extra, *asked]

    def goals(self) -> Goals:
        """What must be derived to answer the question and to see whether the facts agree.

        Where the answer is yes or no, a rule that opens a choice for any question whatever does not count.
        """
        shape = shape_of(self.target.term)
        asked: list[Pattern] = [(name, (shape, *([None] * (arity - 1)))) for name, arity in PROTOCOL[self.target.kind]]
        opened: Pattern = ("open", (shape, None, None))
        if self.target.atom is not None:
            name, args = self.target.atom
            asked.append((name, tuple(shape_of(arg) for arg in args)))
            asked.append((f"-{name}", tuple(shape_of(arg) for arg in args)))
        given = {f"{name}/{len(args)}" for name, args in self.situation.atoms()}
        checks: list[Pattern] = [*self.loaded.contradictions(given), ("ask", (None,)), ("chosen", (None, None)),
                                 ("unmodelled", (shape, None, None)), *MOMENTS]
        stated = [s.atom for s in self.situation.statements if s.sentence]
        checks.extend(sorted({p for atom in stated for p in self.loaded.contraries(atom)}, key=str))
        if self.target.atom is not None:
            return Goals(tuple(asked), tuple(checks), (opened,))
        return Goals(tuple(asked), (*checks, opened))

    def program(self, more: Iterable[Atom] = ()) -> tuple[str, set[Signature]]:
        """The program that can fire with the facts (and more of them), and the predicates that it reads."""
        return self.part.program([*self.given, *more])

    @property
    def solved(self) -> Solved:
        if self._solved is None:
            self._solved = self.part.solve(self.given, self.live)
        return self._solved

    @property
    def explainer(self) -> Explainer:
        if self._explainer is None:
            stated = [decl.on(self.day) for decl in self.loaded.vocabulary.rules.values()]
            partial = {r.ref: r.reason or "only partly encoded" for r in stated if r.status == "partial"}
            given = Given(self.given, self.part.cards)
            self._explainer = Explainer(self.rules, self.solved, self.sayer, given, partial,
                                        lambda rule, args: self.part.missing(self.live, rule, args))
        return self._explainer

    # Reading the model ------------------------------------------------------------------------

    def ruling(self, depth: int) -> Ruling:
        self.check_consistent()
        ruling = Ruling(self.question, "", "", packs=self.loaded.stamp(), date=self.day)
        unmodelled = self.unmodelled()
        if unmodelled:
            ruling.verdict, ruling.answer = "not-modelled", unmodelled[0]
            ruling.citations = [unmodelled[1]] if unmodelled[1] else []
            return ruling
        choices = self.open_choices()
        if choices and depth < MAX_DEPTH and self.depends(ruling, choices[0], depth):
            return ruling
        self.decide(ruling)
        ruling.citations = citations(ruling.because)
        ruling.assumptions = self.assumptions(ruling.because)
        partial = next((r for top in ruling.because for r in top.walk() if r.partial), None)
        if partial is not None:
            ruling.answer = f"{partial.ref}: {partial.partial}"
            ruling.verdict, ruling.value = "not-modelled", ""
            ruling.citations = [partial.ref]
        return ruling

    def unread(self) -> list[str]:
        """The abilities of the units in question that no rule and no card encodes, by name and unit."""
        encoded = {name.casefold() for card in self.loaded.cards for name in (card.name, card.ref)}
        asked = set(_texts(self.target.term))
        units = {str(args[0]): str(args[1]) for name, args in self.situation.atoms() if name == "part_of"}
        meant = asked & set(units.values()) or set(units.values())
        found = [f"{args[2]} ({args[0]})" for name, args in self.situation.atoms()
                 if name == "ability" and isinstance(args[2], str) and args[2].casefold() not in encoded
                 and units.get(str(args[0])) in meant]
        return list(dict.fromkeys(found))

    def contested(self, ruling: Ruling) -> None:
        """Note every reading under another option of which the ruling would differ."""
        if "reading/2" not in self.used:
            return
        for name in sorted(self.rules.constants("reading", 2) & self.loaded.vocabulary.readings.keys()):
            if not self._could_turn_on(name):
                continue
            decl = self.loaded.vocabulary.readings[name]
            under: list[tuple[str, Ruling]] = []
            for option in decl.options:
                if option.name == self.readings[name]:
                    under.append((option.name, ruling))
                    continue
                readings = {**self.readings, name: option.name}
                other = Hearing(self.judge, self.situation, self.reading, self.question, self.extra, readings)
                under.append((option.name, other.ruling(0)))
            if len({(r.verdict, r.answer) for _, r in under}) > 1:
                texts = {o.name: o for o in decl.options}
                ruling.contested.append(Contested(decl.title, [
                    Read(texts[o].text, texts[o].basis, o == self.readings[name], r.verdict, r.answer)
                    for o, r in under
                ]))

    def _could_turn_on(self, name: str) -> bool:
        """Whether some rule that asks for a reading has the rest of its body met; if none has, no option matters."""
        matcher = self.explainer.matcher
        asking = self.rules.asking("reading", 2).get(name, ())
        return any(next(matcher.solutions(rest, {}), None) is not None for _, rest in asking)

    def check_consistent(self) -> None:
        """Raise `SituationError` where the stated facts cannot all be true."""
        for args in self.solved.extension("contradiction", 1):
            reason = self.explainer.why(("contradiction", args))
            spans = [self.situation.source_of(r.atom) for r in reason.walk() if r.atom is not None]
            stated = [s for s in spans if s is not None]
            with_span = [s for s in stated if s.span is not None]
            span = max((s.span for s in with_span if s.span), key=lambda s: (s.line, s.column), default=None)
            raise SituationError(reason.text, span, "these facts cannot all be true" + (
                f": {'; '.join(dict.fromkeys(s.sentence for s in stated if s.sentence))}"
                if any(s.sentence for s in stated) else ""))
        for name, arity in self.solved.signatures():
            if name.startswith("-"):
                positive = set(self.solved.extension(name[1:], arity))
                for args in self.solved.extension(name, arity):
                    if args in positive and self._contradicts((name[1:], args), (name, args)):
                        self._refute((name[1:], args))

    def _contradicts(self, *atoms: Atom) -> bool:
        """Whether two opposites both hold; where none of them is stated, by the model of all rules.

        This one answers for what was asked alone (`narrowing`).
        """
        if any(statement.atom in atoms for statement in self.situation.statements):
            return True
        rules = self.judge.slicer(self.loaded, self.day).in_force
        program = program_text((rule.text for rule in rules), self.loaded)
        facts = [*self.given, *self.loaded.card_facts(self.day)]
        whole = solve(program, facts, {(rule.name, len(rule.args)) for rule in rules})
        return all(whole.holds(atom) for atom in atoms)

    def _refute(self, atom: Atom) -> None:
        both = [self.explainer.why(atom), self.explainer.why((f"-{atom[0]}", atom[1]))]
        told = [f"{r.text}{f' ({r.ref})' if r.ref else ''}" for r in both]
        spans = [s.span for s in self.situation.statements if s.atom in (atom, (f"-{atom[0]}", atom[1]))]
        raise SituationError(f"the facts contradict each other: {told[0]}, but {told[1]}",
                             next((s for s in spans if s), None),
                             "because " + "; ".join(c.text for r in both for c in r.children) if any(
                                 r.children for r in both) else "")

    def unmodelled(self) -> tuple[str, str] | None:
        for q, ref, reason in self.solved.extension("unmodelled", 3):
            if q == self.target.term:
                title = self.loaded.vocabulary.rules.get(str(ref))
                name = f"{title.title} ({ref})" if title else str(ref)
                return f"{name}: {self.sayer.term(reason)}", str(ref)
        return None

    def open_choices(self) -> list[tuple[Term, Term]]:
        found = [(owner, choice) for q, owner, choice in self.solved.extension("open", 3) if q == self.target.term]
        return sorted(found, key=lambda item: sort_key(("", *item)))

    def depends(self, ruling: Ruling, opened: tuple[Term, Term], depth: int) -> bool:
        """Rule under each option of a choice; whether they differ (then the ruling is filled in)."""
        owner, choice = opened
        options = [o for c, o in self.solved.extension("option", 2) if c == choice]
        branches: list[tuple[Term, Ruling]] = []
        for option in options[:MAX_OPTIONS]:
            extra = (*self.extra, ("chosen", (choice, option)))
            hearing = Hearing(self.judge, self.situation, self.reading, self.question, extra, self.readings)
            branches.append((option, hearing.ruling(depth + 1)))
        if len({(b.verdict, b.answer) for _, b in branches}) <= 1:
            if branches:
                for name in ("verdict", "answer", "value", "citations", "because", "assumptions", "branches"):
                    setattr(ruling, name, getattr(branches[0][1], name))
                return True
            return False
        ruling.verdict = "depends"
        ruling.branches = [Branch(self.sayer.term(o), b.verdict, b.answer) for o, b in branches]
        who = self.sayer.term(owner)
        what = self.sayer.term(choice)
        whose = f"{who}'s choice" if isinstance(owner, str) else who
        ruling.answer = f"on {whose}: {what}"
        atom = ("open", (self.target.term, owner, choice))
        reason = self.explainer.why(atom)
        ruling.because = [reason] if not reason.hidden else reason.children
        inner = [r for _, b in branches for r in b.because]
        ruling.citations = citations([*ruling.because, *inner])
        ruling.assumptions = self.assumptions([*ruling.because, *inner])
        return True

    def decide(self, ruling: Ruling) -> None:
        kind = self.target.kind
        if kind in ("may", "is"):
            self._yes_or_no(ruling)
        elif kind == "value":
            self._value(ruling)
        elif kind == "order":
            from .order import fill_order

            fill_order(self, ruling)
        else:
            self._outcome(ruling)

    def _yes_or_no(self, ruling: Ruling) -> None:
        atom = self.target.atom
        assert atom is not None
        if self.target.default:
            negative = (f"-{atom[0]}", atom[1])
            yes = not self.solved.holds(negative)
            reason = self.explainer.why_not(negative) if yes else self.explainer.why(negative)
        else:
            yes = self.solved.holds(atom)
            reason = self.explainer.why(atom) if yes else self.explainer.why_not(atom)
        ruling.verdict = "yes" if yes else "no"
        ruling.answer = self._sentence(yes)
        ruling.because = self.unwrapped([reason], ruling.answer)

    def _sentence(self, yes: bool, answer: str = "") -> str:
        decl = self.reading.decl
        if decl.role != "question":
            assert self.target.atom is not None
            return self.sayer.atom(self.target.atom, negative=not yes)
        template = (decl.asks if yes else decl.negatives)[:1]
        if not template:
            return answer or self.question.rstrip("?")
        env: dict[str, Term] = dict(zip(decl.args, self.reading.atom[1], strict=True))
        kinds = dict(zip(decl.args, decl.types, strict=True))
        text = template[0].replace("{Answer}", "\0")
        return self.sayer.line(parts_of(text, kinds), env).replace("\0", answer)

    def _value(self, ruling: Ruling) -> None:
        found = [v for q, v in self.solved.extension("answer", 2) if q == self.target.term]
        if not found:
            reason = self.explainer.why_not(("answer", (self.target.term, ("_",))))
            ruling.verdict, ruling.answer = "not-modelled", "the facts and rules at hand give no answer to this"
            ruling.because = reason.children
            return
        found.sort(key=sort_key)
        ruling.verdict = "value"
        ruling.value = ", ".join(self.sayer.term(v) for v in found)
        ruling.answer = self._sentence(True, ruling.value)
        reasons = [self.explainer.why(("answer", (self.target.term, v))) for v in found]
        ruling.because = self.unwrapped(reasons, ruling.answer)

    def unwrapped(self, reasons: list[Reason], answer: str) -> list[Reason]:
        """The reasons without those that only repeat the answer."""
        out: list[Reason] = []
        for reason in reasons:
            repeats = reason.text == answer and not reason.ref and reason.children
            out.extend(self.unwrapped(reason.children, answer) if reason.hidden or repeats else [reason])
        return out

    def _outcome(self, ruling: Ruling) -> None:
        found = [(k, t) for q, k, t in self.solved.extension("result", 3) if q == self.target.term]
        found.sort(key=lambda item: sort_key(("", *item)))
        ruling.verdict = "outcome"
        if not found:
            ruling.answer = "nothing happens by the facts as stated"
            ruling.because = self.explainer.why_not(("result", (self.target.term, ("_",), ("_",)))).children
            return
        ruling.answer = "; ".join(dict.fromkeys(self.sayer.term(t) for _, t in found))
        reasons = [self.explainer.why(("result", (self.target.term, k, t))) for k, t in found]
        ruling.because = self.unwrapped(reasons, ruling.answer)

    def assumptions(self, reasons: list[Reason]) -> list[Assumption]:
        """The assumed facts of a tree, each once, in the order of the tree."""
        seen: dict[str, Assumption] = {}
        for top in reasons:
            for reason in top.walk():
                if reason.kind == "assumed":
                    seen.setdefault(reason.text, Assumption(reason.text))
        return list(seen.values())


def _texts(term: Term) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    elif isinstance(term, tuple):
        for part in term[1:]:
            yield from _texts(part)


def names_in(term: Term) -> Iterator[Term]:
    """The names in a term, and the terms in it that have arguments."""
    if isinstance(term, str):
        yield term
    elif isinstance(term, tuple) and len(term) > 1:
        yield term
        for arg in term[1:]:
            yield from names_in(arg)


def target_of(reading: Reading) -> Target:
    """The term that a question asks and the atom that decides it."""
    decl, (name, args) = reading.decl, reading.atom
    if decl.role == "question":
        term: Term = (name, *args)
        atom: Atom | None = ("holds", (term,)) if decl.kind in ("may", "is") else None
        return Target(term, decl.kind, atom)
    if decl.role == "event":
        event: Term = (name, *args)
        time = reading.time or ("this_turn",)
        if isinstance(time, tuple) and len(time) == 1:
            return Target(("is", (str(time[0]), event)), "is", (str(time[0]), (event,)))
        return Target(("is", ("happened_in", event, time)), "is", ("happened_in", (event, time)))
    return Target(("is", (name, *args)), "is", (name, args), decl.default)
