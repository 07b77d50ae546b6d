"""The command that throws dice, or takes those that lie on the table."""

from __future__ import annotations

import re
from random import SystemRandom
from typing import TYPE_CHECKING

from adjudicator import JudgeError, wrapped

from .commands import command

if TYPE_CHECKING:
    from .session import Session

_DICE = re.compile(r"(\d{0,2})[dD](\d{1,3})(?:\s*\+\s*(\d{1,2}))?(?!\w)")
MAX_DICE = 60


@command("roll DICE | roll SENTENCE with DICE", "the table", completes="fact")
def roll(session: Session, rest: str) -> None:
    """Throw dice, or state those that were thrown.

    roll 2D6                   only throws
    roll NAME rolls: 6D6       throws and states what came up
    roll NAME rolls: 2 5 6     states what lies on the table
    """
    thrown: list[str] = []

    said = _DICE.sub(lambda found: _thrown(found, thrown), rest)
    if _DICE.fullmatch(rest):
        session.say(wrapped(said, session.width, "", ""))
        return
    names, grammar = session.situation.names, session.situation.grammar
    if thrown and not grammar.reads(said, names):
        summed = iter(thrown)
        said = _DICE.sub(lambda found: str(sum(map(int, next(summed).split()))), rest)
    if thrown:
        session.say(said)
    session.state(said)


def _thrown(found: re.Match[str], thrown: list[str]) -> str:
    count, sides, plus = int(found[1] or 1), int(found[2]), int(found[3] or 0)
    if not 1 <= count <= MAX_DICE or sides < 2:
        raise JudgeError(f"{found[0]} cannot be thrown", hint=f"at most {MAX_DICE} dice, such as 6D6")
    dice = SystemRandom()
    rolled = [str(dice.randint(1, sides) + plus) for _ in range(count)]
    thrown.append(" ".join(rolled))
    return thrown[-1]
