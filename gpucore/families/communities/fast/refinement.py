"""Refinement: after the last stage, single vertices of the given graph move again.

A stage moves whole communities of the stage before, so a vertex that was joined early to the wrong
ones stays there.  Going back to the given graph with the last partition lets it leave (Rotta and
Noack, "Multilevel local search algorithms for modularity clustering", 2011; "PLMR" of Staudt and
Meyerhenke, "Engineering parallel algorithms for community detection in massive networks", 2016).
Few sweeps suffice, so the stages before may end early.

A graph of at most `SETTLED_ENTRIES` entries is then settled: all vertices are swept again until
none could gain more than half of what the certificate allows, see :func:`settle`.  Where the first
pass moves none, that costs nothing; else at least one pass over the given graph's entries more.
Larger graphs end with the sweeps before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast.contraction import WALK_BLOCKS, number
from gpucore.families.communities.fast.ends import PASS_SWEEPS
from gpucore.families.communities.fast.phase import FastPhase
from gpucore.families.communities.fast.sizes import MEETING_THREADS, meeting_blocks
from gpucore.families.communities.starts import ROUNDING
from gpucore.families.communities.variants import SETTLED_ENTRIES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gpucore.families.communities.fast.tail import Rest
    from gpucore.families.communities.stage import Run

    Complete = Callable[[FastPhase], None]

#: The sweeps of a refinement count from here: it begins with moves in both directions.
BEGINS = 2
#: Vertices that move at the same time can trade places for ever.  So sweeps are divided into so
#: many times as many parts in every further attempt, which comes after so many passes, or after one
#: of :data:`PASS_SWEEPS` sweeps.  Most graphs need two or three passes; along a cycle many vertices
#: move one after the other, and 24 were counted on one whose vertices are joined to a hub.
ATTEMPTS, FINER, PASSES = 3, 16, 32
#: Fewest parts of a sweep of a graph whose vertices are visited until none could gain: all sweeps
#: are one launch then, and the host need not ask after each pass whether there is another one.
SETTLING_PARTS = 4
#: Parts of a sweep where moves at the same time lost modularity.
FINEST = 4096
#: Edges of a thread that walks over all of them.
WALK_ENTRIES = constant("louvain_fast_walk.cuh", "WALK_ENTRIES")


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
    better : bool
        Whether it is the result instead of the partition before: it has more modularity, or no
        vertex that could gain where that had some.
    """

    mapping: Any
    communities: int
    sweeps: int
    modularity: float
    better: bool


def refine(
    phase: FastPhase,
    levels: Sequence[Any],
    rest: Rest | None,
    reached: float,
    strength: Any,
    complete: Complete | None,
    least: float | None,
) -> Refined | None:
    """Move single vertices of the given graph between the communities that were found.

    Parameters
    ----------
    phase : FastPhase
        The first stage's; its partition is overwritten.
    levels : sequence of array of int32
        The hierarchy that was found.
    rest : Rest or None
        Its last levels, if one launch finds them; the host does not wait for them.
    reached : float
        Modularity of the hierarchy, or before `rest`.
    strength : array of uint64
        Strengths of the communities before `rest`: fewer to sum up than the given graph's vertices.
    complete : callable or None
        Changes the communities after the moves.  It has no effect twice.
    least : float or None
        Where the moves end below this modularity, they are undone and others are made, fewer at
        the same time; None: below that of the hierarchy.

    Returns
    -------
    Refined or None
        None if `rest` has not ended well.
    """
    phase.restart(BEGINS)
    settled = settles(phase.run)
    if settled and phase.sizes.parts == 1 and phase.fits_one_launch:
        phase.divide(SETTLING_PARTS)
    begin = _beginning(phase, levels, rest, strength)
    begin(launches=BEGINS * phase.sizes.parts)
    passes, divided = _passes_of_launch(phase, complete), complete is not None
    phase.optimise(
        reached,
        phase.run.params.t_final,
        passes=passes if settled else 0,
        settles=settled and complete is None,
    )
    if not settled:
        _complete(phase, complete)
        measured = _measured(phase, divided=divided)
    if rest is not None:
        if rest.modularity is None:
            return None
        reached = rest.modularity
    if not settled:
        return measured(reached)
    swept = phase.work.facts.read()
    if swept.moves > 0 and not (passes and swept.settled):
        settle(phase, reached, complete, phase.sizes.parts, attempts=1 if passes else 0)
    refined = _measured(phase, divided=divided)(reached)
    if refined.modularity < (reached if least is None else least) - ROUNDING:
        # moves at the same time lost modularity
        for step in phase.run.steps:
            step.taken_back |= step.stage == len(phase.run.stages)
        begin(launches=0)
        phase.work.facts.gain.fill(0)
        settle(phase, reached, complete, FINEST)
        refined = _measured(phase, divided=divided)(reached)
    return refined


