"""Hash tables in global memory: of hubs, whose edges shared memory cannot hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.device.constants import constant
from gpucore.families.communities.fast.order import HUBS
from gpucore.families.communities.fast.sizes import hub_slots
from gpucore.families.communities.stage import table_bytes

if TYPE_CHECKING:
    from gpucore.families.communities.fast.sizes import Sizes
    from gpucore.families.communities.stage import Run

#: Words of a slot in global memory.
FAR_WORDS = constant("louvain_fast_tables.cuh", "FAR_WORDS")
#: Words that a block's piece of a hub has for what it found.
FINDING_WORDS = constant("louvain_fast_hubs.cuh", "FINDING_WORDS")
#: Tables of at most this fraction of the device's memory are kept for the stages that follow.
KEPT_SHARE = 128


class Tables:
    """The hash tables of a stage, if it has hubs.

    Kernels leave all slots empty, so the stages of a run have the same memory if it suffices.

    Parameters
    ----------
    run : Run
        The run.
    sizes : Sizes
        Of the stage's launches.
    longest : int
        The largest degree.
    none : array of uint32
        Takes their place where there are no hubs.

    Attributes
    ----------
    blocks, slots : int
        Blocks that have a table each, and its slots.
    array : array of uint32
        All tables, whose slots are empty.
    pieces : int
        Blocks that the largest hub needs if each sums up as many edges as its shared memory holds.
    divided, shared : bool
        Whether several blocks work on a hub: in a contraction; and in sweeps, where the hubs of a
        part then decide at the same time.
    findings : array of uint64
        What the blocks found that share hubs; zero.
    """

    def __init__(self, run: Run, sizes: Sizes, longest: int, none: Any) -> None:
        self._run, self._none, device = run, none, run.device
        self.blocks, self.slots = 0, 1
        hubs = sizes.order.share(HUBS, 1)
        if hubs:
            self.slots = 64
            while self.slots < 2 * longest:
                self.slots *= 2
            fits = table_bytes(device) // (4 * FAR_WORDS * self.slots)
            wanted = sizes.phase_blocks() if sizes.cooperative else hubs
            self.blocks = max(1, min(wanted, fits, sizes.most_hub_blocks()))
        self.pieces = -(-longest // (hub_slots(device) // 2))
        self.divided = self.pieces > 1 and hubs <= self.blocks
        one_part = sizes.order.share(HUBS, sizes.parts)
        # Elsewhere all sweeps are one launch, and a record shows what that does.
        launched = sizes.parts == 1 or not sizes.cooperative
        few = 0 < one_part <= self.blocks and sizes.are_few_hubs(longest)
        self.shared = self.pieces > 1 and launched and few
        self._findings = FINDING_WORDS * one_part * self.pieces if self.shared else 0
        self.take()

    def take(self) -> None:
        """Have memory for the tables: the run's, if it has enough blocks and slots."""
        self.array = self._none
        if not self.blocks:
            return
        xp, kept = self._run.device.xp, self._run.hub_tables
        if kept is None or kept.shape[0] < self.blocks or kept.shape[2] < self.slots:
            kept = xp.zeros((self.blocks, FAR_WORDS, self.slots), dtype=xp.uint32)
            kept[:, 0] = 0xFFFFFFFF
            self._run.hub_tables = kept
        self.slots, self.array = kept.shape[2], kept.reshape(-1)
        self.findings = xp.zeros(self._findings, dtype=xp.uint64)

    def drop(self) -> None:
        """Free the tables while other stages need memory, unless they are small."""
        kept = self._run.hub_tables
        if kept is not None and kept.nbytes > self._run.device.total_memory() // KEPT_SHARE:
            self._run.hub_tables = None
        self.array = self.findings = None
