"""State of a stage of the tuned variant: vertices by class of degree, partition, tables, launches.

See ``families/communities/kernels/louvain_fast.cu`` for our changes and why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.stage import Run, Stage, merging_step, table_bytes

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
#: (n, parts): a stage of fewer than n vertices with edges is swept in this many parts. A GPU
#: processes a larger share of a smaller stage at once.
PARTS = ((5_000, 8), (100_000, 4))
#: A graph of fewer vertices has this many parts in all stages: only quality matters there.
TINY, TINY_PARTS = 2_000, 32
#: Most entries of a stage whose sweeps are one cooperative launch: hubs need more blocks than that
#: has, and a large stage hides the time of launches.
COOPERATIVE_ENTRIES = 1 << 20


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


class FastState:
    """A stage, its order and the state of its partition."""

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
        #: Batches of communities in which the stage was contracted.
        self.batches = 1
        #: A phase is not timed sweep by sweep.
        self.first_sweep_seconds: float | None = None
        self._choose_tables()
        self.take_tables()

    def _choose_tables(self) -> None:
        """Choose the hash tables for vertices of more edges than shared memory can hold."""
        begin, end = self.order.range_of(CLASSES - 1)
        device = self.run.device
        self.large_blocks, self.slots = 0, 1
        if end > begin:
            members = self.order.vertices[begin:end]
            most = int((self.stage.indptr[members + 1] - self.stage.indptr[members]).max())
            self.slots = 64
            while self.slots < 2 * most:
                self.slots *= 2
            fits = table_bytes(device) // (SLOT_BYTES * self.slots)
            wanted = self.phase_blocks() if self.cooperative else end - begin
            self.large_blocks = max(1, min(wanted, fits, self.run.max_warps // 8))

    def take_tables(self) -> None:
        """Allocate the hash tables."""
        xp = self.run.device.xp
        words = max(1, self.large_blocks * self.slots * SLOT_BYTES // 4)
        self.tables = xp.empty(words, dtype=xp.uint32)

    def drop_tables(self) -> None:
        """Free the hash tables, while other stages need memory."""
        self.tables = None

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

    @property
    def cooperative(self) -> bool:
        """Whether all sweeps are one launch, unless they are recorded."""
        return self.parts() > 1 and self.stage.entries <= COOPERATIVE_ENTRIES

    @property
    def tiny(self) -> bool:
        """Whether the given graph is so small that only quality matters."""
        first = self.run.stages[0]["vertices"] if self.run.stages else self.stage.n
        return bool(first < TINY)

    def parts(self) -> int:
        """Return the number of parts in which the stage is swept."""
        if self.tiny:
            return TINY_PARTS
        return next((parts for n, parts in PARTS if self.live < n), 1)

    @property
    def live(self) -> int:
        """Number of vertices with edges; only these move."""
        return self.stage.n - self.order.first[1]

    def phase_blocks(self) -> int:
        """Return the blocks of a cooperative launch: no more than the vertices can keep busy."""
        device, order = self.run.device, self.order
        most = HOST_BLOCKS
        if device.name == "cuda":
            most = BLOCKS_PER_MULTIPROCESSOR * device.multiprocessors
        warps = order.first[6] - order.first[5]
        busy = max(order.lane_blocks[-1], -(-warps // (THREADS // 32)))
        return max(1, min(most, max(busy, order.first[8] - order.first[6])))

    def add_merging(self) -> int:
        """Append the contraction to the log, if there is a record; return its step's number."""
        run = self.run
        number = len(run.steps)
        if run.recorder.args():
            vertices = self.stage.n - self.order.first[1]
            run.steps.append(merging_step(run, 0, vertices, self.stage.entries))
        return number
