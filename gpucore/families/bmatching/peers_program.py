"""What a rank of b-Suitor does in a round where ranks address each other's memory.

Kernels: ``kernels/bsuitor_peers.cu``, which says how the algorithm works.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.bmatching.fast import HUB_DEGREE, WARP_VERTICES, hub_blocks
from gpucore.families.matching.suitor_peers import ghost_range
from gpucore.ranks import Channel, Inbox, Outbox, Work
from gpucore.ranks.marks import SWEEPS, SWEPT, Arrivals, Tally

if TYPE_CHECKING:
    from gpucore.families.bmatching.ranks_outcome import RankTask
    from gpucore.record import Recorder

_KERNELS = tuple(f"bsuitor_peers_{name}" for name in ("first", "deliver", "worst", "rest", "sweep"))

#: Bytes of state for each own vertex: cursor and counts.
OWN_BYTES = 8 + 3


def ghost_bytes(capacity: int) -> int:
    """Return the bytes of state for each vertex of the graph: offers, and weight of the worst."""
    return 8 * capacity + 4


class ByPeers:
    """Transport "peers": offers are entered in the memory of other ranks, all of one capacity.

    In round 0 each rank collects its own offers to all vertices, and delivers the best for each. In
    round 1 it makes all proposals of its vertices again that fell out. From then on it sweeps over
    the counts that arrive.
    """

    channels: Sequence[Channel] = ()

    def __init__(self, task: RankTask, recorder: Recorder) -> None:
        self.task, self.recorder = task, recorder
        self.part, self.world = task.part, task.world
        self.threads, self.capacity = task.params.threads_per_block, int(task.uniform)
        xp, memory, n = self.world.device.xp, self.world.memory, self.part.n
        assert memory is not None
        entries, total = len(self.part.arrays[1]), max(1, self.part.total)
        self.all_slots, self.slots_of = memory.empty(total * self.capacity, np.uint64)
        self.worst, self.worst_of = memory.empty(total, np.uint32)
        self.arrivals = Arrivals(self.world, n, recorder.level != "off")
        self.owed = xp.empty(max(1, -(-n // 4)) * 4, dtype=xp.uint8)  # counted up by words
        self.cursors = xp.empty(max(1, n), dtype=xp.uint64)
        self.hubs = xp.empty(max(1, entries // HUB_DEGREE), dtype=xp.int32)
        self.hub_blocks = hub_blocks(entries)
        # Hubs; those taken in the first round, in the second, and in each sweep.
        self.counters = xp.zeros(3 + SWEEPS, dtype=xp.int32)
        self.tally = Tally(self.world.device)
        self.ghosts = ghost_range(self.part)
        # The host's kernels take any capacity; for a GPU they are compiled for this one.
        cuda = self.world.device.name == "cuda"
        self.constants = {"SLOTS": self.capacity} if cuda else {}
        recorder.load("bsuitor_peers", _KERNELS, **self.constants)
        recorder.load("bsuitor_fast", ("bsuitor_fast_begin", "bsuitor_fast_worst"),
                      **self.constants)  # fmt: skip
        self._clear()

    @property
    def slots(self) -> Any:
        """Offers of the own vertices."""
        return self.all_slots[self.part.lo * self.capacity :]

    @property
    def starts(self) -> np.ndarray:
        """First place of each own vertex's offers: int64, shape (n + 1,)."""
        return np.arange(self.part.n + 1, dtype=np.int64) * self.capacity

    def _clear(self) -> None:
        """Clear the state and list the hubs."""
        for array in (self.all_slots, self.worst, self.owed):
            array.fill(0)
        if n := self.part.n:
            begin = self.recorder.kernel("bsuitor_fast", "bsuitor_fast_begin", **self.constants)
            args = [n, self.part.arrays[0], self.capacity, self.slots, self.owed, self.hubs]
            begin(-(-n // 256), 256, [*args, self.counters])
        self.world.device.synchronize()
        self.world.comm.barrier()  # before any rank writes into the memory of another

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Propose along the heaviest edges in round 0; then make again what fell out."""
        if self.part.n:
            if round_number == 0:
                self._first()
            elif round_number == 1:
                self._rest()
            if round_number >= 1 and self.world.comm.size > 1:
                self._sweep(round_number)
        return self.tally.work(8, 4, more=int(round_number == 0 and self.part.n > 0))

    def _first(self) -> None:
        n, lo, warps = self.part.n, self.part.lo, self.threads // 32
        blocks = self.hub_blocks + -(-n // self.threads)
        self._launch("first", blocks, self._args(0), 33 * 8 + 32 * warps)
        self._for_ghosts("deliver", [self.capacity, self.all_slots, self.owed,
                                     *self._ranks(self.slots_of),
                                     self.arrivals.tables[self.arrivals.then(0)],
                                     self.tally.words])  # fmt: skip
        worst = self.recorder.kernel("bsuitor_fast", "bsuitor_fast_worst", **self.constants)
        worst(-(-n // 256), 256, [n, self.capacity, self.slots, self.worst[lo : lo + n]])

    def _rest(self) -> None:
        self._for_ghosts("worst", [*self._ranks(self.worst_of), self.worst])
        warps = self.threads // 32
        blocks = self.hub_blocks + -(-self.part.n // (WARP_VERTICES * warps))
        self._launch("rest", blocks, self._args(1), self._shared)

    def _sweep(self, round_number: int) -> None:
        """Sweep over the counts several times, since each sweep may lead to counts elsewhere.

        A recorded run sweeps once, from round 2 on, over the counts of the round before.
        """
        if self.arrivals.in_rounds and round_number == 1:
            return
        if self.hub_blocks:
            self.counters[3:].fill(0)
        warps = self.threads // 32
        blocks = self.hub_blocks + -(-self.part.n // (SWEPT * warps))
        args = self._args(round_number)
        for sweep in range(1 if self.arrivals.in_rounds else SWEEPS):
            taken = self.counters[3 + sweep :]
            self._launch("sweep", blocks, [*args, round_number, taken], self._shared)

    @property
    def _shared(self) -> int:
        """Bytes of shared memory of a block after the first round."""
        return 33 * 8 + (32 + 4 * WARP_VERTICES) * (self.threads // 32)

    def _ranks(self, table: Any) -> list[Any]:
        return [self.part.bounds_array, self.world.comm.size, table]

    def _args(self, round_number: int) -> list[Any]:
        """Return the arguments that all searches begin with."""
        part, arrivals = self.part, self.arrivals
        return [part.n, part.lo, *part.arrays, self.capacity, self.all_slots, self.worst,
                self.cursors, self.owed, self.hubs, self.counters, self.hub_blocks,
                *self._ranks(self.slots_of), arrivals.tables[arrivals.then(round_number)],
                self.tally.words, arrivals.marks[arrivals.now(round_number)]]  # fmt: skip

    def _launch(self, name: str, blocks: int, args: Sequence[Any], shared_mem: int) -> None:
        kernel = self.recorder.kernel("bsuitor_peers", f"bsuitor_peers_{name}", **self.constants)
        kernel(blocks, self.threads, [*args, *self.recorder.args()], shared_mem=shared_mem)

    def _for_ghosts(self, name: str, args: Sequence[Any]) -> None:
        """Launch a kernel with a thread for each ghost."""
        part, (first, last) = self.part, self.ghosts
        if ghosts := last - first - part.n:
            full = f"bsuitor_peers_{name}"
            kernel = self.recorder.kernel("bsuitor_peers", full, **self.constants)
            kernel(-(-ghosts // 256), 256, [part.n, part.lo, first, last, *args])
