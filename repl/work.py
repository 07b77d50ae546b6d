"""Work that Ctrl-C stops: it runs in a thread of its own, and what it says is waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
TICK = 0.5
GRACE = 0.3
"""How long, in seconds, stopped work may take to end before it is left alone. A grounding cannot be stopped."""


class Stopped(Exception):
    """The work was stopped by Ctrl-C."""


def stoppable(work: Callable[[], Result]) -> Result:
    """The result of the work, or its error. Raises `Stopped` on Ctrl-C; the work then ends without an effect."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    from adjudicator import Stop

    stop, done = Stop(), threading.Event()
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            with stop.here():
                results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run, daemon=True, name="ruling").start()
    try:
        while not done.wait(TICK):
            pass
    except KeyboardInterrupt:
        stop()
        done.wait(GRACE)
        raise Stopped from None
    if errors:
        raise errors[0]
    return results[0]
