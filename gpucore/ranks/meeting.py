"""Ranks that address each other's memory meet on their devices, between two launches.

The kernel is in ``gpucore/kernels/meet.cu``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.comm import Comm
    from gpucore.ranks.world import World

#: Nanoseconds that a card waits for the others at most: where only time depends on it, and where
#: the solution does.
PATIENCE, LONG_PATIENCE = 20_000_000, 10_000_000_000


def cards_differ(comm: Comm, device: Device) -> bool:
    """Return whether every rank has a card of its own; every rank calls."""
    cuda = device.xp.cuda
    card = cuda.runtime.deviceGetPCIBusId(cuda.runtime.getDevice())
    return len(set(comm.allgather((comm.host_name(), card)))) == comm.size


class Meetings:
    """Launches that wait until all ranks have come as far; every rank makes them.

    Parameters
    ----------
    missed : array of uint32, shape (1,)
        Counts up where ``surely`` waited in vain.

    Attributes
    ----------
    soon : callable
        Waits for a while only, and where ranks share a processor not at all: it would keep the
        others from coming. What follows must be right without it.
    surely : callable
        All ranks have come as far when it ends. Where ranks share a processor the hosts meet.
    """

    def __init__(self, world: World, missed: Any) -> None:
        comm, device, memory = world.comm, world.device, world.memory
        assert memory is not None
        met, met_of = memory.empty(comm.size, np.uint32)
        met.fill(0)
        self._comm, self._device = comm, device
        apart = device.name == "cuda" and cards_differ(comm, device)
        kernel = device.kernel("meet", "meet")
        args = [comm.rank, comm.size, met, met_of]
        no_matter = device.xp.zeros(1, dtype=np.uint32)
        patience = PATIENCE if apart else 0
        self.soon: Callable[[], None] = kernel.prepare(1, 32, [*args, patience, no_matter])
        self.surely: Callable[[], None] = self._hosts_meet
        if apart:
            self.surely = kernel.prepare(1, 32, [*args, LONG_PATIENCE, missed])

    def _hosts_meet(self) -> None:
        self._device.synchronize()
        self._comm.barrier()
