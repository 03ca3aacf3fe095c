"""The searches for stable marriages: the paper's, one in rounds, and the tuned ones.

Kernels: ``families/marriage/kernels/marriage.cu``, ``families/marriage/kernels/marriage_fast.cu``,
``families/marriage/kernels/marriage_shared.cu``.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.grid import cooperative_blocks
from gpucore.format import counted

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.device.base import Kernel
    from gpucore.families.marriage.lists import Lists
    from gpucore.record import Recorder

#: The word of a woman without a partner.
NO_OFFER, NOBODY = (1 << 64) - 1, (1 << 32) - 1
#: Bits of a word; the largest word is reserved for NO_OFFER.
WORD_BITS = 63
#: Most men of a group whose places are counted together, as a power of two: the table for 25
#: million men is 800 kB.
GROUP_SHIFT = 8

#: Threads of a block, and blocks of a multiprocessor, where threads take men from a pool.
THREADS = {"cuda": 256, "host": 64}
BLOCKS_PER_MULTIPROCESSOR, HOST_BLOCKS = 3, 4
#: Blocks of a multiprocessor in a cooperative launch.
MEETING_BLOCKS = 4
#: Places that a thread reads in one launch, so that a cancelled run ends: on a GPU in a second.
STEPS = 1 << 16
#: Rounds of one launch.
ROUNDS = {"cuda": 1024, "host": 64}


@dataclass
class Run:
    """State of one run: the device, the lists, and the log of rounds.

    Attributes
    ----------
    device, recorder, lists
        The device, the recorder, the problem.
    threads : int
        Threads of a block, where every man has a thread.
    rounds : list of dict
        For a search in rounds: the ``free`` men before each round, and the ``proposals`` in it.
    """

    device: Device
    recorder: Recorder
    lists: Lists
    threads: int = 256
    rounds: list[dict[str, int]] = field(default_factory=list)

    def repeat(self, kernel: Kernel, grid: int, threads: int, args: list[Any], steps: int) -> None:
        """Launch a kernel until no work is left; `steps` in each launch."""
        device, first = self.device, 0
        unfinished: Any = device.xp.ones(1, dtype=device.xp.int32)
        while int(device.to_host(unfinished)[0]):
            unfinished.fill(0)
            ours = [*args, first, first + steps, unfinished, *self.recorder.args()]
            kernel(grid, threads, ours)
            # A record has room for a number of steps; the last one takes the rest.
            first = min(first + steps, 1 << 30)
            device.report("proposing", first)


def fast_grid(device: Device, lists: Lists) -> tuple[int, int]:
    """Return the number of blocks of "fast" and the threads of each, which share the men."""
    cuda = device.name == "cuda"
    if lists.is_shared:
        return min(device.multiprocessors if cuda else HOST_BLOCKS, lists.men), 32
    threads = THREADS[device.name]
    most = BLOCKS_PER_MULTIPROCESSOR * device.multiprocessors if cuda else HOST_BLOCKS
    return min(most, -(-lists.men // threads)), threads


def warps_of(device: Device, lists: Lists, variant: str) -> int:
    """Return the number of warps that may record something."""
    if variant != "fast":
        return -(-lists.men // 32)
    grid, threads = fast_grid(device, lists)
    return grid * threads // 32


def wives_of(run: Run, held: Any, shift: int = 0, mask: int = NOBODY) -> Any:
    """Return the wife of every man, -1 for none, from the words that the women hold."""
    xp, lists = run.device.xp, run.lists
    wife = xp.full(max(1, lists.men), -1, dtype=xp.int32)
    couples = run.device.kernel("marriage", "marriage_couples")
    couples(-(-lists.women // 256), 256, [lists.women, held, shift, np.uint64(mask), wife])
    return wife


def mcvitie_wilson(run: Run) -> Any:
    """Marry by chains of displaced men, a thread for each man: section 4 of the paper."""
    xp, lists = run.device.xp, run.lists
    suitor = xp.full(lists.women, NO_OFFER, dtype=xp.uint64)
    place = xp.zeros(lists.men, dtype=xp.int32)
    current = xp.arange(lists.men, dtype=xp.int32)
    args = [lists.men, *lists.arguments, suitor, place, current]
    kernel = run.recorder.kernel("marriage", "marriage_mw")
    run.repeat(kernel, -(-lists.men // run.threads), run.threads, args, STEPS)
    return wives_of(run, suitor)


def gale_shapley(run: Run) -> Any:
    """Marry in rounds: all free men propose, then all women answer."""
    device, xp, lists = run.device, run.device.xp, run.lists
    each = ROUNDS[device.name]
    counts = xp.zeros(3, dtype=xp.int32)
    counts[0] = lists.men
    queues = xp.empty(2 * lists.men, dtype=xp.int32)
    queues[: lists.men] = xp.arange(lists.men, dtype=xp.int32)
    held, offers = (xp.full(lists.women, NO_OFFER, dtype=xp.uint64) for _ in range(2))
    place = xp.zeros(lists.men, dtype=xp.int32)
    barrier = xp.zeros(2, dtype=xp.uint32)
    threads = THREADS[device.name]
    grid = min(cooperative_blocks(device, threads, MEETING_BLOCKS), -(-lists.men // threads))
    kernel = run.recorder.kernel("marriage", "marriage_rounds")
    args = [lists.men, *lists.arguments, held, offers, place, queues, counts]
    free = lists.men
    while free:
        first = len(run.rounds)
        log = xp.zeros((each, 2), dtype=xp.int32)
        window = [first, first + each, log, barrier]
        kernel(grid, threads, [*args, *window, *run.recorder.args()], cooperative=True)
        for free, proposals in device.to_host(log).tolist():
            if not free:
                break
            run.rounds.append({"free": free, "proposals": proposals})
        device.report(f"round {len(run.rounds)}: {counted(free, 'man')} free")
    return wives_of(run, held)


@dataclass(frozen=True)
class Format:
    """Format of a word of `fast`: rank, man and place (``marriage_fast.cu``)."""

    man_bits: int
    place_bits: int
    place_shift: int
    group_shift: int

    @classmethod
    def of(cls, lists: Lists, group_shift: int = GROUP_SHIFT) -> Format:
        """Return the format for these lists.

        Groups are as large as the bits for their places allow; places are rounded down where the
        bits do not suffice for one man's list. The largest place means the end of a list.
        """
        man_bits = max(1, (lists.men - 1).bit_length())
        bits = WORD_BITS - man_bits - lists.worst_rank.bit_length()
        while group_shift and (lists.longest << group_shift).bit_length() > min(bits, 31):
            group_shift -= 1
        bits = min(bits, 31, (lists.longest << group_shift).bit_length())
        place_shift = 0
        while (lists.longest << group_shift) - 1 >> place_shift >= (1 << bits) - 1:
            place_shift += 1
        return cls(man_bits, bits, place_shift, group_shift)


def fast(run: Run) -> Any:
    """Marry by atomic minima, lanes taking men from a pool."""
    if run.lists.is_shared:
        return fast_shared(run)
    xp, lists = run.device.xp, run.lists
    form = Format.of(lists)
    indptr, choices = lists.arguments[:2]
    groups = xp.ascontiguousarray(indptr[:: 1 << form.group_shift])
    offers = xp.full(lists.women, NO_OFFER, dtype=xp.uint64)
    grid, threads = fast_grid(run.device, lists)
    turns = xp.full((grid * threads, 2), -1, dtype=xp.int32)
    chunks = xp.zeros((grid * threads // 32, 2), dtype=xp.int32)
    pool = xp.zeros(1, dtype=xp.int32)
    words = dataclasses.astuple(form)
    args = [lists.men, indptr, groups, choices, offers, *words, pool, turns, chunks]
    run.repeat(run.recorder.kernel("marriage_fast", "marriage_fast"), grid, threads, args, STEPS)
    return wives_of(run, offers, form.place_bits, (1 << form.man_bits) - 1)


def fast_shared(run: Run) -> Any:
    """Marry where all men share one list: men are numbered by rank, women by place in the list."""
    device, xp, lists = run.device, run.device.xp, run.lists
    order, standing = lists.arguments[2:4]
    held = xp.full(lists.women, NOBODY, dtype=xp.uint32)
    warps, threads = fast_grid(device, lists)
    turns = xp.zeros((warps, 3), dtype=xp.uint32)
    turns[:, 0] = NOBODY
    pool = xp.zeros(1, dtype=xp.int32)
    args = [lists.women, lists.men, held, pool, turns]
    kernel = run.recorder.kernel("marriage_shared", "marriage_shared")
    run.repeat(kernel, warps, threads, args, STEPS // 4)
    by_rank = xp.empty(lists.men, dtype=xp.int32)
    by_rank[standing - 1] = xp.arange(lists.men, dtype=xp.int32)
    married = xp.flatnonzero(held != NOBODY)
    wife = xp.full(lists.men, -1, dtype=xp.int32)
    wife[by_rank[held[married].astype(xp.int64)]] = order[married]
    return wife


SEARCHES = {"fast": fast, "mw": mcvitie_wilson, "gs": gale_shapley}
