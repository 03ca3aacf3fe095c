"""Locally dominant edges on several ranks.

Source: Naim, Manne, Halappanavar, Tumeo, Langguth, HiPC 2015, section 2.1; on processes: Manne and
Bisseling, "A parallel approximation algorithm for the weighted maximum matching problem" (PPAM
2007). Kernels: ``families/matching/kernels/ld_ranks.cu``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gpucore.device.grid import blocks_for
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

#: Bytes of state for each own vertex (mate, weight, two lists of unmatched vertices, list of moved
#: ones), and for each vertex of the graph (candidate, flag).
OWN_BYTES = 5 * 4
GHOST_BYTES = 4 + 1


@dataclass(frozen=True)
class LdRanksParams(RankParams):
    """Parameters of locally dominant edges on ranks: those of every algorithm."""

    algorithm: ClassVar[str] = "ld"


class LdProgram:
    """What both transports share: even rounds point, odd rounds match."""

    channels: Sequence[Channel] = ()
    kernels: Sequence[str] = ()

    def __init__(
        self, part: PartOnDevice, params: LdRanksParams, world: World, recorder: Recorder
    ) -> None:
        self.part, self.world, self.recorder = part, world, recorder
        self.threads = params.threads_per_block
        xp, n = world.device.xp, part.n
        self.alive = xp.arange(max(1, n), dtype=xp.int32)
        self.following = xp.empty(max(1, n), dtype=xp.int32)
        self.moved = xp.empty(max(1, n), dtype=xp.int32)
        self.counts = xp.zeros(2, dtype=xp.int32)  # unmatched vertices that stay, moved ones
        self.weight = xp.zeros(max(1, n), dtype=xp.float32)
        self.num_alive, self.num_moved = n, 0
        self.candidate: Any = None
        self.matched: Any = None
        self.mate: Any = None
        recorder.load("ld_ranks", self.kernels)

    def launch(self, name: str, count: int, args: Sequence[Any], *, records: bool = False) -> None:
        """Launch a kernel with a thread for each of `count` items; none without items."""
        if count:
            kernel = self.recorder.kernel("ld_ranks", name)
            recorded = self.recorder.args() if records else ()
            kernel(blocks_for(count, self.threads), self.threads, [*args, *recorded])

    def point(self, name: str, round_number: int, transport: Sequence[Any]) -> int:
        """Let vertices without a candidate point; returns how many do."""
        part = self.part
        self.counts.fill(0)
        self.launch(
            name,
            self.num_alive,
            [part.n, part.lo, *part.arrays, self.num_alive, self.alive, self.matched,
             self.candidate, self.weight, self.following, self.counts[:1], self.moved,
             self.counts[1:], round_number, part.bounds_array, self.world.comm.size, *transport],
            records=True,
        )  # fmt: skip
        self.alive, self.following = self.following, self.alive
        self.num_alive, self.num_moved = self.world.device.to_host(self.counts).tolist()
        return self.num_moved


class ByMail(LdProgram):
    """Transport "rounds": pointers go to the owner, matched vertices to all ranks."""

    kernels = tuple(f"ld_ranks_{name}" for name in ("point", "pointers", "matched", "match"))

    def __init__(
        self, part: PartOnDevice, params: LdRanksParams, world: World, recorder: Recorder
    ) -> None:
        super().__init__(part, params, world, recorder)
        xp = world.device.xp
        self.candidate = xp.full(max(1, part.total), -1, dtype=xp.int32)
        self.matched = xp.zeros(max(1, part.total), dtype=xp.uint8)
        self.mate = xp.full(max(1, part.n), -1, dtype=xp.int32)
        self.channels = mail_channels(part.bounds, world.comm.rank)

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Point in even rounds, match in odd ones."""
        part, xp = self.part, self.world.device.xp
        if round_number % 2 == 0:
            news = inbox["matched"]
            self.launch(
                "ld_ranks_matched",
                news.count,
                [news.count, news.words.view(xp.int32), self.matched],
            )
            return Work(self.point("ld_ranks_point", round_number, outbox.args("pointers")))
        came = inbox["pointers"]
        letters = came.words.view(xp.int32)
        self.launch("ld_ranks_pointers", came.count, [came.count, letters, part.lo, self.candidate])
        for count, items, stride in ((self.num_moved, self.moved, 1), (came.count, letters, 2)):
            self.launch(
                "ld_ranks_match",
                count,
                [count, items, stride, part.n, part.lo, self.candidate, self.weight, self.mate,
                 self.matched, round_number, *outbox.args("matched")],
                records=True,
            )  # fmt: skip
        return Work()


