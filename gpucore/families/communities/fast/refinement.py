"""Refinement: after the last stage, single vertices of the given graph move again.

A stage moves whole communities of the stage before, so a vertex that was joined early to the wrong
ones stays there.  Going back to the given graph with the last partition lets it leave (Rotta and
Noack, "Multilevel local search algorithms for modularity clustering", 2011; "PLMR" of Staudt and
Meyerhenke, "Engineering parallel algorithms for community detection in massive networks", 2016).
Few sweeps suffice, so the stages before may end early.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gpucore.device.constants import constant
from gpucore.families.communities.fast.contraction import number
from gpucore.families.communities.fast.order import THREADS
from gpucore.families.communities.fast.phase import FastPhase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: The sweeps of a refinement count from here: it begins with moves in both directions.
BEGINS = 2
#: Lanes of a vertex of at most 128 edges, where the weight inside communities is summed.
LANES = constant("louvain_fast_refine.cu", "LANES")


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


def refine(
    phase: FastPhase,
    levels: Sequence[Any],
    reached: float,
    known: int,
    strength: Any,
    complete: Callable[[FastPhase], None] | None,
) -> Refined:
    """Move single vertices of the given graph between the communities that were found.

    Parameters
    ----------
    phase : FastPhase
        The first stage's; its partition is overwritten.
    levels : sequence of array of int32
        The hierarchy that was found, at least one level.
    reached : float
        Its modularity.
    known : int
        Number of levels after which the strengths are known.
    strength : array of uint64
        Strengths of that level's communities: fewer to sum up than the given graph's vertices.
    complete : callable or None
        Changes the communities after the moves.
    """
    xp, n = phase.run.device.xp, phase.stage.n
    rest = composed(levels[known:])
    found = composed([*levels[:known], *([] if rest is None else [rest])])
    member = xp.empty(n, dtype=xp.int32)
    # One member gives its community the number; which one does not matter.
    member[found] = xp.arange(n, dtype=xp.int32)
    phase.community = member[found]
    phase.total = totals(phase, member[: len(strength)] if rest is None else member[rest], strength)
    phase.restart(BEGINS)
    phase.optimise(reached, phase.run.params.t_final)
    if complete is not None:
        complete(phase)
    phase.work.facts.begin()
    mapping, _ = number(phase)
    add_inner(phase)
    found = phase.work.facts.read()
    phase.launched = found.launches
    run = phase.run
    modularity = found.inner / run.two_m - run.params.resolution * found.squares
    return Refined(mapping, found.communities, phase.sweeps, modularity)


def composed(levels: Sequence[Any]) -> Any:
    """Return the last level's vertex for every vertex of the first; None without levels.

    From the last level on, since later levels have fewer vertices.
    """
    if not levels:
        return None
    found = levels[-1]
    for mapping in reversed(levels[:-1]):
        found = found[mapping]
    return found


def totals(phase: FastPhase, community: Any, strength: Any) -> Any:
    """Return the strength of every community by its number; array of uint64, shape (n,).

    Parameters
    ----------
    phase : FastPhase
        The given graph's.
    community, strength : array of int32, array of uint64
        Of parts of the communities.
    """
    total = phase.run.device.xp.zeros(phase.stage.n, dtype=phase.run.device.xp.uint64)
    kernel = phase.run.device.kernel("louvain_fast_refine", "fast_total")
    kernel(-(-len(strength) // 256), 256, [len(strength), community, strength, total])
    return total


def add_inner(phase: FastPhase) -> None:
    """Add the weight inside all communities, both ends of every edge, to the facts."""
    order = phase.order
    begin, middle, end = order.first[1], order.first[6], order.first[8]
    blocks = -(-(middle - begin) * LANES // THREADS)
    sums = [phase.community, phase.work.facts.inner]
    if end > begin:
        phase.run.device.kernel("louvain_fast_refine", "fast_inside")(
            blocks + end - middle,
            THREADS,
            [order.vertices, begin, middle, blocks, *phase.stage.args, *sums],
        )
