"""Commands for the moment: what comes next, and which day's rules hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adjudicator import JudgeError

from .commands import command

if TYPE_CHECKING:
    from .session import Session

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@command("now [SENTENCE]", "the moment", completes="fact")
def now(session: Session, rest: str) -> None:
    """Tell which moment it is; with a sentence, go there.

    A moment can also be stated as any fact is.
    """
    if rest:
        session.state(rest)
    else:
        session.say(session.moment.told(session.situation) or "nothing says which moment it is")


@command("next phase", "the moment")
def next_phase(session: Session, rest: str) -> None:
    """Go on to the next phase, or to the first of the next turn.

    What happened is then told with its time, so that it stays when it happened; dice are over with their phase.
    """
    clock = session.clock()
    session.move(clock, clock.next_phase())


@command("next turn", "the moment")
def next_turn(session: Session, rest: str) -> None:
    """Go on to the first phase of the next turn."""
    clock = session.clock()
    session.move(clock, clock.next_turn())


@command("as of [DATE|today]", "the moment", completes="day")
def as_of(session: Session, rest: str) -> None:
    """Rule by the rules of a day; alone or with `today`, by the newest.

    as of 2026-08-01
    """
    if rest in ("", "today", "now"):
        session.change(session.draft.having("date", ""))
        session.say("by the newest rules")
        return
    if not _DAY.fullmatch(rest):
        raise JudgeError(f"{rest!r} is no day", hint="write it as 2026-10-03")
    session.change(session.draft.having("date", rest))
    session.say(f"by the rules of {rest}")
