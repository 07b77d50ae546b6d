"""Lines from a pipe: each is answered as it comes, without prompt, colour or history."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from adjudicator import Judge, JudgeError

from .session import Session


def answer(judge: Judge, file: str = "", as_json: bool = False, color: bool = False) -> int:
    """Answer the lines of the standard input. Gives the exit code of the last ruling.

    Raises `JudgeError` where the file to start from cannot be read.
    """
    session = Session(judge, lambda text: print(text, flush=True), as_json, color)
    if file:
        session.take(f"load {file}")
    for line in statements(lines()):
        try:
            if not session.take(line):
                break
        except JudgeError as error:
            sys.stdout.flush()
            print(error.show(), file=sys.stderr, flush=True)
    return session.code


def lines() -> Iterator[str]:
    """The lines of the standard input; bytes that are no text become marks of their own."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", errors="replace").rstrip("\r\n")


def statements(source: Iterator[str]) -> Iterator[str]:
    """What to answer to: a line, or a key with the indented lines that belong to it."""
    held: list[str] = []
    for line in source:
        if held and (line[:1] in (" ", "-") or not line.strip()):
            held.append(line)
            continue
        if held:
            yield "\n".join(held)
            held = []
        if line.rstrip().endswith(":") and line[:1].isalpha():
            held = [line]
        else:
            yield line
    if held:
        yield "\n".join(held)
