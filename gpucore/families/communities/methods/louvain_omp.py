"""The Louvain method on several threads with the heuristics of Grappolo (louvain_omp.cpp)."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore import native
from gpucore.cpu.common import check_status, choose_threads, native_available, rows_of
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.first_stage import check_graph, fixed_point, with_both_ends
from gpucore.families.communities.native import (
    check_number,
    check_option,
    check_whole,
    run_native,
)
from gpucore.family import Method
from gpucore.params import check_flag
from gpucore.problems.graph.prepare import for_communities
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel

#: Kinds of colouring, numbered as in louvain_omp.cpp.
COLOURINGS = ("plain", "balanced", "none")

_ARRAY = ctypes.c_void_p


class _Task(ctypes.Structure):
    """``LouvainTask`` of parallel_phase.h."""

    _fields_ = (
        ("n", ctypes.c_int),
        ("indptr", _ARRAY),
        ("indices", _ARRAY),
        ("weights", _ARRAY),
        ("unit", ctypes.c_double),
        ("threads", ctypes.c_int),
        ("t_bin", ctypes.c_double),
        ("t_final", ctypes.c_double),
        ("bin_vertices", ctypes.c_longlong),
        ("colouring", ctypes.c_int),
        ("follow", ctypes.c_int),
        ("resolution", ctypes.c_double),
        ("max_sweeps", ctypes.c_longlong),
        ("cancel", ctypes.POINTER(ctypes.c_int)),
    )


def run(
    graph: Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    colouring: str = "plain",
    follow: bool = True,
    t_bin: float = 1e-2,
    t_final: float = 1e-6,
    bin_vertices: int = 100_000,
    resolution: float = 1.0,
    max_sweeps: int = 1000,
) -> CommunityResult:
    """Return the hierarchy of communities; the same for any number of threads.

    The result is the same since weights are integers in fixed point, vertices that move at the same
    time decide from one state, and the colouring does not depend on the threads.

    Parameters
    ----------
    graph : Graph
        Weights of at least 0.
    threads : int, optional
        Number of threads; default: one for each core.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.
    colouring : {"plain", "balanced", "none"}
        In stages of more than `bin_vertices` vertices the classes of a distance-1 colouring move
        one after the other: as the greedy method colours; with classes of like size; or not at all.
    follow : bool
        Before the first stage, vertices with a single neighbour join it.
    t_bin, t_final : float
        A sweep that gains less modularity ends a stage of more than `bin_vertices` vertices, or of
        the others; a stage that gains less than `t_final` is the last one.  Both are absolute.
    bin_vertices : int
        See above.
    resolution : float
        Factor of the expected weight in modularity.
    max_sweeps : int
        Most sweeps of one stage.

    Returns
    -------
    CommunityResult
        Stages have ``colours`` and ``first_sweep_seconds``.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError

    References
    ----------
    .. [1] H. Lu, M. Halappanavar, A. Kalyanaraman, "Parallel heuristics for scalable community
       detection", Parallel Computing 47 (2015), sections 4 and 5 (the program Grappolo).

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> run(Graph.from_edges(6, [0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])).num_communities
    2
    """
    workers = choose_threads(threads)
    params: dict[str, Any] = {
        "colouring": check_option("colouring", colouring, COLOURINGS),
        "follow": check_flag("follow", follow),
        "t_bin": check_number("t_bin", t_bin, positive=False),
        "t_final": check_number("t_final", t_final, positive=False),
        "bin_vertices": check_whole("bin_vertices", bin_vertices),
        "resolution": check_number("resolution", resolution, positive=True),
        "max_sweeps": check_whole("max_sweeps", max_sweeps),
    }
    prepared = for_communities(graph)
    check_graph(prepared)
    _, unit = fixed_point(with_both_ends(prepared)[0])

    def call(function: Any, flag: ctypes.c_int, found: ctypes.c_void_p) -> int:
        task = _Task(
            *(argument.value for argument in rows_of(prepared)),
            unit,
            workers,
            t_bin,
            t_final,
            bin_vertices,
            COLOURINGS.index(colouring),
            follow,
            resolution,
            max_sweeps,
            ctypes.pointer(flag),
        )
        return int(function(ctypes.byref(task), found))

    return run_native(
        "louvain_omp",
        prepared,
        cancel,
        call,
        params,
        threads=workers,
        record=record,
        record_budget=record_budget,
    )


def colours_of(graph: Graph, *, balanced: bool = False, threads: int | None = None) -> np.ndarray:
    """Return the distance-1 colouring that the method uses; int32, shape (n,).

    Parameters
    ----------
    graph : Graph
        The graph; loops do not count.
    balanced : bool
        Whether classes are made alike in size.
    threads : int, optional
        Number of threads; default: one for each core.

    Raises
    ------
    ParameterError, DeviceError
    """
    workers = choose_threads(threads)
    colours = np.zeros(graph.num_vertices, np.int32)
    n, indptr, indices, _ = rows_of(graph)
    status = native.load().cpu_louvain_colours(
        n, indptr, indices, int(balanced), workers, None, ctypes.c_void_p(colours.ctypes.data)
    )
    check_status("louvain_omp", graph, workers, status)
    return colours


METHOD = Method(
    name="louvain_omp",
    title="Louvain, multicore",
    source="Lu, Halappanavar and Kalyanaraman, Parallel Computing 2015 (Grappolo)",
    run=run,
    available=native_available,
    certify=partial(certify_result, rising=True),
    records=True,
    parallel=True,
)
