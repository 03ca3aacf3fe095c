"""The given graph as the first stage: checked, its weights in fixed point, on a device."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify.pairs import rows_of
from gpucore.device.resident import Resident
from gpucore.errors import GraphError
from gpucore.families.communities.fast.facts import WORDS, Facts
from gpucore.families.communities.fast.order import count_classes
from gpucore.families.communities.stage import FLOATS, ONES, Stage
from gpucore.problems.graph.facts import facts_of
from gpucore.problems.graph.part import GraphPart

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph

#: The sum of all weights stays below 2 to this power, so that float64 holds it exactly.
SUM_BITS = 52
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

_RESIDENT: Resident[Graph, Stage] = Resident()


def put_on_device(
    graph: Graph | GraphPart, device: Device, scratch: int, *, classes: bool = False
) -> Stage:
    """Check a graph and put it on a device as the first stage.

    It stays there for runs that follow, with what does not change: weights and, if asked for, how
    many vertices there are of every class of degree.

    Parameters
    ----------
    graph : Graph or GraphPart
        Weights must be finite and not negative. A part has all rows, in the device's memory.
    device : Device
        The device.
    scratch : int
        Bytes that the run needs beside the graph.
    classes : bool
        Whether the vertices of every class are counted; those of a part are not.

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
        return _with_classes(graph, kept, device) if classes else kept
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
    _RESIDENT.keep(device, graph, stage)
    return _with_classes(graph, stage, device) if classes else stage


def _with_classes(graph: Graph, stage: Stage, device: Device) -> Stage:
    """Return a graph's stage that knows its classes of degree, which it keeps."""
    if stage.classes or not stage.n:
        return stage
    facts = Facts(device, device.xp.zeros(WORDS, np.uint64))
    return _RESIDENT.keep(device, graph, count_classes(device, stage, facts))


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
