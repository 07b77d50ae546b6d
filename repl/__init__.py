"""The interactive judge: facts, questions and commands, one a line.

    from adjudicator.repl import embed
    embed(situation)

`run` is what the command line calls. Everything is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator import Judge, Situation


def run(judge: Callable[[], Judge], file: str = "", as_json: bool = False, color: bool = False) -> int:
    """Hold a conversation on the standard input and output, starting from a file where one is given.

    `judge` makes the judge when it is needed: at a terminal the prompt comes first. A terminal gets everything
    that a terminal can do; from a pipe each line is answered without prompt or colour. The exit code is that of
    the last ruling.
    """
    import sys

    if sys.stdin.isatty() and sys.stdout.isatty() and not as_json:
        from .terminal import converse

        return converse(judge, file=file)
    from .plain import answer

    return answer(judge(), file, as_json, color)


def embed(situation: Situation, judge: Judge | None = None) -> Situation:
    """Hold a conversation about a situation at the terminal; the situation as it is in the end."""
    from adjudicator import Judge

    from .terminal import converse_about

    return converse_about(situation, judge or Judge())
