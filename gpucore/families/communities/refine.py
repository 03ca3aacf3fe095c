"""Refinement: after the last stage, single vertices of the given graph move again.

A stage moves whole communities of the stage before, so a vertex that was joined early to the wrong
ones stays there.  Going back to the given graph with the last partition lets it leave (Rotta and
Noack, "Multilevel local search algorithms for modularity clustering", 2011; "PLMR" of Staudt and
Meyerhenke, "Engineering parallel algorithms for community detection in massive networks", 2016).
Few sweeps suffice, so the stages before may end early.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.families.communities.fast import FastPhase
from gpucore.families.communities.fast_contract import numbered
from gpucore.families.communities.fast_state import THREADS

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The sweeps of a refinement count from here: it begins with moves in both directions.
BEGINS = 2
#: Lanes of a vertex of at most 128 edges, where the weight inside communities is summed.
LANES = 8


def refine(phase: FastPhase, levels: Sequence[Any], reached: float) -> tuple[Any, int, float]:
    """Move single vertices of the given graph between the communities that were found.

    Parameters
    ----------
    phase : FastPhase
        The first stage's; its partition is overwritten.
    levels : sequence of array of int32
        The hierarchy that was found, at least one level.
    reached : float
        Its modularity.

    Returns
    -------
    mapping : array of int32, shape (n,)
        Community of every vertex, 0 to k - 1.
    sweeps : int
        Number of sweeps.
    modularity : float
        Of the new partition, from exact sums.
    """
    xp = phase.run.device.xp
    found = levels[0]
    for mapping in levels[1:]:
        found = mapping[found]
    member = xp.empty(phase.stage.n, dtype=xp.int32)
    # One member gives its community the number; which one does not matter.
    member[found] = xp.arange(phase.stage.n, dtype=xp.int32)
    phase.community = member[found]
    phase.total = totals(phase)
    phase.begins = BEGINS
    sweeps = phase.optimise(reached, phase.run.params.t_final)
    mapping, total = numbered(phase)
    return mapping, sweeps, modularity(phase, total)


def totals(phase: FastPhase) -> Any:
    """Return the strength of every community by its number; array of uint64, shape (n,)."""
    run, n = phase.run, phase.stage.n
    total = run.device.xp.zeros(n, dtype=run.device.xp.uint64)
    kernel = run.device.kernel("louvain_fast_refine", "fast_total")
    kernel(-(-n // 256), 256, [n, phase.community, phase.strength, total])
    return total


def modularity(phase: FastPhase, total: Any) -> float:
    """Return the modularity of a phase's partition, whose communities have these strengths."""
    run, order = phase.run, phase.order
    device, two_m = run.device, run.two_m
    inside = device.xp.zeros(1, dtype=device.xp.uint64)
    begin, middle, end = order.first[1], order.first[6], order.first[8]
    blocks = -(-(middle - begin) * LANES // THREADS)
    if end > begin:
        device.kernel("louvain_fast_refine", "fast_inside")(
            blocks + end - middle,
            THREADS,
            [order.vertices, begin, middle, blocks, *phase.stage.args, phase.community, inside],
        )
    expected = float(((total / two_m) ** 2).sum())
    return int(device.to_host(inside)[0]) / two_m - run.params.resolution * expected
