"""Duff and Wiberg's variant of Hopcroft and Karp's algorithm (hkdw.cpp)."""

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

    A phase is that of :mod:`gpucore.families.bipartite.methods.hopcroft_karp`, followed by searches
    in depth from the rows that are still unmatched, which find paths of any length (Euro-Par 2013,
    section 2: "HKDW"). These searches take every column at most once a phase, so a phase remains
    linear in the entries. They look ahead and alternate the order of the lists as
    :mod:`gpucore.families.bipartite.methods.pothen_fan` does. Most matrices need fewer phases than
    Hopcroft-Karp; uniform random ones with about three entries a row need more.

    Parameters
    ----------
    graph, threads, cancel, record, record_budget, initial
        As in :func:`gpucore.families.bipartite.methods.hopcroft_karp.run`.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError

    References
    ----------
    .. [1] I. S. Duff, T. Wiberg, "Remarks on implementations of O(n^(1/2) τ) assignment
       algorithms", ACM Transactions on Mathematical Software 14(3), 1988.
    .. [2] I. S. Duff, K. Kaya, B. Uçar, "Design, implementation, and analysis of maximum
       transversal algorithms", ACM Transactions on Mathematical Software 38(2), 2011.
    """
    return run_native(
        "hkdw", graph, cancel, initial, both_sides=True, record=record, record_budget=record_budget
    )


METHOD = Method(
    name="hkdw",
    title="Hopcroft-Karp-Duff-Wiberg",
    source="Duff and Wiberg, ACM TOMS 14(3), 1988; Duff, Kaya and Uçar, ACM TOMS 38(2), 2011",
    run=run,
    available=native_available,
    certify=certify_result,
    records=True,
)
