"""Work in the background of a page: one job at a time, with progress, Cancel and a deadline.

A visitor can ask for more than is done: of the jobs that wait only the latest is kept, so neither
threads nor memory grow with the number of clicks.

The main thread of the page process must stay free while an algorithm runs: else the click on Cancel
is not delivered, and ipywidgets gives up after four seconds.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from gpucore.errors import Cancelled
from gpucore.progress import Progress, check

log = logging.getLogger("warplens.app")

#: Seconds between two progress messages to the browser.
REPORT_EVERY = 0.1

#: Name of the threads of jobs.
THREAD = "warplens-job"


class Stop:
    """A request to stop, from the user or from the clock; fits :class:`gpucore.progress.Cancel`.

    Parameters
    ----------
    seconds : float
        Time limit from now on.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._asked = threading.Event()
        self.begin()

    def begin(self) -> None:
        """Start the clock again: the work waited for its turn."""
        self._end = monotonic() + self.seconds

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
        return str(Cancelled())


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


def settle(seconds: float) -> None:
    """Wait until all work in the background has ended, at most some seconds."""
    end = monotonic() + seconds
    while monotonic() < end:
        working = [thread for thread in threading.enumerate() if thread.name == THREAD]
        if not working:
            return
        for thread in working:
            thread.join(max(0.0, end - monotonic()))


class Latest:
    """Runs calls in a thread, one at a time; of those that wait only the latest is kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: Callable[[], None] | None = None
        self._thread: threading.Thread | None = None

    def start(self, call: Callable[[], None]) -> None:
        """Run a call as soon as the running one has ended, unless a newer call takes its place."""
        with self._lock:
            self._next = call
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=THREAD, daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            with self._lock:
                call, self._next = self._next, None
                if call is None:
                    self._thread = None
                    return
            try:
                call()
            except Exception:
                log.exception("Work in the background failed")
            del call  # what it holds is large


@dataclass(frozen=True)
class _Job:
    """Work that was started, see :meth:`Jobs.start`."""

    work: Work
    on_done: Callable[[Any], None]
    progress: Progress
    stop: Stop


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
        self._latest = Latest()
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
        begin: Callable[[], None],
        progress: Progress,
        seconds: float,
    ) -> None:
        """Start a job and ask a running one to stop; the new one waits for its end.

        Parameters
        ----------
        work : callable
            ``work(progress, stop)``; runs in the thread.
        on_done : callable
            Called with what `work` returned, in the thread, unless a newer job was started.
        begin : callable
            Called before all else of this job, and after all that older jobs report.
        progress : callable
            Called from the thread.
        seconds : float
            Time limit.
        """
        job = _Job(work, on_done, Throttle(progress), Stop(seconds))
        with self._lock:
            if self._stop is not None:
                self._stop.set()
            begin()
            self._stop = job.stop
            self._latest.start(lambda: self._run(job))

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

    def between(self, act: Callable[[], None]) -> None:
        """Act while no job reports its end; `act` may start a job of its own."""
        with self._lock:
            act()

    def cancel(self) -> None:
        """Ask the running job to stop."""
        with self._lock:
            if self._stop is not None:
                self._stop.set()

    def _run(self, job: _Job) -> None:
        error: BaseException | None = None
        stop = job.stop
        stop.begin()
        try:
            check(stop)
            value = job.work(job.progress, stop)
            check(stop)
            with self._lock:
                if self._stop is stop:
                    job.on_done(value)
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
            if error is not None:
                self._waiting.clear()
                self._on_error(error)
            try:
                self._on_idle()
            except Exception as failure:  # of what follows, such as the run of a link
                self._on_error(failure)
            self._go_on()
