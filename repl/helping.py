"""Commands about the judge itself: help, keys, quit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from adjudicator import JudgeError, did_you_mean, phrasebook

from .commands import GROUPS, command, commands

if TYPE_CHECKING:
    from .session import Session

TOPICS = {
    "facts": "what can be stated",
    "questions": "what can be asked",
    "moments": "when things happen",
    "files": "what a situation file looks like, and how a part of one is pasted",
    "keys": "what keys do",
}
MAX_SENTENCES = 40
FILES = """\
A situation file is YAML. All of it, or any part, can be pasted here too:

    pack: NAME
    date: 2026-10-03
    now: {round: 2, turn: SIDE, phase: PHASE}
    sides: [SIDE, SIDE]
    units:
      NAME: {side: SIDE, datasheet: REF, models: 10}
    facts:
      - SENTENCE
    readings: {NAME: OPTION}
    ask: QUESTION

A paste with a pack and units replaces the situation; any other part is added to it."""
MOMENTS = """\
The moment is stated as a fact, or reached by next phase and next turn. An event without a time happened this turn; any
of these may follow it:
"""


@command("help [TOPIC]", "the session", completes="topic")
def help_(session: Session, rest: str) -> None:
    """Tell what can be said: all commands, one of them, a topic, or the sentences with a word in them.

    help drop          one command
    help questions     what can be asked
    help objective     every sentence in which the word stands
    """
    if not rest:
        session.say(overview())
        return
    topic = rest.casefold().rstrip("?")
    vocabulary = session.situation.loaded.vocabulary
    found = commands().get(topic)
    if found is not None and topic not in TOPICS:
        session.say([found.usage, "", found.summary, *([""] if found.details else []), *found.details.splitlines()])
    elif topic == "keys":
        from .keys import told

        session.say(told())
    elif topic == "files":
        session.say(FILES)
    elif topic == "moments":
        times = [d.sentences[0] for d in vocabulary.terms.values()
                 if d.type == "time" and d.sentences]
        session.say([MOMENTS.rstrip(), *(f"  {time}" for time in times)])
    elif topic in ("facts", "questions"):
        session.say(phrasebook(vocabulary, topic == "questions"))
    else:
        said = [s for s in (*phrasebook(vocabulary), *phrasebook(vocabulary, True)) if topic in s.casefold()]
        if not said:
            raise JudgeError(f"no command, topic or sentence is about {rest!r}", hint=did_you_mean(
                topic, [*commands(), *TOPICS], f"topics: {', '.join(TOPICS)}"))
        more = [f"... and {len(said) - MAX_SENTENCES} more"] if len(said) > MAX_SENTENCES else []
        session.say([*said[:MAX_SENTENCES], *more])


def overview() -> Iterator[str]:
    """Everything that can be typed, in groups."""
    yield "A line is a fact (SENTENCE.), a question (SENTENCE?) or a command."
    width = max(len(c.usage) for c in commands().values() if len(c.usage) < 34)
    for group in GROUPS:
        yield ""
        yield group
        for one in commands().values():
            if one.group == group:
                wide = len(one.usage) > width
                if wide:
                    yield f"  {one.usage}"
                yield f"  {'' if wide else one.usage:{width}}  {one.summary}"
    yield ""
    yield "help COMMAND tells more; topics: " + ", ".join(f"{name} ({about})" for name, about in TOPICS.items())


@command("quit", "the session")
def quit_(session: Session, rest: str) -> None:
    """Leave. So does the end of the input."""
    from .session import Quit

    raise Quit


@command("exit", "the session")
def exit_(session: Session, rest: str) -> None:
    """Leave."""
    from .session import Quit

    raise Quit
