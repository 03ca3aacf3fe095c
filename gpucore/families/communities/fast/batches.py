"""Batches of a contraction: the table of pairs for some communities at a time.

A table for all pairs of a stage has up to 48 bytes an entry.  Where that is more than the device
has, the new communities are divided into ranges with about equally many pairs at most, and the
table holds those of one range.  See ``families/communities/kernels/louvain_fast_batches.cu``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.fast.order import CLASSES, Order
from gpucore.families.communities.stage import SUMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpucore.families.communities.fast.phase import FastPhase

#: Bytes of a slot of the table of pairs, and of an entry of a contracted graph.
SLOT_BYTES, ENTRY_BYTES = 16, 12
#: Bytes of a contraction for every vertex: start, length and inner weight of the new one, since
#: their number is not known before; and its place in the order of batches.
VERTEX_BYTES, ORDER_BYTES = 20, 4
#: A table of at most this number of bytes is taken without asking how much memory is free.
SMALL_TABLE = 1 << 26
#: A table for batches takes at most this fraction of the device's memory: a larger one saves a few
#: launches, but its addresses are further apart.
SHARE = 8
#: A table has slots for so many times the share of the weight that is between communities, and for
#: this share of all edges: light edges are more often between communities.
OUTSIDE, MARGIN = 1.5, 0.03
#: Where memory is short, a batch still has this fraction of all pairs.
MOST_PARTS = 32


def slots_of(pairs: int) -> int:
    """Return the slots of a table for this number of pairs: a power of two, 1.5 to 3 times as many.

    Examples
    --------
    >>> slots_of(100), slots_of(1000), slots_of(2**32)
    (1024, 2048, 8589934592)
    """
    return 1 << max(10, (pairs * 3 // 2).bit_length())


def pairs_in(slots: int) -> int:
    """Return the most pairs for which :func:`slots_of` gives this number of slots.

    Examples
    --------
    >>> pairs_in(2048), slots_of(pairs_in(2048)), slots_of(pairs_in(2048) + 1)
    (1365, 2048, 4096)
    """
    return (2 * slots - 1) // 3


def most_pairs(fast: FastPhase) -> int:
    """Return the most pairs that a contraction can have."""
    most = fast.live + 1  # vertices without edges add no pairs
    return min(fast.stage.entries, most * most)


def expected_slots(fast: FastPhase) -> int:
    """Return the slots of a table that suffice for the pairs of most graphs, or for any.

    The modularity bounds the weight between communities, so it hints at the number of edges there,
    of which several make a pair.  A table that is too small is noticed, and filled again.
    Where that makes a large table smaller, this waits for the sweeps, if these have not ended.
    """
    slots = slots_of(most_pairs(fast))
    if fast.begun is None or fast.stage.kind == SUMS or SLOT_BYTES * slots <= SMALL_TABLE:
        return slots
    swept = fast.swept or fast.work.facts.read()
    modularity = fast.begun + swept.gain / fast.run.copies
    share = OUTSIDE * (1.0 - modularity) + MARGIN
    return min(slots, 1 << max(10, math.ceil(share * fast.stage.entries).bit_length()))


def least_slots(largest: int, pairs: int) -> int:
    """Return the slots that batches need.

    Parameters
    ----------
    largest, pairs : int
        Most pairs of one community, and of all communities.
    """
    return slots_of(min(pairs, max(largest, pairs // MOST_PARTS)))


def table_needed(n: int, entries: int) -> int:
    """Return the bytes of the table of pairs in a stage of this size or a smaller one, at most."""
    pairs = min(entries, n * n)
    least = SLOT_BYTES * least_slots(n, pairs)
    return min(SLOT_BYTES * slots_of(pairs), max(SMALL_TABLE, least))


def fits_at_once(slots: int, pairs: int, n: int, free: int) -> bool:
    """Return whether `free` bytes hold one table, and the graph of at most so many pairs."""
    return SLOT_BYTES * slots + ENTRY_BYTES * pairs + VERTEX_BYTES * n <= free


@dataclass(frozen=True)
class Batches:
    """Ranges of new communities, and the vertices of each.

    Attributes
    ----------
    bounds : tuple of int
        Batch ``b`` has the communities ``bounds[b]`` to ``bounds[b + 1] - 1``.
    orders : tuple of Order
        The vertices of each batch by class of degree, all in one array.
    slots : int
        Of the table, enough for each batch.
    pairs : int
        Most pairs of all batches.
    """

    bounds: tuple[int, ...]
    orders: tuple[Order, ...]
    slots: int
    pairs: int


def divided(fast: FastPhase, mapping: Any, communities: int, free: int) -> Batches:
    """Divide a stage's contraction into batches for which memory suffices.

    Parameters
    ----------
    fast : FastPhase
        The stage and its partition.
    mapping : array of int32, shape (n,)
        New community of every vertex.
    communities : int
        Number of new communities.
    free : int
        Bytes that the contraction may take.

    Raises
    ------
    DeviceError
        Not even the smallest batches fit.
    """
    device, stage = fast.run.device, fast.stage
    before, largest = _pairs_before(fast, mapping, communities)
    pairs = int(device.to_host(before[-1:])[0])
    rest = ENTRY_BYTES * pairs + (VERTEX_BYTES + ORDER_BYTES) * stage.n
    slots = least_slots(largest, pairs)
    if rest + SLOT_BYTES * slots > free:
        device.require_memory(rest + SLOT_BYTES * slots, "the graph of the communities")
    most = min(free - rest, device.total_memory() // SHARE)
    while slots < slots_of(pairs) and 2 * SLOT_BYTES * slots <= most:
        slots *= 2
    bounds = _bounds(before, pairs_in(slots), communities, device)
    return Batches(bounds, _orders(fast, mapping, bounds), slots, pairs)


def _pairs_before(fast: FastPhase, mapping: Any, communities: int) -> tuple[Any, int]:
    """Return the most pairs of all communities before each one, int64, and the most of one."""
    device, xp, stage = fast.run.device, fast.run.device.xp, fast.stage
    most = xp.zeros(communities, dtype=xp.uint64)
    device.kernel("louvain_fast_batches", "fast_degrees")(
        -(-stage.n // 256), 256, [stage.n, stage.indptr, mapping, most]
    )
    most = most.view(xp.int64)
    xp.minimum(most, communities, out=most)
    before = xp.zeros(communities + 1, dtype=xp.int64)
    xp.cumsum(most, out=before[1:])
    return before, int(most.max())


def _bounds(before: Any, most: int, communities: int, device: Any) -> tuple[int, ...]:
    """Return where ranges of at most `most` pairs begin, as long as they can be."""
    bounds = [0]
    while bounds[-1] < communities:
        aim = before[bounds[-1] : bounds[-1] + 1] + most
        found = device.xp.searchsorted(before, aim, side="right") - 1
        bounds.append(int(device.to_host(found)[0]))
    return tuple(bounds)


def _orders(fast: FastPhase, mapping: Any, bounds: Sequence[int]) -> tuple[Order, ...]:
    """Return the vertices of every batch by class of degree."""
    device, xp, stage = fast.run.device, fast.run.device.xp, fast.stage
    batches, every = len(bounds) - 1, -(-stage.n // 256)
    parts = batches * CLASSES
    first = device.asarray(np.array(bounds, dtype=np.int32))
    common = [stage.n, stage.indptr, mapping, first, batches]
    counts = xp.zeros(parts, dtype=xp.int32)
    device.kernel("louvain_fast_batches", "fast_batch_count")(
        every, 256, [*common, counts], shared_mem=4 * parts
    )
    starts = np.concatenate([[0], np.cumsum(device.to_host(counts))])
    vertices = xp.empty(stage.n, dtype=xp.int32)
    cursors = device.asarray(starts[:parts].astype(np.int32))
    device.kernel("louvain_fast_batches", "fast_batch_place")(
        every, 256, [*common, cursors, vertices], shared_mem=8 * parts
    )
    at = [int(start) for start in starts]
    return tuple(
        Order(vertices, tuple(at[b * CLASSES : (b + 1) * CLASSES + 1])) for b in range(batches)
    )
