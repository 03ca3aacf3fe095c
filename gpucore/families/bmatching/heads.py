"""Lists of neighbours by falling weight, whole or only their first places.

Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016: sorted and partially sorted adjacency.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.matching.outcome import Adjacency

#: Places of a partially sorted list, as a multiple of the vertex's capacity.
PARTIAL = 3


@dataclass(frozen=True)
class Heads:
    """Sorted heads of the lists of neighbours, in a device's memory.

    Attributes
    ----------
    starts : array of int64, shape (n + 1,)
        First place of each vertex's head.
    indices, weights : arrays of int32 and float32
        Neighbours and weights, by falling (weight, neighbour) in each head.
    rows : array of int32
        The vertex of each place; empty if not asked for.
    """

    starts: Any
    indices: Any
    weights: Any
    rows: Any

    @property
    def arrays(self) -> tuple[Any, Any, Any]:
        """The kernels' three arguments."""
        return self.starts, self.indices, self.weights


def no_heads(adjacency: Adjacency, device: Device) -> Heads:
    """Return empty heads: all lists stay as they are."""
    xp = device.xp
    nothing = xp.zeros(1, dtype=xp.int32)
    starts = xp.zeros(adjacency.n + 1, dtype=xp.int64)
    return Heads(starts, nothing, xp.zeros(1, dtype=xp.float32), nothing)


def sort_all(adjacency: Adjacency, device: Device) -> Heads:
    """Sort all lists completely, by one stable sort of all entries."""
    xp = device.xp
    indptr, indices, weights = adjacency.arrays
    entries = len(indices)
    device.require_memory(40 * entries, "sorting the lists of neighbours")
    # Rising (vertex, -weight), and of equal weights the larger neighbour first: the rows are
    # sorted by neighbour, so a stable sort of the reversed entries does it.
    rows = _rows(indptr, entries, device)
    bits = weights.view(xp.uint32)[::-1].astype(xp.uint64)
    keys = (rows[::-1].astype(xp.uint64) << np.uint64(32)) | (np.uint64(0xFFFFFFFF) - bits)
    order = entries - 1 - xp.argsort(keys, kind="stable")
    return Heads(indptr, indices[order], weights[order], rows)


def _rows(indptr: Any, entries: int, device: Device) -> Any:
    """Return the vertex of each entry: int32, shape (entries,)."""
    xp = device.xp
    places = xp.arange(entries, dtype=xp.int64)
    return (xp.searchsorted(indptr, places, side="right") - 1).astype(xp.int32)


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
    return Heads(starts, indices, weights, xp.zeros(1, dtype=xp.int32))
