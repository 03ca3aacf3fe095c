"""What is drawn of a graph: everything, or the neighbourhood of its best connected vertex."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.layout import fit, lay_out
from app.limits import Limits
from gpucore.graph import Graph
from gpucore.progress import Cancel, Progress

#: Size of the neighbourhood that is drawn of a graph too large to be drawn whole.
PART_VERTICES = 400
PART_EDGES = 2_500


@dataclass(frozen=True)
class Drawing:
    """A graph, or a part of one, with positions.

    Attributes
    ----------
    vertices : ndarray of int32, shape (k,)
        The vertices drawn, ascending.
    xy : ndarray of float32, shape (k, 2)
        In the unit square, y downwards.
    u, v : ndarray of int32, shape (e,)
        Edges between them, as places in `vertices`.
    weights : ndarray of float32, shape (e,)
        Their weights.
    place : ndarray of int32, shape (n,)
        Place of each vertex of the graph in `vertices`, or -1.
    note : str
        What is missing; empty if nothing is.
    """

    vertices: np.ndarray
    xy: np.ndarray
    u: np.ndarray
    v: np.ndarray
    weights: np.ndarray
    place: np.ndarray
    note: str = ""

    @property
    def whole(self) -> bool:
        """Whether all of the graph is drawn."""
        return len(self.vertices) == len(self.place)


def draw(
    graph: Graph,
    limits: Limits,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Drawing:
    """Choose what to draw of a graph and where.

    Parameters
    ----------
    graph : Graph
    limits : Limits
        ``draw_vertices`` and ``draw_edges`` decide whether the whole graph is drawn.

    Returns
    -------
    Drawing
    """
    n = graph.num_vertices
    note = ""
    if n <= limits.draw_vertices and graph.num_edges <= limits.draw_edges:
        vertices = np.arange(n, dtype=np.int32)
    else:
        centre = int(np.argmax(graph.degrees)) if n else 0
        vertices = neighbourhood(graph, centre, PART_VERTICES, PART_EDGES)
        note = (
            f"The graph has {n:,} vertices and {graph.num_edges:,} edges; drawn are the "
            f"{len(vertices):,} vertices nearest to vertex {name_of(graph, centre)}, which has "
            "the most neighbours. Charts and figures are of the whole graph."
        )
    place = np.full(n, -1, np.int32)
    place[vertices] = np.arange(len(vertices), dtype=np.int32)
    u, v, weights = inner_edges(graph, vertices, place)
    if graph.coordinates is not None:
        xy = fit(graph.coordinates[vertices] * (1, -1))
    else:
        limit = max(limits.draw_vertices, PART_VERTICES)
        xy = lay_out(len(vertices), u, v, limit=limit, progress=progress, cancel=cancel)
    return Drawing(vertices, xy, u, v, weights, place, note)


def name_of(graph: Graph, vertex: int) -> str:
    """Return the vertex's name, or its number."""
    return str(vertex) if graph.names is None else graph.names[vertex]


def neighbourhood(graph: Graph, centre: int, vertices: int, edges: int) -> np.ndarray:
    """Return the vertices nearest to `centre`, in breadth-first order until a limit is reached.

    Parameters
    ----------
    vertices, edges : int
        Largest number of vertices, and of adjacency entries looked at between them.

    Returns
    -------
    ndarray of int32
        Ascending.
    """
    found = {centre}
    queue = [centre]
    inner = 0
    for vertex in queue:
        # The heaviest edges are the ones that a matching is about.
        ids, weights = graph.neighbours(vertex)
        for other in ids[np.argsort(-weights, kind="stable")].tolist():
            if other in found:
                continue
            if len(found) >= vertices or inner >= edges:
                return np.array(sorted(found), np.int32)
            found.add(other)
            queue.append(other)
            inner += sum(1 for w in graph.neighbours(other)[0].tolist() if w in found)
    return np.array(sorted(found), np.int32)


def inner_edges(
    graph: Graph, vertices: np.ndarray, place: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the edges between the given vertices, each once, as places."""
    counts = graph.degrees[vertices]
    starts = graph.indptr[vertices]
    ends = np.cumsum(counts)
    entries = np.arange(int(counts.sum())) + np.repeat(starts - (ends - counts), counts)
    u = np.repeat(np.arange(len(vertices), dtype=np.int32), counts)
    v = place[graph.indices[entries]]
    once = v > u
    return u[once], v[once], graph.weights[entries][once]
