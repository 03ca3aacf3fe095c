"""Sweeps of the tuned variant: vertices move until the sweeps gain too little.

See ``families/communities/kernels/louvain_fast.cu`` for our changes and why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpucore.families.communities.fast.contraction import contract
from gpucore.families.communities.fast.order import CLASSES
from gpucore.families.communities.fast.sizes import SHARED_SLOTS, SLOT_BYTES, WARP_SLOTS
from gpucore.families.communities.fast.state import TALLIES, FastState

if TYPE_CHECKING:
    from gpucore.families.communities.stage import Stage

#: Sweeps that are queued before the host asks whether the phase has ended.
QUEUED = 4
#: Most sweeps of a stage, since later stages and refinement make the other moves; and where
#: quality matters more: of a tiny graph.
MAX_SWEEPS, MOST_SWEEPS = 8, 64
#: Most sweeps of a later stage of more entries. A sweep over so many takes long, and contraction
#: did not make the graph much smaller: R-MAT. Hubs wait for its second sweep, when most of the
#: vertices that can join them have done so.
LARGE_ENTRIES, LARGE_SWEEPS = 1 << 24, 4
#: Hubs wait where they are fewer than a vertex in so many.
MANY_HUBS = 16
#: The first stage ends after one sweep that gains less than so many times the threshold.
FIRST_FACTOR, FIRST_PATIENCE = 10, 1
#: Sweeps in a row that gain little, after which the phase ends.
PATIENCE = 2


class FastPhase(FastState):
    """Both phases of a stage."""

    def optimise(self, reached: float, threshold: float) -> None:
        """Sweep until two sweeps in a row gain too little; see :meth:`PaperPhase.optimise`.

        The gain is the sum of the gains of single moves; simultaneous moves make it inexact.
        """
        run, device, facts = self.run, self.run.device, self.facts
        parts, patience = self.parts(), PATIENCE
        if not (run.stages or self.tiny):
            threshold, patience = min(1.0, FIRST_FACTOR * threshold), FIRST_PATIENCE
        most = self.begins + min(run.params.max_sweeps, self._most_sweeps())
        least, relative = run.params.t_final, int(run.params.rules.thresholds == "relative")
        recorder = run.recorder.args()
        middle = [self.strength, self.community, self.total, run.two_m, run.params.resolution]
        middle += [parts, self.rested, self.gained, self.moved, facts.state]
        limits = [facts.gain, reached, threshold, least, relative]
        if not recorder and self.cooperative:
            self._whole_phase(middle, [*limits, patience, most])
            return
        judge = device.kernel("louvain_fast", "fast_judge").prepare(
            1,
            TALLIES,
            [self.gained, self.moved, *limits, parts, patience, most, facts.state],
        )

        def part(step: int, hubs: bool = True) -> list[Callable[[], None]]:
            search = self.launches(
                lambda name: run.recorder.kernel("louvain_fast", name),
                "fast_move",
                middle,
                [step, *recorder],
                parts,
                hubs,
            )
            return [*search, judge]

        hubs = not self._hubs_wait
        launches = part(0, hubs)
        for sweep in range(1, most + 1):
            for _ in range(parts):
                for launch in part(len(run.steps), hubs) if recorder else launches:
                    launch()
            if not hubs:
                hubs, launches = True, part(0)
            if recorder:
                self._add_step(sweep, reached)
            if recorder or sweep % QUEUED == 0:
                found = facts.read()
                self.known_modularity = reached + found.gain
                if found.done:
                    break

    @property
    def sweeps(self) -> int:
        """Number of sweeps; waits for the device if it is not known yet."""
        if self.launched is None:
            self.launched = self.facts.read().launches
        return self.launched // self.parts() - self.begins

    def _most_sweeps(self) -> int:
        """Return the limit of sweeps; that of refinement is a parameter."""
        if self.begins:
            return int(self.run.params.refine)
        if self.large and self.run.stages:
            return LARGE_SWEEPS
        return MOST_SWEEPS if self.tiny else MAX_SWEEPS

    @property
    def large(self) -> bool:
        """Whether a sweep takes so long that there should be few."""
        return self.stage.entries > LARGE_ENTRIES

    @property
    def _hubs_wait(self) -> bool:
        """Whether the hubs stay out of the next sweep."""
        hubs = self.order.share(CLASSES - 1, 1)
        return self.large and not self.begins and MANY_HUBS * hubs < self.live

    def complete(self) -> None:
        """Complete the communities after single vertices have moved; here nothing is left to do."""

    def _whole_phase(self, middle: list[Any], limits: list[Any]) -> None:
        """Run all sweeps in one cooperative launch."""
        run, order, stage = self.run, self.order, self.stage
        threads, parts = self.phase_threads, self.parts()
        grid = self.phase_blocks()
        if self.large_blocks:
            grid = min(grid, self.large_blocks)
        run.device.kernel("louvain_fast", "fast_phase")(
            grid,
            threads,
            [
                order.vertices,
                *order.first[1:6],
                *order.lane_blocks(parts, threads)[1:],
                order.first[6],
                order.first[8],
                *stage.args,
                *middle,
                *limits,
                SHARED_SLOTS,
                self.slots,
                self.tables,
                self.barrier,
                0,
            ],
            shared_mem=max(SHARED_SLOTS, threads // 32 * WARP_SLOTS) * SLOT_BYTES,
            cooperative=True,
        )

    def _add_step(self, sweep: int, reached: float) -> None:
        """Append a sweep to the log; `reached` is the modularity before the stage."""
        run = self.run
        moves = int(run.device.to_host(self.facts.state)[3])
        gain = float(run.device.to_host(self.facts.gain)[0])
        before = sum(s["moves"] for s in run.steps if s["stage"] == len(run.stages))
        run.steps.append(
            {
                "stage": len(run.stages),
                "sweep": sweep,
                "bucket": 0,
                "vertices": self.stage.n - self.order.first[1],
                "edges": self.stage.entries,
                "moves": moves - before,
                "modularity": reached + gain,
                "taken_back": False,
                "merging": False,
            }
        )

    def contract(self) -> tuple[Stage, Any, Any, float]:
        """Make every community a vertex, see :func:`contract`."""
        return contract(self)
