"""Contraction of the tuned variant: every community becomes a vertex.

See ``families/communities/kernels/louvain_fast_contract.cu``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.device.grid import blocks_for
from gpucore.families.communities.fast.batches import (
    SLOT_BYTES,
    SMALL_TABLE,
    Batches,
    divided,
    expected_slots,
    fits_at_once,
    most_pairs,
    slots_of,
)
from gpucore.families.communities.fast.launches import launches
from gpucore.families.communities.fast.order import CLASSES, THREADS, Order
from gpucore.families.communities.stage import SUMS, Stage

if TYPE_CHECKING:
    from gpucore.device.base import Device, Kernel
    from gpucore.families.communities.fast.facts import Found
    from gpucore.families.communities.fast.phase import FastPhase

#: Blocks of kernels that walk over all slots of the table of pairs.
WALK_BLOCKS = 8192
#: A search that takes more probes than this ends, where the table may be too small.
MOST_PROBES = 1024
#: Entries of a stage from which on every community has a share of the table; and the most entries a
#: vertex, unless the table has room for all pairs in any case.  Elsewhere shares take more time
#: than they save (``benchmarks/results/unseen-h200/sooner.json``).  In a stage whose contraction is
#: one launch: more entries a vertex than so many.
SHARED_ENTRIES, SPARSE = 1 << 22, 4
SHARED_LENGTH = constant("louvain_fast_contract.cuh", "SHARED_LENGTH")
#: Edges of a lane that are added at the same time in such a launch.
AT_A_TIME = constant("louvain_fast_walk.cuh", "AT_A_TIME")
#: Most blocks that share the sums of the new lists' lengths, and fewest lengths of a block.
ROW_BLOCKS, ROW_CHUNK = 1024, 1024


def divided_rows(xp: Any, n: int) -> tuple[int, int, Any]:
    """Return blocks for running sums over n numbers, numbers a block, and memory for its sums."""
    chunk = max(ROW_CHUNK, -(-n // ROW_BLOCKS))
    blocks = -(-n // chunk)
    return blocks, chunk, xp.empty(blocks, dtype=xp.int64)


def number(fast: FastPhase) -> tuple[Any, Any]:
    """Give numbers to the communities that have members; `fast.work.facts` has how many there are.

    Returns
    -------
    mapping : array of int32, shape (n,)
        Number of every vertex's community, from 0.
    total : array of uint64, shape (n,)
        Strength of every community, by its number.
    """
    run, n = fast.run, fast.stage.n
    xp, every = run.device.xp, -(-n // 256)

    def kernel(name: str) -> Kernel:
        return run.device.kernel("louvain_fast_contract", name)

    numbers, mapping = (xp.empty(n, dtype=xp.int32) for _ in range(2))
    total = xp.empty(n, dtype=xp.uint64)
    facts = fast.work.facts
    blocks, chunk, parts = divided_rows(xp, n)
    partition = [n, chunk, fast.community, fast.total, parts]
    kernel("fast_used")(blocks, 256, partition)
    sums = [run.two_m, numbers, total, facts.communities, facts.squares]
    kernel("fast_number")(blocks, 256, [*partition, *sums])
    kernel("fast_map")(every, 256, [n, fast.community, numbers, mapping])
    return mapping, total


def contract(fast: FastPhase, free: int | None = None) -> tuple[Stage, Any, Any, float]:
    """Make every community a vertex.

    With one table for all pairs, the host waits for the device when the new lists are being
    written.  Before, it waits for the sweeps where their modularity makes a large table smaller.

    Parameters
    ----------
    fast : FastPhase
        The stage and its partition.
    free : int, optional
        Bytes that this may take, by default all that are free. Where they are too few for one table
        of all pairs, the communities are processed in batches.

    Returns
    -------
    stage, strength, mapping
        As :func:`gpucore.families.communities.paper.contraction.contract`.
    modularity : float
        Modularity of the partition, from its exact sums.

    Raises
    ------
    DeviceError
        The device has not enough memory for the smaller graph.
    """
    fast.work.facts.begin()
    pairs = most_pairs(fast)
    table, total = _numbered(fast) if not fast.sizes.joint else (PairTable(fast), None)
    slots = expected_slots(fast)
    if free is None and SLOT_BYTES * slots > SMALL_TABLE:
        free = fast.run.device.free_memory()
    if free is not None and not fits_at_once(slots, pairs, fast.stage.n, free):
        if total is None:
            table, total = _numbered(fast)
        batches = divided(fast, table.mapping, fast.work.facts.read().communities, free)
        fast.batches = len(batches.orders)
        fast.run.device.release_unused()
        table.hold(batches.slots)
        smaller, found = _in_batches(table, batches)
    else:
        table.hold(slots, sure=slots >= slots_of(pairs))
        if total is None:
            total = _in_one_launch(table)
        else:
            _by_launches(table)
        smaller, found = table.finish()
    if found.overflowed:  # more pairs than expected
        fast.begun = None
        return contract(fast, free)
    fast.launched = found.launches
    modularity = fast.run.modularity(found.inside, found.squares)
    return smaller, total[: found.communities], table.mapping, modularity


class PairTable:
    """The table of pairs of a contraction, and the sums for every new community.

    Parameters
    ----------
    fast : FastPhase
        The stage and its partition.
    mapping : array, optional
        Of :func:`number`. Without it, the launch that fills the table writes it, and clears the
        sums.

    Attributes
    ----------
    sure : bool
        Whether there are certainly slots enough; else a long search is taken for the sign of a full
        table.
    shares : list
        The most pairs of all communities, an array of one int64, if each has a share of the slots;
        and whether it has.
    """

    def __init__(self, fast: FastPhase, mapping: Any = None) -> None:
        xp, n = fast.run.device.xp, fast.stage.n
        make = xp.empty if mapping is None else xp.zeros
        self.fast = fast
        self.mapping = xp.empty(n, dtype=xp.int32) if mapping is None else mapping
        self.inner = make(n, dtype=xp.uint64)
        self.length = make(n, dtype=xp.int32)
        self.indptr = xp.empty(n + 1, dtype=xp.int64)
        self.shares = [self.indptr, 0]
        run, self.step = fast.run, len(fast.run.steps)
        if run.recorder.args():
            run.add_step(fast.live, fast.stage.entries, merging=True)

    def hold(self, slots: int, *, sure: bool = True) -> None:
        """Have memory for so many slots: a power of two, more than there are pairs at a time."""
        self.slots, self.sure = slots, sure
        self.most_probes = min(slots, 2**31 - 1) if sure else MOST_PROBES
        self.table = self.fast.run.device.xp.empty(2 * slots, dtype=np.uint64)
        self.blocks = min(WALK_BLOCKS, slots // 256)

    def _kernel(self, name: str) -> Kernel:
        return self.fast.run.device.kernel("louvain_fast_contract", name)

    def share_out(self) -> None:
        """Give every community as large a share of the slots as it may have pairs.

        Then its pairs are close together; anywhere in a large table, each would be in a memory
        sector of its own. No community has more pairs than entries, or than there are communities:
        where a few have most entries, the rest of the table is not used. The shares are in the
        place of the new lists until these are known.
        """
        stage, xp = self.fast.stage, self.fast.run.device.xp
        entries, most = xp.zeros(stage.n, dtype=xp.int32), xp.zeros(2 * CLASSES, dtype=xp.int64)
        self._kernel("fast_entries")(
            -(-stage.n // 256), 256, [stage.n, stage.indptr, self.mapping, entries]
        )
        unused = most[CLASSES:].view(xp.int32)
        self._begin_lists(entries, [most, unused, unused], bounded=True)
        self.shares = [most, 1]

    def fill(self, order: Order | None = None) -> None:
        """Fill the table from the edges of all vertices, or of those in an order."""
        self._kernel("fast_clear")(self.blocks, 256, [self.slots, self.table, *self.shares])
        fast, recorder = self.fast, self.fast.run.recorder

        def recorded(name: str) -> Kernel:
            return recorder.kernel("louvain_fast_contract", name)

        middle = [self.mapping, self.table, self.slots, self.inner, self.length]
        middle += [fast.work.facts.overflowed, self.most_probes]
        middle += [self.indptr, *self.shares]
        tail = [self.step, *recorder.args()]
        for launch in launches(fast, recorded, "fast_pairs", middle, tail, order=order):
            launch()

    def measure(self, begin: int, end: int) -> None:
        """Complete the lengths of the lists of communities `begin` to `end` - 1."""
        inside = self.fast.work.facts.inside
        self._kernel("fast_loops")(
            min(WALK_BLOCKS, -(-(end - begin) // 256)),
            256,
            [begin, end, self.inner, self.length, inside],
        )

    def start(self) -> None:
        """Find where all lists begin, and the facts about them."""
        facts = self.fast.work.facts
        self._begin_lists(self.length, [facts.entries, facts.classes, facts.longest])

    def _begin_lists(self, length: Any, found: list[Any], *, bounded: bool = False) -> None:
        """Find where lists of these lengths begin; `found` takes the facts about them.

        If they are `bounded`, no list is longer than there are communities.
        """
        n, communities = self.fast.stage.n, self.fast.work.facts.communities
        blocks, chunk, parts = divided_rows(self.fast.run.device.xp, n)
        self._kernel("fast_parts")(
            blocks, 256, [n, chunk, length, communities, int(bounded), parts]
        )
        lists = [n, chunk, length, parts, communities, int(bounded), self.indptr]
        self._kernel("fast_rows")(blocks, 256, [*lists, *found])

    def write(self, begin: int, end: int, indices: Any, sums: Any) -> None:
        """Write the lists of these communities; their lengths count down to zero."""
        where = [self.indptr, self.length, indices, sums, *self.shares]
        self._kernel("fast_edges")(
            self.blocks, 256, [self.slots, self.table, begin, end, self.inner, *where]
        )

    def finish(self) -> tuple[Stage, Found]:
        """Wait for the facts while the lists of all communities are written.

        They have room for all that the table can hold, and a loop of each vertex, so that the
        device need not wait until the host knows how long they are.
        """
        fast, xp = self.fast, self.fast.run.device.xp
        most = max(1, min(fast.stage.entries, self.slots + fast.stage.n))
        indices, sums = xp.empty(most, dtype=xp.int32), xp.empty(most, dtype=xp.uint64)
        wait = fast.work.facts.read_later()
        self.write(0, fast.stage.n, indices, sums)
        found = wait()
        return self.graph(found, indices, sums), found

    def graph(self, found: Found, indices: Any, sums: Any) -> Stage:
        """Return the smaller graph, whose lists are written."""
        entries = found.entries
        return Stage(
            n=found.communities,
            entries=entries,
            indptr=self.indptr[: found.communities + 1],
            indices=indices[:entries] if entries else indices,
            weights=self.fast.stage.weights[:1],
            sums=sums[:entries] if entries else sums,
            kind=SUMS,
            unit=1.0,
            loops=float(found.inside),
            classes=found.classes,
            longest=found.longest,
        )


def _numbered(fast: FastPhase) -> tuple[PairTable, Any]:
    """Return a table without slots, and the strengths of the communities."""
    mapping, total = number(fast)
    return PairTable(fast, mapping), total


def _by_launches(table: PairTable) -> None:
    """Fill the table, and find where the new lists begin."""
    stage = table.fast.stage
    many = SHARED_ENTRIES <= stage.entries < 1 << 31
    if many and (table.sure or stage.entries <= SPARSE * stage.n):
        table.share_out()
    table.fill()
    table.measure(0, stage.n)
    table.start()


def _in_one_launch(table: PairTable) -> Any:
    """Do the same for a small stage; return the strengths of the communities."""
    fast, run, stage = table.fast, table.fast.run, table.fast.stage
    facts, n, xp = fast.work.facts, stage.n, run.device.xp
    shared_entries, numbers = (xp.empty(n, dtype=xp.int32) for _ in range(2))
    total = xp.empty(n, dtype=xp.uint64)
    kernel = run.device.kernel("louvain_fast_contract", "fast_contract")
    busy = blocks_for(max(n, stage.entries // AT_A_TIME), THREADS)
    blocks = min(fast.sizes.joint_blocks(kernel), busy)
    partition = [fast.community, fast.total, run.two_m, shared_entries, numbers]
    partition += [table.mapping, total]
    pairs = [table.table, table.slots - 1, table.inner, table.length, table.indptr]
    pairs += [xp.empty(blocks, dtype=xp.int64), facts.communities, facts.squares, facts.inside]
    pairs += [facts.entries, facts.classes, facts.longest, facts.overflowed, table.most_probes]
    shared = int(table.sure and stage.entries > SHARED_LENGTH * n)
    table.shares = [xp.empty(1, dtype=xp.int64), shared]
    pairs += [shared, table.shares[0]]
    kernel(
        blocks,
        THREADS,
        [n, *stage.args, *partition, *pairs, fast.work.barrier, 0],
        cooperative=True,
    )
    return total


def _in_batches(table: PairTable, batches: Batches) -> tuple[Stage, Found]:
    """Contract with a table for the pairs of some communities at a time.

    The lists are packed as they come into arrays for the most pairs that there can be. The classes
    of the new vertices are left for the next stage to count.
    """
    device, xp = table.fast.run.device, table.fast.run.device.xp
    indices = xp.empty(max(1, batches.pairs), dtype=xp.int32)
    sums = xp.empty(max(1, batches.pairs), dtype=xp.uint64)
    starts = table.indptr
    starts[0] = 0
    for (begin, end), order in zip(pairwise(batches.bounds), batches.orders, strict=True):
        table.fill(order)
        table.measure(begin, end)
        xp.cumsum(table.length[begin:end], dtype=xp.int64, out=starts[begin + 1 : end + 1])
        starts[begin + 1 : end + 1] += starts[begin]
        table.write(begin, end, indices, sums)
    entries = int(device.to_host(starts[batches.bounds[-1] : batches.bounds[-1] + 1])[0])
    found = table.fast.work.facts.read()._replace(entries=entries, classes=())
    table.table = None
    indices = shrunk(device, indices, entries)
    sums = shrunk(device, sums, entries)
    device.release_unused()
    return table.graph(found, indices, sums), found


def shrunk(device: Device, array: Any, size: int) -> Any:
    """Return the first elements of an array, copied if memory suffices for the copy twice."""
    first = array[:size]
    if size == len(array) or 2 * first.nbytes > device.free_memory():
        return first
    device.release_unused()
    return first.copy()
