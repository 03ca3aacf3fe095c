"""Both phases of a stage, tuned.

See ``families/communities/kernels/louvain_fast.cu`` for our changes and why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.stage import (
    SUMS,
    Run,
    Stage,
    merging_step,
    table_bytes,
)

if TYPE_CHECKING:
    from gpucore.device.base import Kernel

#: As in the kernels' source.
CLASSES = 8
WARP_SLOTS, SHARED_SLOTS = 256, 2048
SLOT_BYTES = 12
#: Threads of a block for lanes or warps, and of a block for one vertex.
THREADS, BLOCK_THREADS = 128, 256
#: Most blocks of a cooperative launch.
BLOCKS_PER_MULTIPROCESSOR, HOST_BLOCKS = 4, 4
#: Sweeps that are queued before the host asks whether the phase has ended.
QUEUED = 4
#: (n, parts): a stage of fewer than n vertices with edges is swept in this many parts. A GPU
#: processes a larger share of a smaller stage at once.
PARTS = ((5_000, 8), (100_000, 4))
#: A graph of fewer vertices has this many parts in all stages: only quality matters there.
TINY, TINY_PARTS = 2_000, 32
#: Most sweeps of a stage, since later stages and refinement make the other moves; and where
#: quality matters more: of a tiny graph, or without that refinement.
MAX_SWEEPS, MOST_SWEEPS = 12, 64
#: The first stage ends after one sweep that gains less than so many times the threshold.
FIRST_FACTOR, FIRST_PATIENCE = 10, 1
#: Most entries of a stage whose sweeps are one cooperative launch: hubs need more blocks than that
#: has, and a large stage hides the time of launches.
COOPERATIVE_ENTRIES = 1 << 20
#: Sweeps in a row that gain little, after which the phase ends.
PATIENCE = 2
#: Blocks of kernels that walk over all slots of the table of pairs.
WALK_BLOCKS = 1024


@dataclass(frozen=True)
class Order:
    """A stage's vertices by class of degree: `first[k]` is where class k begins."""

    vertices: Any
    first: tuple[int, ...]

    def range_of(self, k: int) -> tuple[int, int]:
        """Return start and end of class `k`."""
        return self.first[k], self.first[k + 1]

    @property
    def lane_blocks(self) -> list[int]:
        """Blocks for the classes 1 to 4, and their sum."""
        blocks = [
            -(-(self.first[k + 1] - self.first[k]) * (2 << k) // THREADS) for k in range(1, 5)
        ]
        return [0, *np.cumsum(blocks).tolist()]


class FastPhase:
    """A stage, its order and the state of its partition."""

    #: Whether refinement makes up for moves that a stage leaves out.
    ends_early = True

    def __init__(self, run: Run, stage: Stage, strength: Any) -> None:
        self.run, self.stage, self.strength = run, stage, strength
        #: Sweeps before the first one; the directions of moves alternate with their numbers.
        self.begins = 0
        device, xp = run.device, run.device.xp
        n = stage.n
        counts = xp.zeros(CLASSES, dtype=xp.int32)
        every = -(-n // 256)
        device.kernel("louvain_fast", "fast_count")(every, 256, [n, stage.indptr, counts])
        first = np.concatenate([[0], np.cumsum(device.to_host(counts))])
        vertices = xp.empty(n, dtype=xp.int32)
        cursors = device.asarray(first[:CLASSES].astype(np.int32))
        device.kernel("louvain_fast", "fast_place")(
            every, 256, [n, stage.indptr, cursors, vertices]
        )
        self.order = Order(vertices, tuple(int(f) for f in first))
        self.community = xp.arange(n, dtype=xp.int32)
        self.total = strength.copy()
        #: A phase is not timed sweep by sweep.
        self.first_sweep_seconds: float | None = None
        self._tables()

    def _tables(self) -> None:
        """Allocate hash tables for vertices of more edges than shared memory can hold."""
        begin, end = self.order.range_of(CLASSES - 1)
        device, xp = self.run.device, self.run.device.xp
        self.large_blocks, self.slots = 0, 1
        if end > begin:
            members = self.order.vertices[begin:end]
            most = int((self.stage.indptr[members + 1] - self.stage.indptr[members]).max())
            self.slots = 64
            while self.slots < 2 * most:
                self.slots *= 2
            fits = table_bytes(device) // (SLOT_BYTES * self.slots)
            wanted = self._phase_blocks() if self._cooperative else end - begin
            self.large_blocks = max(1, min(wanted, fits, self.run.max_warps // 8))
        words = max(1, self.large_blocks * self.slots * SLOT_BYTES // 4)
        self.tables = xp.empty(words, dtype=xp.uint32)

    def launches(
        self, kernel: Callable[[str], Kernel], name: str, middle: list[Any], tail: list[Any]
    ) -> list[Callable[[], None]]:
        """Prepare the launches that go over all vertices with edges.

        Parameters
        ----------
        kernel : callable
            Returns the kernel of a name.
        name : str
            "fast_move" or "fast_pairs".
        middle, tail : list
            Arguments after the graph's; the step's number, and the record if there is one.
        """
        order, ready = self.order, []
        graph = [*self.stage.args, *middle]
        blocks = order.lane_blocks
        if blocks[-1]:
            ranges = [*order.first[1:6], *blocks[1:4]]
            ready.append(
                kernel(f"{name}_lanes").prepare(
                    blocks[-1], THREADS, [order.vertices, *ranges, *graph, *tail]
                )
            )
        warp = blocks[-1] * THREADS // 32

        begin, end = order.range_of(5)
        if end > begin:
            warps = THREADS // 32
            ready.append(
                kernel(f"{name}_warp").prepare(
                    -(-(end - begin) // warps),
                    THREADS,
                    [order.vertices, begin, end, *graph, warp, *tail],
                    shared_mem=warps * WARP_SLOTS * SLOT_BYTES,
                )
            )
            warp += end - begin + warps
        for k, most, slots in ((6, 1 << 30, 1), (7, self.large_blocks, self.slots)):
            begin, end = order.range_of(k)
            if end > begin:
                grid = min(end - begin, most)
                ready.append(
                    kernel(f"{name}_block").prepare(
                        grid,
                        BLOCK_THREADS,
                        [
                            order.vertices,
                            begin,
                            end,
                            *graph,
                            slots,
                            self.tables,
                            warp,
                            *tail,
                        ],
                        shared_mem=SHARED_SLOTS * SLOT_BYTES,
                    )
                )
                warp += grid * BLOCK_THREADS // 32
        return ready

    def optimise(self, reached: float, threshold: float) -> int:
        """Sweep until two sweeps in a row gain too little; see :meth:`PaperPhase.optimise`.

        The gain is the sum of the gains of single moves; simultaneous moves make it inexact.

        Returns
        -------
        int
            Number of sweeps.
        """
        run, device, xp = self.run, self.run.device, self.run.device.xp
        parts, patience = self._parts(), PATIENCE
        if self.ends_early and not (run.stages or self._tiny):
            threshold, patience = min(1.0, FIRST_FACTOR * threshold), FIRST_PATIENCE
        most = self.begins + min(run.params.max_sweeps, self._most_sweeps())
        least, relative = run.params.t_final, int(run.params.rules.thresholds == "relative")
        awake = xp.ones(self.stage.n, dtype=xp.uint8)
        gained = xp.zeros(1, dtype=xp.float64)
        modularity = xp.full(2, reached, dtype=xp.float64)
        moved = xp.zeros(1, dtype=xp.int32)
        state = xp.zeros(4, dtype=xp.int32)
        state[1] = self.begins * parts
        recorder = run.recorder.args()
        middle = [self.strength, self.community, self.total, run.two_m, run.params.resolution]
        middle += [parts, awake, gained, moved, state]
        judge = device.kernel("louvain_fast", "fast_judge").prepare(
            1,
            1,
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

        if not recorder and self._cooperative:
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

    @property
    def _cooperative(self) -> bool:
        """Whether all sweeps are one launch, unless they are recorded."""
        return self._parts() > 1 and self.stage.entries <= COOPERATIVE_ENTRIES

    @property
    def _tiny(self) -> bool:
        """Whether the given graph is so small that only quality matters."""
        first = self.run.stages[0]["vertices"] if self.run.stages else self.stage.n
        return bool(first < TINY)

    def _most_sweeps(self) -> int:
        """Return the limit of sweeps; that of refinement is a parameter."""
        if self.begins:
            return int(self.run.params.refine)
        return MAX_SWEEPS if self.ends_early and not self._tiny else MOST_SWEEPS

    def _parts(self) -> int:
        """Return the number of parts in which the stage is swept."""
        if self._tiny:
            return TINY_PARTS
        return next((parts for n, parts in PARTS if self.live < n), 1)

    @property
    def live(self) -> int:
        """Number of vertices with edges; only these move."""
        return self.stage.n - self.order.first[1]

    def _phase_blocks(self) -> int:
        """Return the blocks of a cooperative launch: no more than the vertices can keep busy."""
        device, order = self.run.device, self.order
        most = HOST_BLOCKS
        if device.name == "cuda":
            most = BLOCKS_PER_MULTIPROCESSOR * device.multiprocessors
        warps = order.first[6] - order.first[5]
        busy = max(order.lane_blocks[-1], -(-warps // (THREADS // 32)))
        return max(1, min(most, max(busy, order.first[8] - order.first[6])))

    def _whole_phase(self, middle: list[Any], limits: list[Any]) -> None:
        """Run all sweeps in one cooperative launch."""
        run, order, stage = self.run, self.order, self.stage
        grid = self._phase_blocks()
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

    def add_merging(self) -> int:
        """Append the contraction to the log, if there is a record; return its step's number."""
        run = self.run
        number = len(run.steps)
        if run.recorder.args():
            vertices = self.stage.n - self.order.first[1]
            run.steps.append(merging_step(run, 0, vertices, self.stage.entries))
        return number

    def contract(self) -> tuple[Stage, Any, Any, float]:
        """Make every community a vertex, see :func:`contract`."""
        return contract(self)


def numbered(fast: FastPhase) -> tuple[Any, Any]:
    """Give the communities that have members the numbers 0 to k - 1.

    Returns
    -------
    mapping : array of int32, shape (n,)
        Number of every vertex's community, 0 to k - 1.
    total : array of uint64, shape (k,)
        Strength of every community.
    """
    device, xp, n = fast.run.device, fast.run.device.xp, fast.stage.n
    every = -(-n // 256)
    used = xp.zeros(n, dtype=xp.int32)
    device.kernel("louvain_fast_contract", "fast_mark")(every, 256, [n, fast.community, used])
    number = xp.cumsum(used, dtype=xp.int32)
    mapping = xp.empty(n, dtype=xp.int32)
    total = xp.empty(int(device.to_host(number[-1:])[0]), dtype=xp.uint64)
    device.kernel("louvain_fast_contract", "fast_renumber")(
        every, 256, [n, fast.community, number, used, fast.total, mapping, total]
    )
    return mapping, total


def contract(fast: FastPhase) -> tuple[Stage, Any, Any, float]:
    """Make every community a vertex.

    Returns
    -------
    stage, strength, mapping
        As :func:`gpucore.families.communities.contract.contract`.
    modularity : float
        Modularity of the partition, from its exact sums.
    """
    run, stage = fast.run, fast.stage
    device, xp = run.device, run.device.xp

    def kernel(name: str) -> Kernel:
        return device.kernel("louvain_fast_contract", name)

    def recorded(name: str) -> Kernel:
        return run.recorder.kernel("louvain_fast_contract", name)

    mapping, total = numbered(fast)
    communities = len(total)
    inner = xp.zeros(communities, dtype=xp.uint64)
    length = xp.zeros(communities, dtype=xp.int32)
    pairs = min(stage.entries, communities * communities)
    slots = 1 << max(10, (pairs * 3 // 2).bit_length())
    table = xp.empty(2 * slots, dtype=xp.uint64)
    blocks = min(WALK_BLOCKS, slots // 256)
    kernel("fast_clear")(blocks, 256, [slots, table])
    tail = [fast.add_merging(), *run.recorder.args()]
    pairs_of = [mapping, table, slots - 1, inner]
    for launch in fast.launches(recorded, "fast_pairs", pairs_of, tail):
        launch()
    shares, squares = xp.empty(blocks, dtype=xp.float64), xp.empty(blocks, dtype=xp.float64)
    kernel("fast_lengths")(
        blocks, 256, [slots, table, communities, inner, total, run.two_m, length, shares, squares]
    )
    indptr = xp.zeros(communities + 1, dtype=xp.int64)
    xp.cumsum(length, dtype=xp.int64, out=indptr[1:])
    entries = int(device.to_host(indptr[-1:])[0])
    modularity = float(device.to_host(shares).sum())
    modularity -= run.params.resolution * float(device.to_host(squares).sum())
    indices = xp.empty(max(1, entries), dtype=xp.int32)
    edge_sums = xp.empty(max(1, entries), dtype=xp.uint64)
    cursor = indptr[:-1].astype(xp.uint64)
    kernel("fast_edges")(
        blocks, 256, [slots, table, communities, inner, cursor, indices, edge_sums]
    )
    smaller = Stage(
        n=communities,
        entries=entries,
        indptr=indptr,
        indices=indices[:entries] if entries else indices,
        weights=stage.weights[:1],
        sums=edge_sums,
        kind=SUMS,
        unit=1.0,
    )
    return smaller, total, mapping, modularity
