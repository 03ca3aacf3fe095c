"""Compile several files side by side, each once in this process.

A caller waits only for the file that it needs; the others go on in the background.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from gpucore.progress import Cancel, check

T = TypeVar("T")

#: Most files that are compiled at the same time.
THREADS = 16

# Seconds between two looks at `cancel`.
_LOOK = 0.05

_lock = threading.Lock()
_under_way: dict[Path, Future[Path]] = {}
_counting = threading.Lock()


@cache
def _pool() -> ThreadPoolExecutor:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return ThreadPoolExecutor(max(1, min(THREADS, cores or 1)), "warplens-compile")


def begin(files: Sequence[Path], work: Callable[[Sequence[Path]], None]) -> list[Future[Path]]:
    """Begin to make files together, those that are neither there nor under way.

    Parameters
    ----------
    files : sequence of Path
        A file's name has everything that its content depends on.
    work : callable
        Writes the files that it is given, each in one step.

    Returns
    -------
    futures : list of Future
        Of each file.

    Raises
    ------
    CancelledError
        The interpreter ends.
    """
    with _lock:
        missing = [file for file in files if file not in _under_way and not file.is_file()]
        made: dict[Path, Future[Path]] = {file: Future() for file in missing}
        if made:
            _submit(_run, made, work)
            _under_way.update(made)
        return [_under_way.get(file) or _ready(file) for file in files]


def is_under_way(file: Path) -> bool:
    """Return whether a file is being made, or waits for a thread to be made by."""
    with _lock:
        return file in _under_way


def under_way() -> list[Future[Path]]:
    """Return the futures of all files that are being made, or wait for a thread."""
    with _lock:
        return list(_under_way.values())


def begin_work(work: Callable[[], object]) -> Future[None]:
    """Begin work that leaves no file of its own; the caller begins it once."""
    return _submit(_do, work)


def after(futures: Sequence[Future[Any]], work: Callable[[], object]) -> None:
    """Call `work` when all have ended, with or without an error; at once if there are none."""
    waited = [future for future in futures if not future.done()]
    left = len(waited)

    def ended(_: Future[Any]) -> None:
        nonlocal left
        with _counting:
            left -= 1
            last = left == 0
        if last:
            with suppress(CancelledError):  # the interpreter ends, and no one waits for `work`
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


def _ready(file: Path) -> Future[Path]:
    future: Future[Path] = Future()
    future.set_result(file)
    return future


def _run(made: dict[Path, Future[Path]], work: Callable[[Sequence[Path]], None]) -> None:
    """Make files; after an error the next caller tries again."""
    failed: BaseException | None = None
    try:
        _do(lambda: work(list(made)))
    except BaseException as error:  # it is raised where the file is needed
        failed = error
    with _lock:
        for file in made:
            del _under_way[file]
    for file, future in made.items():
        if failed is None:
            future.set_result(file)
        else:
            future.set_exception(failed)


def _do(work: Callable[[], object]) -> None:
    _submit(int)  # cancelled if the interpreter ends, which waits for this thread
    work()


def _submit(work: Callable[..., T], *given: object) -> Future[T]:
    """Give work to the pool, which takes none from the moment that the interpreter ends."""
    try:
        return _pool().submit(work, *given)
    except RuntimeError as error:
        raise CancelledError from error
