"""Peer memory of host processes: files in memory that every rank maps."""

from __future__ import annotations

import mmap
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import DeviceError
from gpucore.format import human_bytes
from gpucore.ranks.peers import PeerMemory

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.comm import Comm


#: Seconds until a failure to open memory is reported.
_PATIENCE = 2.0


class SharedPeers(PeerMemory):
    """Processes of one host.

    On Linux the files have no names, so that nothing is left behind, however the ranks end.
    Elsewhere they lose their names as soon as all ranks have opened them.
    """

    def __init__(self, comm: Comm, device: Device) -> None:
        super().__init__(comm, device)
        self._kept: list[np.ndarray] = []  # a mapping ends with its last array

    def _allocate(self, nbytes: int) -> tuple[Any, list[int]]:
        descriptor, name = _new_file()
        try:
            reserve(descriptor, nbytes)
            paths = self.comm.allgather((name, nbytes))
            arrays = [_mapped(path, size) for path, size in paths]
            self.comm.barrier()
        finally:
            os.close(descriptor)
            if not hasattr(os, "memfd_create"):
                Path(name).unlink()
        self._kept += arrays
        return arrays[self.comm.rank], [int(array.ctypes.data) for array in arrays]


def _new_file() -> tuple[int, str]:
    """Return an open file in memory, and a path by which other processes open it."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("warplens")
        return descriptor, f"/proc/{os.getpid()}/fd/{descriptor}"
    return tempfile.mkstemp(prefix="warplens-")


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
    try:
        with Path(path).open("r+b") as file:
            return np.frombuffer(mmap.mmap(file.fileno(), nbytes), dtype=np.uint8)
    except OSError as error:
        # Memory goes with its process. Where a rank has died, the watchman ends this one meanwhile.
        time.sleep(_PATIENCE)
        raise DeviceError(
            f"a rank cannot open the memory of another ({error.strerror}); use transport 'rounds'"
        ) from None
