"""The paper's methods on the processor; each is the native function ``cpu_NAME``.

They are the methods that the Euro-Par 2013 paper compares with. All begin with an initial matching,
and end with one of maximum cardinality.

References
----------
.. [1] J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs",
   SIAM Journal on Computing 2(4), 1973.
.. [2] I. S. Duff, K. Kaya, B. Uçar, "Design, implementation, and analysis of maximum transversal
   algorithms", ACM Transactions on Mathematical Software 38(2), 2011.
.. [3] I. S. Duff, T. Wiberg, "Remarks on implementations of O(n^(1/2) τ) assignment algorithms",
   ACM Transactions on Mathematical Software 14(3), 1988.
.. [4] A. Pothen, C.-J. Fan, "Computing the block triangular form of a sparse matrix", ACM
   Transactions on Mathematical Software 16(4), 1990.
.. [5] A. Azad, M. Halappanavar, S. Rajamanickam, E. G. Boman, A. Khan, A. Pothen, "Multithreaded
   algorithms for maximum matching in bipartite graphs", IPDPS 2012.

Examples
--------
>>> import gpucore
>>> matrix = gpucore.BipartiteGraph.from_matrix([[1, 1], [1, 0]])
>>> result = gpucore.run("hopcroft_karp", matrix)
>>> result.row_match.tolist(), result.figures["phase_paths"]
([1, 0], [1])
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from gpucore.families.bipartite.certificate import certify_result
from gpucore.families.bipartite.native import run_native
from gpucore.runner import Context, Runner, native_runner

if TYPE_CHECKING:
    from gpucore.families.bipartite.initial_matching import Initial
    from gpucore.families.bipartite.result import BipartiteResult
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True, eq=False)
class MethodParams:
    """Parameters of a method on the processor.

    Attributes
    ----------
    initial : {"cheap", "none"} or array_like of int, shape (rows,)
        Begin with the cheap matching, in which every column takes its first free row, with the
        empty matching, or with a given one: the column of each row, -1 for none.
    """

    initial: Initial = "cheap"


def _run(
    name: str,
    parallel: bool,
    searches: dict[str, Any],
    graph: Graph,
    params: MethodParams,
    context: Context,
) -> BipartiteResult:
    threads = context.workers if parallel else 1
    return run_native(
        name, graph, context.cancel, params.initial, threads=threads, **searches, **context.recorded
    )


def _method(
    name: str, title: str, source: str, *, parallel: bool = False, **searches: Any
) -> Runner:
    run = partial(_run, name, parallel, searches)
    return native_runner(name, title, source, run, certify_result, MethodParams, parallel=parallel)


_AZAD = "Azad, Halappanavar, Rajamanickam, Boman, Khan and Pothen, IPDPS 2012"

METHODS = (
    # P-DBFS, the fastest multicore method of the paper: every thread grows a tree in breadth from
    # each unmatched column that it takes, up to the first unmatched row. The trees of a phase share
    # no vertex, so all paths are augmented at once.
    _method(
        "disjoint_bfs_omp",
        "P-DBFS, disjoint breadth-first searches",
        _AZAD,
        parallel=True,
        in_levels=False,
    ),
    # HKDW: a phase of Hopcroft and Karp, followed by searches in depth from the rows that are still
    # unmatched, which find paths of any length. These take every column at most once a phase, so a
    # phase remains linear in the entries; they look ahead and alternate the order of the lists.
    # Most matrices need fewer phases than HK; uniform random ones with three entries a row more.
    _method(
        "hkdw",
        "Hopcroft-Karp-Duff-Wiberg",
        "Duff and Wiberg, ACM TOMS 14(3), 1988; Duff, Kaya and Uçar, ACM TOMS 38(2), 2011",
        both_sides=True,
    ),
    # HK: every phase searches in breadth from all unmatched columns, level by level up to the first
    # one with an unmatched row, and then in depth for a maximal set of disjoint shortest paths,
    # without lookahead.
    _method(
        "hopcroft_karp",
        "Hopcroft-Karp",
        "Hopcroft and Karp, SIAM J. Comput. 2(4), 1973; Duff, Kaya and Uçar, TOMS 38(2), 2011",
    ),
    # P-HK: in a phase of HK all threads search one level after the other in breadth, then each in
    # depth from the unmatched columns that it takes.
    _method(
        "hopcroft_karp_omp",
        "P-HK, Hopcroft-Karp on several threads",
        _AZAD,
        parallel=True,
    ),
    # PFP: every phase searches in depth from each unmatched column and enters a column at most
    # once. A column that is entered looks ahead for an unmatched row; in every other phase the
    # lists are read backwards. Its worst case is slower than that of HK, most matrices are not.
    _method(
        "pothen_fan",
        "Pothen-Fan with fairness",
        "Pothen and Fan, ACM TOMS 16(4), 1990; Duff, Kaya and Uçar, ACM TOMS 38(2), 2011",
        in_levels=False,
    ),
    # P-PFP: every thread searches in depth from unmatched columns as PFP does, whose matching it
    # finds on one thread. In a phase one thread at most enters a row.
    _method(
        "pothen_fan_omp",
        "P-PFP, Pothen-Fan on several threads",
        _AZAD,
        parallel=True,
        in_levels=False,
    ),
)
