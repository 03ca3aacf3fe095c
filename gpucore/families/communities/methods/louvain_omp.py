"""The Louvain method on several threads with the heuristics of Grappolo (louvain_omp.cpp)."""

from __future__ import annotations

import ctypes
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore import native
from gpucore.cpu.common import check_status, choose_threads, rows_of
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.first_stage import check_graph, fixed_point, with_both_ends
from gpucore.families.communities.native import (
    check_number,
    check_option,
    check_whole,
    run_native,
)
from gpucore.families.communities.params import MOST_SWEEPS, LouvainParams
from gpucore.params import check_flag, settle
from gpucore.params import check_whole as check_range
from gpucore.problems.graph.prepare import for_communities
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph

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


@dataclass(frozen=True)
class OmpParams:
    """Parameters of the Louvain method on several threads.

    Attributes
    ----------
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
    """

    colouring: str = "plain"
    follow: bool = True
    t_bin: float = LouvainParams.t_bin
    t_final: float = LouvainParams.t_final
    bin_vertices: int = LouvainParams.bin_vertices
    resolution: float = 1.0
    max_sweeps: int = LouvainParams.max_sweeps

    def __post_init__(self) -> None:
        check_option("colouring", self.colouring, COLOURINGS)
        check_flag("follow", self.follow)
        settle(self, t_bin=check_number("t_bin", self.t_bin, positive=False))
        settle(self, t_final=check_number("t_final", self.t_final, positive=False))
        settle(self, bin_vertices=check_whole("bin_vertices", self.bin_vertices))
        settle(self, resolution=check_number("resolution", self.resolution, positive=True))
        check_range("max_sweeps", self.max_sweeps, 0, MOST_SWEEPS)


def run(graph: Graph, params: OmpParams, context: Context) -> CommunityResult:
    """Return the hierarchy of communities; the same for any number of threads.

    The result is the same since weights are integers in fixed point, vertices that move at the same
    time decide from one state, and the colouring does not depend on the threads.

    Parameters
    ----------
    graph : Graph
        Weights of at least 0.
    params : OmpParams
    context : Context

    Returns
    -------
    CommunityResult
        Stages have ``colours`` and ``first_sweep_seconds``.

    Raises
    ------
    GraphError, Cancelled, DeviceError

    References
    ----------
    .. [1] H. Lu, M. Halappanavar, A. Kalyanaraman, "Parallel heuristics for scalable community
       detection", Parallel Computing 47 (2015), sections 4 and 5 (the program Grappolo).

    Examples
    --------
    >>> import gpucore
    >>> graph = gpucore.Graph.from_edges(6, [0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> gpucore.run("louvain_omp", graph).num_communities
    2
    """
    workers = context.workers
    prepared = for_communities(graph)
    check_graph(prepared)
    _, unit = fixed_point(with_both_ends(prepared)[0])

    def call(function: Any, flag: ctypes.c_int, found: ctypes.c_void_p) -> int:
        task = _Task(
            *(argument.value for argument in rows_of(prepared)),
            unit,
            workers,
            params.t_bin,
            params.t_final,
            params.bin_vertices,
            COLOURINGS.index(params.colouring),
            params.follow,
            params.resolution,
            params.max_sweeps,
            ctypes.pointer(flag),
        )
        return int(function(ctypes.byref(task), found))

    return run_native(
        "louvain_omp",
        prepared,
        context.cancel,
        call,
        asdict(params),
        threads=workers,
        **context.recorded,
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


METHOD = native_runner(
    name="louvain_omp",
    title="Louvain, multicore",
    source="Lu, Halappanavar and Kalyanaraman, Parallel Computing 2015 (Grappolo)",
    run=run,
    certify=partial(certify_result, rising=True),
    params=OmpParams,
    parallel=True,
)
