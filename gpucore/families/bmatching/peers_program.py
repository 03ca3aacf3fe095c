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

if TYPE_CHECKING:
    from gpucore.families.bmatching.ranks_outcome import RankTask
    from gpucore.record import Recorder

#: Words that a tally is spread over, as in the kernel's source.
SPREAD = 256

_KERNELS = tuple(f"bsuitor_peers_{name}" for name in ("first", "rest", "deliver", "worst"))

#: Bytes of state for each own vertex: cursor and counts.
OWN_BYTES = 8 + 2


def ghost_bytes(capacity: int) -> int:
    """Return the bytes of state for each vertex of the graph: offers, and weight of the worst."""
    return 8 * capacity + 4


class ByPeers:
    """Transport "peers": offers are entered in the memory of other ranks, all of one capacity.

    In round 0 each rank collects its own offers to all vertices, and delivers the best for each.
    Each rank has two arrays that count the proposals that its vertices have to make again; they
    take turns: all ranks count for the next round, while owners work off this round's.
    """

    channels: Sequence[Channel] = ()

    def __init__(self, task: RankTask, recorder: Recorder) -> None:
        self.task, self.recorder = task, recorder
        self.part, self.world = task.part, task.world
        self.threads, self.capacity = task.params.threads_per_block, int(task.uniform)
        xp, memory, n = self.world.device.xp, self.world.memory, self.part.n
        assert memory is not None
        entries = len(self.part.arrays[1])
        total = max(1, self.part.total)
        self.all_slots, self.slots_of = memory.empty(total * self.capacity, np.uint64)
        self.worst, self.worst_of = memory.empty(total, np.uint32)
        self.owed, self.owed_of = zip(
            *(memory.empty(max(1, -(-n // 4)) * 4, np.uint8) for _ in range(2)), strict=True
        )
        self.cursors = xp.empty(max(1, n), dtype=xp.uint64)
        self.hubs = xp.empty(max(1, entries // HUB_DEGREE), dtype=xp.int32)
        self.hub_blocks = hub_blocks(entries)
        self.counters = xp.zeros(3, dtype=xp.int32)  # hubs; taken in the first round; in later ones
        self.tally = xp.zeros(2 * SPREAD, dtype=xp.uint32)
        self.ghosts = ghost_range(self.part)
        # The host's kernels take any capacity; for a GPU they are compiled for this one.
        cuda = self.world.device.name == "cuda"
        self.constants = {"SLOTS": self.capacity} if cuda else {}
        recorder.load("bsuitor_peers", _KERNELS, **self.constants)
        recorder.load("bsuitor_fast", ("bsuitor_fast_worst",), **self.constants)
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
        for array in (self.all_slots, self.worst, *self.owed):
            array.fill(0)
        if n := self.part.n:
            begin = self.recorder.kernel("bsuitor_fast", "bsuitor_fast_begin", **self.constants)
            args = [n, self.part.arrays[0], self.capacity, self.slots, self.owed[0], self.hubs]
            begin(-(-n // 256), 256, [*args, self.counters])
        self.world.device.synchronize()
        self.world.comm.barrier()  # before any rank writes into the memory of another

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Propose along the heaviest edges in round 0; then make again what fell out."""
        now, then = round_number % 2, (round_number + 1) % 2
        part = self.part
        args = [part.n, part.lo, *part.arrays, self.capacity, self.all_slots, self.worst,
                self.cursors,
                self.owed[now], self.hubs, self.counters, self.hub_blocks, round_number,
                part.bounds_array, self.world.comm.size, self.slots_of, self.owed_of[then],
                self.tally]  # fmt: skip
        if part.n and round_number == 0:
            self._first(args)
        elif part.n:
            self._rest(args, round_number)
            self.owed[now].fill(0)
        asked, owed = self._tally()
        pending = owed + int(round_number == 0 and part.n > 0)
        return Work(pending, remote=asked + owed, remote_bytes=8 * asked + 4 * owed)

    def _first(self, args: Sequence[Any]) -> None:
        n, lo, warps = self.part.n, self.part.lo, self.threads // 32
        blocks = self.hub_blocks + -(-n // self.threads)
        self._launch("first", blocks, args, shared_mem=33 * 8 + 32 * warps)
        self._for_ghosts("deliver", [self.capacity, self.all_slots, *args[-5:]])
        worst = self.recorder.kernel("bsuitor_fast", "bsuitor_fast_worst", **self.constants)
        worst(-(-n // 256), 256, [n, self.capacity, self.slots, self.worst[lo : lo + n]])

    def _rest(self, args: Sequence[Any], round_number: int) -> None:
        part, warps = self.part, self.threads // 32
        if round_number == 1:
            self._for_ghosts("worst", [*args[-5:-3], self.worst_of, self.worst])
        self.counters[2:].fill(0)
        blocks = self.hub_blocks + -(-part.n // (WARP_VERTICES * warps))
        self._launch("rest", blocks, args, shared_mem=33 * 8 + (32 + 4 * WARP_VERTICES) * warps)

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

    def _tally(self) -> tuple[int, int]:
        """Return how many proposals and counts went to other ranks in this round."""
        counts = self.world.device.to_host(self.tally).reshape(2, SPREAD).sum(axis=1)
        self.tally.fill(0)
        return int(counts[0]), int(counts[1])
