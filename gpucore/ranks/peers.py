"""Transport "peers": memory of a rank that kernels of all ranks can address."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.comm import Comm


class PeerMemory(ABC):
    """Allocates arrays whose addresses all ranks know.

    Parameters
    ----------
    comm : Comm
        All ranks; every rank makes the same calls in the same order.
    device : Device
        This rank's own.
    """

    def __init__(self, comm: Comm, device: Device) -> None:
        self.comm = comm
        self.device = device

    def empty(self, size: int, dtype: Any) -> tuple[Any, Any]:
        """Allocate an array for each rank; sizes may differ between ranks.

        Returns
        -------
        own : array
            This rank's array, on its device.
        table : array of uint64, shape (ranks,)
            The addresses of all ranks' arrays, for this rank's kernels.
        """
        own, addresses = self._allocate(max(1, size) * np.dtype(dtype).itemsize)
        array = own.view(dtype)[:size]
        return array, self.device.asarray(np.array(addresses, dtype=np.uint64))

    @abstractmethod
    def _allocate(self, nbytes: int) -> tuple[Any, list[int]]:
        """Return an own array of bytes, and every rank's address for it."""

    def close(self) -> None:
        """Wait until no rank uses the memory of another, and release it."""
        self.comm.barrier()


class ThreadPeers(PeerMemory):
    """Ranks of one process: addresses mean the same in all of them."""

    def __init__(self, comm: Comm, device: Device) -> None:
        super().__init__(comm, device)
        self._kept: list[Any] = []

    def _allocate(self, nbytes: int) -> tuple[Any, list[int]]:
        own = self.device.xp.empty(nbytes, dtype=np.uint8)
        shown = self.comm.allgather((own, self.device.address(own)))
        self._kept += [array for array, _ in shown]
        return own, [address for _, address in shown]
