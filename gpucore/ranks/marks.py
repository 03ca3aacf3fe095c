"""Marks that ranks set in each other's memory, and the tally of what a rank does to others.

The kernels' side is in ``gpucore/kernels/marks.cuh``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.device.constants import constant
from gpucore.errors import KernelError
from gpucore.ranks.meeting import LONG_PATIENCE
from gpucore.ranks.rounds import Work

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.ranks.world import World

#: Words that a count is spread over, vertices of a warp in a sweep, those it lists at a time, and
#: ghosts of a warp that delivers.
SPREAD, GHOSTS_OF_WARP = constant("marks.cuh", "SPREAD"), constant("marks.cuh", "GHOSTS_OF_WARP")
SWEPT, SWEEP_LIST = 32 * constant("marks.cuh", "GROUP"), 2 * constant("marks.cuh", "GROUP")

#: Sweeps of a round. An empty one costs some 10 microseconds, with the meeting before it 20; one
#: more round costs 200.
SWEEPS = 6


class Arrivals:
    """A byte for each own vertex, which any rank sets and its owner takes.

    Parameters
    ----------
    world : World
        All ranks.
    n : int
        Number of own vertices.
    in_rounds : bool
        Whether marks that are set in one round are taken in the next one, as a recorded run needs;
        two arrays then take turns. Otherwise marks are taken as they come.

    Attributes
    ----------
    marks, tables : list
        Arrays of uint8, whole sweeps; for each of them the addresses of all ranks' arrays.
    """

    def __init__(self, world: World, n: int, in_rounds: bool) -> None:
        assert world.memory is not None
        self.in_rounds = in_rounds
        size = max(1, -(-n // SWEPT)) * SWEPT
        made = [world.memory.empty(size, np.uint8) for _ in range(1 + in_rounds)]
        self.marks, self.tables = [own for own, _ in made], [table for _, table in made]
        for array in self.marks:
            array.fill(0)

    def now(self, round_number: int) -> int:
        """Return the number of the array from which marks are taken in a round."""
        return round_number % len(self.marks)

    def then(self, round_number: int) -> int:
        """Return the number of the array in which marks are set in a round."""
        return (round_number + 1) % len(self.marks)


class Tally:
    """Counts of proposals and marks sent to other ranks, and of marks taken.

    Attributes
    ----------
    words : array of uint32
        For the kernels.
    missed : array of uint32, shape (1,)
        How often another rank did not come although it was waited for, see
        :class:`gpucore.ranks.meeting.Meetings`; read with the counts.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.words = device.xp.zeros(3 * SPREAD + 1, dtype=np.uint32)
        self.missed = self.words[-1:]
        self._before = np.zeros(3, np.int64)

    def work(self, asked_bytes: int, marked_bytes: int, more: int = 0, streamed: int = 0) -> Work:
        """Return the report of a round; the device has to finish for it.

        Marks are pending until they are taken. The number of one rank may be negative; the sum over
        all ranks is the number of marks that are set.

        Parameters
        ----------
        asked_bytes, marked_bytes : int
            Bytes of a proposal and of a mark.
        more : int
            What else is pending.
        streamed : int
            Other bytes.

        Raises
        ------
        KernelError
            Another rank did not come.
        """
        words = self.device.to_host(self.words)
        if words[-1]:
            raise KernelError(
                f"another rank did not come within {LONG_PATIENCE // 10**9} seconds; look whether "
                "it is alive, and whether another program uses its card"
            )
        counts = words[:-1].reshape(3, SPREAD).sum(axis=1, dtype=np.int64)
        asked, marked, _ = (counts - self._before).tolist()
        self._before = counts
        return Work(
            int(counts[1] - counts[2]) + more,
            remote=asked + marked,
            remote_bytes=asked_bytes * asked + marked_bytes * marked + streamed,
        )
