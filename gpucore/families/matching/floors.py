"""When a vertex began to hold bids that are better than a given one.

A kernel decides from what it reads, and logs afterwards: that a vertex has no candidate left may be
logged before the bids that took its candidates away.  The bids say when those came, so a record
can show the causes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.problems.graph.graph import Graph
from gpucore.record.constraints import Dependencies, pair

if TYPE_CHECKING:
    from gpucore.problems.graph.part import GraphPart


class Floors:
    """Events after which a vertex holds better bids only, by the worst bid that it then holds.

    Bids are compared by weight, equal ones by the bidder's number.

    Parameters
    ----------
    holder : ndarray of int32, shape (events,)
        The vertices.
    weight, bidder : ndarray of float32 and of int32, same shape
        The worst bid held from the event on; at one vertex they only rise.
    event : ndarray of int64, same shape
        Event numbers.
    """

    def __init__(
        self, holder: np.ndarray, weight: np.ndarray, bidder: np.ndarray, event: np.ndarray
    ) -> None:
        self._holder, self._key, self._event = holder, bid_key(weight, bidder), event

    def first_above(self, holder: np.ndarray, weight: np.ndarray, bidder: np.ndarray) -> np.ndarray:
        """Return for each bid the first event after which `holder` has better ones only, or -1."""
        count = len(self._event)
        keys = np.concatenate([self._key, bid_key(weight, bidder)])
        rank = np.unique(keys, return_inverse=True)[1].astype(np.int32)
        place = pair(self._holder, rank[:count])
        order = np.argsort(place, kind="stable")
        wanted = pair(np.asarray(holder, np.int32), rank[count:])
        at = np.searchsorted(place[order], wanted, side="right")
        known = at < count
        known[known] = self._holder[order[at[known]]] == np.asarray(holder)[known]
        found = np.full(len(wanted), -1, dtype=np.int64)
        found[known] = self._event[order[at[known]]]
        return found


def bid_key(weight: np.ndarray, bidder: np.ndarray) -> np.ndarray:
    """Return int64 keys in the order of bids: of weights, which are positive, then of numbers."""
    bits = np.ascontiguousarray(weight, np.float32).view(np.int32)
    return pair(bits, np.asarray(bidder, np.int32))


def after_floors(
    floors: Floors, event: np.ndarray, holder: np.ndarray, weight: np.ndarray, bidder: np.ndarray
) -> Dependencies:
    """Put events that say that `holder` takes no such bid after the first that explains them."""
    cause = floors.first_above(holder, weight, bidder)
    known = cause >= 0
    return Dependencies(cause[known], np.asarray(event)[known], complete=True)


def rows_of(
    graph: Graph | GraphPart, vertices: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the adjacency of some vertices: place in `vertices`, neighbour, weight of each entry.

    Empty for a part of a graph, which does not have the rows of all vertices.
    """
    if not isinstance(graph, Graph):
        nothing = np.empty(0, np.int64)
        return nothing, nothing, np.empty(0, np.float32)
    start = graph.indptr
    size = (start[1:] - start[:-1])[vertices]
    which = np.repeat(np.arange(len(vertices)), size)
    begins = np.repeat(start[:-1][vertices] - (np.cumsum(size) - size), size)
    entry = begins + np.arange(len(which))
    return which, graph.indices[entry], graph.weights[entry]
