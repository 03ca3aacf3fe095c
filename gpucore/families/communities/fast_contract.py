"""Contraction of the tuned variant: every community becomes a vertex.

See ``families/communities/kernels/louvain_fast_contract.cu``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gpucore.families.communities.fast_batches import (
    SLOT_BYTES,
    SMALL_TABLE,
    Batches,
    divided,
    fits_at_once,
    slots_of,
    with_order,
)
from gpucore.families.communities.stage import SUMS, Stage

if TYPE_CHECKING:
    from gpucore.device.base import Device, Kernel
    from gpucore.families.communities.fast_state import FastState

#: Blocks of kernels that walk over all slots of the table of pairs.
WALK_BLOCKS = 1024


def numbered(fast: FastState) -> tuple[Any, Any]:
    """Give the communities that have members the numbers 0 to k - 1.

    Returns
    -------
    mapping : array of int32, shape (n,)
        Number of every vertex's community, 0 to k - 1.
    total : array of uint64, shape (k,)
        Strength of every community.
    """
    device, xp, n = fast.run.device, fast.run.device.xp, fast.stage.n
    every = -(-n // 256)
    used = xp.zeros(n, dtype=xp.int32)
    device.kernel("louvain_fast_contract", "fast_mark")(every, 256, [n, fast.community, used])
    number = xp.cumsum(used, dtype=xp.int32)
    mapping = xp.empty(n, dtype=xp.int32)
    total = xp.empty(int(device.to_host(number[-1:])[0]), dtype=xp.uint64)
    device.kernel("louvain_fast_contract", "fast_renumber")(
        every, 256, [n, fast.community, number, used, fast.total, mapping, total]
    )
    return mapping, total


def contract(fast: FastState, free: int | None = None) -> tuple[Stage, Any, Any, float]:
    """Make every community a vertex.

    Parameters
    ----------
    fast : FastState
        The stage and its partition.
    free : int, optional
        Bytes that this may take, by default all that are free. Where they are too few for one table
        of all pairs, the communities are processed in batches.

    Returns
    -------
    stage, strength, mapping
        As :func:`gpucore.families.communities.contract.contract`.
    modularity : float
        Modularity of the partition, from its exact sums.

    Raises
    ------
    DeviceError
        The device has not enough memory for the smaller graph.
    """
    mapping, total = numbered(fast)
    communities = len(total)
    pairs = min(fast.stage.entries, communities * communities)
    slots = slots_of(pairs)
    if free is None and SLOT_BYTES * slots > SMALL_TABLE:
        free = fast.run.device.free_memory()
    if free is None or fits_at_once(slots, pairs, communities, free):
        smaller, modularity = _at_once(PairTable(fast, mapping, total, slots))
    else:
        batches = divided(fast, mapping, communities, free)
        fast.batches = len(batches.orders)
        fast.run.device.release_unused()
        smaller, modularity = _in_batches(PairTable(fast, mapping, total, batches.slots), batches)
    return smaller, total, mapping, modularity


class PairTable:
    """The table of pairs of a contraction, and the sums for every new community.

    Parameters
    ----------
    fast : FastState
        The stage and its partition.
    mapping, total : array
        Of :func:`numbered`.
    slots : int
        A power of two, more than there are pairs at a time.
    """

    def __init__(self, fast: FastState, mapping: Any, total: Any, slots: int) -> None:
        self.fast, self.mapping, self.total, self.slots = fast, mapping, total, slots
        xp = fast.run.device.xp
        self.communities = len(total)
        self.inner = xp.zeros(self.communities, dtype=xp.uint64)
        self.length = xp.zeros(self.communities, dtype=xp.int32)
        self.indptr = xp.zeros(self.communities + 1, dtype=xp.int64)
        self.table = xp.empty(2 * slots, dtype=xp.uint64)
        self.blocks = min(WALK_BLOCKS, slots // 256)
        self.step = fast.add_merging()

    def _kernel(self, name: str) -> Kernel:
        return self.fast.run.device.kernel("louvain_fast_contract", name)

    def fill(self, fast: FastState) -> None:
        """Fill the table from the edges of the vertices in a state's order."""
        self._kernel("fast_clear")(self.blocks, 256, [self.slots, self.table])
        recorder = fast.run.recorder

        def recorded(name: str) -> Kernel:
            return recorder.kernel("louvain_fast_contract", name)

        middle = [self.mapping, self.table, self.slots - 1, self.inner]
        for launch in fast.launches(recorded, "fast_pairs", middle, [self.step, *recorder.args()]):
            launch()

    def measure(self, begin: int, end: int) -> float:
        """Find the lengths of the lists of communities `begin` to `end` - 1, and their starts.

        The table has their pairs, and the starts up to `begin` are known.

        Returns
        -------
        float
            Share of these communities in the modularity.
        """
        run = self.fast.run
        device, xp = run.device, run.device.xp
        shares, squares = (xp.empty(self.blocks, dtype=xp.float64) for _ in range(2))
        sums = [self.inner, self.total, run.two_m, self.length, shares, squares]
        self._kernel("fast_lengths")(self.blocks, 256, [self.slots, self.table, begin, end, *sums])
        starts = self.indptr[begin + 1 : end + 1]
        xp.cumsum(self.length[begin:end], dtype=xp.int64, out=starts)
        if begin:
            starts += self.indptr[begin]
        modularity = float(device.to_host(shares).sum())
        return modularity - run.params.resolution * float(device.to_host(squares).sum())

    def write(self, begin: int, end: int, cursor: Any, indices: Any, sums: Any) -> None:
        """Write the lists of these communities; `cursor` has the starts, and is overwritten."""
        self._kernel("fast_edges")(
            self.blocks,
            256,
            [self.slots, self.table, begin, end, self.inner, cursor, indices, sums],
        )

    def graph(self, entries: int, indices: Any, sums: Any) -> Stage:
        """Return the smaller graph, whose lists are written."""
        return Stage(
            n=self.communities,
            entries=entries,
            indptr=self.indptr,
            indices=indices[:entries] if entries else indices,
            weights=self.fast.stage.weights[:1],
            sums=sums[:entries] if entries else sums,
            kind=SUMS,
            unit=1.0,
        )


