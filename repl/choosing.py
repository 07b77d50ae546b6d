"""Commands that give what a ruling leaned on or waits for: assumptions and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudicator import Chosen, JudgeError, open_choice

from .commands import command

if TYPE_CHECKING:
    from .session import Session


@command("assume [not] NUMBER", "the table", completes="assume")
def assume(session: Session, rest: str) -> None:
    """State what the last ruling assumed, or its opposite; alone, tell what it assumed.

    assume 1          makes the first assumption a fact
    assume not 1      states the opposite
    """
    _, ruling = session.last()
    if not rest:
        session.say([f"{n:3}  {a.text}" + (f" (if not: {a.turns})" if a.turns else "")
                     for n, a in enumerate(ruling.assumptions, start=1)] or ["the last ruling assumed nothing"])
        return
    word, _, number = rest.rpartition(" ")
    if not number.isdigit() or not 1 <= int(number) <= len(ruling.assumptions) or word not in ("", "not"):
        raise JudgeError(f"there is no assumption {rest!r}", hint="assume tells them with their numbers")
    sentence = ruling.assumptions[int(number) - 1].text
    session.state(opposite(session, sentence) if word else sentence)
    session.say(f"stated: {session.draft.facts[-1]}")


def opposite(session: Session, sentence: str) -> str:
    """The sentence that says the opposite of one."""
    situation = session.situation
    reading = situation.grammar.read_fact(sentence, situation.names)
    return situation.say(reading, positive=not reading.positive)


@command("choose [NUMBER]", "the table", completes="choose")
def choose(session: Session, rest: str) -> None:
    """Make the choice on which the last ruling depends, and rule again; alone, tell what there is to choose.

    A choice holds until `drop choices` or `undo`; a file cannot say it.
    """
    hearing, ruling = session.last()
    choice = open_choice(hearing) if ruling.verdict == "depends" else None
    if choice is None:
        raise JudgeError("the last ruling depends on no choice")
    if not rest:
        session.say([f"{choice.owner} chooses: {choice.about}",
                     *(f"{n:3}  {option.said}" for n, option in enumerate(choice.options, start=1))])
        return
    if not rest.isdigit() or not 1 <= int(rest) <= len(choice.options):
        raise JudgeError(f"there is no option {rest!r}", hint="choose tells them with their numbers")
    option = choice.options[int(rest) - 1]
    session.choose(Chosen(option.atom, f"{choice.about}: {option.said}"))
    session.ask(ruling.question)
