"""Why a vertex refuses an offer: the offers that it holds, and when they came."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from gpucore.families.bmatching.order import Events, Kind
from gpucore.families.matching.floors import Floors, after_floors, rows_of
from gpucore.problems.graph.graph import Graph
from gpucore.record.constraints import Dependencies, Lookup, pair


class Stacks:
    """The offers that every vertex holds, event by event.

    Parameters
    ----------
    events : mapping of str to ndarray, shape (events,)
        Columns kind, a, b, c, value.
    capacity : ndarray of int32, shape (n,)
        How many offers each vertex holds at the most.
    """

    def __init__(self, events: Events, capacity: np.ndarray) -> None:
        self._events, self._capacity = events, capacity
        kind, b, c = (events[name] for name in ("kind", "b", "c"))
        self._taken, self._fallen = (np.flatnonzero(kind == k) for k in (Kind.PROPOSE, Kind.DROP))
        ends = zip(b[self._fallen].tolist(), c[self._fallen].tolist(), strict=True)
        self._falls = dict(zip(ends, self._fallen.tolist(), strict=True))
        #: Pairs of an offer and of one that falls out because of it.
        self._pushes: list[tuple[int, int]] = []
        self._floors = self._follow()

    def _follow(self) -> Floors:
        """Return for every vertex that is full the weakest of its offers, and since when."""
        taken, stacks = self._taken, defaultdict[int, list[tuple[float, int]]](list)
        rows: list[tuple[int, float, int, int]] = []
        columns = [taken, *(self._events[name][taken] for name in ("b", "value", "a"))]
        for event, holder, weight, bidder in zip(*(x.tolist() for x in columns), strict=True):
            stack, most, since = stacks[holder], int(self._capacity[holder]), event
            if len(stack) < most:
                heapq.heappush(stack, (weight, bidder))
            else:
                out = heapq.heappushpop(stack, (weight, bidder))[1]
                since = self._falls.get((holder, out), event)
                self._pushes.append((event, since))
            if stack and len(stack) == most:
                rows.append((holder, *stack[0], since))
        types = (np.int32, np.float32, np.int32, np.int64)
        columns = [np.array([row[i] for row in rows], dtype) for i, dtype in enumerate(types)]
        return Floors(*columns)

    def pushes(self) -> Dependencies:
        """Put each offer before those that it pushes out, and their falls before its own."""
        a, b = self._events["a"], self._events["b"]
        came = Lookup(pair(b[self._taken], a[self._taken]), self._taken)
        cause = came.find(pair(b[self._fallen], a[self._fallen]))
        known = cause >= 0
        falls = Lookup(pair(b[self._fallen], self._events["c"][self._fallen]), self._fallen)
        later = falls.find(pair(b[self._fallen], a[self._fallen]))
        pushed = np.array([p for p in self._pushes if p[0] != p[1]], np.int64).reshape(-1, 2)
        return Dependencies(
            np.concatenate([cause[known], self._fallen[later >= 0], pushed[:, 0]]),
            np.concatenate([self._fallen[known], later[later >= 0], pushed[:, 1]]),
            complete=True,
        )

    def refusals(self, graph: Graph) -> Dependencies:
        """Put refusals, and "no candidate left", after the offers that caused them."""
        kind, a, b, value = (self._events[name] for name in ("kind", "a", "b", "value"))
        refused = np.flatnonzero(kind == Kind.OUTBID)
        exhausted = np.flatnonzero(kind == Kind.EXHAUSTED)
        which, neighbour, weight = rows_of(graph, a[exhausted])
        event, vertex = exhausted[which], a[exhausted][which]
        own = np.flatnonzero((kind == Kind.PROPOSE) | (kind == Kind.OUTBID))
        # A vertex asks along an edge once: these events are its own, in the order of its turns.
        asked = Lookup(pair(a[own], b[own]), own).find(pair(vertex, neighbour)) >= 0
        floors = self._floors
        return Dependencies.of(
            [
                after_floors(floors, refused, b[refused], value[refused], a[refused]),
                after_floors(
                    floors, event[~asked], neighbour[~asked], weight[~asked], vertex[~asked]
                ),
            ]
        )


def ties(events: Mapping[str, np.ndarray], capacity: np.ndarray) -> np.ndarray:
    """Return how offers that fall out, or are refused, compare; uint8.

    0: the others are better; 1: the weights are equal, and the larger number wins; 2: the better
    ones are not among those held yet, since they come at the same time. Events are in their final
    order.
    """
    found = np.zeros(len(events["kind"]), np.uint8)
    held: dict[int, dict[int, float]] = defaultdict(dict)
    columns = (events[name].tolist() for name in ("kind", "a", "b", "c", "value"))
    for event, (kind, a, b, c, value) in enumerate(zip(*columns, strict=True)):
        if kind == Kind.PROPOSE:
            held[b][a] = value
        elif kind == Kind.DROP:
            found[event] = held[b].get(a) == value
            held[b].pop(c, None)
        elif kind == Kind.OUTBID:
            least = min(((w, v) for v, w in held[b].items()), default=(np.inf, 0))
            if len(held[b]) < capacity[b] or least < (value, a):
                found[event] = 2
            else:
                found[event] = least[0] == value
    return found
