"""Ranks as processes that an MPI launcher started (mpiexec, mpirun, srun)."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.errors import MissingDependency
from gpucore.installing import install_hint
from gpucore.ranks.comm import Comm

#: Variables by which launchers give a process its number and the number of processes: MPICH and
#: its relatives, Open MPI, MVAPICH.
_PLACES = (
    ("PMI_RANK", "PMI_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
)
#: Shared memory of MPICH in the list of what a process has mapped, while it has a name.
_NAMED_MEMORY = re.compile(r" (/dev/shm/mpich_shm_\w+)$", re.MULTILINE)


def launched() -> tuple[int, int] | None:
    """Return this process's rank and the number of ranks; None if no launcher started it."""
    for rank, size in _PLACES:
        try:
            return int(os.environ[rank]), int(os.environ[size])
        except (KeyError, ValueError):
            continue
    if "PMIX_RANK" in os.environ:  # its number of processes is known to the library only
        world = _library().COMM_WORLD
        return int(world.Get_rank()), int(world.Get_size())
    return None


def _library() -> Any:
    """Return mpi4py's MPI; its import initialises MPI."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise MissingDependency(
            f"a run started by mpiexec needs mpi4py and an MPI library ({error}); "
            f"get them with: {install_hint('mpi')}"
        ) from None
    return MPI


def _unname_memory() -> None:
    """Remove the names of MPICH's shared memory: it ends with its last rank, also a killed one."""
    with suppress(OSError):  # only Linux has the list
        for name in _NAMED_MEMORY.findall(Path("/proc/self/maps").read_text()):
            Path(name).unlink(missing_ok=True)


class MpiComm(Comm):
    """All processes that the launcher started."""

    kind = "mpi"

    def __init__(self) -> None:
        self._mpi = _library()
        self._world = self._mpi.COMM_WORLD.Dup()
        self.rank = int(self._world.Get_rank())
        self.size = int(self._world.Get_size())
        self._world.Barrier()  # all ranks have mapped it
        _unname_memory()

    def barrier(self) -> None:
        """Wait for all ranks."""
        self._world.Barrier()

    def allgather(self, value: Any) -> list[Any]:
        """Return the objects of all ranks, by rank."""
        return self._world.allgather(value)

    def allgather_numbers(self, numbers: Sequence[int]) -> list[list[int]]:
        """Return the numbers of all ranks, which go from array to array."""
        came = np.empty((self.size, len(numbers)), np.int64)
        self._world.Allgather(np.array(numbers, np.int64), came)
        return came.tolist()

    def gather(self, value: Any) -> list[Any] | None:
        """Return the objects of all ranks on rank 0, None elsewhere."""
        return self._world.gather(value)

    def alltoallv(self, parts: Sequence[np.ndarray], sizes: Sequence[int]) -> list[np.ndarray]:
        """Exchange arrays as bytes, by one collective."""
        dtype = parts[0].dtype
        sent = np.concatenate([np.ascontiguousarray(part) for part in parts])
        came = np.empty(sum(sizes), dtype=dtype)
        item, byte = dtype.itemsize, self._mpi.BYTE
        out = [part.size * item for part in parts]
        into = [size * item for size in sizes]
        self._world.Alltoallv([sent.view(np.uint8), out, byte], [came.view(np.uint8), into, byte])
        return np.split(came, np.cumsum(sizes)[:-1])

    def host_name(self) -> str:
        """Return the name of the host."""
        return platform.node()
