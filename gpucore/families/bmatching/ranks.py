"""b-Suitor on several ranks.

Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016; on processes: Khan et al., "Designing
scalable b-matching algorithms on distributed memory multiprocessors by approximation", SC 2016.
Kernels: ``kernels/bsuitor_ranks.cu``, for large capacities ``kernels/bsuitor_ranks_sorted.cu``;
between GPUs of one host ``kernels/bsuitor_peers.cu``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gpucore.errors import ParameterError
from gpucore.families.bmatching import peers_program
from gpucore.families.bmatching.capacity import DEFAULT_B, capacities_of_degrees, check_b
from gpucore.families.bmatching.fast import CASCADE
from gpucore.families.bmatching.heads import sorting_bytes
from gpucore.families.bmatching.outcome import Held
from gpucore.families.bmatching.peers_program import ByPeers
from gpucore.families.bmatching.ranks_outcome import RankTask, certify_part, ranks_result
from gpucore.families.bmatching.ranks_program import ByMail, ByMailSorted, mail_channels
from gpucore.families.matching.ranks_outcome import PartOnDevice
from gpucore.problems.graph.distributed.load import load_divided
from gpucore.ranks import Comm, Outbox, RankAlgorithm, RankParams, World, run_rounds, watch_events
from gpucore.ranks.world import make_world
from gpucore.record import Recorder

if TYPE_CHECKING:
    from gpucore.families.bmatching.result import BMatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart

#: With transport "rounds", bytes of state for each own vertex and each of its offers, and for each
#: vertex of the graph.
OWN_BYTES = 8 + 4 + 4 + 8
OFFER_BYTES = 8 + 4
GHOST_BYTES = 4


@dataclass(frozen=True)
class BMatchingRanksParams(RankParams):
    """Parameters of b-Suitor on ranks: those of every algorithm, and b.

    Attributes
    ----------
    b : int, str or sequence of int
        Capacities of the vertices, see :mod:`gpucore.families.bmatching.capacity`.
    """

    algorithm: ClassVar[str] = "bmatching"

    b: Any = field(default=DEFAULT_B, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "b", check_b(self.b))


def run(
    part: GraphPart,
    graph: Graph | None,
    params: BMatchingRanksParams,
    world: World,
    *,
    record: str,
    record_budget: int,
) -> BMatchingResult:
    """Find a b-matching on ranks; see :class:`gpucore.ranks.RankAlgorithm`.

    Returns
    -------
    BMatchingResult
        The same b-matching as on one device: greedy's.
    """
    degrees = np.diff(world.device.to_host(part.indptr))
    capacity = capacities_of_degrees(degrees, params.b, part.n, part.lo)
    clipped = np.minimum(capacity, degrees).astype(np.int32)
    largest = world.comm.allreduce(int(clipped.max(initial=0)), max)
    uniform = _one_small_capacity(capacity, world.comm)
    world = _with_transport_for(uniform, params, world)
    offers = world.comm.allgather(int(clipped.sum(dtype=np.int64)))
    channels = mail_channels(offers, world.comm.rank)
    if world.transport == "peers":
        need = (peers_program.OWN_BYTES, peers_program.ghost_bytes(uniform), 0)
    else:
        more = OFFER_BYTES * offers[world.comm.rank] + Outbox.nbytes(channels)
        if largest > CASCADE:
            more += sorting_bytes(len(part.indices), int(degrees.max(initial=0)))
        need = (OWN_BYTES, GHOST_BYTES, more)
    here = PartOnDevice.put(part, world.device, *need)
    task = RankTask(here, capacity, clipped, offers, largest, uniform, params, world)
    recorder = Recorder(world.device, record, warps=task.most_warps(), budget=record_budget)
    watch_events(world, recorder)
    program = _program(task, recorder)
    with world.device.timer() as timer:
        table = run_rounds(world, program)
    starts = program.starts if isinstance(program, ByPeers) else task.starts
    slots = world.device.to_host(program.slots)[: starts[-1]]
    held = Held.from_slots(timer.seconds, slots, starts, "rounds")
    return ranks_result(part, graph, task, recorder, table, held)


def _one_small_capacity(capacity: np.ndarray, comm: Comm) -> int:
    """Return the capacity of all vertices of all ranks if it is one from 1 to CASCADE, else 0.

    Without vertices it is 1.
    """
    own = (int(capacity.min()), int(capacity.max())) if capacity.size else None
    found = {b for pair in comm.allgather(own) if pair is not None for b in pair}
    first = next(iter(found), 1)
    return first if len(found) <= 1 and 1 <= first <= CASCADE else 0


def _with_transport_for(uniform: int, params: BMatchingRanksParams, world: World) -> World:
    """Return a world for this capacity of all vertices (0: they differ, or are large)."""
    if world.transport == "rounds" or uniform:
        return world
    if params.transport == "peers":
        error = ParameterError(
            f"transport 'peers' needs the same b of 1 to {CASCADE} for all vertices; use 'rounds'"
        )
        error.names_ranks = True  # type: ignore[attr-defined]
        raise error
    return make_world(world.comm, world.device, "rounds")


def _program(task: RankTask, recorder: Recorder) -> ByMail | ByPeers:
    """Return the rank's program: with sorted lists where b is above CASCADE."""
    if task.world.transport == "peers":
        return ByPeers(task, recorder)
    return (ByMailSorted if task.largest > CASCADE else ByMail)(task, recorder)


RANKS = RankAlgorithm(params=BMatchingRanksParams, run=run, load=load_divided, certify=certify_part)
