"""How a stage of the tuned variant is launched: parts of a sweep, blocks, threads, shared memory.

A large stage has a launch for each class of degree.  In a small one the launches would take the
time, so its sweeps, its refinement and its contraction are one cooperative launch each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.device.constants import constant
from gpucore.device.grid import blocks_for, cooperative_blocks
from gpucore.families.communities.fast.order import HUBS, THREADS, Order

if TYPE_CHECKING:
    from gpucore.device.base import Device, Kernel
    from gpucore.families.communities.stage import Run, Stage

#: Slots of a warp's and of a block's table, and bytes of a slot.
WARP_SLOTS = 2 * constant("louvain_fast.cuh", "WARP_DEGREE")
SHARED_SLOTS, SLOT_BYTES = constant("louvain_fast.cuh", "SHARED_SLOTS"), 12
#: Threads of a block for one vertex, and for a hub; and of one whose sweeps are one launch, if its
#: vertices have as many edges as keep so many threads busy.
BLOCK_THREADS, HUB_THREADS, DENSE_THREADS = 128, 1024, 512
#: Most slots of a hub's table in shared memory.
HUB_SLOTS = 16_384
#: Most bytes of shared memory that a block has beside its table.
OTHER_BYTES = 1536
#: Blocks of a cooperative launch with hubs on a multiprocessor, each with tables of its own; one of
#: a launch for hubs alone takes all shared memory.
HUB_BLOCKS_PER_MULTIPROCESSOR = 4
#: Most blocks of a cooperative launch, of `THREADS` threads; fewer if they are larger.  More where
#: each still has so many vertices: then few of these move at the same time.
BLOCKS_PER_MULTIPROCESSOR, MOST_BLOCKS_PER_MULTIPROCESSOR, HOST_BLOCKS = 2, 4, 4
VERTICES_OF_A_BLOCK = 64
#: (n, parts): a stage of fewer than n vertices with edges is swept in this many parts. A GPU
#: processes a larger share of a smaller stage at once; where moves wait that does no harm, and the
#: last number holds, as in one launch, where small stages wait (`FEW` in small.py).
PARTS = ((5_000, 8), (100_000, 4))
#: A vertex should have no more neighbours than this in one part, of at most so many parts: they
#: move at the same time, and none sees the moves of the others.  Where moves wait, more do no harm.
NEIGHBOURS, WAITING_NEIGHBOURS, MOST_PARTS = 16, 128, 32
#: A stage whose moves at the same time lost modularity is swept again in so many times as many.
MORE_PARTS = constant("louvain_fast_judge.cuh", "MORE_PARTS")
#: Edges a vertex from which on moves wait, in a later stage, until all of a part are decided: a
#: vertex there is as strong as a whole community, and one whose edges were summed up before another
#: left, and whose gain was computed after that, goes astray; networks with dense cores take less
#: time than with 64 (``benchmarks/results/unseen-h200/later.json``).  Edges from which on most
#: vertices need a large block; the same where moves wait: there as many small ones as fit do no
#: harm.
DENSE, BLOCK_DENSE, WAITING_BLOCK_DENSE = 24, 128, 512
#: A graph of fewer vertices has this many parts in all stages, since only quality matters there;
#: more on a GPU where the blocks meet after each part, whose vertices move at the same time.
TINY, TINY_PARTS, TINY_PARTS_OF_GPU = 2_000, 16, 64
#: Parts of a stage of a reproducible run, whose vertices of a part never see the moves of the
#: others: (edges a vertex, parts), else the last number; the same on every device.  The more edges,
#: the more neighbours move at the same time: preferential attachment loses modularity in fewer
#: parts (``benchmarks/results/unseen-h200``, ``reproducible.json``).
WAITING_PARTS = ((8, 2), (32, 4), 8)
#: Parts after which the blocks of a cooperative launch meet, where a few run at a time: one that
#: does not wait would have visited all its vertices before others begin.  On a GPU they meet after
#: a sweep.
APART_ON_HOST = 1
#: Most entries of a stage whose contraction, or refinement, is one cooperative launch.
JOINT_ENTRIES = 1 << 21
#: Most blocks of such a launch for each multiprocessor, if so many fit: its time is that of reads
#: from memory, which many warps hide.
JOINT_BLOCKS = 8
#: Threads of a block, and blocks for each multiprocessor, of a cooperative launch for a few steps
#: over all vertices.
MEETING_THREADS, MEETING_BLOCKS = 256, 4
#: Most entries of a stage whose sweeps are one cooperative launch: hubs need more blocks than that
#: has, and a large stage hides the time of launches.
COOPERATIVE_ENTRIES = 1 << 22
#: Most edges of a vertex of such a stage, unless it is the first one: blocks share larger hubs.
COOPERATIVE_DEGREE = 8192
#: Most edges of a vertex of a graph whose last sweeps are one launch: few vertices are due in them.
SETTLING_DEGREE = 1 << 16


def meeting_blocks(device: Device, items: int) -> int:
    """Return the blocks of such a launch for so many items; few blocks meet sooner."""
    most = cooperative_blocks(device, MEETING_THREADS, MEETING_BLOCKS)
    return min(most, blocks_for(items, MEETING_THREADS))


def hub_slots(device: Device) -> int:
    """Return the slots of a hub's table in shared memory: as many as a block can have."""
    slots = SHARED_SLOTS
    most = device.shared_memory_per_block - OTHER_BYTES
    while slots < HUB_SLOTS and 2 * slots * SLOT_BYTES <= most:
        slots *= 2
    return slots


