"""Shared by the CPU methods for communities: the native call, the hierarchy, the result."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gpucore import native
from gpucore.cpu.call import attend
from gpucore.cpu.common import describe_cpu, rows_of
from gpucore.cpu.task import Report, layout
from gpucore.errors import DeviceError, ParameterError
from gpucore.families.communities.cpu_record import record_of
from gpucore.families.communities.partitions import canonical_labels
from gpucore.families.communities.result import CommunityResult
from gpucore.params import check_word, is_number, is_whole
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel


class _Stage(Report):
    """``StageReport`` of louvain.h."""

    _fields_ = layout(
        "int64 vertices entries sweeps communities, float64 threshold modularity "
        "optimise_seconds contract_seconds first_sweep_seconds, int64 colours"
    )


class _Step(Report):
    """``StepReport`` of louvain.h."""

    _fields_ = layout("int64 level sweep bucket vertices entries taken_back")


def run_native(
    name: str,
    graph: Graph,
    cancel: Cancel | None,
    call: Callable[[Any, ctypes.c_int, ctypes.c_void_p], int],
    params: dict[str, Any],
    *,
    threads: int = 1,
    record: str = "off",
    record_budget: int = BUDGET,
    refined: bool = False,
) -> CommunityResult:
    """Run the native method ``cpu_<name>``.

    Parameters
    ----------
    name : str
        Name of the method's runner.
    graph : Graph
        Weights of at least 0.
    cancel : Cancel or None
        Checked while the method runs.
    call : callable
        Calls the function with the flag to cancel and the place of the result; returns its status.
    params : dict
        The method's parameters, for the result.
    threads : int
        Threads of the method.
    record, record_budget
        As for :func:`gpucore.run`.
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
    library = native.load()
    library.cpu_louvain_new.restype = ctypes.c_void_p
    found = ctypes.c_void_p(library.cpu_louvain_new())
    if found.value is None:
        raise DeviceError(f"{name} found no memory; close something")

    def started(flag: ctypes.c_int, recording: int | None) -> int:
        if recording is not None:
            library.cpu_louvain_record(found, ctypes.c_void_p(recording))
        return call(getattr(library, f"cpu_{name}"), flag, found)

    try:
        seconds, raw = attend(
            name,
            started,
            graph,
            threads=threads,
            cancel=cancel,
            record=record,
            budget=record_budget,
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
        params=params,
        threads=threads,
        figures={"sweeps": sum(stage["sweeps"] for stage in stages), "stages": stages},
    )
    if raw is None:
        return result
    return dataclasses.replace(result, record=record_of(raw, graph, result, steps))


def serial(graph: Graph, *arguments: Any) -> Callable[[Any, ctypes.c_int, ctypes.c_void_p], int]:
    """Return the call of a method on one thread, for :func:`run_native`.

    `arguments` are those between the graph and the flag to cancel, as ctypes values.
    """

    def call(function: Any, flag: ctypes.c_int, found: ctypes.c_void_p) -> int:
        return int(function(*rows_of(graph), *arguments, ctypes.byref(flag), found))

    return call


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
        modularity = modularity_of(graph, community, float(params["resolution"]))
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


def modularity_of(graph: Graph, community: np.ndarray, resolution: float) -> float:
    """Return the modularity of a partition, edge by edge; 0 for a graph without weight."""
    (u, v, w), (at, loop) = graph.edges(), graph.loops()
    edges, loops = w.astype(np.float64), loop.astype(np.float64)
    totals = sum(
        np.bincount(community[end], weight, community.size)
        for end, weight in ((u, edges), (v, edges), (at, 2 * loops))
    )
    two_m = 2 * (edges.sum() + loops.sum())
    if two_m == 0.0:
        return 0.0
    inside = 2 * (edges[community[u] == community[v]].sum() + loops.sum())
    return float(inside / two_m - resolution * ((totals / two_m) ** 2).sum())


def check_number(name: str, value: float, *, positive: bool) -> float:
    """Return a parameter as a float, or raise ParameterError; thresholds reach up to 1."""
    number = is_number(value)
    if positive and not (number and 0 < value <= 1e6):
        raise ParameterError(f"{name} must be a number above 0, at most 1e6, not {value!r}")
    if not positive and not (number and 0 <= value <= 1):
        raise ParameterError(f"{name} must be a number from 0 to 1, not {value!r}")
    return float(value)


def check_option(name: str, value: str, known: tuple[str, ...]) -> str:
    """Return one of two words, or raise ParameterError; the second one is the flag 1."""
    return check_word("the Louvain method", name, value, known)


def check_whole(name: str, value: int) -> int:
    """Return a parameter as an int, or raise ParameterError unless it is an int of at least 0."""
    if not is_whole(value):
        raise ParameterError(f"{name} must be a whole number, not {value!r}")
    if not 0 <= value < 1 << 62:
        raise ParameterError(f"{name} must be at least 0 and below 2**62, not {value}")
    return int(value)
