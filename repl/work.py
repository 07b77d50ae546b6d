"""Work that Ctrl-C stops: it is done in a thread of its own, and what comes of it is waited for.

The thread is kept for the next piece of work, with the memory that it has; one that was stopped in the
middle of something is left alone.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from adjudicator import Stop

Result = TypeVar("Result")
TICK = 0.5
GRACE = 0.3
"""How long, in seconds, stopped work may take to end before it is left alone. A grounding cannot be stopped."""


class Stopped(Exception):
    """The work was stopped by Ctrl-C."""


class Job:
    """One piece of work: what it gives, or the error that it ends with."""

    def __init__(self, work: Callable[[], Any], stop: Stop) -> None:
        self.work = work
        self.stop = stop
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.stop.here():
                self.result = self.work()
        except BaseException as error:
            self.error = error
        finally:
            self.done.set()


class Worker:
    """A thread that does one job after another."""

    def __init__(self) -> None:
        self.jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True, name="ruling").start()

    def _run(self) -> None:
        while (job := self.jobs.get()) is not None:
            job.run()
            del job


class Desk:
    """Where work is handed in; it has one worker at a time."""

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def stoppable(self, work: Callable[[], Result]) -> Result:
        """The result of the work, or its error. Raises `Stopped` on Ctrl-C; the work then ends without an effect."""
        if threading.current_thread() is not threading.main_thread():
            return work()
        from adjudicator import Stop

        worker = self._worker = self._worker or Worker()
        job = Job(work, Stop())
        try:
            worker.jobs.put(job)
            while not job.done.wait(TICK):
                pass
        except KeyboardInterrupt:
            job.stop()
            if not job.done.wait(GRACE):
                self.close()
            raise Stopped from None
        if job.error is not None:
            raise job.error
        return job.result  # type: ignore[no-any-return]

    def close(self) -> None:
        """Let the worker go when it is done with what it has."""
        if self._worker is not None:
            self._worker.jobs.put(None)
            self._worker = None
