"""Shared by all variants of the Louvain method: the graph of a stage, and the state of the run.

Weights are integers in fixed point from the first kernel to the last
(``families/communities/kernels/louvain.cuh``), so sums do not depend on the order in which threads
add.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify.pairs import rows_of
from gpucore.device.resident import Resident
from gpucore.errors import GraphError
from gpucore.problems.graph.facts import facts_of
from gpucore.problems.graph.part import GraphPart

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.record import Recorder

#: Weight kinds of ``families/communities/kernels/louvain.cuh``.
ONES, FLOATS, SUMS = range(3)
#: The sum of all weights stays below 2 to this power, so that float64 holds it exactly.
SUM_BITS = 52
#: Blocks of the summing kernels; the host adds their partial sums.
SUM_BLOCKS = 512
#: Largest weight of a loop: it counts twice, and that must be finite too.
LARGEST_LOOP = float(np.finfo(np.float32).max) / 2
NEGATIVE = (
    "the graph has edges of negative weight, for which modularity is not defined; "
    "take absolute values with gpucore.problems.graph.prepare.absolute_values, or leave "
    "those edges out"
)
LARGE_LOOP = (
    f"the graph has a self-loop of weight over {LARGEST_LOOP:.3g}, which counts twice and "
    "then has no float32; divide all weights by the same number, modularity stays the same"
)
#: Entries of a graph in the device's memory among which loops are looked for at a time.
CHUNK = 1 << 24
#: Warps of one launch for each multiprocessor; more vertices than they can take at once are dealt
#: out in turn.  It bounds the rows of a record.
WARPS_PER_MULTIPROCESSOR = 64
HOST_WARPS = 1024


#: All hash tables in global memory take at most this fraction (1 / 16) of the device's memory.
TABLE_SHARE = 16


@dataclass(frozen=True)
class Stage:
    """The graph of one stage in a device's memory.

    Attributes
    ----------
    n, entries : int
        Vertices, and entries of all adjacency lists (loops once).
    indptr, indices : array of int64 (n + 1,), of int32 (entries,)
        Adjacency lists.
    weights : array of float32
        Weights of the given graph; one element where `kind` is not FLOATS.
    sums : array of uint64
        Weights of a contracted graph; one element where `kind` is not SUMS.
    kind : int
        ONES, FLOATS or SUMS.
    unit : float
        Fixed-point units of a weight of 1.
    loops : float
        Weight of all loops of the given graph, both ends, in fixed-point units.
    classes, longest : tuple of int, int
        "fast": vertices of every class of degrees, and the largest degree; not counted yet: empty.
    """

    n: int
    entries: int
    indptr: Any
    indices: Any
    weights: Any
    sums: Any
    kind: int
    unit: float
    loops: float = 0.0
    classes: tuple[int, ...] = ()
    longest: int = 0

    @property
    def args(self) -> tuple[Any, ...]:
        """The kernels' arguments that describe the graph."""
        return (self.indptr, self.indices, *self.weight_args)

    @property
    def weight_args(self) -> tuple[Any, ...]:
        """The kernels' arguments that describe its weights."""
        return (self.weights, self.sums, self.unit, self.kind)


@dataclass
class Run:
    """State of one run: the device, the parameters, and the log of steps and stages.

    Attributes
    ----------
    device, recorder, params
        The device, the recorder, the algorithm's parameters.
    two_m : float
        Sum of all weights, loops twice, in fixed-point units.
    unit : float
        Fixed-point units of a weight of 1.
    steps : list of dict
        One a launch of the search for moves, for the record.
    stages : list of dict
        One a stage: vertices, edges, sweeps, modularity, seconds of both phases.
    start : int
        Number of the search; see :mod:`gpucore.families.communities.starts`.
    """

    device: Device
    recorder: Recorder
    params: Any
    two_m: float
    unit: float = 1.0
    steps: list[dict[str, Any]] = field(default_factory=list)
    stages: list[dict[str, Any]] = field(default_factory=list)
    start: int = 0

    @property
    def max_warps(self) -> int:
        """Warps of the largest launch."""
        return max_warps(self.device)


@dataclass
class Partition:
    """Communities of a stage's vertices, on the device.

    See ``families/communities/kernels/louvain.cuh``.
    """

    strength: Any
    community: Any
    total: Any
    size: Any
    next: Any

    @classmethod
    def of_singles(cls, run: Run, stage: Stage, strength: Any) -> Partition:
        """Return the partition in which every vertex is a community of its own."""
        xp = run.device.xp
        single = xp.arange(stage.n, dtype=xp.int32)
        ones = xp.ones(stage.n, dtype=xp.int32)
        return cls(strength, single, strength.copy(), ones, single.copy())

    def args(self, run: Run) -> tuple[Any, ...]:
        """Return the kernels' arguments that describe the partition."""
        return (
            self.strength,
            self.community,
            self.total,
            self.size,
            run.two_m,
            run.params.resolution,
        )


def merging_step(run: Run, group: int, vertices: int, edges: int) -> dict[str, Any]:
    """Return the log's entry of a launch that merges communities.

    Parameters
    ----------
    run : Run
        Its present stage is the one that is contracted.
    group : int
        Of communities by the sum of their degrees, from 1; 0 where there are no groups.
    vertices, edges : int
        Vertices whose edges are hashed, and these edges.
    """
    return {
        "stage": len(run.stages),
        "sweep": 0,
        "bucket": group,
        "vertices": vertices,
        "edges": edges,
        "moves": 0,
        "modularity": float("nan"),
        "taken_back": False,
        "merging": True,
    }


