"""State of a stage of the tuned variant: vertices by class of degree, partition, tables, launches.

See ``families/communities/kernels/louvain_fast.cu`` for our changes and why.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast_facts import WORDS, Facts
from gpucore.families.communities.fast_order import CLASSES, THREADS, Order, first_of
from gpucore.families.communities.fast_sizes import (
    BLOCK_THREADS,
    HUB_THREADS,
    SHARED_SLOTS,
    SLOT_BYTES,
    WARP_SLOTS,
    FastSizes,
    hub_slots,
)
from gpucore.families.communities.stage import Run, Stage, merging_step, table_bytes

if TYPE_CHECKING:
    from gpucore.device.base import Kernel

#: Words of a slot in global memory.
FAR_WORDS = constant("louvain_fast_tables.cuh", "FAR_WORDS")
#: Places for sums of gains and moves, and their distance.
TALLIES = constant("louvain_fast_moves.cuh", "TALLIES")
TALLY_STRIDE = constant("louvain_fast_moves.cuh", "TALLY_STRIDE")


class FastState(FastSizes):
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
            self.large_blocks = max(1, min(wanted, fits, self.most_hub_blocks()))

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

    def add_merging(self) -> int:
        """Append the contraction to the log, if there is a record; return its step's number."""
        run = self.run
        number = len(run.steps)
        if run.recorder.args():
            vertices = self.stage.n - self.order.first[1]
            run.steps.append(merging_step(run, 0, vertices, self.stage.entries))
        return number
