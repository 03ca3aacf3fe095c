"""Pothen and Fan's algorithm with lookahead and fairness (pothen_fan.cpp)."""

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

    Every phase searches in depth from each unmatched column and enters a column at most once. A
    column that is entered looks ahead for an unmatched row; in every other phase the lists are
    read backwards. It is the method "PFP" that the Euro-Par 2013 paper compares with. Its worst
    case is slower than that of :mod:`gpucore.families.bipartite.methods.hopcroft_karp`, but on
    most matrices it is not slower.

    Parameters
    ----------
    graph, threads, cancel, record, record_budget, initial
        As in :func:`gpucore.families.bipartite.methods.hopcroft_karp.run`.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError

    References
    ----------
    .. [1] A. Pothen, C.-J. Fan, "Computing the block triangular form of a sparse matrix", ACM
       Transactions on Mathematical Software 16(4), 1990.
    .. [2] I. S. Duff, K. Kaya, B. Uçar, "Design, implementation, and analysis of maximum
       transversal algorithms", ACM Transactions on Mathematical Software 38(2), 2011.
    """
    return run_native(
        "pothen_fan",
        graph,
        cancel,
        initial,
        in_levels=False,
        record=record,
        record_budget=record_budget,
    )


METHOD = Method(
    name="pothen_fan",
    title="Pothen-Fan with fairness",
    source="Pothen and Fan, ACM TOMS 16(4), 1990; Duff, Kaya and Uçar, ACM TOMS 38(2), 2011",
    run=run,
    available=native_available,
    certify=certify_result,
    records=True,
)
