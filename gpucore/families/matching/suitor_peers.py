"""Suitor where ranks address each other's memory.

Kernels: ``families/matching/kernels/suitor_peers.cu``, which says how the algorithm works.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.matching.peers_program import PeersProgram

if TYPE_CHECKING:
    from gpucore.families.matching.ranks_outcome import PartOnDevice
    from gpucore.ranks import World
    from gpucore.record import Recorder

#: Bytes of state for each own vertex (last proposal, marks), and for each vertex of the graph
#: (bid, offer, a bit of a mask).
OWN_BYTES, GHOST_BYTES = 4 + 3, 8 + 4 + 1


class ByPeers(PeersProgram):
    """Transport "peers": bids are installed in the memory of other ranks."""

    source, bytes = "suitor_peers", (8, 1 + 4)  # a mark comes with a hint: a weight

    def __init__(self, part: PartOnDevice, threads: int, world: World, recorder: Recorder) -> None:
        super().__init__(part, threads, world, recorder)
        xp, memory, n = world.device.xp, world.memory, max(1, part.n)
        assert memory is not None
        self.all_bids, self.bids_of = memory.empty(max(1, part.total), np.uint64)
        self.offers, self.offers_of = memory.empty(max(1, part.total), np.uint32)
        self.last = xp.empty(n, dtype=xp.uint32)
        self.unplaced = xp.empty(n, dtype=xp.uint8)
        self.start()

    @property
    def bids(self) -> Any:
        """Bids of the own vertices."""
        return self.all_bids[self.part.lo :]

    def clear(self) -> None:
        """Clear the state and list the hubs."""
        for array in (self.all_bids, self.offers):
            array.fill(0)
        if n := self.part.n:
            begin = self.recorder.kernel("suitor_fast", "suitor_fast_begin", **self.constants)
            args = [n, self.part.arrays[0], self.bids, self.unplaced, *self.hubs.args]
            begin(-(-n // 256), 256, args)

    def state(self) -> list[Any]:
        """Return bids, offers, last proposals, who lost in the first round; all ranks' offers."""
        return [self.all_bids, self.offers, self.last, self.unplaced, self.offers_of]

    def table(self) -> Any:
        """Return the addresses of the bids."""
        return self.bids_of

    def collected(self) -> list[Any]:
        """Return the bids, what is known of others', and who lost."""
        return [self.all_bids, self.offers, self.unplaced]

    def packed(self) -> list[Any]:
        """Return the bids."""
        return [self.all_bids]

    def summarised(self) -> tuple[Callable[[], None], Any]:
        """Sum up the own bids by their weights."""
        n, lo = self.part.n, self.part.lo
        offers = self.recorder.kernel("suitor_fast", "suitor_fast_offers", **self.constants)
        args = [n, self.bids, self.offers[lo : lo + n]]
        return offers.prepare(-(-n // 256), 256, args), self.offers_of
