"""Positions of vertices; each kind of problem names its layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore.problem import get_kind
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Cancel, Progress

from .forces import fit, lay_out
from .rails import in_order, rails


def positions_of(
    graph: Graph,
    *,
    max_vertices: int = 10_000,
    max_edges: int = 40_000,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> np.ndarray | None:
    """Return positions for the vertices of a graph.

    Parameters
    ----------
    graph : Graph
        Its own coordinates are used if it has some; a matrix is drawn on two rails, and so are men
        and women, in the order of their numbers; roommates on a circle.
    max_vertices, max_edges : int
        Larger graphs are not drawn, unless their layout draws no edge by itself.

    Returns
    -------
    ndarray of float32, shape (n, 2), or None
        The larger side spans -1 to 1, the y-axis points up; None if the graph is too large.
    """
    layout = get_kind(graph.kind).layout
    small = graph.num_vertices <= max_vertices and graph.num_edges <= max_edges
    if not small and layout not in DRAW_NO_EDGES:
        return None
    return LAYOUTS[layout](graph, progress, cancel)


def _forces(graph: Graph, progress: Progress | None, cancel: Cancel | None) -> np.ndarray | None:
    if graph.coordinates is not None:
        return fit(graph.coordinates)
    u, v, _ = graph.edges()
    return lay_out(graph.num_vertices, u, v, progress=progress, cancel=cancel)


def _rails(graph: Any, progress: Progress | None, cancel: Cancel | None) -> np.ndarray | None:
    rows, columns = graph.entries()
    return rails(rows, columns, graph.shape, cancel=cancel)


def _in_order(graph: Any, progress: Progress | None, cancel: Cancel | None) -> np.ndarray | None:
    return in_order(graph.shape)


def _circle(graph: Any, progress: Progress | None, cancel: Cancel | None) -> np.ndarray | None:
    turn = 2 * np.pi * np.arange(graph.num_vertices) / max(1, graph.num_vertices)
    return np.stack([np.sin(turn), np.cos(turn)], axis=1).astype(np.float32)


#: By the names that :attr:`gpucore.problem.ProblemKind.layout` uses.
LAYOUTS: dict[str, Callable[[Any, Progress | None, Cancel | None], np.ndarray | None]] = {
    "forces": _forces,
    "rails": _rails,
    "in_order": _in_order,
    "circle": _circle,
}
#: Layouts that draw edges only where a result has them.
DRAW_NO_EDGES = ("in_order",)
