"""Stages of the Leiden method, on the kernels of the variant "fast".

Source: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities",
Scientific Reports 9:5233 (2019).  A stage moves vertices as Louvain does, refines every community
into connected parts, and makes each part a vertex; the next stage starts with the communities of
the moving phase.  ``families/communities/kernels/leiden.cu`` has the parallel refinement, and why
its parts are connected under every interleaving.

After the last stage, the communities are their connected components.  Dividing a community between
components removes no edge inside it, so modularity does not fall.  If the parts have more
modularity than that, they are the communities.  Then single vertices of the given graph move again
(:mod:`gpucore.families.communities.refine`), so stages may end early; the communities are divided
once more, and are the result if they have more modularity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast import FastPhase
from gpucore.families.communities.fast_contract import contract
from gpucore.families.communities.fast_order import THREADS
from gpucore.families.communities.fast_sizes import joint_shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.device.base import Kernel
    from gpucore.families.communities.stage import Run, Stage

#: Most rounds of a refinement; vertices that are still single by then are joined by later stages.
ROUNDS = 12
#: A round is the last if at most a vertex in so many joined, after `LEAST_ROUNDS`.
FEW, LEAST_ROUNDS = 256, 4
#: The modularity of a partition differs by less from graph to graph: the terms' order is another.
ROUNDING = 1e-12
#: Edges of a thread.
ENTRIES = constant("leiden.cuh", "ENTRIES")


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


class LeidenPhase(FastPhase):
    """A stage that starts from given communities, and is refined before it is contracted."""

    def __init__(self, run: Run, stage: Stage, strength: Any, carried: Carried | None) -> None:
        super().__init__(run, stage, strength)
        #: Single vertices and their strengths: with these the refinement begins.
        self._part, self._part_total = self.community, self.total
        if carried is None:
            self.start = self._part
            self.community, self.total = self._part.copy(), strength.copy()
        else:
            self.start, self.community, self.total = carried

    def _kernel(self, name: str) -> Kernel:
        return self.run.device.kernel("leiden", name)

    @property
    def _every(self) -> int:
        return -(-self.stage.n // 256)

    def _totals(self, part: Any) -> Any:
        """Return the strength of every part."""
        total = self.run.device.xp.zeros(self.stage.n, dtype=self.run.device.xp.uint64)
        self._kernel("leiden_totals")(self._every, 256, [self.stage.n, self.strength, part, total])
        return total

    def refine(self) -> tuple[Any, Any]:
        """Divide communities into connected parts; returns the communities before, and strengths.

        Afterwards `community` and `total` are those of the parts, so that they are contracted.
        """
        run, n = self.run, self.stage.n
        before, part, total = (self.community, self.total), self._part, self._part_total
        zeros = run.device.xp.zeros(n + ROUNDS, dtype=run.device.xp.int32)
        claim, joined = zeros[:n], zeros[n:]
        noise = run.params.theta * run.unit * run.two_m
        middle = [self.strength, before[0], part, total, claim, run.two_m, run.params.resolution]
        middle += [noise, run.params.refine_seed]
        if self.joint:
            self._all_rounds(middle, joined)
        else:
            self._single_rounds(middle, joined)
        self.community, self.total = part, total
        self.known_modularity = None  # it was that of the communities
        return before

    def _all_rounds(self, middle: list[Any], joined: Any) -> None:
        """Refine in one cooperative launch."""
        blocks, near, ranges = self.joint_grid()
        few = self.stage.n // FEW
        self._kernel("leiden_rounds")(
            blocks,
            THREADS,
            [
                *ranges,
                *self.stage.args,
                *middle,
                ROUNDS,
                joined,
                LEAST_ROUNDS,
                few,
                near,
                self.barrier,
                0,
            ],
            shared_mem=joint_shared(near),
            cooperative=True,
        )

    def _single_rounds(self, middle: list[Any], joined: Any) -> None:
        """Refine round by round; the next one is prepared while the device works."""
        launches = self._round(middle, joined, 0)
        for number in range(ROUNDS):
            for launch in launches:
                launch()
            if self.run.recorder.args():
                self._add_round()
            if number + 1 < ROUNDS:
                launches = self._round(middle, joined, number + 1)
            if number + 1 >= LEAST_ROUNDS:
                count = int(self.run.device.to_host(joined[number : number + 1])[0])
                if count <= self.stage.n // FEW:
                    break

    def _round(self, middle: list[Any], joined: Any, number: int) -> list[Callable[[], None]]:
        """Prepare a round of the refinement."""
        run = self.run
        return self.launches(
            lambda name: run.recorder.kernel("leiden", name),
            "leiden_join",
            [*middle, number, joined],
            [len(run.steps), *run.recorder.args()],
        )

    def _add_round(self) -> None:
        """Append a round of the refinement to the log."""
        run = self.run
        run.steps.append(
            {
                "stage": len(run.stages),
                "sweep": 0,
                "bucket": 0,
                "vertices": self.stage.n - self.order.first[1],
                "edges": self.stage.entries,
                "moves": 0,
                "modularity": np.nan,
                "taken_back": False,
                "merging": False,
            }
        )

    def carry(self, before: tuple[Any, Any], smaller: Stage, mapping: Any) -> Carried:
        """Return the communities `before`, of :meth:`refine`, for the contracted graph."""
        xp, n = self.run.device.xp, self.stage.n
        (community, total), most = before, xp.zeros(n, dtype=xp.int32)
        self._kernel("leiden_carry")(self._every, 256, [n, community, mapping, most])
        start, labels = (xp.empty(smaller.n, dtype=xp.int32) for _ in range(2))
        totals = xp.zeros(smaller.n, dtype=xp.uint64)
        self._kernel("leiden_label")(
            self._every, 256, [n, community, total, mapping, most, start, labels, totals]
        )
        return Carried(start, labels, totals)

    def complete(self) -> None:
        """Divide the communities, after single vertices have moved; see :meth:`divide`."""
        self.divide()

    def divide(self) -> None:
        """Make the connected components of the communities the communities."""
        xp, stage = self.run.device.xp, self.stage
        parent = xp.arange(stage.n, dtype=xp.int32)
        root = xp.empty(stage.n, dtype=xp.int32)
        if stage.entries:
            self._kernel("leiden_hook")(
                -(-stage.entries // (256 * ENTRIES)),
                256,
                [stage.n, *stage.args, self.community, parent],
            )
        self._kernel("leiden_root")(self._every, 256, [stage.n, parent, root])
        self.community, self.total = root, self._totals(root)

    def separate(self) -> None:
        """Make every vertex, a connected part of the given graph, a community."""
        self.community = self.run.device.xp.arange(self.stage.n, dtype=self.run.device.xp.int32)
        self.total = self.strength.copy()

    def modularity(self) -> float:
        """Return the modularity of the communities, from exact sums; waits for the device."""
        run, stage, facts = self.run, self.stage, self.facts
        self._kernel("leiden_modularity")(
            -(-max(stage.n, stage.entries) // (256 * ENTRIES)),
            256,
            [
                stage.n,
                *stage.args,
                self.community,
                self.total,
                run.two_m,
                facts.swept_inner,
                facts.swept_squares,
            ],
        )
        found = facts.read()
        self.launched = found.launches
        return found.swept_inner / run.two_m - run.params.resolution * found.swept_squares


def leiden_stages(
    run: Run, stage: Stage, strength: Any, reached: float
) -> tuple[LeidenPhase, list[Any], Any, float]:
    """Move, refine and contract until a stage gains less than the threshold.

    Parameters
    ----------
    run, stage, strength
        The run, the given graph, and the sum of every vertex's weights.
    reached : float
        Modularity of single vertices.

    Returns
    -------
    first : LeidenPhase
        Of the given graph.
    levels : list of array of int32
        The vertex of the next stage for every vertex of a stage; the parts of the refinement, and
        last the communities.
    strength : array of uint64
        Strengths of the communities.
    modularity : float
        Their modularity.
    """
    rules, params, device = run.params.rules, run.params, run.device
    levels: list[Any] = []
    first = phase = LeidenPhase(run, stage, strength, None)
    final, last, singles = False, False, reached
    while True:
        final = final or phase.live <= params.bin_vertices
        threshold = params.t_final if final else params.t_bin
        device.report(f"stage {len(run.stages) + 1}, {phase.stage.n:,} vertices")
        begin = device.moment()
        phase.optimise(reached, threshold)
        now = phase.modularity()
        swept = device.moment()
        gained = now - reached
        given_up = gained < -ROUNDING  # simultaneous moves lost modularity
        little = gained < rules.of_stage(threshold, now)
        last = given_up or (little and final)
        final = final or little
        following: LeidenPhase | None = None
        if given_up:
            phase.community = phase.start
        if not last:
            before = phase.refine()
            smaller, strength, mapping, parts = contract(phase)
            last = smaller.n == phase.stage.n or parts < singles - ROUNDING
            if last:
                phase.community, phase.total = before
        if last:
            phase.divide()
            smaller, strength, mapping, parts = contract(phase)
            if parts < singles - ROUNDING:  # the communities should have been divided further
                phase.separate()
                smaller, strength, mapping, parts = contract(phase)
        else:
            carried = phase.carry(before, smaller, mapping)
            following = LeidenPhase(run, smaller, strength, carried)
        run.stages.append(
            {
                "vertices": phase.stage.n,
                "entries": phase.stage.entries,
                "sweeps": phase.sweeps,
                "threshold": threshold,
                "modularity": parts if last else now,
                "communities": smaller.n,
                "given_up": given_up,
                "optimise_seconds": (begin, swept),
                "first_sweep_seconds": None,
                "contract_seconds": (swept, device.moment()),
            }
        )
        levels.append(mapping)
        if phase is first:
            first.drop_tables()
        if following is None:
            return first, levels, strength, parts
        phase, reached, singles = following, now, parts
