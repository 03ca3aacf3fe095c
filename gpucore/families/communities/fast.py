"""Sweeps of the tuned variant: vertices move until the sweeps gain too little.

See ``families/communities/kernels/louvain_fast.cu`` for our changes and why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.fast_contract import contract
from gpucore.families.communities.fast_state import SHARED_SLOTS, SLOT_BYTES, THREADS, FastState

if TYPE_CHECKING:
    from gpucore.families.communities.stage import Stage

#: Places for sums of gains and moves, and their distance, as in the kernels' source.
TALLIES, TALLY_STRIDE = 512, 4
#: Sweeps that are queued before the host asks whether the phase has ended.
QUEUED = 4
#: Most sweeps of a stage, since later stages and refinement make the other moves; and where
#: quality matters more: of a tiny graph, or without that refinement.
MAX_SWEEPS, MOST_SWEEPS = 12, 64
#: The first stage ends after one sweep that gains less than so many times the threshold.
FIRST_FACTOR, FIRST_PATIENCE = 10, 1
#: Sweeps in a row that gain little, after which the phase ends.
PATIENCE = 2


class FastPhase(FastState):
    """Both phases of a stage."""

    #: Whether refinement makes up for moves that a stage leaves out.
    ends_early = True

    def optimise(self, reached: float, threshold: float) -> int:
        """Sweep until two sweeps in a row gain too little; see :meth:`PaperPhase.optimise`.

        The gain is the sum of the gains of single moves; simultaneous moves make it inexact.

        Returns
        -------
        int
            Number of sweeps.
        """
        run, device, xp = self.run, self.run.device, self.run.device.xp
        parts, patience = self.parts(), PATIENCE
        if self.ends_early and not (run.stages or self.tiny):
            threshold, patience = min(1.0, FIRST_FACTOR * threshold), FIRST_PATIENCE
        most = self.begins + min(run.params.max_sweeps, self._most_sweeps())
        least, relative = run.params.t_final, int(run.params.rules.thresholds == "relative")
        awake = xp.ones(self.stage.n, dtype=xp.uint8)
        gained = xp.zeros(TALLIES * TALLY_STRIDE, dtype=xp.float64)
        modularity = device.asarray(np.array([reached, reached, 0.0]))
        moved = xp.zeros(TALLIES * TALLY_STRIDE, dtype=xp.int32)
        state = xp.zeros(5, dtype=xp.int32)
        state[1] = self.begins * parts
        recorder = run.recorder.args()
        middle = [self.strength, self.community, self.total, run.two_m, run.params.resolution]
        middle += [parts, awake, gained, moved, state]
        judge = device.kernel("louvain_fast", "fast_judge").prepare(
            1,
            TALLIES,
            [
                gained,
                moved,
                modularity,
                threshold,
                least,
                relative,
                parts,
                patience,
                most,
                state,
            ],
        )

        def part(step: int) -> list[Callable[[], None]]:
            search = self.launches(
                lambda name: run.recorder.kernel("louvain_fast", name),
                "fast_move",
                middle,
                [step, *recorder],
            )
            return [*search, judge]

        if not recorder and self.cooperative:
            self._whole_phase(middle, [modularity, threshold, least, relative, patience, most])
            return int(device.to_host(state)[1]) // parts - self.begins
        launches = part(0)
        for sweep in range(1, most + 1):
            for _ in range(parts):
                for launch in part(len(run.steps)) if recorder else launches:
                    launch()
            if recorder:
                self._add_step(sweep, int(device.to_host(state)[3]), modularity)
            if (recorder or sweep % QUEUED == 0) and int(device.to_host(state)[0]):
                break
        return int(device.to_host(state)[1]) // parts - self.begins

    def _most_sweeps(self) -> int:
        """Return the limit of sweeps; that of refinement is a parameter."""
        if self.begins:
            return int(self.run.params.refine)
        return MAX_SWEEPS if self.ends_early and not self.tiny else MOST_SWEEPS

    def _whole_phase(self, middle: list[Any], limits: list[Any]) -> None:
        """Run all sweeps in one cooperative launch."""
        run, order, stage = self.run, self.order, self.stage
        grid = self.phase_blocks()
        if self.large_blocks:
            grid = min(grid, self.large_blocks)
        barrier = run.device.xp.zeros(2, dtype=run.device.xp.uint32)
        run.device.kernel("louvain_fast", "fast_phase")(
            grid,
            THREADS,
            [
                order.vertices,
                *order.first[1:6],
                *order.lane_blocks[1:],
                order.first[6],
                order.first[8],
                *stage.args,
                *middle,
                *limits,
                self.slots,
                self.tables,
                barrier,
                0,
            ],
            shared_mem=SHARED_SLOTS * SLOT_BYTES,
            cooperative=True,
        )

    def _add_step(self, sweep: int, moves: int, modularity: Any) -> None:
        """Append a sweep to the log; `moves` counts those of the stage."""
        run = self.run
        before = sum(s["moves"] for s in run.steps if s["stage"] == len(run.stages))
        run.steps.append(
            {
                "stage": len(run.stages),
                "sweep": sweep,
                "bucket": 0,
                "vertices": self.stage.n - self.order.first[1],
                "edges": self.stage.entries,
                "moves": moves - before,
                "modularity": float(run.device.to_host(modularity)[0]),
                "taken_back": False,
                "merging": False,
            }
        )

    def contract(self) -> tuple[Stage, Any, Any, float]:
        """Make every community a vertex, see :func:`contract`."""
        return contract(self)
