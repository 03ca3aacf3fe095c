"""How ranks that load a graph exchange entries, and agree on errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import Cancelled, GraphError, WarplensError

T = TypeVar("T")


class Ranks(Protocol):
    """What loading needs of the ranks of a run; all ranks call the methods in the same order.

    Attributes
    ----------
    rank, size : int
        Number of this rank, and how many there are.
    """

    rank: int
    size: int

    def allgather(self, value: Any) -> list[Any]:
        """Return the objects of all ranks, by rank."""
        ...

    def alltoallv(self, parts: Sequence[np.ndarray], sizes: Sequence[int]) -> list[np.ndarray]:
        """Send ``parts[r]`` to each rank r; return those received, ``sizes[r]`` from each."""
        ...


class OneRank:
    """The only rank of a run without others.

    Examples
    --------
    >>> OneRank().allgather("here")
    ['here']
    """

    rank = 0
    size = 1

    def allgather(self, value: Any) -> list[Any]:
        """Return the object."""
        return [value]

    def alltoallv(self, parts: Sequence[np.ndarray], sizes: Sequence[int]) -> list[np.ndarray]:
        """Return the array."""
        return list(parts)


def agreed(ranks: Ranks, work: Callable[[], T]) -> T:
    """Return ``work()``; if it fails on a rank, all ranks raise that error, and none waits.

    Raises
    ------
    WarplensError
        What the lowest failing rank raised. The text begins with the rank, unless all ranks have
        the same error.
    """
    result: list[T] = []
    failure: WarplensError | None = None
    try:
        result.append(work())
    except WarplensError as raised:
        failure = raised
    except MemoryError:
        failure = GraphError("there is not enough memory for this rank's part; take more ranks")
    found = ranks.allgather(None if failure is None else (type(failure), str(failure)))
    failed = [rank for rank, one in enumerate(found) if one is not None]
    if not failed:
        return result[0]
    kind, text = found[failed[0]]
    alike = len(failed) == ranks.size and len(set(found)) == 1
    named = text if alike or issubclass(kind, Cancelled) else f"rank {failed[0]}: {text}"
    error = kind(named)
    error.names_ranks = True  # an engine that runs ranks adds no other one
    raise error from failure


def exchanged(
    ranks: Ranks, owners: NDArray[np.integer], columns: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Send the elements of some columns to the ranks that own them.

    Parameters
    ----------
    ranks : Ranks
        All ranks call.
    owners : ndarray of int, shape (m,)
        The rank for each element.
    columns : sequence of ndarray, shape (m,)
        What is sent.

    Returns
    -------
    list of ndarray
        What came for each column: by sender, and in the sender's order.
    """
    order = np.argsort(owners, kind="stable")
    counts = np.bincount(owners, minlength=ranks.size)
    ends = np.cumsum(counts)
    sizes = [sent[ranks.rank] for sent in ranks.allgather(counts.tolist())]
    received = []
    for column in columns:
        parts = np.split(column[order], ends[:-1])
        came = ranks.alltoallv([np.ascontiguousarray(part) for part in parts], sizes)
        received.append(np.concatenate(came))
    return received


def before(ranks: Ranks, count: int) -> tuple[int, int]:
    """Return the sum of a number over the ranks before this one, and over all.

    Examples
    --------
    >>> before(OneRank(), 5)
    (0, 5)
    """
    counts = ranks.allgather(int(count))
    return sum(counts[: ranks.rank]), sum(counts)
