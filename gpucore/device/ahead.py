"""Compile several files side by side, each once in this process.

A caller waits only for the file that it needs; the others go on in the background.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from gpucore.progress import Cancel, check

#: Most files that are compiled at the same time.
THREADS = 16

# Seconds between two looks at `cancel`.
_LOOK = 0.05

_lock = threading.Lock()
_under_way: dict[Path, Future[Path]] = {}
_counting = threading.Lock()


class Job(NamedTuple):
    """A file and the work that makes it, which is skipped where the file is there.

    Attributes
    ----------
    file : Path
        Its name has everything that its content depends on.
    work : callable
        Writes the file, in one step.
    """

    file: Path
    work: Callable[[], None]


@cache
def _pool() -> ThreadPoolExecutor:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return ThreadPoolExecutor(max(1, min(THREADS, cores or 1)), "warpscope-compile")


def begin(job: Job) -> Future[Path]:
    """Begin a job, unless its file is there or under way; return its file's future."""
    with _lock:
        running = _under_way.get(job.file)
        if running is not None:
            return running
        if job.file.is_file():
            ready: Future[Path] = Future()
            ready.set_result(job.file)
            return ready
        future = _under_way[job.file] = _pool().submit(_run, job)
    # Outside of the lock: of a future that is done, the callback is called here.
    future.add_done_callback(lambda _: _forget(job.file))
    return future


def is_under_way(job: Job) -> bool:
    """Return whether a job has begun and not ended."""
    with _lock:
        return job.file in _under_way


def begin_work(work: Callable[[], object]) -> Future[None]:
    """Begin work that leaves no file of its own; the caller begins it once."""
    return _pool().submit(_do, work)


def after(futures: Sequence[Future[Any]], work: Callable[[], object]) -> None:
    """Call `work` when all have ended, with or without an error; at once if there are none."""
    waited = [future for future in futures if not future.done()]
    left = len(waited)

    def ended(_: Future[Any]) -> None:
        nonlocal left
        with _counting:
            left -= 1
            last = left == 0
        if last and threading.main_thread().is_alive():
            work()

    if not waited:
        work()
    for future in waited:
        future.add_done_callback(ended)


def wait_for(
    future: Future[Path], cancel: Cancel | None, look: Callable[[], None] | None = None
) -> Path:
    """Return the file when it is there; see :func:`wait_all`."""
    wait_all([future], cancel, look)
    return future.result()


def wait_all(
    futures: Sequence[Future[Any]], cancel: Cancel | None, look: Callable[[], None] | None = None
) -> None:
    """Wait until all have ended, with or without an error; call `look` now and then meanwhile.

    Raises
    ------
    Cancelled
        `cancel` was set; the work goes on in the background, so that it is not lost.
    """
    while wait(futures, timeout=_LOOK).not_done:
        check(cancel)
        if look is not None:
            look()


def _run(job: Job) -> Path:
    _do(job.work)
    return job.file


def _do(work: Callable[[], object]) -> None:
    if not threading.main_thread().is_alive():
        raise CancelledError  # the interpreter ends, and waits for this thread
    work()


def _forget(file: Path) -> None:
    """Drop a job that has ended: after an error the next caller tries again."""
    with _lock:
        _under_way.pop(file, None)