def max_warps(device: Device) -> int:
    """Return the largest number of warps of a launch."""
    if device.name == "cuda":
        return WARPS_PER_MULTIPROCESSOR * device.multiprocessors
    return HOST_WARPS


def table_bytes(device: Device) -> int:
    """Return the bytes available for all hash tables in global memory."""
    return min(device.total_memory() // TABLE_SHARE, device.free_memory() // 4)


_RESIDENT: Resident[Graph, Stage] = Resident()


def put_on_device(graph: Graph | GraphPart, device: Device, scratch: int) -> Stage:
    """Check a graph and put it on a device as the first stage.

    Parameters
    ----------
    graph : Graph or GraphPart
        Weights must be finite and not negative. A part has all rows, in the device's memory.
    device : Device
        The device.
    scratch : int
        Bytes that the run needs beside the graph.

    Raises
    ------
    GraphError
        A weight is negative, or that of a loop too large.
    DeviceError
        The device has not enough memory.
    """
    if isinstance(graph, GraphPart):
        device.require_memory(scratch, "the search for communities")
        return stage_of_part(graph, device)
    kept = _RESIDENT.find(device, graph)
    if kept is not None:
        device.require_memory(scratch, "the search for communities")
        return kept
    check_graph(graph)
    size = graph.nbytes if device.name == "cuda" else 0
    device.require_memory(size + scratch, "the graph and the search for communities")
    weights, loop = with_both_ends(graph)
    kind, unit = fixed_point(weights)
    stage = Stage(
        n=graph.num_vertices,
        entries=len(graph.indices),
        indptr=device.asarray(graph.indptr),
        indices=device.asarray(graph.indices),
        weights=device.asarray(weights if kind == FLOATS else weights[:1].copy()),
        sums=device.asarray(np.zeros(1, np.uint64)),
        kind=kind,
        unit=unit,
        loops=float(np.rint(weights[loop].astype(np.float64) * unit).sum()),
    )
    return _RESIDENT.keep(device, graph, stage)


def stage_of_part(part: GraphPart, device: Device) -> Stage:
    """Return the first stage of a graph that is in the device's memory only.

    The weights are copied only if there are loops.

    Raises
    ------
    GraphError
        A weight is negative, or that of a loop too large.
    """
    xp, weights = part.xp, part.weights
    facts = facts_of(part, device)
    if facts.below_zero:
        raise GraphError(NEGATIVE)
    ones, total, loops = not facts.not_one, facts.total, 0.0
    if facts.loops:
        at = _loops_of(part)
        twice = weights[at]
        if float(twice.max()) > LARGEST_LOOP:
            raise GraphError(LARGE_LOOP)
        weights = weights.copy()
        weights[at] = twice * np.float32(2)
        total += float(twice.sum(dtype=np.float64))
        ones = False
    kind, unit = kind_of(ones, not facts.not_whole, total)
    if facts.loops:
        loops = float(xp.rint(weights[at].astype(np.float64) * unit).sum())
    return Stage(
        n=part.n,
        entries=part.entries,
        indptr=part.indptr,
        indices=part.indices,
        weights=weights if kind == FLOATS else xp.ones(1, dtype=np.float32),
        sums=xp.zeros(1, np.uint64),
        kind=kind,
        unit=unit,
        loops=loops,
    )


def _loops_of(part: GraphPart) -> Any:
    """Return the places of the loops among a part's entries, found in blocks."""
    xp, places = part.xp, []
    for begin in range(0, part.entries, CHUNK):
        end = min(begin + CHUNK, part.entries)
        own = rows_of(part.indptr, begin, end, xp)
        places.append((own == part.indices[begin:end]).nonzero()[0] + begin)
    return xp.concatenate(places)


def with_both_ends(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights with those of loops doubled, and the loops' places.

    A loop is stored once but has two ends.
    """
    weights, loop = graph.weights, np.zeros(0, dtype=np.int64)
    if graph.num_loops:
        ends = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
        loop = np.flatnonzero(ends == graph.indices)
        weights = weights.copy()
        weights[loop] *= np.float32(2)
    return weights, loop


def check_graph(graph: Graph) -> None:
    """Raise GraphError if a weight is negative (modularity has no meaning then) or too large."""
    if len(graph.weights) and float(graph.weights.min()) < 0:
        raise GraphError(NEGATIVE)
    if graph.num_loops and float(graph.loops()[1].max()) > LARGEST_LOOP:
        raise GraphError(LARGE_LOOP)


def fixed_point(weights: np.ndarray) -> tuple[int, float]:
    """Return the kind of weights, and how many fixed-point units a weight of 1 has.

    Integers stay as they are; other weights get the largest power of two with which their sum
    stays below 2**52: the rounding error is less than 2**-52 of the sum.

    Examples
    --------
    >>> fixed_point(np.array([1, 1], np.float32)), fixed_point(np.array([2, 3], np.float32))
    ((0, 1.0), (1, 1.0))
    >>> fixed_point(np.array([0.5, 0.5], np.float32)) == (1, 2.0**51)
    True
    """
    ones = not len(weights) or bool((weights == 1).all())
    total = float(weights.sum(dtype=np.float64))
    whole = total < 2.0**SUM_BITS and bool((weights == np.rint(weights)).all())
    return kind_of(ones, whole, total)


def kind_of(ones: bool, whole: bool, total: float) -> tuple[int, float]:
    """Return what :func:`fixed_point` does, from the facts about the weights and their sum."""
    if ones:
        return ONES, 1.0
    if whole and total < 2.0**SUM_BITS:
        return FLOATS, 1.0
    if total == 0.0:
        return FLOATS, 1.0
    return FLOATS, 2.0 ** (SUM_BITS - 1 - math.floor(math.log2(total)))
