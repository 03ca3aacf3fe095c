"""Facts about a graph in a device's memory that algorithms ask before they run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpucore.device.grid import blocks_for

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.part import GraphPart

#: Threads of a block, most blocks, and entries of a thread at a time.
THREADS, BLOCKS, SHARE = 256, 4096, 32


@dataclass(frozen=True)
class Facts:
    """Counts of entries, which have both ends of an edge, and the sum of their weights.

    Attributes
    ----------
    loops : int
        Entries whose vertex is that of their row.
    not_above_zero, below_zero, not_one, not_whole : int
        Entries of such a weight; NaN is not above zero.
    total : float
        Sum of all weights, a loop's once.
    """

    loops: int
    not_above_zero: int
    below_zero: int
    not_one: int
    not_whole: int
    total: float


def facts_of(part: GraphPart, device: Device) -> Facts:
    """Return facts about the entries of some rows, from one pass over them.

    Parameters
    ----------
    part : GraphPart
        Rows in the device's memory. Their weights may be one number that stands for all.
    device : Device
        The device.

    Examples
    --------
    >>> from gpucore.device import get_device
    >>> from gpucore.problems.graph.graph import Graph
    >>> from gpucore.problems.graph.part import cut
    >>> (part,) = cut(Graph.from_edges(3, [0, 1, 2], [1, 2, 2], [1.0, 0.5, 2.0]), 1)
    >>> facts_of(part, get_device("host"))
    Facts(loops=1, not_above_zero=0, below_zero=0, not_one=3, not_whole=2, total=5.0)
    """
    if not part.entries:
        return Facts(0, 0, 0, 0, 0, 0.0)
    xp, weights = device.xp, part.weights
    one = weights.strides == (0,)
    blocks = min(blocks_for(-(-part.entries // SHARE), THREADS), BLOCKS)
    counts = xp.zeros(5, dtype=xp.uint64)
    sums = xp.empty(blocks * THREADS // 32, dtype=xp.float64)
    device.kernel("row_facts", "row_facts")(
        blocks,
        THREADS,
        [
            part.lo,
            part.rows,
            part.indptr,
            part.indices,
            xp.ascontiguousarray(weights[:1]) if one else weights,
            int(not one),
            counts,
            sums,
        ],
    )
    loops, not_above_zero, below_zero, not_one, not_whole = map(int, device.to_host(counts))
    total = float(np.sum(device.to_host(sums)))
    return Facts(loops, not_above_zero, below_zero, not_one, not_whole, total)