def _at_once(table: PairTable) -> tuple[Stage, float]:
    """Contract with one table for all pairs."""
    device, xp = table.fast.run.device, table.fast.run.device.xp
    table.fill(table.fast)
    modularity = table.measure(0, table.communities)
    entries = int(device.to_host(table.indptr[-1:])[0])
    indices = xp.empty(max(1, entries), dtype=xp.int32)
    sums = xp.empty(max(1, entries), dtype=xp.uint64)
    table.write(0, table.communities, table.indptr[:-1].astype(xp.uint64), indices, sums)
    return table.graph(entries, indices, sums), modularity


def _in_batches(table: PairTable, batches: Batches) -> tuple[Stage, float]:
    """Contract with a table for the pairs of some communities at a time.

    The lists are packed as they come into arrays for the most pairs that there can be.
    """
    device, xp = table.fast.run.device, table.fast.run.device.xp
    indices = xp.empty(max(1, batches.pairs), dtype=xp.int32)
    sums = xp.empty(max(1, batches.pairs), dtype=xp.uint64)
    cursor = xp.empty(table.communities, dtype=xp.uint64)
    modularity = 0.0
    for (begin, end), order in zip(pairwise(batches.bounds), batches.orders, strict=True):
        table.fill(with_order(table.fast, order))
        modularity += table.measure(begin, end)
        cursor[begin:end] = table.indptr[begin:end].view(xp.uint64)
        table.write(begin, end, cursor, indices, sums)
    entries = int(device.to_host(table.indptr[-1:])[0])
    table.table = None
    indices = shrunk(device, indices, entries)
    sums = shrunk(device, sums, entries)
    device.release_unused()
    return table.graph(entries, indices, sums), modularity


def shrunk(device: Device, array: Any, size: int) -> Any:
    """Return the first elements of an array, copied if memory suffices for the copy twice."""
    first = array[:size]
    if size == len(array) or 2 * first.nbytes > device.free_memory():
        return first
    device.release_unused()
    return first.copy()
