"""The eight variants of the paper: APFB or APsB, GPUBFS or GPUBFS-WR, MT or CT.

Source: Deveci, Kaya, Uçar, Çatalyürek, Euro-Par 2013, algorithm 1 and sections 3 and 4.  Kernels:
``families/bipartite/kernels/bipartite.cu``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpucore.device.constants import constant
from gpucore.device.grid import blocks_for
from gpucore.errors import KernelError
from gpucore.families.bipartite.state import Run
from gpucore.format import counted

#: The level of the roots.
L0 = constant("bipartite.cu", "L0")
#: Words that a launch reports to the host.
INSERTED, PATHS, MATCHED, RUNAWAYS, REPAIRS = (
    constant("bipartite.cu", name)
    for name in ("INSERTED", "PATHS", "MATCHED", "RUNAWAYS", "REPAIRS")
)
STATE_WORDS = 8


class PaperSearch:
    """The phases of a variant.

    Parameters
    ----------
    run : Run
        With its initial matching; its parameters name the variant.
    """

    def __init__(self, run: Run) -> None:
        words = run.params.variant.split("_")
        self.run = run
        self.shortest = words[0] == "apsb"
        self.with_roots = "wr" in words
        self.constant = words[-1] == "ct"
        xp = run.device.xp
        columns = max(1, run.matrix.columns)
        self.bfs = xp.empty(columns, dtype=xp.int32)
        self.root = xp.empty(columns, dtype=xp.int32)
        self.predecessor = xp.full(max(1, run.matrix.rows), -1, dtype=xp.int32)
        self.state = xp.zeros(STATE_WORDS, dtype=xp.int32)
        run.matched = xp.zeros(1, dtype=xp.int32)
        run.barrier = xp.zeros(2, dtype=xp.uint32)
        self.repairs = 0
        self.runaways = 0
        #: Prepared launches by level, used in every phase.
        self._ready: dict[int, Callable[[], None]] = {}

    def solve(self) -> None:
        """Augment until a phase finds no path (algorithm 1)."""
        run = self.run
        run.begin_with(int(run.device.to_host(run.matched)[0]))
        while self._phase(len(run.phases) + 1):
            last = run.phases[-1]
            run.device.report(f"phase {len(run.phases)}: {counted(last['cardinality'], 'pair')}")

    def _phase(self, phase: int) -> bool:
        """Search, alternate and repair; returns whether a path was found."""
        run = self.run
        matrix = run.matrix
        self.state.fill(0)
        self._launch(
            "bipartite_begin",
            matrix.columns,
            [matrix.columns, run.column_match, self.bfs, self.root, phase],
            run.add_step("begin", phase, frontier=matrix.columns - run.pairs),
        )
        levels = 0
        while True:
            self._search(phase, L0 + levels)
            levels += 1
            inserted, found = (int(word) for word in run.device.to_host(self.state)[:2])
            if inserted != L0 + levels or (found and self.shortest):
                break
        before = run.pairs
        if found:
            self._alternate(phase)
        run.phases.append(
            {
                "levels": levels,
                "paths": run.pairs - before,
                "cardinality": run.pairs,
                "grafted": False,
            }
        )
        return bool(found)

    def _search(self, phase: int, level: int) -> None:
        run = self.run
        if run.recorder.args():
            self._search_launch(level, run.add_step("top_down", phase, level=level - L0))()
        else:
            if level not in self._ready:
                self._ready[level] = self._search_launch(level, 0)
            self._ready[level]()
        run.launches += 1

    def _search_launch(self, level: int, step: int) -> Callable[[], None]:
        run = self.run
        matrix = run.matrix
        graph = [matrix.rows, matrix.columns, matrix.column_indptr, matrix.indices, self.bfs]
        found = [run.row_match, self.predecessor, self.state]
        name, args = "bipartite_search", [*graph, *found]
        if self.with_roots:
            name = "bipartite_search_roots"
            args = [*graph, self.root, *found, int(self._roots_store_ends)]
        return self._prepare(name, matrix.columns, [*args, level], step)

    @property
    def _roots_store_ends(self) -> bool:
        """Whether roots store the last row of their path, which pays for APsB only (section 3)."""
        return self.with_roots and self.shortest

    def _alternate(self, phase: int) -> None:
        run = self.run
        rows, columns = run.matrix.rows, run.matrix.columns
        step = run.add_step("alternate", phase)
        matching = [run.column_match, run.row_match, self.state, int(run.params.predecessor_check)]
        if self._roots_store_ends:
            self._launch(
                "bipartite_alternate_roots",
                columns,
                [rows, columns, self.predecessor, self.bfs, *matching],
                step,
            )
        else:
            self._launch("bipartite_alternate", rows, [rows, self.predecessor, *matching], step)
        step = run.add_step("fix", phase)
        self._launch(
            "bipartite_fix", rows, [rows, run.column_match, run.row_match, self.state], step
        )
        state = run.device.to_host(self.state)
        pairs = int(state[MATCHED])
        self.repairs += int(state[REPAIRS])
        self.runaways += int(state[RUNAWAYS])
        run.steps[step]["cardinality"] = pairs
        if pairs <= run.pairs:
            raise KernelError(
                f"phase {phase} found paths, but there are {pairs} pairs after it and were "
                f"{run.pairs} before; without the predecessor check this can happen"
            )
        run.pairs = pairs

    def _launch(self, name: str, count: int, args: list[Any], step: int) -> None:
        self._prepare(name, count, args, step)()
        self.run.launches += 1

    def _prepare(self, name: str, count: int, args: list[Any], step: int) -> Callable[[], None]:
        """Return a launch over `count` vertices by the variant's number of threads."""
        run, threads = self.run, self.run.params.threads_per_block
        blocks = min(blocks_for(count, threads), self._most_blocks)
        kernel = run.recorder.kernel("bipartite", name)
        return kernel.prepare(blocks, threads, [*args, step, *run.recorder.args()])

    @property
    def _most_blocks(self) -> int:
        """The blocks of CT; or of MT = min(columns, #threads), also for kernels over rows."""
        params = self.run.params
        if self.constant:
            return params.blocks
        threads = min(self.run.matrix.columns, params.most_threads)
        return blocks_for(threads, params.threads_per_block)

    @property
    def figures(self) -> dict[str, Any]:
        """Figures of this variant, added to those of every run."""
        return {"repairs": self.repairs, "runaways": self.runaways}
