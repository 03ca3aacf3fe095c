"""Ranks that address each other's memory meet on their devices, between two launches.

The kernel is in ``gpucore/kernels/meet.cu``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.comm import Comm
    from gpucore.ranks.world import World

#: Nanoseconds that a card waits for the others at most.
PATIENCE = 20_000_000


def cards_differ(comm: Comm, device: Device) -> bool:
    """Return whether every rank has a card of its own; every rank calls."""
    cuda = device.xp.cuda
    card = cuda.runtime.deviceGetPCIBusId(cuda.runtime.getDevice())
    return len(set(comm.allgather((comm.host_name(), card)))) == comm.size


def meeting(world: World) -> Callable[[], None]:
    """Return a launch that waits until all ranks have come as far; every rank calls.

    Where ranks share a processor, the launch does not wait: it would keep the others from coming.
    """
    comm, device, memory = world.comm, world.device, world.memory
    assert memory is not None
    met, met_of = memory.empty(comm.size, np.uint32)
    met.fill(0)
    patience = PATIENCE if device.name == "cuda" and cards_differ(comm, device) else 0
    return device.kernel("meet", "meet").prepare(
        1, 32, [comm.rank, comm.size, met, met_of, patience]
    )