def mail_channels(bounds: np.ndarray, rank: int) -> tuple[Channel, Channel]:
    """Return the channels of "rounds".

    A vertex points at most once a round, and is matched once.
    """
    sizes = np.diff(bounds)
    own = int(sizes[rank])
    pointers = Channel("pointers", 2, [own] * len(sizes))
    return pointers, Channel("matched", 1, [own], to_all=True)


class ByPeers(LdProgram):
    """Transport "peers": pointers and matches are written into the memory of other ranks."""

    kernels = ("ld_peers_point", "ld_peers_match")

    def __init__(
        self, part: PartOnDevice, params: LdRanksParams, world: World, recorder: Recorder
    ) -> None:
        super().__init__(part, params, world, recorder)
        memory = world.memory
        assert memory is not None
        self.candidate, self.candidate_of = memory.empty(max(1, part.total), np.int32)
        self.matched, self.matched_of = memory.empty(max(1, part.total), np.uint8)
        self.mate, self.mate_of = memory.empty(max(1, part.n), np.int32)
        self.tally = world.device.xp.zeros(2, dtype=np.uint32)
        self.candidate.fill(-1)
        self.matched.fill(0)
        self.mate.fill(-1)
        world.device.synchronize()
        world.comm.barrier()  # before any rank writes into the memory of another

    def step(self, round_number: int, inbox: Inbox, outbox: Outbox) -> Work:
        """Point in even rounds, match in odd ones."""
        part, comm, device = self.part, self.world.comm, self.world.device
        self.tally.fill(0)
        if round_number % 2 == 0:
            pending = self.point("ld_peers_point", round_number, [self.candidate_of, self.tally])
            written = int(device.to_host(self.tally)[0])
            return Work(pending, remote=written, remote_bytes=4 * written)
        self.launch(
            "ld_peers_match",
            self.num_moved,
            [self.num_moved, self.moved, part.lo, self.candidate, self.weight, round_number,
             part.bounds_array, comm.size, comm.rank, self.mate_of, self.matched_of, self.tally],
            records=True,
        )  # fmt: skip
        written, pairs = device.to_host(self.tally).tolist()
        flags = 2 * pairs * (comm.size - 1)
        return Work(pairs, remote=written, remote_bytes=flags + 4 * (written - flags))


def run(
    part: GraphPart,
    graph: Graph | None,
    params: LdRanksParams,
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
    buckets = 0
    if world.transport == "rounds":
        buckets = Outbox.nbytes(mail_channels(part.bounds, part.rank))
    here = PartOnDevice.put(part, world.device, OWN_BYTES, GHOST_BYTES, buckets)
    # Pointers may come from all other vertices.
    warps = record_warps(part.n, params.threads_per_block)
    recorder = Recorder(world.device, record, warps=warps, budget=record_budget)
    watch_events(world, recorder)
    kind = ByMail if world.transport == "rounds" else ByPeers
    program = kind(here, params, world, recorder)
    with world.device.timer() as timer:
        table = run_rounds(world, program)
    mate = np.array(world.device.to_host(program.mate)[: here.n])
    weight = world.device.to_host(program.weight)[: here.n]
    return ranks_result(
        part,
        graph,
        world,
        recorder,
        table,
        algorithm="ld",
        params=params,
        seconds=timer.seconds,
        mate=mate,
        weight_of_mate=np.where(mate >= 0, weight, np.float32(0)),
        gain_share=1.0,
    )


RANKS = RankAlgorithm(params=LdRanksParams, run=run, load=load_divided, certify=certify_part)
