"""The methods on the processor: the paper's, and Leiden; each is the native function ``cpu_NAME``.

Examples
--------
>>> import gpucore
>>> graph = gpucore.Graph.from_edges(6, [0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
>>> gpucore.run("louvain_omp", graph).num_communities
2
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from gpucore.families.communities.certificate import certify_search
from gpucore.families.communities.first_stage import check_graph, fixed_point, with_both_ends
from gpucore.families.communities.native import run_native
from gpucore.families.communities.params import COLOURINGS, LouvainParams, MethodParams
from gpucore.families.communities.rules import COUNTED, THRESHOLDS
from gpucore.families.communities.starts import best_of
from gpucore.problems.graph.prepare import for_communities
from gpucore.runner import Context, Runner, native_runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class LeidenParams(MethodParams):
    """Parameters of the serial Leiden method."""

    threshold: float = LouvainParams.t_final
    resolution: float = 1.0
    theta: float = 0.0
    refine_seed: int = 0


@dataclass(frozen=True)
class AdaptiveParams(MethodParams):
    """Parameters of the serial Louvain method with an adaptive threshold."""

    t_bin: float = LouvainParams.t_bin
    t_final: float = LouvainParams.t_final
    bin_vertices: int = LouvainParams.bin_vertices
    thresholds: str = "absolute"
    counted: str = "all"
    resolution: float = 1.0


@dataclass(frozen=True)
class OmpParams(MethodParams):
    """Parameters of the Louvain method on several threads."""

    colouring: str = "plain"
    follow: bool = True
    t_bin: float = LouvainParams.t_bin
    t_final: float = LouvainParams.t_final
    bin_vertices: int = LouvainParams.bin_vertices
    resolution: float = 1.0
    max_sweeps: int = LouvainParams.max_sweeps


@dataclass(frozen=True)
class SerialParams(MethodParams):
    """Parameters of the serial Louvain method."""

    threshold: float = LouvainParams.t_final
    thresholds: str = "absolute"
    resolution: float = 1.0
    starts: int = 1


def _leiden(graph: Graph, p: LeidenParams, start: int) -> tuple[Any, ...]:
    return p.threshold, p.resolution, p.theta, p.refine_seed


def _adaptive(graph: Graph, p: AdaptiveParams, start: int) -> tuple[Any, ...]:
    words = THRESHOLDS.index(p.thresholds), COUNTED.index(p.counted)
    return p.t_bin, p.t_final, p.bin_vertices, *words, p.resolution


def _omp(graph: Graph, p: OmpParams, start: int) -> tuple[Any, ...]:
    check_graph(graph)
    _, unit = fixed_point(with_both_ends(graph)[0])
    colouring = COLOURINGS.index(p.colouring)
    limits = p.t_bin, p.t_final, p.bin_vertices
    return unit, *limits, colouring, p.follow, p.resolution, p.max_sweeps


def _serial(graph: Graph, p: SerialParams, start: int) -> tuple[Any, ...]:
    return p.threshold, THRESHOLDS.index(p.thresholds), p.resolution, start


def _run(
    name: str,
    values: Callable[[Graph, Any, int], tuple[Any, ...]],
    options: dict[str, bool],
    graph: Graph,
    params: MethodParams,
    context: Context,
) -> CommunityResult:
    """Run a method; `values` returns what its function gets between the graph and the result."""
    prepared = for_communities(graph)

    def search(start: int) -> CommunityResult:
        return run_native(
            name, prepared, values(prepared, params, start), params, context, **options
        )

    return best_of(getattr(params, "starts", 1), search)


def _method(
    name: str,
    title: str,
    source: str,
    params: type[MethodParams],
    values: Callable[[Graph, Any, int], tuple[Any, ...]],
    *,
    parallel: bool = False,
    refined: bool = False,
) -> Runner:
    options = {"parallel": parallel, "refined": refined}
    certify = partial(certify_search, rising=not refined, connected=refined)
    run = partial(_run, name, values, options)
    return native_runner(name, title, source, run, certify, params, parallel=parallel)


METHODS = (
    # Its hierarchy has the parts of the refinements, and last the communities.
    _method(
        "leiden_serial",
        "Leiden, serial",
        "Traag, Waltman and van Eck, Scientific Reports 9:5233 (2019)",
        LeidenParams,
        _leiden,
        refined=True,
    ),
    _method(
        "louvain_adaptive",
        "Louvain, serial, adaptive",
        "Naim, Manne, Halappanavar and Tumeo, IPDPS 2017, section V",
        AdaptiveParams,
        _adaptive,
    ),
    # The heuristics of Grappolo: H. Lu, M. Halappanavar, A. Kalyanaraman, "Parallel heuristics for
    # scalable community detection", Parallel Computing 47 (2015), sections 4 and 5. The result is
    # the same for any number of threads, since weights are integers in fixed point, vertices that
    # move at the same time decide from one state, and the colouring does not depend on the threads.
    # Its stages have ``colours`` and ``first_sweep_seconds``.
    _method(
        "louvain_omp",
        "Louvain, multicore",
        "Lu, Halappanavar and Kalyanaraman, Parallel Computing 2015 (Grappolo)",
        OmpParams,
        _omp,
        parallel=True,
    ),
    _method(
        "louvain_serial",
        "Louvain, serial",
        "Blondel, Guillaume, Lambiotte and Lefebvre, J. Stat. Mech. 2008",
        SerialParams,
        _serial,
    ),
)
