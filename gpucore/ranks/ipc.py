"""Peer memory of cards: pointers across cards of one process, IPC handles across processes.

Source: CUDA C++ Programming Guide, "Peer-to-Peer Memory Access" and "Interprocess Communication".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.cuda_errors import translated
from gpucore.ranks.peers import PeerMemory, ThreadPeers

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.comm import Comm


def no_peer_access(comm: Comm, device: Device) -> str:
    """Return why the cards of ranks cannot address each other's memory; every rank calls."""
    runtime = device.xp.cuda.runtime
    own = runtime.getDevice()
    bus = runtime.deviceGetPCIBusId(own)
    found = ""
    for other in sorted(set(comm.allgather(bus)) - {bus}):
        try:
            reachable = runtime.deviceCanAccessPeer(own, runtime.deviceGetByPCIBusId(other))
        except runtime.CUDARuntimeError:
            reachable = False  # CUDA_VISIBLE_DEVICES hides it
        if not reachable:
            found = f"rank {comm.rank} cannot address the memory of the card {other}"
    return next(filter(None, comm.allgather(found)), "")


def open_cards(comm: Comm, device: Device) -> PeerMemory:
    """Return peer memory of cards, of one process or of several."""
    return ThreadCards(comm, device) if comm.kind == "threads" else IpcPeers(comm, device)


class ThreadCards(ThreadPeers):
    """Cards of one process: unified addresses, once access is enabled."""

    def __init__(self, comm: Comm, device: Device) -> None:
        super().__init__(comm, device)
        runtime = device.xp.cuda.runtime
        own = runtime.getDevice()
        for other in set(comm.allgather(own)) - {own}:
            try:
                runtime.deviceEnablePeerAccess(other)
            except runtime.CUDARuntimeError as error:
                if "AlreadyEnabled" not in str(error):
                    raise

    def _allocate(self, nbytes: int) -> tuple[Any, list[int]]:
        # Peer access covers what cudaMalloc allocates; CuPy's pool may hold other memory.
        own = own_allocation(self.device, nbytes)
        shown = self.comm.allgather((own, self.device.address(own)))
        self._kept += [array for array, _ in shown]
        return own, [address for _, address in shown]


class IpcPeers(PeerMemory):
    """Cards of several processes of one host."""

    def __init__(self, comm: Comm, device: Device) -> None:
        super().__init__(comm, device)
        self._opened: list[int] = []
        self._kept: list[Any] = []

    def _allocate(self, nbytes: int) -> tuple[Any, list[int]]:
        runtime = self.device.xp.cuda.runtime
        own = own_allocation(self.device, nbytes)
        self._kept.append(own)  # until all ranks have closed it
        with translated("sharing memory between processes"):
            handles = self.comm.allgather(runtime.ipcGetMemHandle(self.device.address(own)))
            addresses = []
            for rank, handle in enumerate(handles):
                if rank == self.comm.rank:
                    addresses.append(self.device.address(own))
                    continue
                # It enables access to the other card, too.
                address = runtime.ipcOpenMemHandle(handle, runtime.cudaIpcMemLazyEnablePeerAccess)
                self._opened.append(address)
                addresses.append(address)
        return own, addresses

    def close(self) -> None:
        """Close what other ranks have opened, then release the own memory."""
        self.device.synchronize()
        with translated("closing shared memory"):
            for address in self._opened:
                self.device.xp.cuda.runtime.ipcCloseMemHandle(address)
        self._opened.clear()
        self.comm.barrier()
        self._kept.clear()


def own_allocation(device: Device, nbytes: int) -> Any:
    """Return an array of bytes in an allocation of its own, not in a part of CuPy's pool.

    An IPC handle stands for a whole allocation, and the other process gets its first address.
    """
    device.require_memory(nbytes, "the state that other ranks address")
    memory = device.xp.cuda.memory
    with translated("allocating memory for all ranks"):
        pointer = memory.MemoryPointer(memory.Memory(nbytes), 0)
    return device.xp.ndarray((nbytes,), dtype=np.uint8, memptr=pointer)
