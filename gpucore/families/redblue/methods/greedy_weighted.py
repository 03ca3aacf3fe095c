"""Greedy matching by decreasing weight, up to the last edge that fits (greedy.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.cpu.common import native_available
from gpucore.families.matching.native import run_native
from gpucore.families.redblue.certificate import certify_result
from gpucore.families.redblue.native import build_record
from gpucore.family import Method
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel


def run(
    graph: Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
) -> MatchingResult:
    """Return the maximal matching that takes heavier edges first: algorithm 2 of the paper.

    It is the greedy matching of :mod:`gpucore.families.matching.methods`, plus edges of weight zero
    or less that still fit.

    Parameters
    ----------
    graph : Graph
        The graph; loops are left out.
    threads : int, optional
        Not used: one thread.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.

    Raises
    ------
    Cancelled, DeviceError

    References
    ----------
    .. [1] B. O. Fagginger Auer, R. H. Bisseling, "A GPU algorithm for greedy graph matching",
       Facing the Multicore-Challenge II, 2012, section 2.1.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> run(Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2, 3, 2])).mate.tolist()
    [-1, 2, 1, -1]
    """
    return run_native(
        "greedy_weighted",
        graph,
        1,
        cancel,
        record=record,
        record_budget=record_budget,
        build=build_record,
    )


METHOD = Method(
    name="greedy_weighted",
    title="Greedy, by weight",
    source="Fagginger Auer and Bisseling, Multicore-Challenge II, 2012, algorithm 2",
    run=run,
    available=native_available,
    certify=certify_result,
    records=True,
)