def _beginning(
    phase: FastPhase, levels: Sequence[Any], rest: Rest | None, strength: Any
) -> Callable[..., None]:
    """Return what makes the phase's communities those of the last level; see :func:`refine`.

    One member gives a community its number; which one matters to ties only. Its argument is the
    number from which the next sweeps' launches count; if that is 0, their count is left.
    """
    device, n, parts = phase.run.device, phase.stage.n, len(strength)
    member = device.xp.empty(2 * n, np.int32)
    last = None if rest is None else rest.composed(device, phase.work.barrier)
    maps = [*levels, *([] if last is None else [last])]
    later = composed(maps[1:])
    # `member` takes the place of what is not read.
    first = [min(2, len(maps)), maps[0] if maps else member]
    first += [member, 0] if later is None else [later, len(later)]
    ends = [parts, int(last is not None), member if last is None else last, strength, member]

    def begin(launches: int) -> None:
        phase.community, phase.total = device.xp.empty(n, np.int32), device.xp.empty(n, np.uint64)
        sweeps = [launches, phase.work.facts.state, phase.work.barrier]
        device.kernel("louvain_fast_refine", "fast_begin")(
            meeting_blocks(device, n),
            MEETING_THREADS,
            [n, *first, *ends, phase.community, phase.total, *sweeps],
            cooperative=True,
        )

    return begin


def settles(run: Run) -> bool:
    """Return whether vertices are swept until none could gain."""
    return run.given.entries // run.copies <= SETTLED_ENTRIES


def _passes_of_launch(phase: FastPhase, complete: Complete | None) -> int:
    """Return how many passes over all vertices one launch makes after its sweeps."""
    alone = complete is None and phase.sizes.cooperative and not phase.run.recorder.args()
    return PASSES if alone else 0


def settle(
    phase: FastPhase, reached: float, complete: Complete | None, parts: int, attempts: int = 0
) -> None:
    """Complete the communities and sweep all vertices in turn, until none moves.

    A vertex rests until a neighbour moves.  What it could gain depends also on the strengths of the
    communities, which vertices far away change, so all vertices are visited again.  `attempts` were
    made before.
    """
    found, together = phase.work.facts.read(), _passes_of_launch(phase, complete)
    for attempt in range(attempts, ATTEMPTS):
        for _ in range(1 if together else PASSES):
            phase.launched, moves = found.launches, found.moves
            begins = phase.sweeps
            _complete(phase, complete)
            passes = max(0, together - 1)
            # More parts than vertices would be empty, and each has a meeting of all blocks.
            finer = min(parts * FINER**attempt, max(parts, phase.live))
            phase.sweep_all(reached, finer, passes=passes)
            found = phase.work.facts.read()
            phase.launched = found.launches
            if found.moves == moves or (together and found.settled):
                return
            if phase.sweeps - begins >= PASS_SWEEPS:  # vertices trade places
                break


def _complete(phase: FastPhase, complete: Complete | None) -> None:
    """Change the communities by `complete`, and log it for the record."""
    if complete is None:
        return
    run, before = phase.run, phase.community
    complete(phase)
    if run.recorder.args():  # copies, since later sweeps write into the array after
        before, after = (run.device.to_host(c).copy() for c in (before, phase.community))
        run.divisions.append((len(run.steps), before, after))


def _measured(phase: FastPhase, *, divided: bool) -> Callable[[float], Refined]:
    """Give numbers to the communities, and sum up the modularity; return what waits for that.

    It takes the modularity before: that of the partition if no vertex moved, and no community was
    `divided`.
    """
    run, facts = phase.run, phase.work.facts
    facts.begin()
    mapping, _ = number(phase)
    add_inner(phase, anyway=divided)

    def wait(reached: float) -> Refined:
        found = facts.read()
        phase.launched = found.launches
        same = found.moves == 0 and not divided
        modularity = reached if same else run.modularity(found.inner, found.squares)
        settled = settles(phase.run) and found.moves > 0
        better = settled or modularity > reached
        return Refined(mapping, found.communities, phase.sweeps, modularity, better)

    return wait


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


def add_inner(phase: FastPhase, *, anyway: bool) -> None:
    """Add the weight inside all communities, both ends of every edge, to the facts.

    Unless `anyway`, only if a vertex moved.
    """
    stage, state = phase.stage, phase.work.facts.state
    sums = [phase.community, state, int(anyway), phase.work.facts.inner]
    if stage.entries:
        phase.run.device.kernel("louvain_fast_refine", "fast_inside")(
            min(WALK_BLOCKS, -(-stage.entries // (MEETING_THREADS * WALK_ENTRIES))),
            MEETING_THREADS,
            [stage.n, *stage.args, *sums],
        )
