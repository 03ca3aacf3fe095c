"""Refinement: after the last stage, single vertices of the given graph move again.

A stage moves whole communities of the stage before, so a vertex that was joined early to the wrong
ones stays there.  Going back to the given graph with the last partition lets it leave (Rotta and
Noack, "Multilevel local search algorithms for modularity clustering", 2011; "PLMR" of Staudt and
Meyerhenke, "Engineering parallel algorithms for community detection in massive networks", 2016).
Few sweeps suffice, so the stages before may end early.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gpucore.families.communities.fast import FastPhase
from gpucore.families.communities.fast_contract import number
from gpucore.families.communities.fast_state import THREADS

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The sweeps of a refinement count from here: it begins with moves in both directions.
BEGINS = 2
#: Lanes of a vertex of at most 128 edges, where the weight inside communities is summed.
LANES = 8


class Refined(NamedTuple):
    """What refinement found.

    Attributes
    ----------
    mapping : array of int32, shape (n,)
        Community of every vertex, 0 to `communities` - 1.
    communities, sweeps : int
        Their number, and the number of sweeps.
    modularity : float
        Of the new partition, from exact sums.
    """

    mapping: Any
    communities: int
    sweeps: int
    modularity: float


def refine(phase: FastPhase, levels: Sequence[Any], reached: float) -> Refined:
    """Move single vertices of the given graph between the communities that were found.

    Parameters
    ----------
    phase : FastPhase
        The first stage's; its partition is overwritten.
    levels : sequence of array of int32
        The hierarchy that was found, at least one level.
    reached : float
        Its modularity.

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
    phase.restart(BEGINS)
    phase.optimise(reached, phase.run.params.t_final)
    phase.facts.begin()
    mapping, _ = number(phase)
    add_inner(phase)
    found = phase.facts.read()
    phase.launched = found.launches
    run = phase.run
    modularity = found.inner / run.two_m - run.params.resolution * found.squares
    return Refined(mapping, found.communities, phase.sweeps, modularity)


def totals(phase: FastPhase) -> Any:
    """Return the strength of every community by its number; array of uint64, shape (n,)."""
    run, n = phase.run, phase.stage.n
    total = run.device.xp.zeros(n, dtype=run.device.xp.uint64)
    kernel = run.device.kernel("louvain_fast_refine", "fast_total")
    kernel(-(-n // 256), 256, [n, phase.community, phase.strength, total])
    return total


def add_inner(phase: FastPhase) -> None:
    """Add the weight inside all communities, both ends of every edge, to the facts."""
    order = phase.order
    begin, middle, end = order.first[1], order.first[6], order.first[8]
    blocks = -(-(middle - begin) * LANES // THREADS)
    if end > begin:
        phase.run.device.kernel("louvain_fast_refine", "fast_inside")(
            blocks + end - middle,
            THREADS,
            [
                order.vertices,
                begin,
                middle,
                blocks,
                *phase.stage.args,
                phase.community,
                phase.facts.inner,
            ],
        )
