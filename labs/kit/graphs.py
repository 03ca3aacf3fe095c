"""Graphs that a reader writes as a list of edges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gpucore.errors import WarplensError
from gpucore.problems.graph.graph import Graph


def graph_of(edges: Iterable[Any], most_vertices: int, most_edges: int = 1 << 20) -> Graph:
    """Return the graph with these edges.

    Parameters
    ----------
    edges : iterable of tuple
        Two vertices, from 0, and the weight if it is not 1.
    most_vertices, most_edges : int
        Limits of the exercise.

    Raises
    ------
    WarplensError
        There is no such graph, or it is too large.
    """
    rows = [(*edge, 1.0)[:3] for edge in edges]
    if not rows or any(len(row) < 3 for row in rows):
        raise WarplensError("an edge has two ends, and there must be one")
    if len(rows) > most_edges:
        raise WarplensError(f"take {most_edges} edges at most, since all sets are tried")
    u, v = (np.array([row[end] for row in rows], np.int64) for end in (0, 1))
    most = int(max(u.max(), v.max())) + 1
    if min(u.min(), v.min()) < 0 or most > most_vertices:
        raise WarplensError(f"take vertices from 0 to {most_vertices - 1}")
    weights = np.array([row[2] for row in rows], np.float32)
    if not (weights > 0).all():
        raise WarplensError("weights are numbers above 0")
    if (u == v).any():
        raise WarplensError("an edge has two different ends")
    return Graph.from_edges(most, u, v, weights, duplicates="max", name="yours")
