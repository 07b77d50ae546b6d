"""Stopping a ruling from another thread: the search is interrupted, and no further one begins.

    stop = Stop()
    with stop.here():       # in the thread that rules
        judge.rule(...)     # raises `Interrupted` soon after `stop()` is called in any other thread

clingo can interrupt a search but not a grounding: that one ends by itself, and the ruling with it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import clingo

_here = threading.local()


class Interrupted(Exception):
    """A ruling was stopped before it was done."""


class Stop:
    """A wish to stop what one thread does. Call it to stop."""

    def __init__(self) -> None:
        self.wanted = False
        self._control: clingo.Control | None = None
        self._lock = threading.Lock()

    def __call__(self) -> None:
        with self._lock:
            self.wanted = True
            if self._control is not None:
                self._control.interrupt()

    @contextmanager
    def here(self) -> Iterator[None]:
        """Let this be what stops the present thread."""
        before, _here.stop = getattr(_here, "stop", None), self
        try:
            yield
        finally:
            _here.stop = before

    @contextmanager
    def watching(self, control: clingo.Control) -> Iterator[None]:
        """Interrupt this control when a stop is wanted. Raises `Interrupted` before and after where one is."""
        with self._lock:
            self._refuse()
            self._control = control
        try:
            yield
        finally:
            with self._lock:
                self._control = None
                self._refuse()

    def _refuse(self) -> None:
        if self.wanted:
            raise Interrupted


@contextmanager
def stoppable(control: clingo.Control) -> Iterator[None]:
    """Around grounding and solving: what stops the present thread stops this control."""
    stop: Stop | None = getattr(_here, "stop", None)
    if stop is None:
        yield
    else:
        with stop.watching(control):
            yield
