"""The bucket lens: how the lanes of a warp fill the hash table of one vertex, slot by slot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import ParameterError
from gpucore.families.communities.hierarchy import Kind
from gpucore.families.communities.paper.buckets import BUCKETS, LANES, THREADS, table_size
from gpucore.families.communities.timeline import communities_timeline
from gpucore.record import Record

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Variants whose groups of lanes fill a hash table together.
VARIANTS = ("buckets", "relaxed")
#: The table of a vertex with more neighbours does not fit on a screen.
MOST_NEIGHBOURS = 319
#: Most neighbours of the vertex that is shown first.
CLEAR = 60
#: Number of hues in the player.
HUES = 12


def first_vertex(graph: Graph) -> int:
    """Return the vertex of largest degree whose table is easy to read; -1 if there is no edge."""
    degrees = np.where(graph.degrees <= CLEAR, graph.degrees, 0)
    if not len(degrees) or not degrees.max():
        degrees = np.where(graph.degrees <= MOST_NEIGHBOURS, graph.degrees, 0)
    return int(np.argmax(degrees)) if len(degrees) and degrees.max() else -1


def find_vertex(graph: Graph, text: str) -> int:
    """Return the vertex with a name or number.

    Raises
    ------
    ParameterError
        There is no such vertex, or its table cannot be shown.
    """
    text = text.strip()
    if graph.names is not None and text in graph.names:
        vertex = graph.names.index(text)
    elif text.isdecimal() and int(text) < graph.num_vertices:
        vertex = int(text)
    else:
        raise ParameterError(f"the graph has no vertex {text[:40]!r}")
    degree = int(graph.degrees[vertex])
    if not 0 < degree <= MOST_NEIGHBOURS:
        raise ParameterError(
            f"vertex {text[:40]} has {degree:,} neighbours; tables of 1 to {MOST_NEIGHBOURS} "
            "neighbours are shown"
        )
    return vertex


def bucket_of(degree: int) -> int:
    """Return the number of the bucket for a degree, from 1; section IV-A of the paper."""
    return int(np.searchsorted(BUCKETS, degree)) + 1


def table_of(record: Record, graph: Graph, vertex: int) -> dict[str, Any]:
    """Return the lens's data from a record that watched a vertex.

    Parameters
    ----------
    record : Record
        With events, made with ``watch_vertex=vertex``.
    graph : Graph
        Graph of the run.
    vertex : int
        The watched vertex.

    Returns
    -------
    dict
        JSON-able: vertex, degree, bucket, lanes (that work together), slots, sweeps (of the first
        stage), each with home, verdict and steps: lane, neighbour, weight, community, slot,
        path (slots that were probed), hue.
    """
    events = record.events
    degree = int(graph.indptr[vertex + 1] - graph.indptr[vertex])
    bucket = bucket_of(degree)
    lanes = LANES[bucket - 1] if bucket <= len(LANES) else THREADS
    slots = table_size(degree)
    first = record.steps["stage"][events["iteration"]] == 0
    mine = np.flatnonzero(first & (events["a"] == vertex))
    hues = _hues(record)
    found = []
    for iteration in np.unique(events["iteration"][mine]).tolist():
        own = mine[events["iteration"][mine] == iteration]
        hashes = own[events["kind"][own] == Kind.HASH]
        if not len(hashes):
            continue
        found.append(
            {
                "sweep": int(record.steps["sweep"][iteration]),
                "verdict": _verdict(record, own, graph),
                "steps": _steps(record, hashes, graph, vertex, lanes, slots, hues),
            }
        )
    return {
        "vertex": vertex,
        "label": _label(graph, vertex),
        "degree": degree,
        "bucket": bucket,
        "lanes": lanes,
        "slots": slots,
        "sweeps": found,
    }


def _label(graph: Graph, vertex: int) -> str:
    return str(vertex) if graph.names is None else graph.names[vertex]


def _steps(
    record: Record,
    hashes: np.ndarray,
    graph: Graph,
    vertex: int,
    lanes: int,
    slots: int,
    hues: dict[int, int],
) -> list[dict[str, Any]]:
    """Return the insertions of one sweep, in the order in which they were logged."""
    events = record.events
    neighbours, weights = graph.neighbours(vertex)
    batch, lane, warp = (events[name][hashes] for name in ("batch", "lane", "warp"))
    # A round is an instruction of all lanes together; each lane then takes the next neighbour.
    rounds = batch - batch.min()
    member = lane.astype(np.int64) % lanes
    if lanes > 32:
        member = (warp.astype(np.int64) % (lanes // 32)) * 32 + lane
    steps = []
    for i, event in enumerate(hashes.tolist()):
        place = int(rounds[i]) * lanes + int(member[i])
        key, slot, probes = (int(events[name][event]) for name in ("b", "c", "value"))
        stride = 1 + key % (slots - 1)
        steps.append(
            {
                "lane": int(member[i]),
                "round": int(rounds[i]),
                "neighbour": _label(graph, int(neighbours[place])),
                "weight": float(weights[place]),
                "community": key,
                "name": _label(graph, key),
                "hue": hues.get(key, -1),
                "slot": slot,
                "path": [(key + k * stride) % slots for k in range(probes)],
            }
        )
    return steps


def _verdict(record: Record, own: np.ndarray, graph: Graph) -> str:
    """Return a sentence: whether the vertex moved in a sweep."""
    events = record.events
    for event in own.tolist():
        kind = events["kind"][event]
        gain, to = float(events["value"][event]), _label(graph, int(events["c"][event]))
        if kind == Kind.MOVE:
            return f"It moves to the community of {to}, which gains {gain:.3g}."
        if kind == Kind.HELD:
            return f"It would gain {gain:.3g} in that of {to}, but is held back."
    return "No other community is better: it stays."


def _hues(record: Record) -> dict[int, int]:
    """Return the hue of each community of the result, by its name in the events."""
    timeline = communities_timeline(record)
    end = timeline.state(len(timeline))["community"]
    final = record.final["community"]
    labels, size = np.unique(final, return_counts=True)
    order = labels[np.lexsort((labels, -size))]
    return {int(end[label]): rank % HUES for rank, label in enumerate(order.tolist())}
