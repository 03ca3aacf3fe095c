"""What a rank of Suitor does in a round where ranks address each other's memory.

Kernels: ``families/matching/kernels/suitor_peers.cu``, which says how the algorithm works.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.matching.suitor import HUB_DEGREE, WARP_VERTICES, hub_blocks
from gpucore.ranks import Channel, Inbox, Outbox, Work

if TYPE_CHECKING:
    from gpucore.families.matching.ranks_outcome import PartOnDevice
    from gpucore.ranks import World
    from gpucore.record import Recorder

#: Words that a tally is spread over, as in the kernel's source.
SPREAD = 256

_KERNELS = tuple(f"suitor_peers_{name}" for name in ("first", "rest", "deliver", "offers"))

#: Bytes of state for each own vertex (last proposal, marks), and for each vertex of the graph
#: (bid, offer).
OWN_BYTES, GHOST_BYTES = 4 + 2, 8 + 4


class ByPeers:
    """Transport "peers": bids are installed in the memory of other ranks.

    In round 0 each rank collects its own bids for all vertices, and delivers the best for each.
    Vertices that have to propose again are marked. Each rank has two arrays of marks, which take
    turns: all ranks mark vertices for the next round, while their owners work off this round's.
    """

    channels: Sequence[Channel] = ()

    def __init__(self, part: PartOnDevice, threads: int, world: World, recorder: Recorder) -> None:
        self.part, self.world, self.recorder, self.threads = part, world, recorder, threads
        xp, memory, n = world.device.xp, world.memory, part.n
        assert memory is not None
        entries = len(part.arrays[1])
        self.all_bids, self.bids_of = memory.empty(max(1, part.total), np.uint64)
        self.offers, self.offers_of = memory.empty(max(1, part.total), np.uint32)
        self.marks, self.marks_of = zip(
            *(memory.empty(max(1, n), np.uint8) for _ in range(2)), strict=True
        )
        self.last = xp.empty(max(1, n), dtype=xp.uint32)
        self.hubs = xp.empty(max(1, entries // HUB_DEGREE), dtype=xp.int32)
        self.hub_blocks = hub_blocks(entries)
        self.counters = xp.zeros(3, dtype=xp.int32)  # hubs; taken in this round; and in later ones
        self.tally = xp.zeros(2 * SPREAD, dtype=xp.uint32)
        self.ghosts = ghost_range(part)
        recorder.load("suitor_peers", _KERNELS)
        recorder.load("suitor_fast", ("suitor_fast_offers",))
        self._clear()

    @property
    def bids(self) -> Any:
        """Bids of the own vertices."""
        return self.all_bids[self.part.lo :]

    def _clear(self) -> None:
        """Clear the state and list the hubs."""
        for array in (self.all_bids, self.offers, *self.marks):
            array.fill(0)
        if n := self.part.n:
            begin = self.recorder.kernel("suitor_fast", "suitor_fast_begin")
            args = [n, self.part.arrays[0], self.bids, self.marks[0], self.hubs, self.counters]
            begin(-(-n // 256), 256, args)
        self.world.device.synchronize()
        self.world.comm.barrier()  # before any rank writes into the memory of another

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Propose to the heaviest neighbours in round 0; then work off the marks of the round."""
        now, then = round_number % 2, (round_number + 1) % 2
        part = self.part
        args = [part.n, part.lo, *part.arrays, self.all_bids, self.offers, self.last,
                self.marks[now], self.hubs, self.counters, self.hub_blocks, round_number,
                part.bounds_array, self.world.comm.size, self.bids_of, self.marks_of[then],
                self.tally]  # fmt: skip
        if part.n and round_number == 0:
            self._first(args)
        elif part.n:
            self._rest(args, round_number)
            self.marks[now].fill(0)
        asked, marked = self._tally()
        pending = marked + int(round_number == 0 and part.n > 0)
        return Work(pending, remote=asked + marked, remote_bytes=8 * asked + marked)

    def _first(self, args: Sequence[Any]) -> None:
        n, lo, warps = self.part.n, self.part.lo, self.threads // 32
        first = self.recorder.kernel("suitor_peers", "suitor_peers_first")
        first(
            self.hub_blocks + -(-n // self.threads),
            self.threads,
            [*args, *self.recorder.args()],
            shared_mem=33 * 8 + 32 * warps,
        )
        self._for_ghosts("deliver", [self.all_bids, *args[-5:]])
        offers = self.recorder.kernel("suitor_fast", "suitor_fast_offers")
        offers(-(-n // 256), 256, [n, self.bids, self.offers[lo : lo + n]])

    def _rest(self, args: Sequence[Any], round_number: int) -> None:
        part, warps = self.part, self.threads // 32
        if round_number == 1:
            self._for_ghosts("offers", [*args[-5:-3], self.offers_of, self.offers])
        self.counters[2:].fill(0)
        rest = self.recorder.kernel("suitor_peers", "suitor_peers_rest")
        rest(
            self.hub_blocks + -(-part.n // (WARP_VERTICES * warps)),
            self.threads,
            [*args, *self.recorder.args()],
            shared_mem=33 * 8 + (32 + 4 * WARP_VERTICES) * warps,
        )

    def _for_ghosts(self, name: str, args: Sequence[Any]) -> None:
        """Launch a kernel with a thread for each ghost."""
        part, (first, last) = self.part, self.ghosts
        if ghosts := last - first - part.n:
            kernel = self.recorder.kernel("suitor_peers", f"suitor_peers_{name}")
            kernel(-(-ghosts // 256), 256, [part.n, part.lo, first, last, *args])

    def _tally(self) -> tuple[int, int]:
        """Return how many bids and marks went to other ranks in this round."""
        counts = self.world.device.to_host(self.tally).reshape(2, SPREAD).sum(axis=1)
        self.tally.fill(0)
        return int(counts[0]), int(counts[1])


def ghost_range(part: PartOnDevice) -> tuple[int, int]:
    """Return the smallest range of vertices that holds a rank's own ones and their neighbours."""
    indices, hi = part.arrays[1], part.lo + part.n
    if not len(indices):
        return part.lo, hi
    return min(part.lo, int(indices.min())), max(hi, int(indices.max()) + 1)
