"""Exercises on blocks: a sum over a block, and how many blocks a multiprocessor holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.errors import ParameterError

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from ..kit.kernels import Run, run
from ..kit.lines import Line, lines
from ..kit.pictures import Picture

#: One multiprocessor of compute capability 9.0 (H100): CUDA C++ Programming Guide, compute
#: capabilities. Registers are given to warps in parts of 256; a block takes 1 KiB of shared memory
#: for the system.
WARPS, BLOCKS, REGISTERS, SHARED = 64, 32, 65_536, 228 * 1024
REGISTER_PART, SYSTEM_SHARED = 256, 1024


@dataclass(frozen=True)
class Resident:
    """What one multiprocessor holds.

    Attributes
    ----------
    blocks, warps : int
        At the same time.
    bound : str
        What is used up first.
    """

    blocks: int
    warps: int
    bound: str

    @property
    def occupancy(self) -> float:
        """Resident warps, as a share of the most."""
        return self.warps / WARPS

    def __str__(self) -> str:
        return (
            f"{self.blocks} blocks, {self.warps} of {WARPS} warps: occupancy "
            f"{self.occupancy:.0%}, bounded by {self.bound}"
        )


def resident(threads: int, registers: int = 32, shared: int = 0) -> Resident:
    """Return how many blocks an H100's multiprocessor holds.

    Parameters
    ----------
    threads : int
        Of a block.
    registers : int
        Of a thread.
    shared : int
        Bytes of a block.

    Raises
    ------
    ParameterError
        No such block exists.

    Examples
    --------
    >>> print(resident(256, 64))
    4 blocks, 32 of 64 warps: occupancy 50%, bounded by registers
    """
    if not (1 <= threads <= 1024 and 1 <= registers <= 255 and 0 <= shared <= 227 * 1024):
        raise ParameterError(
            f"no block has {threads} threads of {registers} registers and {shared} bytes; take 1 "
            "to 1,024 threads, 1 to 255 registers, 0 to 232,448 bytes"
        )
    warps = -(-threads // 32)
    of_a_warp = -(-32 * registers // REGISTER_PART) * REGISTER_PART
    rooms = {
        "the number of blocks": BLOCKS,
        "the number of warps": WARPS // warps,
        "registers": REGISTERS // of_a_warp // warps,
        "shared memory": SHARED // (shared + SYSTEM_SHARED),
    }
    bound = min(rooms, key=lambda name: rooms[name])
    if not rooms[bound]:
        raise ParameterError(
            f"a block of {threads} threads with {registers} registers each does not fit; take "
            "fewer of either"
        )
    return Resident(rooms[bound], rooms[bound] * warps, bound)


@exercise("blocks/occupancy-{threads}-{registers}", hint="Count the registers of a whole block.")
def blocks_that_fit(guess: Any, threads: int, registers: int, shared: int = 0) -> Verdict:
    """Answer: how many blocks are resident on one multiprocessor."""
    fits = resident(threads, registers, shared)
    because = (
        f"A block needs {threads} times {registers} registers, {threads * registers:,} of "
        f"{REGISTERS:,}. That leaves {fits}."
    )
    known = {WARPS * 32 // threads: "That is how many would fit if threads needed no registers."}
    return judge(guess, fits.blocks, because, known=known)


@exercise("blocks/levels", hint="Each level halves the number of threads that still add.")
def levels(guess: Any, made: Run) -> Verdict:
    """Answer: how many levels a sum over a block has; the kernel counted them."""
    truth = int(made.arrays[-1][1])
    because = f"{made.block} numbers become half as many in each level, until one is left."
    known = {made.block - 1: "That many additions there are; but a level does many at once."}
    return judge(guess, truth, because, known=known)


@exercise("blocks/shared-{shown}", hint="Look for lines that name memory which a block shares.")
def shared_accesses(guess: Any, made: Run, shown: str = "shuffle") -> Verdict:
    """Answer: how often the warps of a run go to shared memory."""
    truth = sum(request.space == "shared" for request in made.requests)
    because = "Lanes of a warp read each other's registers; only whole warps need memory to meet."
    return judge(guess, truth, because)


@exercise("blocks/sum")
def block_sum(source: str, *, seeds: int = 4) -> Verdict:
    """Check a kernel that sums a block's numbers: schedules, races, and sizes it has not seen."""
    for threads in (128, 64, 256):
        numbers = np.random.default_rng(threads).integers(0, 100, threads).astype(np.int32)
        for seed in range(seeds):
            out = np.zeros(2, np.int32)
            made = run(source, numbers, out, block=threads, policy="random", seed=seed, strict=True)
            place = f"With {threads} threads and schedule {seed}"
            if made.profile.races:
                race = made.profile.races[0]
                return Verdict(
                    False,
                    f"{place} line {race.first.line} and line {race.second.line} reach one word "
                    "with nothing to order them. A warp reads what another warp may not have "
                    "written yet: put __syncthreads() between them, where all threads pass.",
                )
            if out[0] != numbers.sum():
                return Verdict(
                    False,
                    f"{place} the sum is {out[0]}, and should be {numbers.sum()}. No two threads "
                    "race; so the sum leaves numbers out, or counts some twice.",
                )
    return Verdict(
        True,
        f"Three sizes, {seeds} schedules each: the sum is right and nothing races. Every level "
        "waits at a barrier for all warps of the block.",
    )


def hiding(latency: int = 400, work: int = 20) -> Picture:
    """Draw how busy a scheduler is with more warps: a model, no measurement.

    Each warp works `work` cycles, then waits `latency` cycles for memory; others work meanwhile.
    """
    warps = list(range(1, 17 + 8))
    busy = [min(1.0, count * work / (work + latency)) for count in warps]
    return lines(
        {f"{work} cycles of work, {latency} of waiting": Line(warps, busy, formula=True)},
        label="resident warps of one scheduler (a model)",
        ticks=[1, 4, 8, 12, 16, 20, 24],
    )
