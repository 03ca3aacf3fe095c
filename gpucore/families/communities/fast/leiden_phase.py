"""A stage of the Leiden method: refined into parts, which are contracted; and its communities.

:mod:`gpucore.families.communities.fast.leiden` says what the stages are for, and
``families/communities/kernels/leiden.cu`` why parts are connected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast.contraction import number
from gpucore.families.communities.fast.launches import launches
from gpucore.families.communities.fast.order import THREADS
from gpucore.families.communities.fast.phase import FastPhase
from gpucore.families.communities.fast.refinement import add_inner
from gpucore.families.communities.fast.sizes import MEETING_THREADS, joint_shared, meeting_blocks
from gpucore.families.communities.starts import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.device.base import Kernel
    from gpucore.families.communities.stage import Stage

#: Most rounds of a refinement; vertices that are still single by then are joined by later stages.
ROUNDS = 12
#: A round is the last if at most a vertex in so many joined, after `LEAST_ROUNDS`.
FEW, LEAST_ROUNDS = 256, 4
#: Edges of a thread.
ENTRIES = constant("louvain_fast_walk.cuh", "WALK_ENTRIES")


class Carried(NamedTuple):
    """Communities in which a stage begins, as labels of its vertices.

    Attributes
    ----------
    start, labels : array of int32, shape (n,)
        The labels; those that stay, and those that the stage changes.
    total : array of uint64, shape (n,)
        Strength of every community.
    """

    start: Any
    labels: Any
    total: Any


class LeidenPhase:
    """A stage that starts from given communities, and is refined before it is contracted.

    Attributes
    ----------
    fast : FastPhase
        The stage, every vertex alone; its communities become the given ones, later the parts, or
        their components.
    start : array of int32, shape (n,)
        The given communities; at first single vertices.
    """

    def __init__(self, fast: FastPhase, carried: Carried | None = None) -> None:
        self.fast = fast
        #: Single vertices and their strengths: with these the refinement begins.
        self._part, self._part_total = fast.community, fast.total
        if carried is None:
            self.start = self._part
            fast.community, fast.total = self._part.copy(), fast.strength.copy()
        else:
            self.start, fast.community, fast.total = carried

    def begin_again(self) -> bool:
        """Return to the given communities, as :meth:`FastPhase.divide_further` says."""
        fast, n = self.fast, self.fast.stage.n
        if not fast.divide_further():
            return False
        fast.community = self.start.copy()
        fast.total = fast.run.device.xp.zeros(n, dtype=np.uint64)
        _kernel(fast, "leiden_totals")(
            -(-n // 256), 256, [n, fast.strength, fast.community, fast.total]
        )
        return True

    def refine(self) -> tuple[Any, Any]:
        """Divide communities into connected parts; returns the communities before, and strengths.

        Afterwards the phase's communities are the parts, so that they are contracted.
        """
        fast, run, n = self.fast, self.fast.run, self.fast.stage.n
        before, part, total = (fast.community, fast.total), self._part, self._part_total
        xp, later = run.device.xp, n if run.params.deterministic else 0
        zeros = xp.zeros(n + ROUNDS + later, dtype=xp.int32)
        claim, joined, wanted = zeros[:n], zeros[n : n + ROUNDS], zeros[-max(1, later) :]
        choice = xp.zeros(later, dtype=xp.uint64) if later else total  # not read
        noise = run.params.theta * run.given.unit * run.two_m
        parts, waiting = [fast.strength, before[0], part, total, claim], [choice, wanted]
        middle = [*parts, *waiting, later, run.two_m, run.params.resolution]
        middle += [noise, run.params.refine_seed]
        if fast.sizes.joint:
            _all_rounds(fast, middle, joined)
        else:
            _single_rounds(fast, middle, joined, [n, *parts, *waiting] if later else [])
        fast.community, fast.total = part, total
        fast.begun = None  # the parts are not the sweeps' communities
        return before


def _kernel(fast: FastPhase, name: str) -> Kernel:
    return fast.run.device.kernel("leiden", name)


def _all_rounds(fast: FastPhase, middle: list[Any], joined: Any) -> None:
    """Refine in one cooperative launch."""
    kernel = _kernel(fast, "leiden_rounds")
    blocks, near, ranges = fast.sizes.joint_grid(kernel)
    limits = [ROUNDS, joined, LEAST_ROUNDS, fast.stage.n // FEW]
    kernel(
        blocks,
        THREADS,
        [*ranges, *fast.stage.args, *middle, *limits, near, fast.work.barrier, 0],
        shared_mem=joint_shared(near),
        cooperative=True,
    )


def _single_rounds(fast: FastPhase, middle: list[Any], joined: Any, waiting: list[Any]) -> None:
    """Refine round by round; the next one is prepared while the device works.

    `waiting` has the arguments for the joins of a round that wait, if they do.
    """
    run, few = fast.run, fast.stage.n // FEW

    def prepared(done: int) -> list[Callable[[], None]]:
        tail = [len(run.steps), *run.recorder.args()]
        ready = launches(
            fast,
            lambda name: run.recorder.kernel("leiden", name),
            "leiden_join",
            [*middle, done, joined],
            tail,
        )
        if waiting:
            ready.append(
                run.recorder.kernel("leiden", "leiden_make_joins").prepare(
                    -(-fast.stage.n // 256), 256, [*waiting, done, joined, *tail]
                )
            )
        return ready

    ready = prepared(0)
    for done in range(1, ROUNDS + 1):
        for launch in ready:
            launch()
        if run.recorder.args():
            run.add_step(fast.live, fast.stage.entries)
        if done < ROUNDS:
            ready = prepared(done)
        if done >= LEAST_ROUNDS and int(run.device.to_host(joined[done - 1 : done])[0]) <= few:
            break


def carry(fast: FastPhase, before: tuple[Any, Any], smaller: Stage, mapping: Any) -> Carried:
    """Return communities and their strengths, as before a refinement, for the contracted graph."""
    device, n, parts = fast.run.device, fast.stage.n, smaller.n
    least, start, labels = (device.xp.empty(size, np.int32) for size in (n, parts, parts))
    totals = device.xp.empty(parts, np.uint64)
    _kernel(fast, "leiden_carry")(
        meeting_blocks(device, n),
        MEETING_THREADS,
        [n, parts, *before, mapping, least, start, labels, totals, fast.work.barrier],
        cooperative=True,
    )
    return Carried(start, labels, totals)


def divide(fast: FastPhase) -> None:
    """Make the connected components of the communities the communities."""
    xp, stage, n = fast.run.device.xp, fast.stage, fast.stage.n
    parent = xp.arange(n, dtype=xp.int32)
    root = xp.empty(n, dtype=xp.int32)
    if stage.entries:
        _kernel(fast, "leiden_hook")(
            -(-stage.entries // (256 * ENTRIES)), 256, [n, *stage.args, fast.community, parent]
        )
    _kernel(fast, "leiden_root")(-(-n // 256), 256, [n, parent, root])
    total = xp.zeros(n, dtype=xp.uint64)
    _kernel(fast, "leiden_totals")(-(-n // 256), 256, [n, fast.strength, root, total])
    fast.community, fast.total = root, total


def separate(fast: FastPhase) -> None:
    """Make every vertex, a connected part of the given graph, a community."""
    fast.community = fast.run.device.xp.arange(fast.stage.n, dtype=fast.run.device.xp.int32)
    fast.total = fast.strength.copy()


def numbered(fast: FastPhase, singles: float) -> tuple[int, Any, Any, float]:
    """Give numbers to the communities; waits for the device.

    Where single vertices, whose modularity is `singles`, have more than these, they are the
    communities: they should have been divided further.

    Returns
    -------
    communities : int
        Their number.
    strength, mapping : array
        Their strengths, and every vertex's one.
    modularity : float
        Their modularity.
    """
    run, n, facts = fast.run, fast.stage.n, fast.work.facts
    facts.begin()
    mapping, strength = number(fast)
    add_inner(fast, anyway=True)
    found = facts.read()
    fast.launched = found.launches
    together = run.modularity(found.inner, found.squares)
    if together < singles - ROUNDING:
        return n, fast.strength, run.device.xp.arange(n, dtype=np.int32), singles
    return found.communities, strength[: found.communities], mapping, together


def modularity(fast: FastPhase) -> float:
    """Return the modularity of the communities, from exact sums; waits for the device."""
    run, stage, facts = fast.run, fast.stage, fast.work.facts
    sums = [fast.community, fast.total, run.two_m, facts.swept_inner, facts.swept_squares]
    _kernel(fast, "leiden_modularity")(
        -(-max(stage.n, stage.entries) // (256 * ENTRIES)), 256, [stage.n, *stage.args, *sums]
    )
    found = facts.read()
    fast.launched = found.launches
    return run.modularity(found.swept_inner, found.swept_squares)
