"""Memory of a stage's sweeps that the kernels expect to be zero: one piece, cleared by one call.

The stages of a run follow one another, and have the same memory: that of the first one is enough.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast.facts import WORDS, Facts
from gpucore.families.communities.fast.order import CLASSES

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.communities.stage import Run

#: Places for sums of gains and moves, and their distance.
TALLIES = constant("louvain_fast_sweep.cuh", "TALLIES")
TALLY_STRIDE = constant("louvain_fast_sweep.cuh", "TALLY_STRIDE")
#: Of arrays in one piece of memory.
ALIGNMENT = 256


def arrays_of(device: Device, cleared: int, *wanted: tuple[type, int]) -> list[Any]:
    """Return arrays in one piece of memory, each of a type and of so many elements.

    The first `cleared` of them are zero.  One allocation, and one call that clears, take a host a
    fraction of the time of several.
    """
    sizes = [np.dtype(kind).itemsize * count for kind, count in wanted]
    ends = list(accumulate(-(-size // ALIGNMENT) * ALIGNMENT for size in sizes))
    whole = device.xp.empty(max(1, ends[-1]), np.uint8)
    if cleared:
        whole[: ends[cleared - 1]].fill(0)
    pieces = zip([0, *ends[:-1]], sizes, wanted, strict=True)
    return [whole[begin : begin + size].view(kind) for begin, size, (kind, _) in pieces]


class Workspace:
    """Facts, tallies and flags of a stage of `n` vertices, or fewer.

    Attributes
    ----------
    n : int
        Most vertices.
    facts : Facts
        What the host reads of a stage.
    rested, gained, moved, cursors, barrier, queue
        As in the kernels' source.
    """

    def __init__(self, device: Device, n: int) -> None:
        tallies = TALLIES * TALLY_STRIDE
        words = [WORDS, tallies, tallies // 2, CLASSES // 2 + 1, 1, 1, -(-n // 8)]
        ends = list(accumulate(words))
        self.n, self._all = n, device.xp.zeros(ends[-1], np.uint64)
        pieces = [self._all[end - count : end] for end, count in zip(ends, words, strict=True)]
        self.facts = Facts(device, pieces[0])
        self.gained, self.moved = pieces[1], pieces[2].view(np.int32)
        self.cursors, self.barrier = pieces[3].view(np.int32), pieces[4].view(np.uint32)
        self.queue, self.rested = pieces[5].view(np.int32), pieces[6].view(np.uint8)

    def clear(self) -> None:
        """Set all of it to zero."""
        self._all.fill(0)
        self.facts.cleared()


def workspace_of(run: Run, n: int) -> Workspace:
    """Return the run's workspace for a stage of `n` vertices, which is zero."""
    if run.workspace is None or run.workspace.n < n:
        run.workspace = Workspace(run.device, n)
    else:
        run.workspace.clear()
    return run.workspace
