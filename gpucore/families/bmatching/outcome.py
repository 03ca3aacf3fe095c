"""Shared by the variants of b-Suitor: the state on the device, and the result."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.bmatching.capacity import describe_b
from gpucore.families.bmatching.record import Launches, bmatching_record
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.record import RawRecord, Record, Recorder
from gpucore.record.record import about

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.bmatching.params import BMatchingParams
    from gpucore.families.matching.outcome import Adjacency
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class Task:
    """A problem on a device, with the parameters of the run.

    Attributes
    ----------
    adjacency : Adjacency
        The graph, in the device's memory.
    capacity : ndarray of int32, shape (n,)
        b(v) of every vertex, as asked.
    """

    adjacency: Adjacency
    capacity: np.ndarray
    params: BMatchingParams
    device: Device


@dataclass(frozen=True)
class Held:
    """The offers that the vertices hold at the end of a run, on the host.

    Attributes
    ----------
    seconds : float
        Time of the algorithm.
    vertices : ndarray of int32, shape (offers,)
        The vertex that holds each offer, ascending.
    bids : ndarray of uint64, shape (offers,)
        Weight bits and proposer + 1 of each offer.
    launches : {"one", "two", "many", "rounds"}
        See :data:`gpucore.families.bmatching.record.Launches`.
    iterations : int
        Rounds; 0 where the variant has none.
    """

    seconds: float
    vertices: np.ndarray
    bids: np.ndarray
    launches: Launches
    iterations: int

    @property
    def proposers(self) -> np.ndarray:
        """The vertices that made the offers: int32, shape (offers,)."""
        return (self.bids & np.uint64(0xFFFFFFFF)).astype(np.int64).astype(np.int32) - 1

    @property
    def weights(self) -> np.ndarray:
        """The weights of the offers: float32, shape (offers,)."""
        return (self.bids >> np.uint64(32)).astype(np.uint32).view(np.float32)

    @classmethod
    def from_slots(
        cls,
        seconds: float,
        slots: np.ndarray,
        starts: np.ndarray,
        launches: Launches = "one",
        iterations: int = 0,
    ) -> Held:
        """Read the words of all vertices; empty ones are 0."""
        used = slots != 0
        count = np.concatenate([[0], np.cumsum(used)])[starts]
        vertices = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(count))
        return cls(seconds, vertices, slots[used], launches, iterations)


def mates_of(held: Held, n: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return ``starts`` and ``mates`` of a result, and the weight: the proposers are the mates."""
    pairs = held.vertices.astype(np.uint64) << np.uint64(32)
    pairs |= held.proposers.astype(np.uint64)
    pairs.sort()  # of numbers it is several times as fast as a sort by two keys
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(held.vertices, minlength=n), out=starts[1:])
    weight = float(held.weights.sum(dtype=np.float64)) / 2
    return starts, pairs.astype(np.uint32).view(np.int32), weight


def make_result(graph: Graph, task: Task, recorder: Recorder, held: Held) -> BMatchingResult:
    """Assemble the result of a run from the offers held."""
    starts, mates, weight = mates_of(held, graph.num_vertices)
    settings = dataclasses.asdict(task.params) | {"b": describe_b(task.params.b)}
    figures: dict[str, Any] = {"weight": weight * graph.unit, "cardinality": len(mates) // 2}
    if held.iterations:
        figures["iterations"] = held.iterations
    result = BMatchingResult(
        algorithm="bmatching",
        device=task.device.describe(),
        seconds=held.seconds,
        figures=figures,
        params=settings,
        capacity=task.capacity,
        starts=starts,
        mates=mates,
    )
    return dataclasses.replace(result, record=record_of(recorder.collect(), graph, result, held))


def record_of(raw: RawRecord, graph: Graph, result: BMatchingResult, held: Held) -> Record | None:
    """Make the record of a run that ended with these offers."""
    return bmatching_record(
        raw,
        graph,
        launches=held.launches,
        capacity=result.capacity,
        holders=held.vertices,
        proposers=held.proposers,
        **about(result),
    )
