"""Greedy matching by decreasing weight, up to the last edge that fits (greedy.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.families.matching.native import run_native
from gpucore.families.redblue.certificate import certify_result
from gpucore.families.redblue.native import build_record
from gpucore.runner import Context, NoParams, native_runner

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph


def run(graph: Graph, params: NoParams, context: Context) -> MatchingResult:
    """Return the maximal matching that takes heavier edges first: algorithm 2 of the paper.

    It is the greedy matching of :mod:`gpucore.families.matching.methods`, plus edges of weight zero
    or less that still fit.

    Parameters
    ----------
    graph : Graph
        The graph; loops are left out.
    params : NoParams
    context : Context

    Raises
    ------
    Cancelled, DeviceError

    References
    ----------
    .. [1] B. O. Fagginger Auer, R. H. Bisseling, "A GPU algorithm for greedy graph matching",
       Facing the Multicore-Challenge II, 2012, section 2.1.

    Examples
    --------
    >>> import gpucore
    >>> path = gpucore.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2, 3, 2])
    >>> gpucore.run("greedy_weighted", path).mate.tolist()
    [-1, 2, 1, -1]
    """
    return run_native(
        "greedy_weighted", graph, 1, context.cancel, **context.recorded, build=build_record
    )


METHOD = native_runner(
    name="greedy_weighted",
    title="Greedy, by weight",
    source="Fagginger Auer and Bisseling, Multicore-Challenge II, 2012, algorithm 2",
    run=run,
    certify=certify_result,
)
