"""Work in the background of a page: one job at a time, with progress, Cancel and a deadline.

The main thread of the page process must stay free while an algorithm runs: else the click on Cancel
is not delivered, and ipywidgets gives up after four seconds.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from gpucore.errors import Cancelled
from gpucore.progress import Progress

log = logging.getLogger("warpscope.app")

#: Seconds between two progress messages to the browser.
REPORT_EVERY = 0.1


class Stop:
    """A request to stop, from the user or from the clock; fits :class:`gpucore.progress.Cancel`.

    Parameters
    ----------
    seconds : float
        Time limit from now on.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = monotonic() + seconds
        self._asked = threading.Event()

    def set(self) -> None:
        """Ask the work to stop."""
        self._asked.set()

    def is_set(self) -> bool:
        """Return whether the work should stop."""
        return self._asked.is_set() or self.late

    @property
    def late(self) -> bool:
        """Whether the time limit came before any request to stop."""
        return not self._asked.is_set() and monotonic() > self._end

    def reason(self) -> str:
        """Return why the work was stopped."""
        if self.late:
            return f"a run may take {self.seconds:g} seconds here; take a smaller graph"
        return "the run was cancelled"


#: Work in the background; called as ``work(progress, stop)``.
Work = Callable[[Progress, Stop], Any]


class Throttle:
    """Passes progress on, with a minimum time between two messages."""

    def __init__(self, sink: Progress) -> None:
        self._sink = sink
        self._phase = ""
        self._next = 0.0

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Report progress; new phases and ends are always passed on."""
        now = monotonic()
        if phase != self._phase or now >= self._next or (total and done >= total):
            self._phase = phase
            self._next = now + REPORT_EVERY
            self._sink(phase, done, total)


class Jobs:
    """Runs one job at a time in a thread; a newer job takes the place of the older one.

    Parameters
    ----------
    on_error : callable
        Called with the exception of a job that failed or was stopped.
    on_idle : callable
        Called when no job is left.
    """

    def __init__(
        self, on_error: Callable[[BaseException], None], on_idle: Callable[[], None]
    ) -> None:
        self._on_error = on_error
        self._on_idle = on_idle
        self._lock = threading.RLock()
        self._stop: Stop | None = None
        self._waiting: list[Callable[[], None]] = []

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._stop is not None

    def start(
        self,
        work: Work,
        on_done: Callable[[Any], None],
        *,
        progress: Progress,
        seconds: float,
    ) -> threading.Thread:
        """Start a job and ask a running one to stop.

        Parameters
        ----------
        work : callable
            ``work(progress, stop)``; runs in the thread.
        on_done : callable
            Called with what `work` returned, in the thread, unless a newer job was started.
        progress : callable
            Called from the thread.
        seconds : float
            Time limit.
        """
        stop = Stop(seconds)
        with self._lock:
            if self._stop is not None:
                self._stop.set()
            self._stop = stop
        thread = threading.Thread(
            target=self._run, args=(work, on_done, Throttle(progress), stop), daemon=True
        )
        thread.start()
        return thread

    def when_idle(self, act: Callable[[], None]) -> None:
        """Act at once if no job is running, else after the job has succeeded.

        The results of a job are on the page before the job has ended. A request that a visitor
        makes in between waits for the end; it is dropped if the job fails or is stopped.

        Parameters
        ----------
        act : callable
            Called without arguments, once even if it is requested several times.
        """
        if act not in self._waiting:
            self._waiting.append(act)
        if self._stop is None:  # else the lock may be held until the charts are made
            with self._lock:
                self._go_on()

    def _go_on(self) -> None:
        while self._waiting and self._stop is None:
            self._waiting.pop(0)()

    def cancel(self) -> None:
        """Ask the running job to stop."""
        with self._lock:
            if self._stop is not None:
                self._stop.set()

    def _run(
        self,
        work: Work,
        on_done: Callable[[Any], None],
        progress: Progress,
        stop: Stop,
    ) -> None:
        error: BaseException | None = None
        try:
            value = work(progress, stop)
            if stop.is_set():
                raise Cancelled
            with self._lock:
                if self._stop is stop:
                    on_done(value)
        except Cancelled:
            error = Cancelled(stop.reason())
        except Exception as failure:
            error = failure
        self._finish(stop, error)

    def _finish(self, stop: Stop, error: BaseException | None) -> None:
        """Report the end, unless a newer job has replaced this one."""
        with self._lock:
            if self._stop is not stop:
                return
            self._stop = None
            try:
                if error is not None:
                    self._waiting.clear()
                    self._on_error(error)
            finally:
                self._on_idle()
            self._go_on()
