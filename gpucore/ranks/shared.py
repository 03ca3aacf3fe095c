"""Peer memory of host processes: files in memory that every rank maps."""

from __future__ import annotations

import mmap
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import DeviceError
from gpucore.format import human_bytes
from gpucore.ranks.peers import PeerMemory

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.comm import Comm

#: A file system in memory, where there is one.
_FOLDER = Path("/dev/shm")


class SharedPeers(PeerMemory):
    """Processes of one host.

    The files lose their names as soon as all ranks have opened them, so that nothing is left
    behind, however the ranks end.
    """

    def __init__(self, comm: Comm, device: Device) -> None:
        super().__init__(comm, device)
        self._kept: list[np.ndarray] = []  # a mapping ends with its last array

    def _allocate(self, nbytes: int) -> tuple[Any, list[int]]:
        folder = _FOLDER if _FOLDER.is_dir() else None
        descriptor, name = tempfile.mkstemp(prefix="warpscope-", dir=folder)
        try:
            reserve(descriptor, nbytes)
        finally:
            os.close(descriptor)
            paths = self.comm.allgather((name, nbytes))
        try:
            arrays = [_mapped(path, size) for path, size in paths]
            self.comm.barrier()
        finally:
            Path(name).unlink()
        self._kept += arrays
        return arrays[self.comm.rank], [int(array.ctypes.data) for array in arrays]


def reserve(descriptor: int, nbytes: int) -> None:
    """Give a file its size and its memory; without, a later write could end the process."""
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(descriptor, 0, nbytes)
        else:
            os.ftruncate(descriptor, nbytes)
    except OSError as error:
        raise DeviceError(
            f"the shared memory for transport 'peers' needs {human_bytes(nbytes)}, and the system "
            f"refuses it ({error.strerror}); use transport 'rounds'"
        ) from None


def _mapped(path: str, nbytes: int) -> np.ndarray:
    with Path(path).open("r+b") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), nbytes), dtype=np.uint8)
