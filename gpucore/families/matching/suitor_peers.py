"""What a rank of Suitor does in a round where ranks address each other's memory.

Kernels: ``families/matching/kernels/suitor_peers.cu``, which says how the algorithm works.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.matching.suitor import HUB_DEGREE, WARP_VERTICES, hub_blocks
from gpucore.ranks import Channel, Inbox, Outbox, Work
from gpucore.ranks.marks import SWEEPS, SWEPT, Arrivals, Tally

if TYPE_CHECKING:
    from gpucore.families.matching.ranks_outcome import PartOnDevice
    from gpucore.ranks import World
    from gpucore.record import Recorder

_KERNELS = tuple(f"suitor_peers_{name}" for name in ("first", "deliver", "offers", "rest", "sweep"))

#: Bytes of state for each own vertex (last proposal, marks), and for each vertex of the graph
#: (bid, offer).
OWN_BYTES, GHOST_BYTES = 4 + 3, 8 + 4


class ByPeers:
    """Transport "peers": bids are installed in the memory of other ranks.

    In round 0 each rank collects its own bids for all vertices, and delivers the best for each. In
    round 1 it follows the chains of all losers. From then on it sweeps over the marks that arrive.
    """

    channels: Sequence[Channel] = ()

    def __init__(self, part: PartOnDevice, threads: int, world: World, recorder: Recorder) -> None:
        self.part, self.world, self.recorder, self.threads = part, world, recorder, threads
        xp, memory, n = world.device.xp, world.memory, part.n
        assert memory is not None
        entries = len(part.arrays[1])
        self.all_bids, self.bids_of = memory.empty(max(1, part.total), np.uint64)
        self.offers, self.offers_of = memory.empty(max(1, part.total), np.uint32)
        self.arrivals = Arrivals(world, n, recorder.level != "off")
        self.last = xp.empty(max(1, n), dtype=xp.uint32)
        self.unplaced = xp.empty(max(1, n), dtype=xp.uint8)
        self.hubs = xp.empty(max(1, entries // HUB_DEGREE), dtype=xp.int32)
        self.hub_blocks = hub_blocks(entries)
        # Hubs; those taken in the first round, in the second, and in each sweep.
        self.counters = xp.zeros(3 + SWEEPS, dtype=xp.int32)
        self.tally = Tally(world.device)
        self.ghosts = ghost_range(part)
        recorder.load("suitor_peers", _KERNELS)
        recorder.load("suitor_fast", ("suitor_fast_begin", "suitor_fast_offers"))
        self._clear()

    @property
    def bids(self) -> Any:
        """Bids of the own vertices."""
        return self.all_bids[self.part.lo :]

    def _clear(self) -> None:
        """Clear the state and list the hubs."""
        for array in (self.all_bids, self.offers):
            array.fill(0)
        if n := self.part.n:
            begin = self.recorder.kernel("suitor_fast", "suitor_fast_begin")
            args = [n, self.part.arrays[0], self.bids, self.unplaced, self.hubs, self.counters]
            begin(-(-n // 256), 256, args)
        self.world.device.synchronize()
        self.world.comm.barrier()  # before any rank writes into the memory of another

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Make all bids in round 0; later follow the chains of those who lost."""
        if self.part.n:
            if round_number == 0:
                self._first()
            elif round_number == 1:
                self._rest()
            if round_number >= 1 and self.world.comm.size > 1:
                self._sweep(round_number)
        return self.tally.work(8, 1, more=int(round_number == 0 and self.part.n > 0))

    def _first(self) -> None:
        n, lo, warps = self.part.n, self.part.lo, self.threads // 32
        blocks = self.hub_blocks + -(-n // self.threads)
        self._launch("first", blocks, self._args(0), 33 * 8 + 32 * warps)
        self._for_ghosts("deliver", [self.all_bids, self.unplaced, *self._ranks(self.bids_of),
                                     self.arrivals.tables[self.arrivals.then(0)],
                                     self.tally.words])  # fmt: skip
        offers = self.recorder.kernel("suitor_fast", "suitor_fast_offers")
        offers(-(-n // 256), 256, [n, self.bids, self.offers[lo : lo + n]])

    def _rest(self) -> None:
        self._for_ghosts("offers", [*self._ranks(self.offers_of), self.offers])
        warps = self.threads // 32
        blocks = self.hub_blocks + -(-self.part.n // (WARP_VERTICES * warps))
        self._launch("rest", blocks, self._args(1), self._shared)

    def _sweep(self, round_number: int) -> None:
        """Sweep over the marks several times, since each sweep may lead to marks elsewhere.

        A recorded run sweeps once, from round 2 on, over the marks of the round before.
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
        return [part.n, part.lo, *part.arrays, self.all_bids, self.offers, self.last,
                self.unplaced, self.hubs, self.counters, self.hub_blocks,
                *self._ranks(self.bids_of), arrivals.tables[arrivals.then(round_number)],
                self.tally.words, arrivals.marks[arrivals.now(round_number)]]  # fmt: skip

    def _launch(self, name: str, blocks: int, args: Sequence[Any], shared_mem: int) -> None:
        kernel = self.recorder.kernel("suitor_peers", f"suitor_peers_{name}")
        kernel(blocks, self.threads, [*args, *self.recorder.args()], shared_mem=shared_mem)

    def _for_ghosts(self, name: str, args: Sequence[Any]) -> None:
        """Launch a kernel with a thread for each ghost."""
        part, (first, last) = self.part, self.ghosts
        if ghosts := last - first - part.n:
            kernel = self.recorder.kernel("suitor_peers", f"suitor_peers_{name}")
            kernel(-(-ghosts // 256), 256, [part.n, part.lo, first, last, *args])


def ghost_range(part: PartOnDevice) -> tuple[int, int]:
    """Return the smallest range of vertices that holds a rank's own ones and their neighbours."""
    indices, hi = part.arrays[1], part.lo + part.n
    if not len(indices):
        return part.lo, hi
    return min(part.lo, int(indices.min())), max(hi, int(indices.max()) + 1)
