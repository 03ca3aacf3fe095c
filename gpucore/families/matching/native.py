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
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel
    from gpucore.record import RawRecord, Record

    BuildRecord = Callable[[RawRecord, Graph, MatchingResult], Record | None]


class _Work(Report):
    """The counters of matching.h."""

    _fields_ = layout("int64 scans rounds")


#: The parameters of every method, this one and others.
_Task = arguments(
    "cpu_greedy", "graph, threads, cancel, int32[] mate, Work* work, recording", Work=_Work
)
_Weight = arguments(
    "cpu_matching_weight", "graph, int32[] mate, float64* weight, int64* cardinality"
)


def run_native(
    name: str,
    graph: Graph,
    threads: int,
    cancel: Cancel | None,
    work: tuple[str, ...] = (),
    *,
    record: str = "off",
    record_budget: int = BUDGET,
    build: BuildRecord | None = None,
) -> MatchingResult:
    """Run the native method ``cpu_<name>``.

    The native methods leave out self-loops and edges of weight zero or less, which no heaviest
    matching needs.

    Parameters
    ----------
    name : str
        Name of the method's runner.
    graph : Graph
        The problem.
    threads : int
        How many threads to run, the caller's included.
    cancel : Cancel or None
        Checked while the method runs.
    work : tuple of {"scans", "rounds"}
        The counters that this method has; they become figures.
    record, record_budget
        As for :func:`gpucore.run`.
    build : callable, optional
        ``build(raw, graph, result)`` makes the record; by default that of a matching whose edges
        are each matched once.

    Returns
    -------
    MatchingResult
        `seconds` is the time of the native call alone.

    Raises
    ------
    Cancelled, DeviceError
    """
    mate, counters = np.empty(graph.num_vertices, np.int32), _Work()
    seconds, raw = call(
        name,
        _Task(*csr(graph), mate, counters),
        graph,
        threads=threads,
        cancel=cancel,
        record=record,
        record_budget=record_budget,
    )
    figures = {counter: getattr(counters, counter) for counter in work}
    result = make_result(name, graph, mate, seconds, threads=threads, figures=figures)
    if raw is None:
        return result
    return dataclasses.replace(result, record=(build or build_record)(raw, graph, result))


def build_record(
    raw: RawRecord, graph: Graph, result: MatchingResult, gain_share: float = 1.0
) -> Record | None:
    """Make the record of a method; see :func:`gpucore.families.matching.record.matching_record`."""
    return matching_record(
        raw,
        graph,
        algorithm=result.algorithm,
        params=result.params,
        device=result.device,
        suitor=result.mate,
        bid=weights_of_mates(graph, result.mate),
        gain_share=gain_share,
    )


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
    """Make a result from a mate array; weight and cardinality are computed here for all methods.

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
        device=describe_cpu(threads) | (versions or {}),
        seconds=seconds,
        figures={"weight": weight, "cardinality": cardinality} | (figures or {}),
        params={"threads": threads},
        mate=mate,
    )


def matching_weight(graph: Graph, mate: np.ndarray) -> tuple[float, int]:
    """Return weight (float64 sum) and number of the pairs ``u < mate[u]`` that are edges."""
    weight, cardinality = ctypes.c_double(), ctypes.c_int64()
    mate = np.ascontiguousarray(mate, np.int32)
    task = _Weight(*csr(graph), mate, weight, cardinality)
    native.load().cpu_matching_weight(*task.as_arguments())
    return weight.value * graph.unit, cardinality.value
