"""A rank's share of a b-matching, and the result of all ranks."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.bmatching.capacity import describe_b
from gpucore.families.bmatching.outcome import Held, mates_of, record_of
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.families.matching.hubs import hub_blocks
from gpucore.families.matching.ranks_outcome import PartOnDevice, with_ranks
from gpucore.ranks import Comm, Rounds, World, merged_record, rank_figures

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart
    from gpucore.record import Recorder


@dataclass(frozen=True, eq=False)
class RankTask:
    """What a rank has to do.

    Attributes
    ----------
    part : PartOnDevice
        The rank's rows.
    capacity, clipped : ndarray of int32, shape (n,)
        b(v) of the own vertices, as asked, and at most the degree.
    offers : sequence of int, one a rank
        Sum of the clipped capacities on each rank.
    largest : int
        Largest clipped capacity on any rank.
    uniform : int
        The capacity of all vertices if it is one of 1 to CASCADE, else 0.
    """

    part: PartOnDevice
    capacity: np.ndarray
    clipped: np.ndarray
    offers: list[int]
    largest: int
    uniform: int
    params: Any
    world: World

    @cached_property
    def starts(self) -> np.ndarray:
        """First place of each own vertex's offers: int64, shape (n + 1,)."""
        return np.concatenate([[0], np.cumsum(self.clipped, dtype=np.int64)])

    def most_warps(self) -> int:
        """Return the warps of the largest launch, whole blocks."""
        each = self.params.threads_per_block // 32
        if self.world.transport == "peers":  # rows of hubs are the last ones
            return -(-self.part.n // (32 * each)) * each + hub_blocks(len(self.part.arrays[1])) or 1
        # A thread for each vertex, or for each offer; lists by neighbour take fewer for offers.
        warps = max(-(-self.part.n // 32), -(-int(self.starts[-1]) // 32), 1)
        return -(-warps // each) * each


def ranks_result(
    part: GraphPart,
    graph: Graph | None,
    task: RankTask,
    recorder: Recorder,
    table: Rounds,
    held: Held,
) -> BMatchingResult:
    """Collect the offers of all ranks on rank 0; every rank calls.

    Returns
    -------
    BMatchingResult
        On rank 0 with all mates, elsewhere with those of the own vertices; the figures are those
        of the whole b-matching.
    """
    world, comm = task.world, task.world.comm
    seconds = comm.allreduce(held.seconds, max)
    table.collect_seconds(comm)
    raw = merged_record(world, recorder.collect(), table)
    # Each rank sorts its own mates, and keeps the place of its vertices among those of all.
    starts, mates, weight = mates_of(held, part.rows)
    counts = np.zeros(part.n, np.int32)
    counts[part.lo : part.hi] = starts[1:] - starts[:-1]
    own = dataclasses.replace(held, vertices=held.vertices + np.int32(part.lo))
    offers = (own.vertices, own.bids) if recorder.level != "off" and graph is not None else None
    gathered = comm.gather((counts[part.lo : part.hi], mates, task.capacity, weight, offers))
    settings = dataclasses.asdict(task.params) | {"b": describe_b(task.params.b)}
    capacity, figures = task.capacity, None
    if gathered is not None:
        counts, mates, capacity = (np.concatenate([one[i] for one in gathered]) for i in range(3))
        figures = {
            "weight": sum(one[3] for one in gathered) * part.unit,
            "cardinality": len(mates) // 2,
            **rank_figures(world, table),
        }
    result = BMatchingResult(
        algorithm="bmatching",
        device=world.device.describe(),
        seconds=seconds,
        figures=comm.bcast(figures),
        params=settings,
        capacity=capacity,
        starts=np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]),
        mates=mates,
    )
    if gathered is None or raw is None or graph is None or offers is None:
        return result
    vertices, bids = (np.concatenate([one[4][i] for one in gathered]) for i in range(2))
    record = record_of(raw, graph, result, dataclasses.replace(own, vertices=vertices, bids=bids))
    return with_ranks(result, record, world, part, table)


def certify_part(
    part: GraphPart, result: BMatchingResult, comm: Comm, device: Device
) -> Certificate:
    """Certify a result whose graph no rank has whole; every rank calls."""
    from gpucore.certify.reported import with_reported
    from gpucore.certify.stability.ranks import certify_on_ranks

    own, starts = slice(part.lo, part.hi), result.starts[part.lo : part.hi + 1]
    found = certify_on_ranks(
        part,
        result.capacity[own] if len(result.capacity) == part.n else result.capacity,
        starts - starts[0],
        result.mates[starts[0] : starts[-1]],
        comm,
        device,
    )
    return with_reported(found, result)
