"""Run long work under a progress bar; Ctrl-C ends it cleanly.

The work runs in a thread, so that the main thread receives the signal while a kernel runs. The
first Ctrl-C asks the work to stop at its next safe point; a later one ends the process at once.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from gpucore.cli.console import stderr
from gpucore.interrupts import heard, leave
from gpucore.progress import Progress

T = TypeVar("T")
#: Signals within so many seconds are one: ``timeout`` signals its command, and then the group.
TOGETHER = 0.3


def run_work(work: Callable[[Progress, threading.Event], T]) -> T:
    """Return ``work(progress, cancel)``, or raise its exception."""
    cancel = threading.Event()
    outcome: list[T] = []
    failure: list[BaseException] = []

    with _progress_bar() as progress:

        def body() -> None:
            try:
                outcome.append(work(progress, cancel))
            except BaseException as error:  # carried over to the main thread
                failure.append(error)

        thread = threading.Thread(target=body, name="warplens-work", daemon=True)
        with _interrupts(cancel):
            thread.start()
            while thread.is_alive():
                thread.join(0.1)
    if failure:
        raise failure[0]
    return outcome[0]


@contextmanager
def _interrupts(cancel: threading.Event) -> Iterator[None]:
    """Let the signals that are heard set `cancel`; a later one ends the process at once."""
    first = 0.0

    def stop(_number: int, _frame: object) -> None:
        nonlocal first
        if not cancel.is_set():
            first = time.monotonic()
            cancel.set()
        elif time.monotonic() - first > TOGETHER:
            leave()

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may handle signals
        return
    before = {number: signal.signal(number, stop) for number in heard()}
    try:
        yield
    finally:
        if not cancel.is_set():  # else the command still writes what it has, and ends
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _progress_bar() -> Iterator[Progress]:
    """Yield a progress callback that draws on stderr, or does nothing without a terminal."""
    if not sys.stderr.isatty():
        yield lambda phase, done, total: None
        return
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Bar(*columns, console=stderr(), transient=True) as bar:
        task = bar.add_task("starting", total=None)

        def progress(phase: str, done: int, total: int) -> None:
            bar.update(task, description=phase, completed=done, total=total or None)

        yield progress
