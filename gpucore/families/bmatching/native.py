"""Shared by the CPU methods for b-matching: the call into native code and the result."""

from __future__ import annotations

import ctypes
import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore import native
from gpucore.cpu.call import call
from gpucore.cpu.common import describe_cpu
from gpucore.cpu.task import Report, arguments, csr, layout, struct
from gpucore.errors import DeviceError
from gpucore.families.bmatching.capacity import DEFAULT_B, capacities, describe_b
from gpucore.families.bmatching.record import bmatching_record
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.format import human_bytes
from gpucore.memory import available_memory
from gpucore.record.record import about

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.runner import Context

#: Most bytes that a method needs: for each vertex, for each place of a mate, and for each edge.
_PER_VERTEX, _PER_PLACE, _PER_EDGE = 64, 8 + 3 * 8 + 4 + 4, 12


class _Work(Report):
    """``BMatchingWork`` of bmatching.h."""

    _fields_ = layout("int64 scans proposals rounds")


_Task = struct(
    "BMatchingTask",
    "graph, int64[] slots, threads, int32 delayed, cancel, int32[] mates count, Work* work, "
    "recording",
    Work=_Work,
)
_Weight = arguments("cpu_bmatching_weight", "graph, int64[] starts, int32[] mates, float64* weight")


@dataclass(frozen=True)
class CapacityParams:
    """Parameters of methods of one thread.

    Attributes
    ----------
    b : int, str or sequence of int
        Capacities of the vertices, see :mod:`gpucore.families.bmatching.capacity`.
    """

    b: Any = field(default=DEFAULT_B, compare=False)


def run_native(
    name: str,
    counters: tuple[str, ...],
    parallel: bool,
    graph: Graph,
    params: CapacityParams,
    context: Context,
) -> BMatchingResult:
    """Run the native method ``cpu_<name>``.

    The native methods leave out self-loops and edges of weight zero or less, which no heaviest
    b-matching needs.

    Parameters
    ----------
    name, parallel
        Of the method's runner.
    counters : tuple of {"scans", "proposals", "rounds"}
        The counters that this method has; they become figures, ``rounds`` if it is delayed.
    params : CapacityParams
        Its capacities, and perhaps the variant.

    Returns
    -------
    BMatchingResult
        `seconds` is the time of the native call alone.

    Raises
    ------
    ParameterError, Cancelled, DeviceError
    """
    settings = dataclasses.asdict(params) | {"b": describe_b(params.b)}
    delayed = settings.get("variant") == "delayed"
    threads = context.workers if parallel else 1
    capacity = capacities(graph, params.b)
    slots = _places(name, graph, capacity)
    mates = np.empty(int(slots[-1]), np.int32)
    count = np.zeros(graph.num_vertices, np.int32)
    work = _Work()
    task = _Task(*csr(graph), slots, delayed, mates, count, work)
    seconds, raw = call(
        name, task, graph, threads=threads, cancel=context.cancel, **context.recorded
    )
    starts, mates = _without_gaps(slots, mates, count)
    result = make_result(
        name,
        graph,
        capacity,
        starts,
        mates,
        seconds,
        params=settings,
        threads=threads,
        figures={c: getattr(work, c) for c in counters if delayed or c != "rounds"},
    )
    if raw is None:
        return result
    found = bmatching_record(
        raw,
        graph,
        launches="many" if delayed else "one",
        capacity=capacity,
        holders=np.repeat(np.arange(graph.num_vertices, dtype=np.int32), np.diff(starts)),
        proposers=mates,
        **about(result),
    )
    return dataclasses.replace(result, record=found)


def _places(name: str, graph: Graph, capacity: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return where the mates of each vertex begin, if the method's memory is there."""
    places = np.zeros(graph.num_vertices + 1, np.int64)
    np.cumsum(np.minimum(capacity, graph.degrees), out=places[1:])
    need = _PER_VERTEX * graph.num_vertices + _PER_PLACE * int(places[-1])
    need += _PER_EDGE * (graph.indices.size // 2)
    if need > (free := available_memory()):
        raise DeviceError(
            f"{name} needs about {human_bytes(need)} of memory on {graph!r}, and "
            f"{human_bytes(free)} are free; take a smaller b or a smaller graph"
        )
    return places


def _without_gaps(
    slots: NDArray[np.int64], mates: NDArray[np.int32], count: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the lists of mates one after another, from lists with room between them."""
    starts = np.zeros(slots.size, np.int64)
    np.cumsum(count, out=starts[1:])
    if starts[-1] == slots[-1]:
        return starts, mates
    return starts, mates[np.arange(starts[-1]) + np.repeat((slots - starts)[:-1], count)]


def make_result(
    name: str,
    graph: Graph,
    capacity: NDArray[np.int32],
    starts: NDArray[np.int64],
    mates: NDArray[np.int32],
    seconds: float,
    *,
    params: dict[str, Any],
    threads: int,
    figures: dict[str, Any] | None = None,
    versions: dict[str, str] | None = None,
) -> BMatchingResult:
    """Make a result from lists of mates; weight and cardinality are computed here for all methods.

    Parameters
    ----------
    name, graph, seconds, threads
        What ran, on what, for how long, on how many threads.
    capacity, starts, mates
        See :class:`gpucore.families.bmatching.result.BMatchingResult`.
    params
        Parameters of the run besides the threads, JSON-able.
    figures, versions
        More figures of the run, and versions of the libraries that did it.
    """
    own = {
        "weight": bmatching_weight(graph, starts, mates),
        "cardinality": int(mates.size) // 2,
    }
    return BMatchingResult(
        algorithm=name,
        device=describe_cpu(threads) | (versions or {}),
        seconds=seconds,
        figures=own | (figures or {}),
        params={**params, "threads": threads},
        capacity=capacity,
        starts=starts,
        mates=mates,
    )


def bmatching_weight(graph: Graph, starts: NDArray[np.int64], mates: NDArray[np.int32]) -> float:
    """Return the weight of a b-matching: the float64 sum over its pairs that are edges.

    Parameters
    ----------
    graph : Graph
        The graph that was matched.
    starts, mates
        As in a result, on the processor.
    """
    starts = np.ascontiguousarray(starts, np.int64)
    mates = np.ascontiguousarray(mates, np.int32)
    weight = ctypes.c_double()
    task = _Weight(*csr(graph), starts, mates, weight)
    native.load().cpu_bmatching_weight(*task.as_arguments())
    return weight.value * graph.unit
