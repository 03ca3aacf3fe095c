"""State of a stage of the tuned variant: vertices by class of degree, partition, tables, launches.

See ``families/communities/kernels/louvain_fast.cu`` for our changes and why.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.fast_facts import WORDS, Facts
from gpucore.families.communities.fast_order import CLASSES, THREADS, Order, first_of
from gpucore.families.communities.stage import Run, Stage, merging_step, table_bytes

if TYPE_CHECKING:
    from gpucore.device.base import Device, Kernel

#: As in the kernels' source.
WARP_SLOTS, SHARED_SLOTS = 256, 2048
SLOT_BYTES, FAR_WORDS = 12, 4
#: Places for sums of gains and moves, and their distance, as in the kernels' source.
TALLIES, TALLY_STRIDE = 512, 4
#: Threads of a block for one vertex, and for a hub; and of one whose sweeps are one launch, if most
#: vertices need a block.
BLOCK_THREADS, HUB_THREADS, DENSE_THREADS = 128, 1024, 512
#: Most slots of a hub's table in shared memory.
HUB_SLOTS = 16_384
#: Shared memory that a block has beside its table.
OTHER_BYTES = 1024
#: Blocks of a cooperative launch with hubs on a multiprocessor, each with tables of its own; one of
#: a launch for hubs alone takes all shared memory.
HUB_BLOCKS_PER_MULTIPROCESSOR = 4
#: Most blocks of a cooperative launch, of `THREADS` threads; fewer if they are larger.
BLOCKS_PER_MULTIPROCESSOR, HOST_BLOCKS = 2, 4
#: (n, parts): a stage of fewer than n vertices with edges is swept in this many parts. A GPU
#: processes a larger share of a smaller stage at once.
PARTS = ((5_000, 8), (100_000, 4))
#: A vertex should have no more neighbours than this in one part, of at most so many parts: they
#: move at the same time, and none sees the moves of the others.
NEIGHBOURS, MOST_PARTS = 64, 32
#: Edges a vertex from which on most vertices need a block.
DENSE = 128
#: A graph of fewer vertices has this many parts in all stages, since only quality matters there;
#: more on a GPU, whose vertices of a part move at the same time.
TINY, TINY_PARTS, TINY_PARTS_OF_GPU = 2_000, 16, 64
#: Most entries of a stage whose contraction, or refinement, is one cooperative launch.
JOINT_ENTRIES = 1 << 21
#: Blocks of such a launch for each multiprocessor; and where they have hash tables for vertices
#: that need a block.
JOINT_BLOCKS, JOINT_TABLE_BLOCKS = 4, 2
#: Most entries of a stage whose sweeps are one cooperative launch: hubs need more blocks than that
#: has, and a large stage hides the time of launches.
COOPERATIVE_ENTRIES = 1 << 22


def hub_slots(device: Device) -> int:
    """Return the slots of a hub's table in shared memory: as many as a block can have."""
    slots = SHARED_SLOTS
    most = device.shared_memory_per_block - OTHER_BYTES
    while slots < HUB_SLOTS and 2 * slots * SLOT_BYTES <= most:
        slots *= 2
    return slots


