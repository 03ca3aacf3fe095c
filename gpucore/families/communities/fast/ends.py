"""When the sweeps of a stage end, and when the stages do.

Kernels follow the same rules (``families/communities/kernels/louvain_fast_judge.cuh``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.families.communities.fast.sizes import TINY

if TYPE_CHECKING:
    from gpucore.families.communities.stage import Run

#: Most sweeps of a stage, since later stages and refinement make the other moves; and where
#: quality matters more: of a tiny graph.
MAX_SWEEPS, MOST_SWEEPS = 8, 64
#: Most sweeps of a later stage of more entries. A sweep over so many takes long, and contraction
#: did not make the graph much smaller: R-MAT. Hubs wait for its second sweep, when most of the
#: vertices that can join them have done so.
LARGE_ENTRIES, LARGE_SWEEPS = 1 << 24, 4
#: The first stage ends after one sweep that gains less than the threshold; in a graph of at most so
#: many entries a vertex, less than so many times the threshold.  There contraction makes the graph
#: much smaller, and a sweep of the next stage costs less; elsewhere each sweep lets the hubs take
#: more, and what is left after few of them is as dense as before
#: (``benchmarks/results/unseen-h200/choices.json``).
SPARSE, SPARSE_FACTOR, FIRST_PATIENCE = 16, 10, 1
#: Sweeps in a row that gain little, after which the phase ends.
PATIENCE = 2
#: In later stages, sweeps gain little that add less than this share of what the stage has gained
#: (``benchmarks/results/unseen-h200/sooner.json``).
EARLY = 0.05
#: A stage that adds less than this share of the modularity is the last one, but of a tiny graph.
#: One of "leiden" may add little, and those that follow more, since they begin with its parts
#: (``benchmarks/results/unseen-h200/last_shares.json``).
LAST_SHARES = {"fast": 0.002, "leiden": 0.0002}
#: Most sweeps of a pass over all vertices, see :meth:`FastPhase.sweep_all`.  With 32 a network of
#: 1.4 million edges took an H200 28 ms, with 64 it took 18: finer sweeps, each of which takes
#: several times as long, follow less often (``benchmarks/results/unseen-h200/settling.json``).
PASS_SWEEPS = 64


def later_limits(run: Run, threshold: float) -> list[Any]:
    """Return when the sweeps of a later stage end, as :meth:`Run.limits` does."""
    relative = run.params.rules.thresholds == "relative"
    return run.limits(max(EARLY, threshold) if relative else threshold)


def last_share(run: Run) -> float:
    """Return the share of the modularity that a stage has to add, so that another follows."""
    relative = run.params.rules.thresholds == "relative"
    return LAST_SHARES.get(run.params.variant, 0.0) if relative and run.size >= TINY else 0.0


def gains_little(run: Run, gained: float, threshold: float, now: float, *, final: bool) -> bool:
    """Return whether a stage has gained so little that it is the last one with its threshold."""
    least = max(threshold, last_share(run)) if final else threshold
    return gained < run.params.rules.of_stage(least, now)


def first_factor(n: int, entries: int) -> float:
    """Return what the threshold of the first stage's sweeps is multiplied by."""
    return float(SPARSE_FACTOR) if entries <= SPARSE * n else 1.0
