"""Hash tables in global memory: of hubs, whose edges shared memory cannot hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.device.constants import constant
from gpucore.families.communities.fast.order import HUBS
from gpucore.families.communities.stage import table_bytes

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.communities.fast.sizes import Sizes

#: Words of a slot in global memory.
FAR_WORDS = constant("louvain_fast_tables.cuh", "FAR_WORDS")


class Tables:
    """The hash tables of a stage, if it has hubs.

    Parameters
    ----------
    device : Device
        Where they are.
    sizes : Sizes
        Of the stage's launches.
    longest : int
        The largest degree.
    none : array of uint32
        Takes their place where there are no hubs.

    Attributes
    ----------
    blocks, slots : int
        Blocks that have a table each, and its slots.
    array : array of uint32
        All tables, whose slots are empty.
    """

    def __init__(self, device: Device, sizes: Sizes, longest: int, none: Any) -> None:
        self._device, self._none = device, none
        self.blocks, self.slots = 0, 1
        hubs = sizes.order.share(HUBS, 1)
        if hubs:
            self.slots = 64
            while self.slots < 2 * longest:
                self.slots *= 2
            fits = table_bytes(device) // (4 * FAR_WORDS * self.slots)
            wanted = sizes.phase_blocks() if sizes.cooperative else hubs
            self.blocks = max(1, min(wanted, fits, sizes.most_hub_blocks()))
        self.take()

    def take(self) -> None:
        """Allocate the tables."""
        self.array = self._none
        if self.blocks:
            xp = self._device.xp
            tables = xp.zeros((self.blocks, FAR_WORDS, self.slots), dtype=xp.uint32)
            tables[:, 0] = 0xFFFFFFFF
            self.array = tables.reshape(-1)

    def drop(self) -> None:
        """Free the tables, while other stages need memory."""
        self.array = None
