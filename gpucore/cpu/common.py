"""Shared code of all CPU methods: the native library, cancelling, threads, description."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from gpucore import native
from gpucore.errors import Cancelled, DeviceError, ParameterError, WarplensError
from gpucore.installing import install_hint
from gpucore.params import is_whole
from gpucore.processor import processor_name
from gpucore.progress import Cancel, check

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Largest number of threads; a larger one is taken for a mistake.
MAX_THREADS = 1024

#: Seconds between two checks whether the caller has cancelled.
_CANCEL_POLL = 0.02

# The return codes of common.h.
_CANCELLED, _NO_MEMORY, _NO_THREADS = 1, 2, 3


def native_available() -> str | None:
    """Return None if the native library can be loaded, else the reason."""
    try:
        native.load()
    except WarplensError as error:
        return str(error)
    return None


def installed(package: str, title: str) -> str | None:
    """Return None if a package of the extra "peers" is installed, else how to install it.

    Every page calls this at its start, so the package is looked up but not loaded.
    """
    if find_spec(package) is None:
        return f"{title} is not installed; get it with: {install_hint('peers')}"
    return None


def check_status(name: str, graph: object, threads: int, status: int) -> None:
    """Raise the error that a native method's return code stands for.

    Raises
    ------
    Cancelled, DeviceError
    """
    if status == _CANCELLED:
        raise Cancelled()
    if status == _NO_MEMORY:
        raise DeviceError(
            f"{name} ran out of memory on {graph!r}; close something or cut the graph"
        )
    if status == _NO_THREADS:
        raise DeviceError(f"the system would not start {threads} threads; ask for fewer")


def rows_of(graph: Graph) -> tuple[Any, ...]:
    """Return a graph as the first four arguments of a native method."""
    arrays = (graph.indptr, graph.indices, graph.weights)
    return (
        ctypes.c_int(graph.num_vertices),
        *(ctypes.c_void_p(array.ctypes.data) for array in arrays),
    )


def choose_threads(threads: int | None) -> int:
    """Return the number of threads: `threads`, or one for each core of this process."""
    if threads is None:
        affinity = getattr(os, "sched_getaffinity", None)  # not on every system
        cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
        return min(cores, MAX_THREADS)
    if not is_whole(threads):
        raise ParameterError(f"threads must be an integer, not {threads!r}")
    if not 1 <= threads <= MAX_THREADS:
        raise ParameterError(f"threads must be between 1 and {MAX_THREADS}, not {threads}")
    return int(threads)


def describe_cpu(threads: int) -> dict[str, Any]:
    """Return the description of the CPU for results and reports, JSON-able."""
    return {"name": "cpu", "model": processor_name(), "threads": threads}


@contextmanager
def cancel_flag(cancel: Cancel | None) -> Iterator[ctypes.c_int]:
    """Yield an int that native code polls; a thread sets it when the caller cancels."""
    flag = ctypes.c_int(0)
    if cancel is None:
        yield flag
        return
    check(cancel)
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_CANCEL_POLL):
            if cancel.is_set():
                flag.value = 1
                return

    watcher = threading.Thread(target=watch, name="cancel-watch", daemon=True)
    watcher.start()
    try:
        yield flag
    finally:
        over.set()
        watcher.join()
