"""Shared by the CPU methods for communities: the native call, the hierarchy, the result."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gpucore import native
from gpucore.cpu.call import attend, filled
from gpucore.cpu.common import describe_cpu
from gpucore.cpu.task import Report, arguments, csr, layout, struct
from gpucore.errors import DeviceError
from gpucore.families.communities.cpu_record import record_of
from gpucore.families.communities.modularity import adjacency
from gpucore.families.communities.modularity import modularity as modularity_of
from gpucore.families.communities.partitions import canonical_labels
from gpucore.families.communities.result import CommunityResult

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.runner import Context


class _Stage(Report):
    """``StageReport`` of louvain.h."""

    _fields_ = layout(
        "int64 vertices entries sweeps communities, float64 threshold modularity "
        "optimise_seconds contract_seconds first_sweep_seconds, int64 colours"
    )


class _Step(Report):
    """``StepReport`` of louvain.h."""

    _fields_ = layout("int64 level sweep bucket vertices entries taken_back")


_Leiden = arguments(
    "cpu_leiden_serial",
    "graph, float64 threshold resolution theta, uint64 seed, cancel, void* found",
)
_Adaptive = arguments(
    "cpu_louvain_adaptive",
    "graph, float64 t_bin t_final, int64 bin_vertices, int32 relative with_edges, "
    "float64 resolution, cancel, void* found",
)
_Serial = arguments(
    "cpu_louvain_serial",
    "graph, float64 threshold, int32 relative, float64 resolution, int32 start, cancel, "
    "void* found",
)
_Task = struct(
    "LouvainTask",
    "graph, float64 unit, threads, float64 t_bin t_final, int64 bin_vertices, "
    "int32 colouring follow, float64 resolution, int64 max_sweeps, cancel",
)
_Omp = arguments("cpu_louvain_omp", "Task* task, void* found", Task=_Task)


def run_native(
    name: str,
    graph: Graph,
    values: tuple[Any, ...],
    params: Any,
    context: Context,
    *,
    parallel: bool = False,
    refined: bool = False,
) -> CommunityResult:
    """Run the native method ``cpu_<name>``.

    Parameters
    ----------
    name : str
        Name of the method's runner.
    graph : Graph
        Weights of at least 0.
    values : tuple
        What the function gets between the graph and the result, as its declaration has it.
    params : MethodParams
        The method's parameters, for the result.
    context : Context
        Of the run.
    parallel : bool
        Whether the method runs on several threads.
    refined : bool
        Every stage divides communities into parts before it contracts them, as Leiden does.

    Returns
    -------
    CommunityResult
        `seconds` is the time of the native call alone.

    Raises
    ------
    Cancelled, DeviceError
    """
    threads = context.workers if parallel else 1
    library = native.load()
    library.cpu_louvain_new.restype = ctypes.c_void_p
    found = ctypes.c_void_p(library.cpu_louvain_new())
    if found.value is None:
        raise DeviceError(f"{name} found no memory; close something")

    def started(flag: ctypes.c_int, recording: int | None) -> int:
        if recording is not None:
            library.cpu_louvain_record(found, ctypes.c_void_p(recording))
        if parallel:
            task = _Task(*csr(graph), *values)
            filled(task, threads, flag)
            given = _Omp(task, found).as_arguments()
        else:
            given = filled(_SERIAL[name](*csr(graph), *values, found), 1, flag)
        return int(getattr(library, f"cpu_{name}")(*given))

    try:
        seconds, raw = attend(
            name,
            started,
            graph,
            threads=threads,
            cancel=context.cancel,
            record=context.record,
            budget=context.record_budget,
        )
        library.cpu_louvain_modularity.restype = ctypes.c_double
        reached = float(library.cpu_louvain_modularity(found))
        levels, stages = _levels(library, found), _reports(library, found, "stage", _Stage)
        if refined:
            stages = [{**stage, "given_up": False} for stage in stages]
        steps = _reports(library, found, "step", _Step) if raw is not None else []
    finally:
        library.cpu_louvain_delete(found)
    result = make_result(
        name,
        graph,
        levels,
        seconds,
        modularity=reached,
        params=dataclasses.asdict(params),
        threads=threads,
        figures={"sweeps": sum(stage["sweeps"] for stage in stages), "stages": stages},
    )
    if raw is None:
        return result
    return dataclasses.replace(result, record=record_of(raw, graph, result, steps))


_SERIAL = {
    "leiden_serial": _Leiden,
    "louvain_adaptive": _Adaptive,
    "louvain_serial": _Serial,
}


def _levels(library: ctypes.CDLL, found: ctypes.c_void_p) -> tuple[np.ndarray, ...]:
    library.cpu_louvain_levels.restype = library.cpu_louvain_level.restype = ctypes.c_longlong
    levels = []
    for i in range(library.cpu_louvain_levels(found)):
        place = ctypes.c_longlong(i)
        level = np.empty(library.cpu_louvain_level(found, place, None), np.int32)
        library.cpu_louvain_level(found, place, ctypes.c_void_p(level.ctypes.data))
        levels.append(level)
    return tuple(levels)


def _reports(
    library: ctypes.CDLL, found: ctypes.c_void_p, what: str, kind: type[Report]
) -> list[dict[str, Any]]:
    """Return all reports on a stage or a step."""
    count = getattr(library, f"cpu_louvain_{what}s")
    count.restype = ctypes.c_longlong
    reports = [kind() for _ in range(count(found))]
    for i, report in enumerate(reports):
        getattr(library, f"cpu_louvain_{what}")(found, ctypes.c_longlong(i), ctypes.byref(report))
    return [report.as_dict() for report in reports]


def hierarchy(memberships: Sequence[ArrayLike]) -> tuple[np.ndarray, ...]:
    """Turn communities of every vertex, level by level, into maps from each level to the next.

    Examples
    --------
    >>> [level.tolist() for level in hierarchy([[5, 5, 1, 1], [3, 3, 3, 3]])]
    [[0, 0, 1, 1], [0, 0]]
    """
    levels = []
    below: np.ndarray | None = None
    for membership in memberships:
        labels = canonical_labels(membership)
        if below is None:
            levels.append(labels)
        else:
            mapping = np.empty(int(below.max(initial=-1)) + 1, np.int32)
            mapping[below] = labels
            levels.append(mapping)
        below = labels
    return tuple(levels)


def make_result(
    name: str,
    graph: Graph,
    levels: tuple[np.ndarray, ...],
    seconds: float,
    *,
    params: dict[str, Any],
    modularity: float | None = None,
    threads: int = 1,
    figures: dict[str, Any] | None = None,
    versions: dict[str, str] | None = None,
) -> CommunityResult:
    """Make a result from a hierarchy.

    Parameters
    ----------
    name, graph, seconds, params, threads
        What ran, on what, for how long, how, on how many threads.
    levels : tuple of ndarray of int32
        See :class:`gpucore.families.communities.result.CommunityResult`; none: every vertex alone.
    modularity : float, optional
        As the method reports it; computed here if it does not.
    figures, versions
        More figures of the run, and versions of the libraries that did it.
    """
    community = np.arange(graph.num_vertices, dtype=np.int32)
    for level in levels:
        community = level[community]
    if modularity is None:
        labels, resolution = community.astype(np.int64), float(params["resolution"])
        modularity = modularity_of(adjacency(graph), labels, resolution)
    return CommunityResult(
        algorithm=name,
        device=describe_cpu(threads) | (versions or {}),
        seconds=seconds,
        figures={
            "modularity": modularity,
            "communities": int(community.max(initial=-1)) + 1,
            "levels": len(levels),
        }
        | (figures or {}),
        params=params | {"threads": threads},
        community=community,
        levels=levels,
    )
