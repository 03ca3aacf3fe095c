"""Hopcroft and Karp's algorithm for bipartite matching (hopcroft_karp.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.cpu.common import native_available
from gpucore.families.bipartite.certificate import certify_result
from gpucore.families.bipartite.native import run_native
from gpucore.family import Method
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.families.bipartite.initial_matching import Initial
    from gpucore.families.bipartite.result import BipartiteResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel


def run(
    graph: Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    initial: Initial = "cheap",
) -> BipartiteResult:
    """Return a matching of maximum cardinality.

    Every phase searches in breadth from all unmatched columns, level by level up to the first one
    with an unmatched row, and then in depth for a maximal set of disjoint shortest paths. It is
    the method "HK" that the Euro-Par 2013 paper (section 2) builds on and compares with, without
    lookahead.

    Parameters
    ----------
    graph : BipartiteGraph
        The rows and columns to match.
    threads : int, optional
        Not used: one thread.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.
    initial : {"cheap", "none"} or array_like of int, shape (rows,)
        Begin with the cheap matching, in which every column takes its first free row, with the
        empty matching, or with a given one: the column of each row, -1 for none.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError

    References
    ----------
    .. [1] J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite
       graphs", SIAM Journal on Computing 2(4), 1973.
    .. [2] I. S. Duff, K. Kaya, B. Uçar, "Design, implementation, and analysis of maximum
       transversal algorithms", ACM Transactions on Mathematical Software 38(2), 2011.

    Examples
    --------
    >>> from gpucore.problems.bipartite.graph import BipartiteGraph
    >>> result = run(BipartiteGraph.from_matrix([[1, 1], [1, 0]]))
    >>> result.row_match.tolist(), result.figures["phase_paths"]
    ([1, 0], [1])
    """
    return run_native(
        "hopcroft_karp", graph, cancel, initial, record=record, record_budget=record_budget
    )


METHOD = Method(
    name="hopcroft_karp",
    title="Hopcroft-Karp",
    source="Hopcroft and Karp, SIAM J. Comput. 2(4), 1973; Duff, Kaya and Uçar, TOMS 38(2), 2011",
    run=run,
    available=native_available,
    certify=certify_result,
    records=True,
)
