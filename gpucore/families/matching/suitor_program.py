"""What a rank of Suitor does in a round, with each transport.

Kernels: ``families/matching/kernels/suitor_ranks.cu``, which says how the algorithm works.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.device.grid import blocks_for
from gpucore.families.matching.ranks_outcome import PartOnDevice
from gpucore.ranks import Channel, Inbox, Outbox, Work, World
from gpucore.record import Recorder

#: Vertices of a warp after the first round.
WARP_VERTICES = constant("suitor_turns.cuh", "WARP_VERTICES")

#: A vertex with more neighbours gets a whole block.
HUB_DEGREE = 1024

#: Batch numbers of one launch; those of later launches of a round are higher.
BATCHES, MOST_LAUNCHES = 1 << 16, (1 << 15) - 1

#: 32-bit words of a proposal (target, proposer, weight) and of an answer (proposer, weight).
PROPOSAL_WORDS, ANSWER_WORDS = 3, 2


class SuitorProgram:
    """What both transports share: the part's state and the launches of a step."""

    name: str
    channels: Sequence[Channel] = ()
    kernels: Sequence[str] = ()

    def __init__(self, part: PartOnDevice, threads: int, world: World, recorder: Recorder) -> None:
        self.part, self.world, self.recorder = part, world, recorder
        self.threads = threads
        xp, n = world.device.xp, part.n
        self.offers = xp.zeros(max(1, part.total), dtype=xp.uint32)
        self.cursor = xp.full(max(1, n), -1, dtype=xp.int64).view(xp.uint64)  # above all edges
        self.queue = xp.empty(max(1, n), dtype=xp.int32)
        self.num_hubs = int(xp.count_nonzero(xp.diff(part.arrays[0]) > HUB_DEGREE)) if n else 0
        self.hubs, self.next_hubs = (
            xp.empty(max(1, self.num_hubs), dtype=xp.int32) for _ in range(2)
        )
        self.lengths = xp.zeros(2, dtype=xp.int32)  # of the queue, and of the hubs
        self.bids: Any = None
        recorder.load("suitor_ranks", self.kernels)

    def launch(self, name: str, warps: int, args: Sequence[Any], *, search: bool = False) -> None:
        """Launch a kernel with at least this number of warps."""
        each = self.threads // 32
        kernel = self.recorder.kernel("suitor_ranks", name)
        recorded = self.recorder.args() if search or name.endswith("deliver") else ()
        shared = max(32 * each, 32 * 8) if search else 0
        kernel(blocks_for(warps, each), self.threads, [*args, *recorded], shared_mem=shared)

    def refresh_offers(self) -> None:
        """Take over the weights of the own bids."""
        part = self.part
        self.launch("suitor_ranks_offers", -(-part.n // 32), [part.n, part.lo, self.bids,
                                                              self.offers])  # fmt: skip

    def search_args(self) -> list[Any]:
        """Return the arguments that all searches begin with."""
        part = self.part
        return [part.n, part.lo, *part.arrays, self.bids, self.offers, self.cursor, self.queue,
                self.hubs, self.lengths, HUB_DEGREE]  # fmt: skip

    def begin(self, name: str, transport: Sequence[Any]) -> None:
        """Let every vertex propose to its heaviest neighbour, but hubs only join their queue."""
        if self.part.n:
            args = [*self.search_args(), *transport]
            self.launch(name, -(-self.part.n // 32), args, search=True)
            self.refresh_offers()

    def work_off(
        self, name: str, queue: Any, waiting: int, round_number: int, transport: Sequence[Any]
    ) -> None:
        """Follow the chains of vertices that wait in a queue, and of hubs, to their ends here.

        Parameters
        ----------
        name : str
            Beginning of the kernels' names.
        queue : array of int32
            Vertices that wait; it may be the program's own queue.
        waiting : int
            How many; the hubs that wait are known by ``lengths``.
        transport : sequence
            The kernels' last arguments.
        """
        hubs = int(self.world.device.to_host(self.lengths)[1]) if self.num_hubs else 0
        launches = 0
        while waiting or hubs:
            self.lengths.fill(0)
            items, self.hubs, self.next_hubs = self.hubs, self.next_hubs, self.hubs
            launches = min(launches + 1, MOST_LAUNCHES)
            now = [round_number, launches * BATCHES]
            args = self.search_args()
            if waiting:
                warps = -(-waiting // WARP_VERTICES)
                self.launch(
                    f"{name}_rest", warps, [*args, queue, waiting, *now, *transport], search=True
                )
            if hubs:
                now[1] += BATCHES // 2
                warps = min(hubs * self.threads // 32, self.recorder.warps)
                self.launch(
                    f"{name}_hubs", warps, [*args, items, hubs, *now, *transport], search=True
                )
            if not self.num_hubs:
                break  # chains of displacements end in the lane
            queue = self.queue
            waiting, hubs = self.world.device.to_host(self.lengths).tolist()


class ByMail(SuitorProgram):
    """Transport "rounds": proposals to other ranks, and answers, are messages."""

    kernels = tuple(
        f"suitor_ranks_{name}" for name in ("first", "rest", "hubs", "deliver", "answers", "offers")
    )

    def __init__(self, part: PartOnDevice, threads: int, world: World, recorder: Recorder) -> None:
        super().__init__(part, threads, world, recorder)
        self.bids = world.device.xp.zeros(max(1, part.n), dtype=world.device.xp.uint64)
        self.channels = mail_channels(part.bounds, world.comm.rank)

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Install what arrived, and follow all chains as far as they stay on this rank."""
        where = [self.part.bounds_array, self.world.comm.size]
        answers = outbox.args("answers")
        transport = [*where, *outbox.args("proposals"), *answers]
        self.lengths.fill(0)
        if round_number == 0:
            self.begin("suitor_ranks_first", transport)
        else:
            self._take(round_number, inbox, [*where, *answers])
        waiting = int(self.world.device.to_host(self.lengths)[0])
        self.work_off("suitor_ranks", self.queue, waiting, round_number, transport)
        return Work()

    def _take(self, round_number: int, inbox: Inbox, mail: list[Any]) -> None:
        """Install the proposals of other ranks, and free the vertices that lost on other ranks."""
        part, queue = self.part, [self.queue, self.lengths]
        came = inbox["proposals"]
        if came.count:
            self.launch(
                "suitor_ranks_deliver",
                min(-(-came.count // 32), self.recorder.warps),
                [came.count, came.words, part.n, part.lo, self.bids, self.offers, *queue,
                 round_number, *mail],
            )  # fmt: skip
        lost = inbox["answers"]
        if lost.count:
            self.launch(
                "suitor_ranks_answers",
                -(-lost.count // 32),
                [lost.count, lost.words, self.offers, self.cursor, *queue],
            )


def mail_channels(bounds: np.ndarray, rank: int) -> tuple[Channel, Channel]:
    """Return the channels of "rounds".

    A vertex has at most one proposal under way, so it sends at most one a round and gets at most
    one answer.
    """
    sizes = np.diff(bounds)
    own = int(sizes[rank])
    proposals = Channel("proposals", PROPOSAL_WORDS, [own] * len(sizes))
    return proposals, Channel("answers", ANSWER_WORDS, sizes.tolist())
