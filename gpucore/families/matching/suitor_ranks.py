"""Suitor on several ranks.

Source: Naim, Manne, Halappanavar, Tumeo, Langguth, HiPC 2015, algorithm 3; on processes: Manne and
Bisseling, "A parallel approximation algorithm for the weighted maximum matching problem" (PPAM
2007). Kernels: ``families/matching/kernels/suitor_ranks.cu`` and ``suitor_peers.cu``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gpucore.families.matching import suitor_peers
from gpucore.families.matching.hubs import hub_blocks
from gpucore.families.matching.ranks_outcome import (
    PartOnDevice,
    certify_part,
    ranks_result,
    record_warps,
)
from gpucore.families.matching.suitor_peers import ByPeers
from gpucore.families.matching.suitor_program import ByMail, mail_channels
from gpucore.problems.graph.distributed.load import load_divided
from gpucore.ranks import (
    Outbox,
    RankAlgorithm,
    RankParams,
    World,
    run_rounds,
    watch_events,
)
from gpucore.record import Recorder

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart

#: With transport "rounds", bytes of state for each own vertex (bid, cursor, queues), and for each
#: vertex of the graph.
OWN_BYTES = 8 + 8 + 3 * 4
GHOST_BYTES = 4


@dataclass(frozen=True)
class SuitorRanksParams(RankParams):
    """Parameters of Suitor on ranks: those of every algorithm."""

    algorithm: ClassVar[str] = "suitor"


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
    by_mail = world.transport == "rounds"
    own, ghost = (
        (OWN_BYTES, GHOST_BYTES) if by_mail else (suitor_peers.OWN_BYTES, suitor_peers.GHOST_BYTES)
    )
    buckets = Outbox.nbytes(mail_channels(part.bounds, part.rank)) if by_mail else 0
    here = PartOnDevice.put(part, world.device, own, ghost, buckets)
    warps = record_warps(part.rows, params.threads_per_block)
    warps += 0 if by_mail else hub_blocks(part.entries)
    recorder = Recorder(world.device, record, warps=warps, budget=record_budget)
    watch_events(world, recorder)
    kind = ByMail if by_mail else ByPeers
    program = kind(here, params.threads_per_block, world, recorder)
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


RANKS = RankAlgorithm(params=SuitorRanksParams, run=run, load=load_divided, certify=certify_part)
