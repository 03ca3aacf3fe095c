"""The variant ``fast``.

See ``families/bipartite/kernels/bipartite_fast.cu`` for what differs from the paper, and why.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.device.grid import blocks_for, cooperative_blocks
from gpucore.errors import GraphError
from gpucore.families.bipartite.record import STEP_KINDS
from gpucore.families.bipartite.state import Run
from gpucore.format import counted

#: Entries of a part of a column's list, and bytes of what a frontier has for it.
PART, ENTRY_BYTES = (constant("bipartite_fast.cuh", name) for name in ("PART", "ENTRY_BYTES"))
#: Entries of a frontier that the next phase may begin with, beside those of its own rows.
SPARE = constant("bipartite_fast.cu", "SPARE")
THREADS = {"cuda": 512, "host": 128}
BLOCKS_PER_MULTIPROCESSOR = (2, 2, 1)
#: Rows, or columns, of a graph for each warp, if so many warps fit: a lane that looks for a tree
#: takes as long for each edge as a warp for a whole list.
ROWS_OF_WARP = 4
LEVEL, PHASES, BEGUN, MATCHED, OVER, BARRIER = range(6, 12)
STATE_WORDS = 16
#: Most entries of a matrix: an entry of the frontier numbers them by 32 bits without a sign.
MOST_ENTRIES = 1 << 32
#: Most phases and steps that are listed; later phases add to the last, later steps are dropped.
PHASE_ROOM, STEP_ROOM = 4096, 1 << 16
#: Phases of most runs; the host reads them with the state.
USUAL_PHASES = 60
#: Levels of one launch, so that a cancelled run ends: on a GPU about a tenth of a second.
LEVELS = {"cuda": 4_000, "host": 2_000}


def check_entries(entries: int) -> None:
    """Raise GraphError if a matrix has more entries than the kernel can number."""
    if entries > MOST_ENTRIES:
        raise GraphError(
            f"{entries:,} entries are more than the {MOST_ENTRIES:,} that the variant fast can "
            "number; use one of the paper's variants"
        )


class FastSearch:
    """The phases of a run, in as few launches as possible.

    Parameters
    ----------
    run : Run
        Before its initial matching; its `matched` and `barrier` are words of the kernel's state.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        xp, matrix = run.device.xp, run.matrix
        rows, columns = max(1, matrix.rows), max(1, matrix.columns)
        self.room = columns + matrix.entries // PART + SPARE
        #: State, barrier, and phases; the host reads the first of them in one copy.
        self.words = xp.zeros(STATE_WORDS + 4 * PHASE_ROOM, dtype=xp.int32)
        self.state, self.phases = self.words[:STATE_WORDS], self.words[STATE_WORDS:]
        run.matched = self.state[MATCHED : MATCHED + 1]
        run.barrier = self.state[BARRIER : BARRIER + 2].view(xp.uint32)
        recorded = bool(run.recorder.args())
        self.steps = xp.empty((STEP_ROOM, 4), dtype=xp.int32) if recorded else self.phases
        self.arrays = [
            run.row_match,
            run.column_match,
            self.state,
            xp.empty(2 * rows + 3 * columns, dtype=xp.int32),
            xp.empty(2 * ENTRY_BYTES // 4 * self.room, dtype=xp.int32),  # two frontiers
        ]

    def solve(self) -> None:
        """Launch the kernel until the run has ended."""
        run, matrix, device = self.run, self.run.matrix, self.run.device
        threads = THREADS[device.name]
        most = cooperative_blocks(device, threads, BLOCKS_PER_MULTIPROCESSOR[run.recorder.macro])
        first = len(run.steps)
        launch = run.recorder.kernel("bipartite_fast", "bipartite_fast").prepare(
            min(most, blocks_for(max(matrix.rows, matrix.columns), ROWS_OF_WARP * threads // 32)),
            threads,
            [
                matrix.rows,
                matrix.columns,
                matrix.row_indptr,
                matrix.column_indptr,
                matrix.indices,
                *self.arrays,
                self.room,
                self.phases,
                PHASE_ROOM,
                self.steps,
                len(self.steps),
                LEVELS[device.name],
                run.barrier,
                first,
                *run.recorder.args(),
            ],
            cooperative=True,
        )
        over = False
        while not over:
            launch()
            run.launches += 1
            words = device.to_host(self.words[: STATE_WORDS + 4 * USUAL_PHASES])
            state = words[:STATE_WORDS]
            over = bool(state[OVER])
            device.report(f"phase {int(state[PHASES]) + 1}: {counted(int(state[MATCHED]), 'pair')}")
        if state[PHASES] >= USUAL_PHASES:
            words = device.to_host(self.words)
        self._log_phases(np.array(words))

    def _log_phases(self, words: np.ndarray) -> None:
        """Append the phases, and the steps of a recorded run, to the log."""
        run, state = self.run, words[:STATE_WORDS]
        count = min(int(state[PHASES]) + 1, PHASE_ROOM)
        phases = words[STATE_WORDS:].reshape(-1, 4)[:count]
        pairs = int(state[MATCHED]) - int(phases[:, 1].sum())
        run.begin_with(pairs)
        for levels, paths, grafted, _ in phases.tolist():
            pairs += paths
            run.phases.append(
                {
                    "levels": levels,
                    "paths": paths,
                    "cardinality": pairs,
                    "grafted": bool(grafted),
                }
            )
        run.pairs = pairs
        if run.recorder.args():
            logged = int(state[LEVEL]) + 3 * int(state[PHASES])
            for kind, phase, level, size in run.device.to_host(self.steps)[:logged].tolist():
                run.add_step(STEP_KINDS[kind], phase, level=level, frontier=size)

    @property
    def figures(self) -> dict[str, Any]:
        """Figures of this variant, added to those of every run."""
        return {"grafted": sum(phase["grafted"] for phase in self.run.phases)}
