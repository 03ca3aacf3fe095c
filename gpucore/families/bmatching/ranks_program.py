"""The program of one rank of b-Suitor: its state, and the launches of a round.

Kernels: ``kernels/bsuitor_ranks.cu`` and ``kernels/bsuitor_ranks_sorted.cu``; the transports are
described in ``kernels/bsuitor_ranks.cuh``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpucore.device.constants import constant
from gpucore.device.grid import blocks_for
from gpucore.families.bmatching.fast import CASCADE
from gpucore.families.bmatching.heads import sort_all
from gpucore.ranks import Channel, Inbox, Outbox, Work

if TYPE_CHECKING:
    from gpucore.families.bmatching.ranks_outcome import RankTask
    from gpucore.record import Recorder

#: Places of the queue of a warp.
WARP_TOKENS = constant("bsuitor_ranks.cu", "WARP_TOKENS")

#: 32-bit words of a proposal (target, proposer, weight), and of an answer (proposer, target,
#: weight of the target's worst offer).
WORDS = 3


def mail_channels(offers: Sequence[int], rank: int) -> tuple[Channel, Channel]:
    """Return the channels of "rounds".

    Each of the proposals that a vertex may make at a time is sent at most once a round, and gets at
    most one answer; `offers` are their numbers on each rank.
    """
    proposals = Channel("proposals", WORDS, [offers[rank]] * len(offers))
    return proposals, Channel("answers", WORDS, list(offers))


class RanksProgram:
    """What both transports share: the rank's state and the launches of a step."""

    channels: Sequence[Channel] = ()
    kernels: Sequence[str] = ()
    slots: Any

    def __init__(self, task: RankTask, recorder: Recorder) -> None:
        self.task, self.recorder = task, recorder
        self.part, self.world = task.part, task.world
        xp, n = self.world.device.xp, self.part.n
        self.lists = self.part.arrays
        self.places = max(1, int(task.starts[-1]))
        self.worst = xp.zeros(max(1, self.part.total), dtype=xp.uint32)
        self.locks, self.sizes = (xp.zeros(max(1, n), dtype=xp.int32) for _ in range(2))
        self.cursors = xp.empty(max(1, n), dtype=xp.uint64)
        self.starts: Any = None
        cuda = self.world.device.name == "cuda"
        # The host's kernels take any capacity; for a GPU they are compiled for the largest one.
        self.constants = {"SLOTS": min(max(task.largest, 1), CASCADE)} if cuda else {}
        self.load()

    def load(self) -> None:
        """Load the kernels before the clock starts."""
        self.recorder.load("bsuitor_ranks", self.kernels, **self.constants)

    def clear(self) -> None:
        """Clear the state of the own vertices."""
        n, lo = self.part.n, self.part.lo
        self.slots.fill(0)
        if n:
            begin = self.world.device.kernel("bsuitor_state", "bsuitor_begin")
            own_worst = self.worst[lo : lo + n]
            begin(-(-n // 256), 256, [n, self.starts, own_worst, self.locks, self.sizes,
                                      self.cursors])  # fmt: skip

    def launch(self, name: str, warps: int, args: Sequence[Any]) -> None:
        """Launch a recorded kernel with at least this number of warps."""
        threads = self.task.params.threads_per_block
        kernel = self.recorder.kernel("bsuitor_ranks", f"bsuitor_{name}", **self.constants)
        shared = 0 if name.endswith("deliver") else threads
        blocks = blocks_for(warps, threads // 32)
        kernel(blocks, threads, [*args, *self.recorder.args()], shared_mem=shared)

    def state(self) -> list[Any]:
        """Return the arguments that all searches begin with."""
        part = self.part
        return [part.n, part.lo, *self.lists, self.slots, self.starts, self.worst, self.locks,
                self.sizes, self.cursors]  # fmt: skip

    def search(self, transport: str, round_number: int, queue: Any, length: Any,
               more: Sequence[Any]) -> None:  # fmt: skip
        """Make the proposals of the first round, and those of the queue."""
        if round_number == 0 and self.part.n:
            first = [*self.state(), queue, length, *more]
            self.launch(f"{transport}_first", -(-self.part.n // 32), first)
        waiting = int(self.world.device.to_host(length)[0])
        if waiting:
            rest = [*self.state(), queue, waiting, round_number, *more]
            self.launch(f"{transport}_rest", -(-waiting // WARP_TOKENS), rest)


class ByMail(RanksProgram):
    """Transport "rounds": proposals to other ranks, and answers, are messages."""

    kernels = tuple(f"bsuitor_ranks_{name}" for name in ("first", "rest", "deliver", "answers"))

    def __init__(self, task: RankTask, recorder: Recorder) -> None:
        super().__init__(task, recorder)
        xp = self.world.device.xp
        self.slots = xp.empty(self.places, dtype=xp.uint64)
        self.starts = self.world.device.asarray(task.starts)
        self.queue = xp.empty(self.places, dtype=xp.int32)
        self.length = xp.zeros(1, dtype=xp.int32)
        self.channels = mail_channels(task.offers, self.world.comm.rank)
        self.clear()

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Enter what arrived, and follow all proposals as far as they stay on this rank."""
        mail = [self.part.bounds_array, self.world.comm.size, *outbox.args("proposals"),
                *outbox.args("answers")]  # fmt: skip
        self.length.fill(0)
        came, answers = inbox["proposals"], inbox["answers"]
        if came.count:
            warps = min(-(-came.count // 32), self.recorder.warps)
            args = [came.count, came.words, *self.state(), self.queue, self.length, round_number]
            self.launch("ranks_deliver", warps, [*args, *mail])
        if answers.count:
            kernel = self.recorder.kernel("bsuitor_ranks", "bsuitor_ranks_answers",
                                          **self.constants)  # fmt: skip
            args = [answers.count, answers.words, self.worst, self.queue, self.length]
            kernel(-(-answers.count // 256), 256, args)
        self.search("ranks", round_number, self.queue, self.length, mail)
        return Work()


class ByMailSorted(ByMail):
    """The same along lists by falling weight, for capacities of any size.

    The sorting of the lists is part of the first step.
    """

    kernels = ("bsuitor_ranks_deliver", "bsuitor_ranks_answers")

    def load(self) -> None:
        """Load the kernels before the clock starts."""
        super().load()
        self.recorder.load(
            "bsuitor_ranks_sorted", ("bsuitor_ranks_sorted_first", "bsuitor_ranks_sorted_rest")
        )

    def search(self, transport: str, round_number: int, queue: Any, length: Any,
               more: Sequence[Any]) -> None:  # fmt: skip
        """Make the proposals of the first round, and those of the queue."""
        if round_number == 0:
            self.lists = sort_all(self.part.arrays, self.world.device).arrays
            first = [*self.state(), queue, length, *more]
            self.walk("first", -(-int(self.task.starts[-1]) // 32), first)
        waiting = int(self.world.device.to_host(length)[0])
        rest = [*self.state(), queue, waiting, round_number, *more]
        self.walk("rest", -(-waiting // WARP_TOKENS), rest)

    def walk(self, name: str, warps: int, args: Sequence[Any]) -> None:
        """Launch a kernel that walks along the lists, if it has anything to do."""
        if warps == 0:
            return
        threads = self.task.params.threads_per_block
        kernel = self.recorder.kernel("bsuitor_ranks_sorted", f"bsuitor_ranks_sorted_{name}")
        kernel(blocks_for(warps, threads // 32), threads, [*args, *self.recorder.args()])
