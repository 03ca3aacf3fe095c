"""What the CPU methods for matching share: the call into native code and the result."""

from __future__ import annotations

import ctypes
import os
import platform
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore import native
from gpucore.errors import Cancelled, DeviceError, ParameterError, WarpscopeError
from gpucore.progress import Cancel, check
from gpucore.result import MatchingResult

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.certify.matching import Dominance
    from gpucore.graph import Graph

#: More threads than this is a mistake, not a machine.
MAX_THREADS = 1024

#: Seconds between two looks at the caller's wish to stop.
_CANCEL_POLL = 0.02

# The return codes of matching.h.
_CANCELLED, _NO_MEMORY, _NO_THREADS = 1, 2, 3


class _Work(ctypes.Structure):
    """The counters of matching.h."""

    _fields_ = (("scans", ctypes.c_longlong), ("rounds", ctypes.c_longlong))


def native_available() -> str | None:
    """Return None if the native library can be loaded, else why not."""
    try:
        native.load()
    except WarpscopeError as error:
        return str(error)
    return None


def run_native(
    name: str, graph: Graph, threads: int, cancel: Cancel | None, work: tuple[str, ...] = ()
) -> MatchingResult:
    """Run the native method ``cpu_<name>``.

    The native methods leave out self-loops and edges of weight zero or less, which no heaviest
    matching needs.

    Parameters
    ----------
    name : str
        The method, as the runner is called.
    graph : Graph
        The problem.
    threads : int
        How many threads to run, the caller's included.
    cancel : Cancel or None
        Looked at while the method runs.
    work : tuple of {"scans", "rounds"}
        The counters that mean something for this method; they become figures.

    Returns
    -------
    MatchingResult
        `seconds` is the time of the native call alone.

    Raises
    ------
    Cancelled, DeviceError
    """
    method = getattr(native.load(), f"cpu_{name}")
    mate = np.empty(graph.num_vertices, np.int32)
    counters = _Work()
    with _flag(cancel) as flag:
        start = time.perf_counter()
        status = method(
            ctypes.c_int(graph.num_vertices),
            ctypes.c_void_p(graph.indptr.ctypes.data),
            ctypes.c_void_p(graph.indices.ctypes.data),
            ctypes.c_void_p(graph.weights.ctypes.data),
            ctypes.c_int(threads),
            ctypes.byref(flag),
            ctypes.c_void_p(mate.ctypes.data),
            ctypes.byref(counters),
        )
        seconds = time.perf_counter() - start
    if status == _CANCELLED:
        raise Cancelled("the run was cancelled")
    if status == _NO_MEMORY:
        raise DeviceError(
            f"{name} ran out of memory on {graph!r}; close something or cut the graph"
        )
    if status == _NO_THREADS:
        raise DeviceError(f"the system would not start {threads} threads; ask for fewer")
    figures = {counter: int(getattr(counters, counter)) for counter in work}
    return make_result(name, graph, mate, seconds, threads=threads, figures=figures)


def make_result(
    name: str,
    graph: Graph,
    mate: np.ndarray,
    seconds: float,
    *,
    threads: int,
    figures: dict[str, Any] | None = None,
    versions: dict[str, str] | None = None,
) -> MatchingResult:
    """Wrap a mate array; its weight and cardinality are computed here, the same for all methods.

    Parameters
    ----------
    name, graph, seconds, threads
        What ran, on what, for how long, on how many threads.
    mate : ndarray of int32, shape (n,)
        Symmetric, -1 for unmatched.
    figures, versions
        More figures of the run, and versions of the libraries that did it.
    """
    weight, cardinality = matching_weight(graph, mate)
    return MatchingResult(
        algorithm=name,
        variant="",
        device=describe_cpu(threads) | (versions or {}),
        seconds=seconds,
        figures={"weight": weight, "cardinality": cardinality} | (figures or {}),
        params={"threads": threads},
        mate=mate,
    )


def matching_weight(graph: Graph, mate: np.ndarray) -> tuple[float, int]:
    """Return weight (float64 sum) and number of the pairs ``u < mate[u]`` that are edges."""
    mate = np.ascontiguousarray(mate, np.int32)
    weight, cardinality = ctypes.c_double(), ctypes.c_longlong()
    native.load().cpu_matching_weight(
        ctypes.c_int(graph.num_vertices),
        ctypes.c_void_p(graph.indptr.ctypes.data),
        ctypes.c_void_p(graph.indices.ctypes.data),
        ctypes.c_void_p(graph.weights.ctypes.data),
        ctypes.c_void_p(mate.ctypes.data),
        ctypes.byref(weight),
        ctypes.byref(cardinality),
    )
    return weight.value, cardinality.value


def certify(graph: Graph, result: MatchingResult, dominance: Dominance = "strict") -> Certificate:
    """Certify a result with its figures; see :func:`gpucore.certify.matching.certify_matching`."""
    from gpucore.certify.matching import certify_matching

    return certify_matching(
        graph,
        result.mate,
        dominance=dominance,
        weight=result.weight,
        cardinality=result.cardinality,
    )


def choose_threads(threads: int | None) -> int:
    """Return the number of threads to run: `threads`, or one for each core of this process."""
    if threads is None:
        affinity = getattr(os, "sched_getaffinity", None)  # not on every system
        cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
        return min(cores, MAX_THREADS)
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer):
        raise ParameterError(f"threads must be an integer, not {threads!r}")
    if not 1 <= threads <= MAX_THREADS:
        raise ParameterError(f"threads must be between 1 and {MAX_THREADS}, not {threads}")
    return int(threads)


def describe_cpu(threads: int) -> dict[str, Any]:
    """Return the description of the CPU for results and reports, JSON-able."""
    return {"name": "cpu", "model": _cpu_model(), "threads": threads}


@cache
def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


@contextmanager
def _flag(cancel: Cancel | None) -> Iterator[ctypes.c_int]:
    """Give an int for native code to poll, which a thread raises once the caller cancels."""
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
