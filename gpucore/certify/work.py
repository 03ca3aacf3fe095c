"""How certificates work: on how many threads, with progress, and until the caller cancels."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from gpucore import native
from gpucore.cpu.call import filled
from gpucore.cpu.common import check_status, choose_threads
from gpucore.cpu.task import Arguments, struct
from gpucore.errors import DeviceError
from gpucore.format import human_bytes
from gpucore.memory import available_memory
from gpucore.progress import Cancel, Progress, check

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.result import Result

R = TypeVar("R", bound="Result")

#: The phase that certificates report.
PHASE = "certifying"

#: Entries and rows of a block together.
BLOCK = 1 << 16

#: Seconds between two looks at a native call that runs.
_POLL = 0.02


@dataclass(frozen=True)
class Hooks:
    """What the caller of a certificate wants; see :func:`attended`."""

    progress: Progress | None = None
    cancel: Cancel | None = None
    threads: int | None = None


_HOOKS: ContextVar[Hooks] = ContextVar("_HOOKS", default=Hooks())  # noqa: B039  # frozen


#: See ``proof::Work`` of proof.h.
_WORK = struct("Work", "threads, cancel, int64* done, int64 block")


def block_count(size: int) -> int:
    """Return the number of blocks of a pass over `size` elements."""
    return -(-size // BLOCK)


@contextmanager
def attended(
    progress: Progress | None = None, cancel: Cancel | None = None, threads: int | None = None
) -> Iterator[None]:
    """Let certificates inside the ``with`` block report progress, and stop when asked to.

    Parameters
    ----------
    progress, cancel
        See :mod:`gpucore.progress`; both are called from the thread of the block.
    threads : int, optional
        Threads of native code; default: one for each core. No figure depends on it.
    """
    before = _HOOKS.set(Hooks(progress, cancel, threads))
    try:
        yield
    finally:
        _HOOKS.reset(before)


def certified(certify: Callable[[Any, Any], Certificate], problem: Any, result: R) -> R:
    """Return a result with its certificate, which says how long it took."""
    report(0, 0)
    start = time.perf_counter()
    found = certify(problem, result)
    found = replace(found, seconds=time.perf_counter() - start)
    return replace(result, certificate=found)


def report(done: int, total: int) -> None:
    """Report progress, or raise Cancelled; for certificates that are written in Python."""
    hooks = _HOOKS.get()
    check(hooks.cancel)
    if hooks.progress is not None:
        hooks.progress(PHASE, done, total)


def require_memory(needed: int) -> None:
    """Raise DeviceError if a certificate needs more bytes than the host has left."""
    free = available_memory()
    if needed > free:
        raise DeviceError(
            f"the certificate needs {human_bytes(needed)} of the host's memory, "
            f"{human_bytes(free)} are available; close something, or run without a certificate"
        )


def prove(task: Arguments, problem: object, blocks: int) -> None:
    """Call a native function that certifies.

    Parameters
    ----------
    task : Arguments
        The function's input; its field ``hooks``, a ``proof::Work``, is set here.
    problem : object
        For messages.
    blocks : int
        About how many blocks of work there are; the unit of progress.

    Raises
    ------
    Cancelled, DeviceError
    """
    hooks = _HOOKS.get()
    check(hooks.cancel)
    function = getattr(native.load(), type(task).__name__)
    threads, flag, done = choose_threads(hooks.threads), ctypes.c_int(0), ctypes.c_int64(0)
    work = _WORK(done, BLOCK)
    filled(work, threads, flag)
    task.hooks = ctypes.addressof(work)
    given = task.as_arguments()

    def watch() -> None:
        if hooks.cancel is not None and hooks.cancel.is_set():
            flag.value = 1
        if hooks.progress is not None:
            hooks.progress(PHASE, min(done.value, blocks), blocks)

    if hooks.progress is None and hooks.cancel is None:
        status = int(function(*given))
    else:
        status = _watched(lambda: int(function(*given)), watch, flag)
    check_status("the certificate", problem, threads, status)


def _watched(call: Callable[[], int], watch: Callable[[], None], flag: ctypes.c_int) -> int:
    """Make a call in a thread, and watch it from this one."""
    status: list[int] = []
    thread = threading.Thread(target=lambda: status.append(call()), name="certificate", daemon=True)
    thread.start()
    try:
        while True:
            thread.join(_POLL)
            if not thread.is_alive():
                return status[0]
            watch()
    finally:
        flag.value = 1  # if watching failed; without effect on a call that has returned
        thread.join()
