"""One conversation: the situation and those before it, the last ruling, and what each line does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from adjudicator import (
    Chosen,
    Clock,
    Draft,
    Hearing,
    Judge,
    JudgeError,
    Moment,
    Ruling,
    Situation,
    UsageError,
    as_text,
    is_moment,
    moment_of,
    taken_in,
    usual_pack,
)

from . import lines

Result = TypeVar("Result")
FINE, FAULT, UNMODELLED = 0, 3, 4
HOW_TO_BEGIN = "begin with a unit (unit NAME: 10 DATASHEET for SIDE) or with a file (load FILE)"


class Quit(Exception):
    """The conversation is over."""


class Session:
    """The state of one conversation. `say` prints an answer, `width` is that of its page.

    `work` runs what may take long; a terminal passes one that Ctrl-C stops. `code` is the exit code that
    the last ruling asks for.
    """

    def __init__(
        self, judge: Judge, say: Callable[[str], None], as_json: bool = False, color: bool = False, width: int = 100,
        pack: str = "",
    ) -> None:
        self.judge = judge
        self._say = say
        self.as_json = as_json
        self.color = color
        self.width = width
        self.code = FINE
        self.work: Callable[[Callable[[], Any]], Any] = lambda work: work()
        self.changed: Callable[[], None] = lambda: None
        self.log: list[tuple[str, list[str]]] = []
        self.history: list[Draft] = [Draft({"pack": list(judge.packs) or pack or usual_pack()})]
        self.place = 0
        self.saved = 0
        self.hearing: Hearing | None = None
        self.ruling: Ruling | None = None
        self._bases: dict[str, Situation] = {}
        self._situation: tuple[Draft, Situation] | None = None

    # What there is ----------------------------------------------------------------------------

    @property
    def draft(self) -> Draft:
        return self.history[self.place]

    @property
    def situation(self) -> Situation:
        """The situation as it is now."""
        if self._situation is None or self._situation[0] is not self.draft:
            self._situation = (self.draft, self.read(self.draft))
        return self._situation[1]

    @property
    def moment(self) -> Moment:
        return moment_of(self.situation)

    def read(self, draft: Draft) -> Situation:
        """The situation of a draft; what its facts stand on is kept between drafts."""
        text = draft.head_text()
        if text not in self._bases:
            self._bases = {**dict(list(self._bases.items())[-3:]), text: draft.base(self.judge)}
        return draft.stated_in(self._bases[text])

    def begin(self, situation: Situation) -> None:
        """Talk about this situation."""
        draft = Draft.of(situation)
        self.history, self.place = [taken_in(draft, self.read(draft))], 0

    # Saying -----------------------------------------------------------------------------------

    def say(self, text: str | Iterable[str]) -> None:
        """Answer with a text, or with lines."""
        text = text if isinstance(text, str) else "\n".join(text)
        if self.log:
            self.log[-1][1].append(text)
        if not self.as_json:
            self._say(text)

    def tell(self, ruling: Ruling) -> None:
        """Answer with a ruling."""
        self.code = UNMODELLED if ruling.verdict == "not-modelled" else FINE
        if self.as_json:
            import json

            self._say(json.dumps(ruling.to_dict(), ensure_ascii=False))
        self.say(as_text(ruling, self.width, color=self.color))

    # Changing ---------------------------------------------------------------------------------

    def change(self, draft: Draft) -> None:
        """Go on with another draft. Raises `JudgeError`, and keeps the present one, where it cannot be read."""
        situation = self.read(draft)
        draft = taken_in(draft, situation)
        self._situation = (draft, situation)
        self.history = [*self.history[: self.place + 1], draft]
        self.place += 1
        self.changed()

    def go(self, steps: int) -> bool:
        """Go back to an earlier draft, or forth again; whether there is one."""
        if not 0 <= self.place + steps < len(self.history):
            return False
        self.place += steps
        self.changed()
        return True

    def state(self, sentence: str) -> None:
        """Add a fact, or move to the moment that it says."""
        reading = self.situation.grammar.read_fact(sentence, self.situation.names)
        if is_moment(reading):
            clock = self.clock()
            self.move(clock, clock.meant(reading.atom))
            return
        same = self.stating(sentence)
        if same:
            self.say(f"that is fact {self.draft.facts.index(same[0]) + 1} already")
            return
        opposite = self.stating(sentence, opposite=True)
        if opposite:
            number = self.draft.facts.index(opposite[0]) + 1
            raise JudgeError(f"fact {number} says otherwise: {opposite[0]}", hint=f"take it back with: drop {number}")
        self.change(self.draft.with_facts(sentence))
        self.say(self.count())

    def stating(self, sentence: str, opposite: bool = False) -> list[str]:
        """The stated facts that say the same as a sentence (or its opposite)."""
        grammar, names = self.situation.grammar, self.situation.names
        wanted = grammar.read_fact(sentence, names)
        found = []
        for fact in self.draft.facts:
            reading = grammar.read_fact(fact, names)
            if (reading.atom, reading.time) == (wanted.atom, wanted.time) and (
                    (reading.positive != wanted.positive) == opposite):
                found.append(fact)
        return found

    def count(self) -> str:
        """How many facts there are."""
        number = len(self.draft.facts)
        return "1 fact" if number == 1 else f"{number} facts"

    def clock(self) -> Clock:
        return self.work(lambda: Clock(self.judge, self.situation))  # type: ignore[no-any-return]

    def move(self, clock: Clock, moment: Moment) -> None:
        """Go to another moment; what happened stays when it happened."""
        moved = clock.moved(self.draft, moment)
        self.change(moved.draft)
        self.say(self.moment.told(self.situation))
        self.say([*(f"  now told as: {now}" for _, now in moved.retold), *(f"  over: {f}" for f in moved.ended)]
                 ) if moved.retold or moved.ended else None

    def choose(self, chosen: Chosen) -> None:
        """Go on with a choice made."""
        from dataclasses import replace

        self.change(replace(self.draft, chosen=(*self.draft.chosen, chosen)))

    # Asking -----------------------------------------------------------------------------------

    def hear(self, question: str, situation: Situation | None = None) -> tuple[Hearing, Ruling]:
        """A ruling that is not told and not kept."""
        where = situation or self.situation
        return self.work(lambda: self.judge.hear(where, question))  # type: ignore[no-any-return]

    def ask(self, question: str) -> None:
        """Rule on a question, then look for what would change the ruling."""
        try:
            self.hearing, self.ruling = self.hear(question)
        except JudgeError as error:
            if not self.draft.units and not error.hint.startswith("did you mean"):
                error.hint = HOW_TO_BEGIN
            raise
        if self.as_json:
            self.find_changes()
        self.tell(self.ruling)

    def find_changes(self) -> None:
        """Find what would change the last ruling."""
        hearing, ruling = self.last()
        self.work(lambda: self.judge.find_changes(hearing, ruling))

    def last(self) -> tuple[Hearing, Ruling]:
        """The last ruling. Raises `JudgeError` where there is none."""
        if self.hearing is None or self.ruling is None:
            raise JudgeError("there is no ruling yet", hint="ask a question first")
        return self.hearing, self.ruling

    # Lines ------------------------------------------------------------------------------------

    def take(self, line: str) -> bool:
        """Do what a line (or a paste of several) says; whether the conversation goes on.

        Raises `JudgeError` for what is wrong in it; the situation is then as it was.
        """
        text = line.strip()
        if not text or text.startswith("#"):
            return True
        self.log.append((text, []))
        try:
            lines.take(self, text)
        except Quit:
            return False
        except JudgeError as error:
            self.code = error.exit_code if error.exit_code != UsageError.exit_code else FAULT
            self.log[-1][1].append(error.show())
            raise
        return True
