"""Suitor on several ranks.

Source: Naim, Manne, Halappanavar, Tumeo, Langguth, HiPC 2015, algorithm 3; on processes: Manne and
Bisseling, "A parallel approximation algorithm for the weighted maximum matching problem" (PPAM
2007). Kernels: ``families/matching/kernels/suitor_ranks.cu``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.grid import blocks_for
from gpucore.errors import ParameterError
from gpucore.families.matching.ranks_outcome import (
    PartOnDevice,
    certify_part,
    ranks_result,
    record_warps,
)
from gpucore.problems.graph.distributed.load import load_divided
from gpucore.ranks import (
    Channel,
    Inbox,
    Outbox,
    RankAlgorithm,
    RankParams,
    Work,
    World,
    run_rounds,
    watch_events,
)
from gpucore.record import Recorder

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart

#: Vertices of a warp after the first round, as in the kernel's source.
WARP_VERTICES = 64

#: Bytes of state for each own vertex (bid, cursor, two queues), and for each vertex of the graph.
OWN_BYTES = 8 + 8 + 2 * 4
GHOST_BYTES = 4

#: 32-bit words of a proposal (target, proposer, weight) and of an answer (proposer, weight).
PROPOSAL_WORDS, ANSWER_WORDS = 3, 2


@dataclass(frozen=True)
class SuitorRanksParams(RankParams):
    """Parameters of Suitor on ranks.

    Attributes
    ----------
    variant : {"ranks"}
        The only variant on ranks.
    threads_per_block : {32, 64, 128, 192, 256}
        Threads of a block.
    """

    variant: str = "ranks"
    threads_per_block: int = 128

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant != "ranks":
            raise ParameterError(
                f"suitor has no variant {self.variant!r} on ranks; leave the variant out"
            )
        if self.threads_per_block not in (32, 64, 128, 192, 256):
            raise ParameterError(
                f"threads_per_block is {self.threads_per_block!r}; use 32, 64, 128, 192 or 256"
            )


class SuitorProgram:
    """What both transports share: the part's state and the launches of a step."""

    name: str
    channels: Sequence[Channel] = ()

    def __init__(
        self, part: PartOnDevice, params: SuitorRanksParams, world: World, recorder: Recorder
    ) -> None:
        self.part, self.world, self.recorder = part, world, recorder
        self.threads = params.threads_per_block
        xp, n = world.device.xp, part.n
        self.offers = xp.zeros(max(1, part.total), dtype=xp.uint32)
        self.cursor = xp.full(max(1, n), -1, dtype=xp.int64).view(xp.uint64)  # above all edges
        self.bids: Any = None

    def launch(self, name: str, warps: int, args: Sequence[Any], *, search: bool = False) -> None:
        """Launch a kernel with at least so many warps; the record limits their number."""
        each = self.threads // 32
        kernel = self.recorder.kernel("suitor_ranks", name)
        recorded = self.recorder.args() if search or name.endswith("deliver") else ()
        shared = 32 * each if search else 0
        kernel(blocks_for(warps, each), self.threads, [*args, *recorded], shared_mem=shared)

    def refresh_offers(self) -> None:
        """Take over the weights of the own bids."""
        part = self.part
        self.launch("suitor_ranks_offers", -(-part.n // 32), [part.n, part.lo, self.bids,
                                                              self.offers])  # fmt: skip

    def search_args(self) -> list[Any]:
        """Return the arguments that all searches begin with."""
        part = self.part
        return [part.n, part.lo, *part.arrays, self.bids, self.offers, self.cursor]


