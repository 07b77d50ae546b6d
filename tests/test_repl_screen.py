"""The judge in a real terminal: keys on one side of a pseudo-terminal, a screen on the other."""

from __future__ import annotations

import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commands import CHARGE

if sys.platform == "win32":
    pytest.skip("no pseudo-terminal here", allow_module_level=True)

import pexpect

TAB, ENTER, UP, CTRL_C, CTRL_D = "\t", "\r", "\x1b[A", "\x03", "\x04"
WHERE = "\x1b[6n"
"""What a program sends to be told where the cursor is."""
_CODE = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>78])")
SLOW = """\
%*! rule 1 "Slowness"
A rule whose grounding takes longer than anyone waits.
*%
%*! slow(Side)
@derived "{Side} is slow"
*%
%@ "{S} is slow"
slow(S) :- side(S,_), X = 1..6000, Y = 1..6000, X*Y = 35999999.
"""
Open = Callable[..., pexpect.spawn]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Start the judge in a terminal of 24 rows and 80 columns."""
    monkeypatch.setenv("JUDGE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("PAGER", "cat")
    monkeypatch.delenv("NO_COLOR", raising=False)
    running = []

    def opened(*args: object) -> pexpect.spawn:
        child = pexpect.spawn(sys.executable, ["-m", "adjudicator", "repl", *map(str, args)], dimensions=(24, 80),
                              encoding="utf-8", timeout=60,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        running.append(child)
        seen(child, "judge>")
        return child

    yield opened
    for child in running:
        child.close(force=True)


@pytest.fixture
def charge(tmp_path: Path) -> Path:
    path = tmp_path / "charge.yaml"
    path.write_text(CHARGE)
    return path


def plain(text: str) -> str:
    """What a screen shows of a text."""
    return _CODE.sub("", text).replace("\r", "")


def seen(child: pexpect.spawn, text: str, raw: bool = False) -> str:
    """Wait until the screen shows a text; everything up to there. Tells where the cursor is when asked."""
    shown, end = "", time.monotonic() + 60
    while text not in plain(shown):
        assert time.monotonic() < end, plain(shown)
        try:
            part = child.read_nonblocking(4096, timeout=1)
        except pexpect.TIMEOUT:
            continue
        except pexpect.EOF:
            pytest.fail(f"the judge ended: {plain(shown)}")
        unread = getattr(child, "tail", "") + part
        child.send("\x1b[1;1R" * unread.count(WHERE))
        child.tail = unread[1 - len(WHERE):]
        shown += part
    return shown if raw else plain(shown)


def ready(child: pexpect.spawn) -> None:
    """Wait for the toolbar, which is there when the rules are."""
    seen(child, " units, ")


def test_completion_history_and_resize(opened: Open, charge: Path) -> None:
    child = opened(charge)
    ready(child)
    child.send("did buri adv")
    seen(child, "advance?")
    child.send(TAB)
    time.sleep(0.5)
    child.send(f"{ENTER}{ENTER}")
    narrow = seen(child, "Would change it: buri advanced")
    assert all(len(line) <= 80 for line in narrow.splitlines() if line.startswith("NO:"))
    child.setwinsize(30, 150)
    time.sleep(0.3)
    child.send("can boyz declare a charge?" + ENTER)
    wide = seen(child, "Would change it")
    assert any(80 < len(line.rstrip()) <= 150 for line in wide.splitlines() if line.startswith("NO:")), wide
    child.send(UP)
    seen(child, "can boyz declare a charge?")
    child.send(CTRL_C)
    child.send(CTRL_D)
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0

    again = opened()
    ready(again)
    again.send(f"{UP}{UP}")
    seen(again, "did buri advance?")
    again.send(CTRL_C)
    again.send(f"quit{ENTER}")
    again.expect(pexpect.EOF)


def test_ctrl_c_stops_a_ruling_and_nothing_else(opened: Open, tmp_path: Path) -> None:
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "pack.yaml").write_text("name: slow\nversion: 2026-12-01\nextends: [kernel]\n")
    (folder / "slow.lp").write_text(SLOW)
    child = opened("--pack", f"{folder}/")
    ready(child)
    child.send(f"sides: [red, blue]{ENTER}{ENTER}")
    seen(child, "0 units")
    child.send("is red slow?" + ENTER)
    time.sleep(1)
    start = time.monotonic()
    child.send(CTRL_C)
    seen(child, "stopped")
    assert time.monotonic() - start < 5
    child.send(f"it is red's turn{ENTER}")
    seen(child, "it is red's turn")
    child.send(f"quit{ENTER}")
    child.expect(pexpect.EOF)


def test_a_dumb_terminal_gets_no_colour(opened: Open, charge: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    child = opened(charge)
    ready(child)
    child.send(f"did buri advance?{ENTER}")
    shown = seen(child, "NO: buri did not advance", raw=True)
    assert not re.search(r"\x1b\[(?:\d+;)*3[0-7]m", shown)
    child.send(f"quit{ENTER}")
    child.expect(pexpect.EOF)
