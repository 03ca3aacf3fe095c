"""Both phases of a stage of the tuned variants: vertices move until the sweeps gain too little.

See ``families/communities/kernels/louvain_fast.cu`` for our changes and why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.fast.contraction import contract
from gpucore.families.communities.fast.ends import (
    FIRST_PATIENCE,
    LARGE_ENTRIES,
    LARGE_SWEEPS,
    MAX_SWEEPS,
    MOST_SWEEPS,
    PASS_SWEEPS,
    PATIENCE,
    first_factor,
    later_limits,
)
from gpucore.families.communities.fast.order import CLASSES, HUBS, Order, count_classes, first_of
from gpucore.families.communities.fast.queued import sweep_by_launches
from gpucore.families.communities.fast.sizes import (
    MEETING_THREADS,
    MORE_PARTS,
    MOST_PARTS,
    SETTLING_DEGREE,
    SLOT_BYTES,
    Sizes,
    meeting_blocks,
)
from gpucore.families.communities.fast.tables import Tables
from gpucore.families.communities.fast.workspace import workspace_of
from gpucore.families.communities.stage import value_of

if TYPE_CHECKING:
    from gpucore.families.communities.fast.facts import Found
    from gpucore.families.communities.stage import Later, Run, Stage

#: Hubs wait where they are fewer than a vertex in so many.
MANY_HUBS = 16


class FastPhase:
    """A stage and its partition, whose vertices move and whose communities are contracted.

    Attributes
    ----------
    run, stage, strength
        The run, the graph, and the sum of every vertex's weights.
    order, sizes, work, tables
        The vertices by class of degree, sizes of launches, and memory beside the partition.
    community, total : array of int32, array of uint64
        The partition: community of every vertex, and strength of every community.
    launched : int or None
        Launches of the search for moves, once the host knows it.
    begun : float or None
        Modularity before the sweeps, if the partition is theirs.
    swept : Found or None
        What the host knows of the sweeps, if it knows that they have ended.
    batches : int
        Batches of communities in which the stage was contracted.
    first_sweep_seconds : None
        A phase is not timed sweep by sweep.
    """

    first_sweep_seconds: float | None = None

    def __init__(self, run: Run, stage: Stage, strength: Any) -> None:
        self.run, self.stage, self.strength = run, stage, strength
        #: Sweeps before the first one; the directions of moves alternate with their numbers.
        self._begins = 0
        self.launched: int | None = None
        self.begun: float | None = None
        self.swept: Found | None = None
        self.batches = 1
        self.work = workspace_of(run, stage.n)
        classes, longest = self._classes()
        xp = run.device.xp
        self.order = Order(xp.empty(stage.n, np.int32), first_of(classes))
        self._longest, self.sizes = longest, Sizes(run, stage, self.order, longest)
        #: Where vertices move, and the movers; one place where moves do not wait.
        self._waiting = stage.n if self.sizes.waits else 0
        self._target = xp.empty(3 * self._waiting + 1, np.int32)
        self._cleared = True
        self._place()
        if run.start:
            self.order = self.order.shuffled(run.device, (run.start, len(run.stages)))
        if run.params.deterministic and self.sizes.cooperative and run.recorder.args():
            self.order = self.order.joined()
        self.sizes.order = self.order
        self.tables = Tables(run, self.sizes, longest, self.work.barrier)

    def _classes(self) -> tuple[tuple[int, ...], int]:
        """Return the vertices of every class, and the largest degree."""
        if self.stage.classes:
            return self.stage.classes, self.stage.longest
        counted = count_classes(self.run.device, self.stage, self.work.facts)
        return counted.classes, counted.longest

    def _place(self) -> None:
        """Write the order, and make every vertex a community of its own.

        Of a reproducible run each class is in ascending order.
        """
        device, n, in_order = self.run.device, self.stage.n, self.run.params.deterministic
        self.community = device.xp.empty(n, np.int32)
        self.total = device.xp.empty(n, np.uint64)
        blocks, cursors = -(-n // MEETING_THREADS), [self.work.cursors]
        if in_order:
            blocks = meeting_blocks(device, n)
            cursors = [device.xp.empty(CLASSES * blocks, np.int32), self.work.barrier]
        singles = [self.strength, self.community, self.total, self._target, self._waiting]
        device.kernel("louvain_fast", "fast_place_in_order" if in_order else "fast_place")(
            blocks,
            MEETING_THREADS,
            [
                *(n, self.stage.indptr, *self.order.first[1:CLASSES], *cursors),
                *(self.order.vertices, *singles),
            ],
            cooperative=in_order,
        )

    @property
    def live(self) -> int:
        """Number of vertices with edges."""
        return self.sizes.live

    @property
    def fits_one_launch(self) -> bool:
        """Whether the sweeps of single vertices, until none could gain, may be one launch."""
        may = not (self.sizes.waits or self.run.recorder.args())
        return may and self._longest <= SETTLING_DEGREE

    @property
    def sweeps(self) -> int:
        """Number of sweeps; waits for the device if it is not known yet."""
        if self.launched is None:
            self.launched = self.work.facts.read().launches
        return self.launched // self.sizes.parts - self._begins

    def restart(self, begins: int) -> None:
        """Forget the sweeps; the next one has the number `begins`.

        If that is not 0, the kernel that makes the partition notes it (:func:`refine`).
        """
        self.work.clear()
        self._begins, self.launched = begins, None

    def divide_further(self) -> bool:
        """Forget the sweeps; the next ones have more parts. Return whether there can be more.

        Moves at the same time lost modularity. A record has no second attempt; a reproducible run
        has the same parts in all stages, so that it ends as its record.
        """
        sizes = self.sizes
        run = self.run
        if run.recorder.args() or run.params.deterministic or sizes.parts >= MOST_PARTS:
            return False
        sizes.parts, sizes.finer = min(MOST_PARTS, MORE_PARTS * sizes.parts), True
        self.restart(0)
        return True

    def begin_again(self) -> bool:
        """Make every vertex a community of its own again, as :meth:`divide_further` says."""
        if not self.divide_further():
            return False
        self.community = self.run.device.xp.arange(self.stage.n, dtype=np.int32)
        self.total = self.strength.copy()
        return True

    def optimise(
        self, reached: Later, threshold: float, *, passes: int = 0, settles: bool = False
    ) -> None:
        """Sweep until two sweeps in a row gain too little; one in a first stage that is not tiny.

        The gain is the sum of the gains of single moves; simultaneous moves make it inexact.

        Parameters
        ----------
        reached : float or callable
            Modularity so far, that of single vertices in this stage; or what waits for it, while
            the device sweeps.
        threshold : float
            Of this stage.
        passes : int
            Most passes over all vertices that follow where all sweeps are one launch, until one
            moves none.
        settles : bool
            Whether moves that gain next to nothing are not made.
        """
        run, patience = self.run, PATIENCE
        if not (run.stages or self.sizes.tiny):
            factor = first_factor(self.stage.n, self.stage.entries)
            threshold, patience = min(1.0, factor * threshold), FIRST_PATIENCE
        most = min(run.params.max_sweeps, self._most_sweeps())
        brief = self._later and not self.sizes.tiny
        limits = (later_limits if brief else type(run).limits)(run, threshold)
        self._sweep(reached, limits, patience, most, passes=passes, settles=settles)

    def sweep_all(self, reached: float, parts: int, *, passes: int = 0) -> None:
        """Sweep over all vertices, then over those whose surroundings change, until none moves.

        Parameters
        ----------
        reached : float
            Modularity before the first sweep.
        parts : int
            Parts of every sweep.
        passes : int
            As for :meth:`optimise`.
        """
        begins, state = self.sweeps, self.work.facts.state
        self.divide(parts)
        self.launched = None
        self.work.rested.fill(0)
        for word, value in enumerate((0, (self._begins + begins) * parts, 0)):
            state[word : word + 1].fill(value)
        ends = [0.0, 0.0, 0]
        self._sweep(reached, ends, PATIENCE, PASS_SWEEPS, begins, passes=passes, settles=True)

    def divide(self, parts: int) -> None:
        """Have sweeps of so many parts: in one launch, since each part would cost those of all."""
        sizes = self.sizes
        sizes.parts, sizes.finer = parts, sizes.finer or parts > sizes.parts
        if parts > 1 and not (sizes.cooperative or sizes.waits or self.run.recorder.args()):
            sizes.cooperative = True
            self.tables = Tables(self.run, sizes, self._longest, self.work.barrier)

    def _sweep(
        self,
        reached: Later,
        ends: list[Any],
        patience: int,
        most: int,
        begins: int = 0,
        *,
        passes: int,
        settles: bool,
    ) -> None:
        """Sweep `most` times after `begins` sweeps, or until the kernels' rule `ends` them."""
        run, sizes, work = self.run, self.sizes, self.work
        facts, parts = work.facts, sizes.parts
        last, self.swept = begins + most, None
        recorder = run.recorder.args()
        middle = [self.strength, self.community, self.total, run.two_m, run.params.resolution]
        middle += [int(not self._later), parts, work.rested, work.gained, work.moved]
        middle += [self._target, self._waiting, int(settles), facts.state]
        if self._waiting and not self._cleared:
            self._target[: self._waiting + 1].fill(-1)
        self._cleared = False
        rest = [patience, self._begins + last]

        def limits(*more: int) -> list[Any]:
            self.begun = value_of(reached)
            return [facts.gain, run.copies * self.begun, *ends, *more, *rest]

        if not recorder and sizes.cooperative:
            self._whole_phase(middle, [*limits(), sizes.apart, passes, PASS_SWEEPS])
            return
        few = MANY_HUBS * self.order.share(HUBS, 1) < self.live
        self.swept = sweep_by_launches(
            self,
            range(begins + 1, last + 1),
            middle,
            [self._target, self._waiting],
            lambda: limits(parts),
            hubs_wait=self._large and not self._begins and few,
            brief=self._begins > 0,
        )

    def _most_sweeps(self) -> int:
        """Return the limit of sweeps; that of refinement is a parameter."""
        if self._begins:
            return int(self.run.params.refine)
        if self._large and self.run.stages:
            return LARGE_SWEEPS
        return MOST_SWEEPS if self.sizes.tiny else MAX_SWEEPS

    @property
    def _later(self) -> bool:
        """Whether its vertices are communities of an earlier stage."""
        return bool(self.run.stages) and not self._begins

    @property
    def _large(self) -> bool:
        """Whether a sweep takes so long that there should be few."""
        return self.stage.entries > LARGE_ENTRIES

    def _whole_phase(self, middle: list[Any], limits: list[Any]) -> None:
        """Run all sweeps in one cooperative launch."""
        order, tables, threads = self.order, self.tables, self.sizes.phase_threads
        grid = self.sizes.phase_blocks()
        if tables.blocks:
            grid = min(grid, tables.blocks)
        lanes = order.lane_blocks(self.sizes.parts, 32)
        ranges = [*order.first[1:6], *lanes[1:], order.first[6], order.first[8]]
        near = self.sizes.phase_slots
        places = [near, tables.slots, tables.array, self.work.barrier]
        self.run.device.kernel("louvain_fast", "fast_phase")(
            grid,
            threads,
            [order.vertices, *ranges, *self.stage.args, *middle, *limits, *places, 0],
            shared_mem=near * SLOT_BYTES,
            cooperative=True,
        )

    def contract(self) -> tuple[Stage, Any, Any, float]:
        """Make every community a vertex, see :func:`contract`."""
        return contract(self)