class ByMail(SuitorProgram):
    """Transport "rounds": proposals to other ranks, and answers, are messages."""

    def __init__(
        self, part: PartOnDevice, params: SuitorRanksParams, world: World, recorder: Recorder
    ) -> None:
        super().__init__(part, params, world, recorder)
        xp = world.device.xp
        self.bids = xp.zeros(max(1, part.n), dtype=xp.uint64)
        self.queue = xp.empty(max(1, part.n), dtype=xp.int32)
        self.length = xp.zeros(1, dtype=xp.int32)
        self.channels = mail_channels(part.bounds, world.comm.rank)

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Install what arrived, and follow all chains as far as they stay on this rank."""
        part, device = self.part, self.world.device
        mail = [part.bounds_array, self.world.comm.size]
        answers, proposals = outbox.args("answers"), outbox.args("proposals")
        queue = [self.queue, self.length]
        self.length.fill(0)
        if round_number == 0:
            if part.n:
                self.launch(
                    "suitor_ranks_first",
                    -(-part.n // 32),
                    [*self.search_args(), *queue, *mail, *proposals, *answers],
                    search=True,
                )
                self.refresh_offers()
        else:
            self._take(inbox, queue, mail, answers)
        waiting = int(device.to_host(self.length)[0])
        if waiting:
            self.launch(
                "suitor_ranks_rest",
                -(-waiting // WARP_VERTICES),
                [*self.search_args(), self.queue, waiting, round_number, *mail, *proposals,
                 *answers],
                search=True,
            )  # fmt: skip
        self.round_number = round_number
        return Work()

    def _take(
        self, inbox: Inbox, queue: list[Any], mail: list[Any], answers: tuple[Any, ...]
    ) -> None:
        """Install the proposals of other ranks, and free the vertices that lost on other ranks."""
        part, round_number = self.part, self.round_number + 1
        came = inbox["proposals"]
        if came.count:
            self.launch(
                "suitor_ranks_deliver",
                min(-(-came.count // 32), self.recorder.warps),
                [came.count, came.words, part.n, part.lo, self.bids, self.offers, *queue,
                 round_number, *mail, *answers],
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


class ByPeers(SuitorProgram):
    """Transport "peers": bids are installed in the memory of other ranks.

    Each rank has two queues, which take turns: all ranks put displaced vertices into that of the
    next round, while their owners work off that of this round.
    """

    def __init__(
        self, part: PartOnDevice, params: SuitorRanksParams, world: World, recorder: Recorder
    ) -> None:
        super().__init__(part, params, world, recorder)
        memory, n = world.memory, part.n
        assert memory is not None
        self.bids, self.bids_of = memory.empty(max(1, n), np.uint64)
        pairs = [memory.empty(max(1, n), np.int32) for _ in range(2)]
        lengths = [memory.empty(1, np.int32) for _ in range(2)]
        self.queues, self.queues_of = zip(*pairs, strict=True)
        self.lengths, self.lengths_of = zip(*lengths, strict=True)
        self.tally = world.device.xp.zeros(2, dtype=np.uint32)
        self.first = world.device.xp.empty(max(1, n), dtype=np.int32)
        self.first_length = world.device.xp.zeros(1, dtype=np.int32)
        for array in (self.bids, *self.lengths):
            array.fill(0)
        world.device.synchronize()
        world.comm.barrier()  # before any rank writes into the memory of another

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Work off this round's queue; count what went to other ranks."""
        part, device = self.part, self.world.device
        now, then = round_number % 2, (round_number + 1) % 2
        self.tally.fill(0)
        peers = [part.bounds_array, self.world.comm.size, self.bids_of, self.queues_of[then],
                 self.lengths_of[then], self.tally]  # fmt: skip
        queue, length = self.queues[now], self.lengths[now]
        if round_number == 0 and part.n:
            queue, length = self.first, self.first_length
            self.launch(
                "suitor_peers_first",
                -(-part.n // 32),
                [*self.search_args(), queue, length, *peers],
                search=True,
            )
            self.refresh_offers()
        waiting = int(device.to_host(length)[0])
        if waiting:
            self.launch(
                "suitor_peers_rest",
                -(-waiting // WARP_VERTICES),
                [*self.search_args(), queue, waiting, round_number, *peers],
                search=True,
            )
        length.fill(0)
        asked, freed = device.to_host(self.tally).tolist()
        return Work(pending=freed, remote=asked + freed, remote_bytes=8 * asked + 4 * freed)


def run(
    part: GraphPart,
    graph: Graph | None,
    params: SuitorRanksParams,
    world: World,
    *,
    record: str,
    record_budget: int,
) -> MatchingResult:
    """Match a graph on ranks; see :class:`gpucore.ranks.RankAlgorithm`.

    Returns
    -------
    MatchingResult
        The same matching as on one device: greedy's.
    """
    here = PartOnDevice.put(part, world.device, OWN_BYTES, GHOST_BYTES, _buckets(part, world))
    recorder = Recorder(
        world.device, record, warps=record_warps(part.hi - part.lo, params.threads_per_block),
        budget=record_budget,
    )  # fmt: skip
    watch_events(world, recorder)
    kind = ByMail if world.transport == "rounds" else ByPeers
    program = kind(here, params, world, recorder)
    with world.device.timer() as timer:
        table = run_rounds(world, program)
    bids = world.device.to_host(program.bids)[: here.n]
    return ranks_result(
        part,
        graph,
        world,
        recorder,
        table,
        algorithm="suitor",
        params=params,
        seconds=timer.seconds,
        mate=(bids & np.uint64(0xFFFFFFFF)).astype(np.int64).astype(np.int32) - 1,
        weight_of_mate=(bids >> np.uint64(32)).astype(np.uint32).view(np.float32),
        gain_share=0.5,
    )


def _buckets(part: GraphPart, world: World) -> int:
    """Return the bytes of buckets."""
    if world.transport != "rounds":
        return 0
    return Outbox.nbytes(mail_channels(part.bounds, part.rank))


RANKS = RankAlgorithm(params=SuitorRanksParams, run=run, load=load_divided, certify=certify_part)
