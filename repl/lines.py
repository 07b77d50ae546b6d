"""What a line is: a command, a question, a fact, or a part of a situation as a file writes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .commands import find

if TYPE_CHECKING:
    from .session import Session

KEYS = ("pack", "date", "now", "sides", "units", "facts", "readings", "ask", "name", "title", "note", "source")
"""The keys that a situation begins with, in a file as in a paste."""
_KEY = re.compile(r"(?:#.*\n|\s)*(\w+):(?:\s|$)")


def take(session: Session, text: str) -> None:
    """Do what a text says: a line, several, or a paste. Raises `JudgeError` for what is wrong in it."""
    if is_yaml(session, text):
        from .files import paste

        paste(session, text)
    elif "\n" in text:
        for line in text.splitlines():
            take(session, line.strip())
    elif text and not text.startswith("#"):
        _line(session, text)


def is_yaml(session: Session, text: str) -> bool:
    """Whether a text is (a part of) a situation as a file writes it."""
    found = _KEY.match(text)
    if found is None:
        return False
    named = {kind.names for kind in session.situation.loaded.vocabulary.types.values()}
    return found[1] in KEYS or found[1] in named


def _line(session: Session, text: str) -> None:
    """A sentence that reads as a fact is one, whatever it begins with; then come commands, then questions."""
    situation, found = session.situation, find(text)
    is_fact = situation.grammar.reads(text, situation.names)
    asks = text.endswith("?") or (found is None and not is_fact) or (found is not None and found[0].asks)
    is_question = asks and situation.grammar.reads(text, situation.names, question=True)
    if found is not None and not is_fact and not is_question:
        command, rest = found
        command.run(session, rest)
    elif is_question or text.endswith("?"):
        session.ask(text)
    else:
        session.state(text)
