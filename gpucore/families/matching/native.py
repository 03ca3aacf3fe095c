"""Shared by the CPU methods for matching: the call into native code and the result."""

from __future__ import annotations

import ctypes
import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore import native
from gpucore.cpu.call import call
from gpucore.cpu.common import describe_cpu
from gpucore.cpu.task import Report, arguments, csr, layout
from gpucore.families.matching.outcome import weights_of_mates
from gpucore.families.matching.record import matching_record
from gpucore.families.matching.result import MatchingResult
from gpucore.record.record import about

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.problems.graph.graph import Graph
    from gpucore.record import RawRecord, Record
    from gpucore.runner import Context, NoParams

    BuildRecord = Callable[[RawRecord, Graph, MatchingResult], Record | None]


class Work(Report):
    """The counters of matching.h."""

    _fields_ = layout("int64 scans rounds")


#: The parameters of every method, this one and others.
Task = arguments(
    "cpu_greedy", "graph, threads, cancel, int32[] mate, Work* work, recording", Work=Work
)
_Weight = arguments(
    "cpu_matching_weight", "graph, int32[] mate, float64* weight, int64* cardinality"
)


def run_native(
    name: str,
    counters: tuple[str, ...],
    parallel: bool,
    build: BuildRecord,
    graph: Graph,
    params: NoParams,
    context: Context,
) -> MatchingResult:
    """Run the native method ``cpu_<name>``.

    The native methods leave out self-loops and edges of weight zero or less, which no heaviest
    matching needs.

    Parameters
    ----------
    name, parallel
        Of the method's runner.
    counters : tuple of {"scans", "rounds"}
        The counters that this method has; they become figures.
    build : callable
        ``build(raw, graph, result)`` makes the record.

    Returns
    -------
    MatchingResult
        `seconds` is the time of the native call alone.

    Raises
    ------
    Cancelled, DeviceError
    """
    mate, work = np.empty(graph.num_vertices, np.int32), Work()
    task, threads = Task(*csr(graph), mate, work), context.workers if parallel else 1
    seconds, raw = call(
        name, task, graph, threads=threads, cancel=context.cancel, **context.recorded
    )
    figures = {counter: getattr(work, counter) for counter in counters}
    result = make_result(
        name,
        graph,
        mate,
        seconds,
        device=describe_cpu(threads),
        params={"threads": threads},
        figures=figures,
    )
    if raw is None:
        return result
    return dataclasses.replace(result, record=build(raw, graph, result))


def build_record(
    gain_share: float, raw: RawRecord, graph: Graph, result: MatchingResult
) -> Record | None:
    """Make the record of a method; see :func:`gpucore.families.matching.record.matching_record`."""
    return matching_record(
        raw,
        graph,
        suitor=result.mate,
        bid=weights_of_mates(graph, result.mate),
        gain_share=gain_share,
        **about(result),
    )


def make_result(
    name: str,
    graph: Graph,
    mate: np.ndarray,
    seconds: float,
    *,
    device: dict[str, Any],
    params: dict[str, Any],
    figures: dict[str, Any] | None = None,
) -> MatchingResult:
    """Make a result from a mate array; weight and cardinality are computed here for all methods.

    Parameters
    ----------
    name, graph, seconds, device, params
        What ran, on what, for how long, where, and how.
    mate : ndarray of int32, shape (n,)
        Symmetric, -1 for unmatched.
    figures
        More figures of the run.
    """
    weight, cardinality = matching_weight(graph, mate)
    return MatchingResult(
        algorithm=name,
        device=device,
        seconds=seconds,
        figures={"weight": weight, "cardinality": cardinality} | (figures or {}),
        params=params,
        mate=mate,
    )


def matching_weight(graph: Graph, mate: np.ndarray) -> tuple[float, int]:
    """Return weight (float64 sum) and number of the pairs ``u < mate[u]`` that are edges."""
    weight, cardinality = ctypes.c_double(), ctypes.c_int64()
    mate = np.ascontiguousarray(mate, np.int32)
    task = _Weight(*csr(graph), mate, weight, cardinality)
    native.load().cpu_matching_weight(*task.as_arguments())
    return weight.value * graph.unit, cardinality.value
