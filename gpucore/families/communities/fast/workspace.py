"""Memory of a stage's sweeps that the kernels expect to be zero: one piece, cleared by one call.

The stages of a run follow one another, and have the same memory: that of the first one is enough.
"""

from __future__ import annotations

from functools import lru_cache
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


class Pieces:
    """Arrays in one piece of memory, of which a kernel is given the address of the first byte.

    One allocation, and one call that clears, take a host a fraction of the time of several; what
    it reads of them it can cut while a device works.

    Parameters
    ----------
    device : Device
        Where they are.
    cleared : int
        How many of the first ones are zero.
    wanted : tuple of type and int
        Type and number of elements of each.

    Attributes
    ----------
    memory : array of uint8
        All of them.
    begins : list of int
        Where each begins.
    """

    def __init__(self, device: Device, cleared: int, *wanted: tuple[type, int]) -> None:
        ends = _ends_of(wanted)
        self.memory = device.xp.empty(max(1, ends[-1]), np.uint8)
        device.clear(self.memory, ends[cleared - 1])
        self.begins = [0, *ends[:-1]]
        self._device, self._wanted = device, wanted

    def arrays(self, first: int) -> list[Any]:
        """Return the arrays from a number on."""
        pieces = zip(self.begins[first:], self._wanted[first:], strict=True)
        return [self._device.piece(self.memory, begin, *each) for begin, each in pieces]


@lru_cache(maxsize=256)
def _ends_of(wanted: tuple[tuple[type, int], ...]) -> list[int]:
    """Return where each array ends in one piece of memory."""
    sizes = (np.dtype(kind).itemsize * count for kind, count in wanted)
    return list(accumulate(-(-size // ALIGNMENT) * ALIGNMENT for size in sizes))


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
