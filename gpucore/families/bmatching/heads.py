"""Lists of neighbours by falling weight, whole or only their first places.

Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016: sorted and partially sorted adjacency.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.problems.graph.chunks import CHUNK, row_chunks

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.matching.outcome import Adjacency

#: Places of a partially sorted list, as a multiple of the vertex's capacity.
PARTIAL = 3

#: Bytes of a sorted list for each entry.
ENTRY_BYTES = 4 + 4
#: Bytes of temporary arrays for each entry that is sorted at a time: the key, its place, the sort's
#: own copies of both, and the key's copy that is sorted.
SORT_BYTES = 48


@dataclass(frozen=True)
class Heads:
    """Sorted heads of the lists of neighbours, in a device's memory.

    Attributes
    ----------
    starts : array of int64, shape (n + 1,)
        First place of each vertex's head.
    indices, weights : arrays of int32 and float32
        Neighbours and weights, by falling (weight, neighbour) in each head.
    """

    starts: Any
    indices: Any
    weights: Any

    @property
    def arrays(self) -> tuple[Any, Any, Any]:
        """The kernels' three arguments."""
        return self.starts, self.indices, self.weights


def no_heads(adjacency: Adjacency, device: Device) -> Heads:
    """Return empty heads: all lists stay as they are."""
    xp = device.xp
    nothing = xp.zeros(1, dtype=xp.int32)
    starts = xp.zeros(adjacency.n + 1, dtype=xp.int64)
    return Heads(starts, nothing, xp.zeros(1, dtype=xp.float32))


def sorting_bytes(entries: int, longest: int) -> int:
    """Return the bytes that :func:`sort_all` takes, its result among them.

    Parameters
    ----------
    entries, longest : int
        Entries of all lists, and of the longest one.
    """
    return ENTRY_BYTES * entries + SORT_BYTES * min(max(CHUNK, longest), entries)


def sort_all(arrays: tuple[Any, Any, Any], device: Device, *, chunk: int = CHUNK) -> Heads:
    """Sort all lists completely, some whole lists at a time.

    Parameters
    ----------
    arrays : tuple
        ``indptr`` (int64), ``indices`` (int32) and ``weights`` (float32, positive) on the device,
        each list by rising neighbour; they stay as they are.
    chunk : int
        Entries that are sorted at a time, more only if one list has more.

    Raises
    ------
    DeviceError
        The device has not enough memory.
    """
    xp, (indptr, indices, weights) = device.xp, arrays
    entries = len(indices)
    longest = int((indptr[1:] - indptr[:-1]).max()) if entries else 0
    device.require_memory(sorting_bytes(entries, longest), "sorting the lists of neighbours")
    heads = Heads(indptr, xp.empty(entries, dtype=xp.int32), xp.empty(entries, dtype=xp.float32))
    for first, last, start, stop in row_chunks(indptr, chunk, xp):
        # Rising (list, -weight), and of equal weights the larger neighbour first: a stable sort of
        # the reversed entries does it.
        backwards = xp.arange(stop - start - 1, -1, -1, dtype=np.int64)
        keys = xp.searchsorted(indptr[first:last] - start, backwards, side="right") - 1
        del backwards
        keys = keys.astype(np.int64, copy=False)
        keys <<= 32
        keys |= ~weights[start:stop].view(np.uint32)[::-1]
        order = xp.argsort(keys, kind="stable")
        del keys
        xp.subtract(stop - 1, order, out=order)
        heads.indices[start:stop] = indices[order]
        heads.weights[start:stop] = weights[order]
    return heads


def sort_partly(adjacency: Adjacency, capacity: Any, device: Device) -> Heads:
    """Sort the first 3 b(v) places of each list.

    Parameters
    ----------
    capacity : array of int32, shape (n,)
        Capacities on the device, at most the degrees.
    """
    xp, n = device.xp, adjacency.n
    indptr = adjacency.arrays[0]
    degree = indptr[1:] - indptr[:-1]
    length = xp.minimum(PARTIAL * capacity.astype(xp.int64), degree)
    starts = xp.zeros(n + 1, dtype=xp.int64)
    starts[1:] = xp.cumsum(length)
    places = max(1, int(device.to_host(starts[-1:])[0]))
    device.require_memory(8 * places, "the sorted heads of the lists of neighbours")
    indices = xp.empty(places, dtype=xp.int32)
    weights = xp.empty(places, dtype=xp.float32)
    kernel = device.kernel("bsuitor_state", "bsuitor_heads")
    kernel(-(-n // 8), 256, [n, *adjacency.arrays, starts, indices, weights])
    return Heads(starts, indices, weights)
