"""b-Suitor where ranks address each other's memory.

Kernels: ``kernels/bsuitor_peers.cu``, which says how the algorithm works.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.matching.peers_program import PeersProgram

if TYPE_CHECKING:
    from gpucore.families.bmatching.ranks_outcome import RankTask
    from gpucore.record import Recorder

#: Bytes of state for each own vertex: cursor and counts.
OWN_BYTES = 8 + 3


def ghost_bytes(capacity: int) -> int:
    """Return the bytes of state for each vertex of the graph: offers, the worst's weight, a bit."""
    return 8 * capacity + 4 + 1


class ByPeers(PeersProgram):
    """Transport "peers": offers are entered in the memory of other ranks, all of one capacity."""

    source, bytes = "bsuitor_peers", (8, 4)

    def __init__(self, task: RankTask, recorder: Recorder) -> None:
        self.capacity = int(task.uniform)
        # The host's kernels take any capacity; for a GPU they are compiled for this one.
        constants = {"SLOTS": self.capacity} if task.world.device.name == "cuda" else {}
        threads = task.params.threads_per_block
        super().__init__(task.part, threads, task.world, recorder, self.capacity, **constants)
        xp, memory, n = self.world.device.xp, self.world.memory, max(1, self.part.n)
        assert memory is not None
        total = max(1, self.part.total)
        self.all_slots, self.slots_of = memory.empty(total * self.capacity, np.uint64)
        self.worst, self.worst_of = memory.empty(total, np.uint32)
        self.owed = xp.empty(-(-n // 4) * 4, dtype=xp.uint8)  # counted up by words
        self.cursors = xp.empty(n, dtype=xp.uint64)
        self.start()

    @property
    def slots(self) -> Any:
        """Offers of the own vertices."""
        return self.all_slots[self.part.lo * self.capacity :]

    @property
    def starts(self) -> np.ndarray:
        """First place of each own vertex's offers: int64, shape (n + 1,)."""
        return np.arange(self.part.n + 1, dtype=np.int64) * self.capacity

    def clear(self) -> None:
        """Clear the state and list the hubs."""
        for array in (self.all_slots, self.worst, self.owed):
            array.fill(0)
        if n := self.part.n:
            begin = self.recorder.kernel("bsuitor_fast", "bsuitor_fast_begin", **self.constants)
            args = [n, self.part.arrays[0], self.capacity, self.slots, self.owed]
            begin(-(-n // 256), 256, [*args, *self.hubs.args])

    def state(self) -> list[Any]:
        """Return offers, worst offers, cursors, and what the first round left to do."""
        return [self.capacity, self.all_slots, self.worst, self.cursors, self.owed]

    def table(self) -> Any:
        """Return the addresses of the offers."""
        return self.slots_of

    def collected(self) -> list[Any]:
        """Return the offers, what is known of others', and what is left to do."""
        return [self.capacity, self.all_slots, self.worst, self.owed]

    def packed(self) -> list[Any]:
        """Return the offers."""
        return [self.capacity, self.all_slots]

    def summarised(self) -> tuple[Callable[[], None], Any]:
        """Sum up the own offers by the weight of each vertex's worst."""
        n, lo = self.part.n, self.part.lo
        worst = self.recorder.kernel("bsuitor_fast", "bsuitor_fast_worst", **self.constants)
        args = [n, self.capacity, self.slots, self.worst[lo : lo + n]]
        return worst.prepare(-(-n // 256), 256, args), self.worst_of
