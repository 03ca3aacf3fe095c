"""The control plane: what ranks agree on and collect, as small objects and NumPy arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


class Comm(ABC):
    """All ranks of one run; every method is called by all ranks in the same order.

    Attributes
    ----------
    rank, size : int
        Number of this rank, and how many there are.
    kind : {"threads", "mpi"}
        Whether the ranks are threads of this process, or processes of an MPI.
    """

    rank: int
    size: int
    kind: str

    @abstractmethod
    def barrier(self) -> None:
        """Wait for all ranks."""

    @abstractmethod
    def allgather(self, value: Any) -> list[Any]:
        """Return the objects of all ranks, by rank; treat them as read-only."""

    @abstractmethod
    def gather(self, value: Any) -> list[Any] | None:
        """Return the objects of all ranks on rank 0, None elsewhere."""

    @abstractmethod
    def alltoallv(self, parts: Sequence[np.ndarray], sizes: Sequence[int]) -> list[np.ndarray]:
        """Send ``parts[r]`` to each rank r, and return what each rank sent to this one.

        Parameters
        ----------
        parts : sequence of ndarray, one a rank
            One-dimensional and contiguous, of one dtype on all ranks.
        sizes : sequence of int, one a rank
            Number of elements that come from each rank.
        """

    @abstractmethod
    def host_name(self) -> str:
        """Return a name of the host, which no other host has."""

    def allgather_numbers(self, numbers: Sequence[int]) -> list[list[int]]:
        """Return the numbers of all ranks, 64 bits each; every rank gives as many."""
        return self.allgather(list(numbers))

    def bcast(self, value: Any) -> Any:
        """Return the object of rank 0."""
        return self.allgather(value if self.rank == 0 else None)[0]

    def allreduce(self, value: Any, combine: Callable[[Sequence[Any]], Any] = sum) -> Any:
        """Return ``combine(values of all ranks)``: their sum, unless another function is given."""
        return combine(self.allgather(value))

    def one_host(self) -> bool:
        """Return whether all ranks run on one host."""
        return len(set(self.allgather(self.host_name()))) == 1
