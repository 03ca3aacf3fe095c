"""Modularity after every single event, computed from the graph.

The run itself computes it once a sweep.  A move of a vertex, or of all vertices contracted to one,
changes the sum over the communities (Newman and Girvan 2004, with a resolution)::

    Q = sum over c of  inside(c) / 2m  -  resolution (total(c) / 2m)^2

only in the terms of two communities, so the history costs one pass over the edges of each mover.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gpucore.rows import row_numbers

if TYPE_CHECKING:
    from gpucore.rows import row_numbers
from gpucore.problems.graph.graph import Graph

#: Most edges to read; for longer histories modularity is known once a sweep only.
MAX_LOOKS = 30_000_000


class Follower:
    """The modularity of a partition that changes.

    Parameters
    ----------
    graph : Graph
        Self-loops count twice.
    resolution : float
        Weight of the expected edges.

    Attributes
    ----------
    value : float
        Modularity of the current partition; at first every vertex is alone.
    looks : int
        Adjacency entries read so far.
    """

    def __init__(self, graph: Graph, resolution: float) -> None:
        self._graph, self._resolution = graph, resolution
        n = graph.num_vertices
        owner = row_numbers(graph.indptr)
        ends = np.where(owner == graph.indices, 2.0, 1.0) * graph.weights
        loops = float(ends[owner == graph.indices].sum())
        self._weights = ends
        self._community = np.arange(n, dtype=np.int32)
        self._strength = np.bincount(owner, weights=ends, minlength=n)
        self._total = self._strength.copy()
        self._two_m = float(self._strength.sum())
        self.looks = 0
        self.value = 0.0
        if self._two_m:
            share = self._total / self._two_m
            self.value = loops / self._two_m - resolution * float(share @ share)

    def move(self, members: np.ndarray, to: int) -> float:
        """Put vertices of one community, all or some, into another; return the modularity."""
        home = int(self._community[members[0]])
        if home == to or not self._two_m:
            return self.value
        indptr = self._graph.indptr
        begin, length = indptr[members], indptr[members + 1] - indptr[members]
        entries = np.repeat(begin - np.cumsum(length) + length, length) + np.arange(length.sum())
        self.looks += len(entries)
        at = self._community[self._graph.indices[entries]]
        weight = self._weights[entries]
        self._community[members] = to
        inner = self._community[self._graph.indices[entries]] == to  # among the members, or there
        there = float(weight[at == to].sum())
        among = float(weight[inner].sum()) - there
        at_home = float(weight[at == home].sum()) - among
        mine = float(self._strength[members].sum())
        expected = self._total[to] - self._total[home] + mine
        self._total[home] -= mine
        self._total[to] += mine
        gained = 2.0 * (there - at_home) / self._two_m
        gained -= self._resolution * 2.0 * mine * expected / self._two_m**2
        self.value += gained
        return self.value


def after_events(
    graph: Graph,
    events: Mapping[str, np.ndarray],
    moving: np.ndarray,
    members: list[tuple[np.ndarray, np.ndarray]],
    level: np.ndarray,
    resolution: float,
) -> np.ndarray | None:
    """Return the modularity after each event; None if that is too much work.

    Parameters
    ----------
    graph : Graph
        The given graph.
    events : mapping of str to ndarray
        Columns ``a`` (the mover) and ``c`` (the new community), in the graph's numbers.
    moving : ndarray of bool, shape (events,)
        Events that move vertices.
    members : list of (ndarray, ndarray)
        For each level, the start of each vertex's members in the list of all, and this list.
    level : ndarray of int, shape (events,)
        Contractions before each event.

    Returns
    -------
    ndarray of float64, shape (events,), or None
    """
    follower = Follower(graph, resolution)
    values = np.full(len(moving), np.nan)
    places = np.flatnonzero(moving)
    for i in places:
        start, order = members[int(level[i])]
        a = int(events["a"][i])
        values[i] = follower.move(order[start[a] : start[a + 1]], int(events["c"][i]))
        if follower.looks > MAX_LOOKS:
            return None
    first = Follower(graph, resolution).value
    last = np.maximum.accumulate(np.where(moving, np.arange(len(moving)), -1))
    return np.where(last >= 0, values[last], first) if len(moving) else values
