"""The loop of the interactive judge: read a line, do what it says, until there is no more.

A line is a command (`load FILE`, `facts`, `why`, `help`, `quit`), a question (it ends in a question mark)
or a fact. Lines may come from a person at a terminal or from a pipe.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

from adjudicator import Judge, JudgeError, Ruling, Situation, as_text

PROMPT = "judge> "
TWO_LEVELS, EVERY_STEP = 2, 99
HELP = """\
a fact          alpha is 8" from beta
a question      can alpha act?
load FILE       start from the situation of a file
facts           what has been stated
why             every step of the last ruling
help            this list
quit            leave (so does the end of the input)"""


class Session:
    """One conversation: the situation so far and the last ruling."""

    def __init__(self, judge: Judge, say: Callable[[str], None], as_json: bool = False, color: bool = False) -> None:
        self.judge = judge
        self.say = say
        self.as_json = as_json
        self.color = color
        self.width = 100
        self.situation: Situation | None = None
        self.ruling: Ruling | None = None

    def take(self, line: str) -> bool:
        """Do what a line says; whether the conversation goes on. Raises `JudgeError` for what is wrong in it."""
        text = line.strip()
        word, _, rest = text.partition(" ")
        if not text or text.startswith("#"):
            return True
        if text in ("quit", "exit"):
            return False
        if text == "help":
            self._remark(HELP)
        elif word == "load" and rest:
            self.load(rest.strip())
        elif text == "facts":
            self.facts()
        elif text in ("why", "why?"):
            self.why()
        elif text.endswith("?"):
            self.ask(text)
        else:
            self.state(text)
        return True

    def load(self, path: str) -> None:
        """Start from the situation of a file, and rule on what it asks."""
        self.situation = self.judge.situation_from_file(path)
        self.ruling = None
        self._remark(f"{path}: {self._number(len(self._stated(self.situation)))}")
        for question, span in self.situation.asks:
            self._remark(question)
            self._show(self.judge.rule(self.situation, question, span))

    def facts(self) -> None:
        """Tell the facts that were stated."""
        for sentence in self._stated(self._here()):
            self._remark(sentence)

    def why(self) -> None:
        """Tell every step of the last ruling."""
        if self.ruling is None:
            raise JudgeError("there is no ruling yet", hint="ask a question first")
        self._show(self.ruling, EVERY_STEP)

    def ask(self, question: str) -> None:
        """Rule on a question about the situation so far."""
        self._show(self.judge.rule(self._here(), question))

    def state(self, sentence: str) -> None:
        """Add a fact to the situation."""
        self.situation = self._here().with_facts([sentence])
        self._remark(self._number(len(self._stated(self.situation))))

    def _show(self, ruling: Ruling, levels: int = TWO_LEVELS) -> None:
        self.ruling = ruling
        if self.as_json:
            import json

            self.say(json.dumps(ruling.to_dict(), ensure_ascii=False))
        else:
            self.say(as_text(ruling, self.width, levels, self.color))

    def _remark(self, text: str) -> None:
        """What is no ruling; a program that reads JSON is spared it."""
        if not self.as_json:
            self.say(text)

    def _here(self) -> Situation:
        if self.situation is None:
            raise JudgeError("there is no situation yet", hint="load one: load FILE")
        return self.situation

    def _stated(self, situation: Situation) -> list[str]:
        return [s.sentence for s in situation.statements if s.sentence]

    def _number(self, count: int) -> str:
        return "1 fact" if count == 1 else f"{count} facts"


def run(judge: Judge, file: str = "", as_json: bool = False, color: bool = False) -> None:
    """Hold a conversation on the standard input and output, starting from a file where one is given."""
    session = Session(judge, lambda text: print(text, flush=True), as_json, color)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if terminal:
        session.width = os.get_terminal_size().columns
        print("State facts and ask questions; help lists what else there is.")
    lines = typed() if terminal else piped()
    if file:
        session.load(file)
    for line in lines:
        try:
            if not session.take(line):
                return
        except JudgeError as error:
            sys.stdout.flush()
            print(error.show(), file=sys.stderr, flush=True)


def piped() -> Iterator[str]:
    """The lines of the standard input; bytes that are no text become marks of their own."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", errors="replace")


def typed() -> Iterator[str]:
    """Lines typed at a terminal, with what was typed before to go back to."""
    from prompt_toolkit import PromptSession

    prompt: PromptSession[str] = PromptSession()
    while True:
        try:
            yield prompt.prompt(PROMPT)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
