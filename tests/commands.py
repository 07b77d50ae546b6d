"""Runs the command `judge` inside the test process, and small situations to run it on."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import pytest

CHARGE = """\
pack: wh40k-11e
now: {round: 2, turn: red, phase: charge}
sides: [red, blue]
units:
  boyz: {side: red, models: {boy: {count: 9, T: 5, Sv: 5+, W: 1}, nob: {count: 1, T: 5, Sv: 5+, W: 2}}}
  buri: {side: blue, T: 6, Sv: 3+, W: 5}
facts:
  - boyz advanced
  - boyz is 8" from buri
ask: can boyz declare a charge?
"""


class Ran:
    """What a run of the command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> Any:
        return json.loads(self.out)

    def __repr__(self) -> str:
        return f"exit code {self.code}\n{self.out}\n{self.err}"


class _Output(io.TextIOWrapper):
    """A standard stream that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined,no-any-return]


def run(*args: object, stdin: str = "") -> Ran:
    """The command with these arguments. A traceback fails the test."""
    from adjudicator.cli import main

    out, err = _Output(), _Output()
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
    finally:
        sys.stdin = before
    code = ended.value.code
    ran = Ran(code if isinstance(code, int) else 1, out.text(), err.text())
    assert "Traceback" not in ran.err, ran.err
    return ran