def joint_shared(near: int) -> int:
    """Return the shared memory of a block of :meth:`FastState.joint_grid`."""
    return max(near, THREADS // 32 * WARP_SLOTS) * SLOT_BYTES


class FastState:
    """A stage, its order and the state of its partition.

    Attributes
    ----------
    facts : Facts
        What the host reads once a stage.
    rested, gained, moved, barrier, queue
        As in the kernels' source; with the facts they are one piece of memory, cleared by one call.
    launched : int or None
        Launches of the search for moves, once the host knows it.
    known_modularity : float or None
        About that of the partition, if the host knows it.
    """

    def __init__(self, run: Run, stage: Stage, strength: Any) -> None:
        self.run, self.stage, self.strength = run, stage, strength
        #: Sweeps before the first one; the directions of moves alternate with their numbers.
        self.begins = 0
        #: A phase is not timed sweep by sweep.
        self.first_sweep_seconds: float | None = None
        self.launched: int | None = None
        self.known_modularity: float | None = None
        #: Batches of communities in which the stage was contracted.
        self.batches = 1
        self._clear()
        classes, self._longest = self._classes()
        self.order = Order(run.device.xp.empty(stage.n, np.int32), first_of(classes))
        self._place()
        if run.start:
            self.order = self.order.shuffled(run.device, (run.start, len(run.stages)))
        self._choose_tables()
        self.take_tables()

    def _clear(self) -> None:
        """Allocate what the kernels expect to be zero."""
        tallies = TALLIES * TALLY_STRIDE
        words = [WORDS, tallies, tallies // 2, CLASSES // 2 + 1, 1, 1, -(-self.stage.n // 8)]
        ends = list(accumulate(words))
        self._scratch = scratch = self.run.device.xp.zeros(ends[-1], np.uint64)
        pieces = [scratch[end - count : end] for end, count in zip(ends, words, strict=True)]
        self.facts = Facts(self.run.device, pieces[0])
        self.gained, self.moved = pieces[1].view(np.float64), pieces[2].view(np.int32)
        self._cursors, self.barrier = pieces[3].view(np.int32), pieces[4].view(np.uint32)
        self.queue, self.rested = pieces[5].view(np.int32), pieces[6].view(np.uint8)

    def restart(self, begins: int) -> None:
        """Forget the sweeps; the next one has the number `begins`."""
        self._scratch.fill(0)
        self.facts = Facts(self.run.device, self._scratch[:WORDS])
        self.facts.state[1] = begins * self.parts()
        self.begins, self.launched = begins, None

    def _classes(self) -> tuple[tuple[int, ...], int]:
        """Return the vertices of every class, and the largest degree; the first stage counts."""
        stage, facts = self.stage, self.facts
        if not stage.classes:
            facts.begin()
            self.run.device.kernel("louvain_fast", "fast_count")(
                -(-stage.n // 256), 256, [stage.n, stage.indptr, facts.classes, facts.longest]
            )
            found = facts.read()
            return found.classes, found.longest
        return stage.classes, stage.longest

    def _place(self) -> None:
        """Write the order, and make every vertex a community of its own."""
        device, n = self.run.device, self.stage.n
        self.community = device.xp.empty(n, np.int32)
        self.total = device.xp.empty(n, np.uint64)
        device.kernel("louvain_fast", "fast_place")(
            -(-n // 256),
            256,
            [
                n,
                self.stage.indptr,
                *self.order.first[1:CLASSES],
                self._cursors,
                self.order.vertices,
                self.strength,
                self.community,
                self.total,
            ],
        )

    def _choose_tables(self) -> None:
        """Choose the hash tables for vertices of more edges than shared memory can hold, if any."""
        begin, end = self.order.range_of(CLASSES - 1)
        device = self.run.device
        self.large_blocks, self.slots = 0, 1
        if end > begin:
            self.slots = 64
            while self.slots < 2 * self._longest:
                self.slots *= 2
            fits = table_bytes(device) // (4 * FAR_WORDS * self.slots)
            wanted = self.phase_blocks() if self.cooperative else end - begin
            self.large_blocks = max(1, min(wanted, fits, self._most_hub_blocks()))

    def take_tables(self) -> None:
        """Allocate the hash tables, all of whose slots are empty."""
        self.tables = self.barrier
        if self.large_blocks:
            xp = self.run.device.xp
            tables = xp.zeros((self.large_blocks, FAR_WORDS, self.slots), dtype=xp.uint32)
            tables[:, 0] = 0xFFFFFFFF
            self.tables = tables.reshape(-1)

    def drop_tables(self) -> None:
        """Free the hash tables, while other stages need memory."""
        self.tables = None

    def _most_hub_blocks(self) -> int:
        device = self.run.device
        if device.name == "cuda":
            each = HUB_BLOCKS_PER_MULTIPROCESSOR if self.cooperative else 1
            return each * device.multiprocessors
        return self.run.max_warps // 8

    def launches(
        self,
        kernel: Callable[[str], Kernel],
        name: str,
        middle: list[Any],
        tail: list[Any],
        parts: int = 1,
        hubs: bool = True,
    ) -> list[Callable[[], None]]:
        """Prepare the launches that go over all vertices with edges, or over one of equal parts.

        Parameters
        ----------
        kernel : callable
            Returns the kernel of a name.
        name : str
            "fast_move" or "fast_pairs".
        middle, tail : list
            Arguments after the graph's; the step's number, and the record if there is one.
        parts : int
            Number of parts; the kernel knows which one is next.
        hubs : bool
            Whether the hubs, the last class, are among them.
        """
        order, ready = self.order, []
        graph = [*self.stage.args, *middle]
        blocks = order.lane_blocks(parts)
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
                    -(-order.share(5, parts) // warps),
                    THREADS,
                    [order.vertices, begin, end, *graph, warp, *tail],
                    shared_mem=warps * WARP_SLOTS * SLOT_BYTES,
                )
            )
            warp += end - begin + warps
        for k, most, near, slots, threads in (
            (6, 1 << 30, SHARED_SLOTS, 1, BLOCK_THREADS),
            (7, self.large_blocks, hub_slots(self.run.device), self.slots, HUB_THREADS),
        ):
            begin, end = order.range_of(k)
            if end > begin and (hubs or k < 7):
                grid = min(order.share(k, parts), most)
                ready.append(
                    kernel(f"{name}_block").prepare(
                        grid,
                        threads,
                        [
                            order.vertices,
                            begin,
                            end,
                            *graph,
                            near,
                            slots,
                            self.tables,
                            self.queue,
                            warp,
                            *tail,
                        ],
                        shared_mem=near * SLOT_BYTES,
                    )
                )
                warp += grid * threads // 32
        return ready

    @property
    def cooperative(self) -> bool:
        """Whether all sweeps are one launch, unless they are recorded."""
        return self.parts() > 1 and self.stage.entries <= COOPERATIVE_ENTRIES

    @property
    def joint(self) -> bool:
        """Whether steps that go over all vertices at once are in one cooperative launch."""
        small = self.stage.entries <= JOINT_ENTRIES and not self.large_blocks
        return small and not self.run.recorder.args()

    def joint_grid(self) -> tuple[int, int, list[Any]]:
        """Return the blocks of such a launch, slots for a block's vertex, ranges of vertices."""
        device, order, warps = self.run.device, self.order, THREADS // 32
        blocks, near = order.lane_blocks(), SHARED_SLOTS if order.share(6, 1) else 0
        most = HOST_BLOCKS
        if device.name == "cuda":
            most = (JOINT_TABLE_BLOCKS if near else JOINT_BLOCKS) * device.multiprocessors
        busy = max(1, blocks[-1], -(-order.share(5, 1) // warps), order.share(6, 1))
        ranges = [order.vertices, *order.first[1:6], *blocks[1:], order.first[6], order.first[8]]
        return min(most, busy), near, ranges

    @property
    def tiny(self) -> bool:
        """Whether the given graph is so small that only quality matters."""
        first = self.run.stages[0]["vertices"] if self.run.stages else self.stage.n
        return bool(first < TINY)

    def parts(self) -> int:
        """Return the number of parts in which the stage is swept.

        A stage of hubs is not divided: every part would cost the launches of all, and wait for its
        largest hub.
        """
        if self.tiny:
            return TINY_PARTS if self.run.device.name == "host" else TINY_PARTS_OF_GPU
        if self.stage.entries > COOPERATIVE_ENTRIES:
            return 1
        parts = next((parts for n, parts in PARTS if self.live < n), 1)
        while (
            parts > 1 and parts < MOST_PARTS and self.stage.entries > NEIGHBOURS * parts * self.live
        ):
            parts *= 2
        return parts

    @property
    def live(self) -> int:
        """Number of vertices with edges; only these move."""
        return self.stage.n - self.order.first[1]

    @property
    def phase_threads(self) -> int:
        """Threads of a block of a cooperative launch: more where most vertices need a block.

        Each of its warps has a hash table.
        """
        room = self.run.device.shared_memory_per_block - OTHER_BYTES
        fits = room >= DENSE_THREADS // 32 * WARP_SLOTS * SLOT_BYTES
        return DENSE_THREADS if fits and self.stage.entries > DENSE * self.live else THREADS

    def phase_blocks(self) -> int:
        """Return the blocks of a cooperative launch: no more than the vertices can keep busy."""
        device, order = self.run.device, self.order
        parts, threads = self.parts(), self.phase_threads
        most = HOST_BLOCKS
        if device.name == "cuda":
            most = max(1, THREADS * BLOCKS_PER_MULTIPROCESSOR // threads) * device.multiprocessors
        busy = max(order.lane_blocks(parts, threads)[-1], -(-order.share(5, parts) * 32 // threads))
        return max(1, min(most, max(busy, order.share(6, parts) + order.share(7, parts))))

    def add_merging(self) -> int:
        """Append the contraction to the log, if there is a record; return its step's number."""
        run = self.run
        number = len(run.steps)
        if run.recorder.args():
            vertices = self.stage.n - self.order.first[1]
            run.steps.append(merging_step(run, 0, vertices, self.stage.entries))
        return number
