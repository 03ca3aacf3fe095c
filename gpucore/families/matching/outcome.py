"""Shared by the algorithms of the matching family: the graph on the device, and the result."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.resident import Resident
from gpucore.errors import GraphError
from gpucore.families.matching.record import matching_record
from gpucore.families.matching.result import MatchingResult
from gpucore.problems.graph.facts import facts_of
from gpucore.problems.graph.part import GraphPart
from gpucore.record import Recorder
from gpucore.record.record import about

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class Adjacency:
    """A graph's arrays in a device's memory.

    Attributes
    ----------
    n : int
        Number of vertices.
    arrays : tuple
        ``indptr`` (int64, n + 1), ``indices`` (int32), ``weights`` (float32).
    """

    n: int
    arrays: tuple[Any, Any, Any]


_ADVICE = "prepare it with gpucore.problems.graph.prepare.for_matching"
_RESIDENT: Resident[Graph, Adjacency] = Resident()


def put_on_device(graph: Graph | GraphPart, device: Device, scratch: int) -> Adjacency:
    """Check that a graph can be matched and put it on a device.

    Parameters
    ----------
    graph : Graph or GraphPart
        Weights must be positive, and there must be no loop. A part has all rows.
        Its arrays are the device's.
    device : Device
        The device.
    scratch : int
        Bytes that the algorithm needs for each vertex beside the graph.

    Raises
    ------
    GraphError
        The graph has loops, or weights that are not positive.
    DeviceError
        The device has not enough memory.
    """
    if isinstance(graph, GraphPart):
        check_part(graph, device)
        device.require_memory(scratch * graph.n, "the matching")
        return Adjacency(graph.n, (graph.indptr, graph.indices, graph.weights))
    kept = _RESIDENT.find(device, graph)
    if kept is not None:
        device.require_memory(scratch * graph.num_vertices, "the matching")
        return kept
    check_graph(graph)
    size = graph.nbytes if device.name == "cuda" else 0
    device.require_memory(size + scratch * graph.num_vertices, "the graph and its matching")
    adjacency = Adjacency(
        graph.num_vertices,
        (
            device.asarray(graph.indptr),
            device.asarray(graph.indices),
            device.asarray(graph.weights),
        ),
    )
    return _RESIDENT.keep(device, graph, adjacency)


def check_graph(graph: Graph) -> None:
    """Raise GraphError unless every edge has a positive weight and two different ends."""
    _check_loops(graph.num_loops)
    _check_weights(bool(len(graph.weights)) and float(graph.weights.min()) <= 0)


def check_part(part: GraphPart, device: Device) -> None:
    """Raise GraphError unless every edge of a part has a positive weight and two different ends.

    The part's arrays are the device's.
    """
    facts = facts_of(part, device)
    _check_weights(bool(facts.not_above_zero))
    _check_loops(facts.loops)


def _check_loops(loops: int) -> None:
    if loops:
        raise GraphError(f"the graph has {loops} loops, which no matching can contain; {_ADVICE}")


def _check_weights(wrong: bool) -> None:
    if wrong:
        raise GraphError(f"the graph has edges whose weight is not positive; {_ADVICE}")


def weights_of_mates(graph: Graph, mate: np.ndarray) -> np.ndarray:
    """Return the weight of each vertex's matched edge: float32, shape (n,), 0 for none."""
    weights = np.zeros(graph.num_vertices, np.float32)
    u, v, w = graph.edges()
    matched = mate[u] == v
    weights[u[matched]] = weights[v[matched]] = w[matched]
    return weights


def make_result(
    graph: Graph | GraphPart,
    device: Device,
    recorder: Recorder,
    *,
    algorithm: str,
    params: Any,
    seconds: float,
    mate: Any,
    weight_of_mate: Any,
    warp: Callable[[], np.ndarray],
    gain_share: float,
    iterations: int | None = None,
) -> MatchingResult:
    """Assemble the result of a run.

    Parameters
    ----------
    mate : array of int32, shape (n,)
        Matched neighbour, -1 for none; of the device, or NumPy's.
    weight_of_mate : array of float32, shape (n,)
        Weight of the matched edge, 0 for none.
    warp : callable
        Returns the warp that starts with each vertex, int32, shape (n,); only a record has it.
    gain_share : float
        See :func:`gpucore.families.matching.record.matching_record`.
    """
    settings = dataclasses.asdict(params)
    figures: dict[str, Any] = {
        "weight": float(weight_of_mate.sum(dtype=np.float64)) / 2 * graph.unit,
        "cardinality": int((mate >= 0).sum()) // 2,
    }
    if iterations is not None:
        figures["iterations"] = iterations
    raw = recorder.collect()
    result = MatchingResult(
        algorithm=algorithm,
        device=device.describe(),
        seconds=seconds,
        figures=figures,
        params=settings,
        mate=device.to_host(mate),
    )
    if raw.level == "off":
        return result
    record = matching_record(
        raw,
        graph,
        suitor=result.mate,
        bid=device.to_host(weight_of_mate),
        warp=warp(),
        gain_share=gain_share,
        **about(result),
    )
    return dataclasses.replace(result, record=record)
