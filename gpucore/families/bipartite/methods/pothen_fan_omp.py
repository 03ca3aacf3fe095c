"""Pothen and Fan's algorithm on several threads, P-PFP (pothen_fan_omp.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.cpu.common import choose_threads, native_available
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

    Every thread searches in depth from unmatched columns, with the lookahead and the fairness of
    :mod:`gpucore.families.bipartite.methods.pothen_fan`, whose matching it finds on one thread. In
    a phase one thread at most enters a row. It is the method "P-PFP" that the Euro-Par 2013 paper
    compares with.

    Parameters
    ----------
    graph, cancel, record, record_budget, initial
        As in :func:`gpucore.families.bipartite.methods.hopcroft_karp.run`.
    threads : int, optional
        Threads; all cores by default. The cardinality does not depend on it, the matching may.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError

    References
    ----------
    .. [1] A. Azad, M. Halappanavar, S. Rajamanickam, E. G. Boman, A. Khan, A. Pothen,
       "Multithreaded algorithms for maximum matching in bipartite graphs", IPDPS 2012.
    """
    return run_native(
        "pothen_fan_omp",
        graph,
        cancel,
        initial,
        threads=choose_threads(threads),
        in_levels=False,
        record=record,
        record_budget=record_budget,
    )


METHOD = Method(
    name="pothen_fan_omp",
    title="P-PFP, Pothen-Fan on several threads",
    source="Azad, Halappanavar, Rajamanickam, Boman, Khan and Pothen, IPDPS 2012",
    run=run,
    available=native_available,
    certify=certify_result,
    records=True,
    parallel=True,
)