def phase_slots(threads: int) -> int:
    """Return the fewest slots of a block of a cooperative launch for a phase."""
    return max(SHARED_SLOTS, threads // 32 * WARP_SLOTS)


def joint_shared(near: int) -> int:
    """Return the shared memory of a block of :meth:`Sizes.joint_grid`."""
    return max(near, THREADS // 32 * WARP_SLOTS) * SLOT_BYTES


class Sizes:
    """The sizes of a stage's launches.

    Parameters
    ----------
    run, stage, order
        The run, the stage, its vertices by class of degree.
    longest : int
        Most edges of a vertex.

    Attributes
    ----------
    live : int
        Number of vertices with edges; only these move.
    tiny : bool
        Whether the given graph is so small that only quality matters.
    parts : int
        Number of parts in which the stage is swept.
    cooperative : bool
        Whether all sweeps are one launch, unless they are recorded.
    waits : bool
        Whether moves wait until all of a part are decided.
    finer : bool
        Whether the stage is swept in more parts than at first, since moves at the same time lost
        modularity, or vertices traded places.
    joint : bool
        Whether steps that go over all vertices at once are in one cooperative launch.
    """

    def __init__(self, run: Run, stage: Stage, order: Order, longest: int) -> None:
        self.order = order
        self._hub = bool(run.stages) and longest > COOPERATIVE_DEGREE
        self._device, self._entries, self._max_warps = run.device, stage.entries, run.max_warps
        self.live = stage.n - order.first[1]
        self._deterministic = run.params.deterministic
        self.tiny = run.size < TINY
        dense = bool(run.stages) and self._entries > DENSE * self.live
        self.waits = self._deterministic or (dense and self._may_be_divided())
        self.parts = self._parts()
        self.finer = False
        # Every part of a reproducible run waits for its hubs; blocks share them in launches only.
        launched = stage.entries > COOPERATIVE_ENTRIES or (self._deterministic and self._hub)
        self.cooperative = self.parts > 1 and not launched
        small = stage.entries <= JOINT_ENTRIES and not order.share(HUBS, 1)
        self.joint = small and not run.recorder.args()

    def _parts(self) -> int:
        """Return the number of parts.

        A stage of hubs is not divided: every part would cost the launches of all, and wait for its
        largest hub.
        """
        if self._deterministic:
            *fewer, most = WAITING_PARTS
            few = (parts for edges, parts in fewer if self._entries <= edges * self.live)
            return most if self.tiny else next(few, most)
        if self.tiny:
            return TINY_PARTS if self._device.name == "host" else TINY_PARTS_OF_GPU
        if not self._may_be_divided():
            return 1
        parts = PARTS[-1][1] if self.waits else next(parts for n, parts in PARTS if self.live < n)
        neighbours = WAITING_NEIGHBOURS if self.waits else NEIGHBOURS
        while parts < MOST_PARTS and self._entries > neighbours * parts * self.live:
            parts *= 2
        return parts

    def _may_be_divided(self) -> bool:
        """Return whether the stage is small enough to be swept in parts by one launch."""
        small = self._entries <= COOPERATIVE_ENTRIES and self.live < PARTS[-1][0]
        return self.tiny or (small and not self._hub)

    def joint_blocks(self, kernel: Kernel, shared: int = 0) -> int:
        """Return the most blocks of such a launch, each with so many bytes of shared memory."""
        if self._device.name == "host":
            return HOST_BLOCKS
        fit = kernel.max_resident_blocks(THREADS, shared)
        return min(fit, JOINT_BLOCKS * self._device.multiprocessors)

    def joint_grid(self, kernel: Kernel) -> tuple[int, int, list[Any]]:
        """Return the blocks of one with a table for each vertex, slots of a block's, ranges."""
        order, warps = self.order, THREADS // 32
        lanes, near = order.lane_blocks(threads=32), SHARED_SLOTS if order.share(6, 1) else 0
        most = self.joint_blocks(kernel, joint_shared(near))
        busy = max(1, -(-max(lanes[-1], order.share(5, 1)) // warps), order.share(6, 1))
        ranges = [order.vertices, *order.first[1:6], *lanes[1:], order.first[6], order.first[8]]
        return min(most, busy), near, ranges

    @property
    def phase_threads(self) -> int:
        """Threads of a block of a cooperative launch: more where most vertices need a block.

        Hubs need them too: few blocks have them, one after the other, and the others wait.  Each of
        its warps has a hash table.
        """
        dense = WAITING_BLOCK_DENSE if self.waits else BLOCK_DENSE
        least = SLOT_BYTES * phase_slots(DENSE_THREADS) + OTHER_BYTES
        fits = self._device.shared_memory_per_block >= least
        hubs = not self.waits and self.order.share(HUBS, 1) > 0
        wide = hubs or self._entries > dense * self.live
        return DENSE_THREADS if fits and wide else THREADS

    @property
    def phase_slots(self) -> int:
        """Slots of a block's table, or of its warps' tables, in a cooperative launch.

        As many as a block can have if it is large and there are hubs.
        """
        if self.phase_threads == DENSE_THREADS and self.order.share(HUBS, 1):
            return hub_slots(self._device)
        return phase_slots(self.phase_threads)

    def phase_blocks(self) -> int:
        """Return the blocks of a cooperative launch: no more than the vertices can keep busy.

        Where moves do not wait there are few, so that vertices see the moves of most others.
        """
        device, order = self._device, self.order
        parts, threads = self.parts, self.phase_threads
        most = HOST_BLOCKS
        if device.name == "cuda" and self.waits:
            kernel = device.kernel("louvain_fast", "fast_phase")
            most = kernel.max_resident_blocks(threads, SLOT_BYTES * self.phase_slots)
        elif device.name == "cuda":
            few, many = (
                max(1, THREADS * blocks // threads) * device.multiprocessors
                for blocks in (BLOCKS_PER_MULTIPROCESSOR, MOST_BLOCKS_PER_MULTIPROCESSOR)
            )
            most = max(few, min(many, self.live // VERTICES_OF_A_BLOCK))
        warps = max(order.lane_blocks(parts, 32)[-1], order.share(5, parts))
        busy = -(-32 * warps // threads)
        return max(1, min(most, max(busy, order.share(6, parts) + order.share(HUBS, parts))))

    @property
    def apart(self) -> int:
        """Parts after which the blocks of a cooperative launch meet.

        Each of `finer` parts, of more vertices than a warp has: else the blocks would work on about
        as many vertices at the same time as before.
        """
        few = self._device.name == "host"
        finer = self.finer and self.live > 32 * self.parts
        return APART_ON_HOST if few or self.waits or finer else self.parts

    def are_few_hubs(self, longest: int) -> bool:
        """Return whether the largest hub has more edges than two blocks of a part have."""
        return longest * self.most_hub_blocks() * self.parts > 2 * self._entries

    def most_hub_blocks(self) -> int:
        """Return the most blocks of a launch that have tables of their own for hubs."""
        if self._device.name == "cuda":
            each = HUB_BLOCKS_PER_MULTIPROCESSOR if self.cooperative else 1
            return each * self._device.multiprocessors
        return self._max_warps // 8
