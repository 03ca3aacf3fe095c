"""Methods that keep every step, for :mod:`gpucore.families.marriage.equivalence`.

They are written for readers, in plain Python, independent of the fast methods. Methods on graphs
read weights only, methods on preferences read ranks only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences

#: Worse than every rank.
_WORST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Proposals:
    """Proposals in the order in which they were made; all were accepted at the time.

    Attributes
    ----------
    proposer, receiver, displaced : ndarray of int32, shape (proposals,)
        The proposer, the receiver, and the displaced suitor (-1: none). On preferences these are a
        man, a woman and a man.
    turn : ndarray of int32, shape (proposals,)
        The vertex or man whose turn began the chain of this proposal.
    """

    proposer: NDArray[np.int32]
    receiver: NDArray[np.int32]
    displaced: NDArray[np.int32]
    turn: NDArray[np.int32]

    @classmethod
    def of(cls, rows: list[tuple[int, int, int, int]]) -> Proposals:
        """Make proposals of rows (proposer, receiver, displaced, turn)."""
        columns = np.array(rows, np.int32).reshape(-1, 4).T
        return cls(*(np.ascontiguousarray(column) for column in columns))

    def steps(self) -> list[tuple[int, int, int]]:
        """Return the proposals as (proposer, receiver, displaced)."""
        arrays = (self.proposer.tolist(), self.receiver.tolist(), self.displaced.tolist())
        return list(zip(*arrays, strict=True))


@dataclass(frozen=True)
class Rounds:
    """Places in the lists after each round, and the final mates.

    Attributes
    ----------
    place : ndarray of int32, shape (rounds, n)
        Place in the list, from 1: the rank of the current receiver, or the length of the list
        plus 1 at its end.
    mate : ndarray of int32, shape (n,)
        The final mates; -1 for none.
    """

    place: NDArray[np.int32]
    mate: NDArray[np.int32]


def _weighted_rows(graph: Graph) -> list[list[tuple[float, int]]]:
    """Return the usable edges at each vertex as (weight, neighbour)."""
    rows = []
    for v in range(graph.num_vertices):
        found = zip(*(array.tolist() for array in graph.neighbours(v)), strict=True)
        rows.append([(w, u) for u, w in found if w > 0 and u != v])
    return rows


def suitor_proposals(graph: Graph, order: NDArray[np.int64]) -> Proposals:
    """Run the Suitor algorithm on a weighted graph.

    Each vertex in turn proposes along the heaviest edge that beats the offer at its other end, and
    a displaced vertex proposes again at once (Manne and Halappanavar, IPDPS 2014).
    """
    rows = _weighted_rows(graph)
    nothing = (0.0, -1)
    offers = [nothing] * len(rows)
    steps = []
    for turn in order.tolist():
        current = turn
        while current >= 0:
            beaten = [(w, v) for w, v in rows[current] if (w, current) > offers[v]]
            if not beaten:
                break
            weight, partner = max(beaten)
            displaced = offers[partner][1]
            offers[partner] = (weight, current)
            steps.append((current, partner, displaced, turn))
            current = displaced
    return Proposals.of(steps)


def mcvitie_wilson_proposals(preferences: Preferences, order: NDArray[np.int64]) -> Proposals:
    """Run McVitie and Wilson's algorithm without proposals that would be refused.

    A displaced man continues at once from his place in his list (section 2 of the paper).
    """
    market = _Market(preferences)
    steps = []
    for turn in order.tolist():
        man = turn
        while man >= 0 and (woman := market.next_woman(man)) is not None:
            displaced = market.accept(man, woman)
            steps.append((man, woman, displaced, turn))
            man = displaced
    return Proposals.of(steps)


class _Market:
    """The place of each man in his list, and the best man so far of each woman."""

    def __init__(self, preferences: Preferences) -> None:
        self.begin = preferences.indptr.tolist()
        self.women, self.her_rank = preferences.women.tolist(), preferences.her_rank.tolist()
        self.finger = self.begin[:-1]
        self.husband = [-1] * preferences.num_women
        self.holds = [_WORST] * preferences.num_women

    def next_woman(self, man: int) -> int | None:
        """Return the next woman who prefers him to her partner; None at the end of his list."""
        at, end = self.finger[man], self.begin[man + 1]
        while at < end and self.her_rank[at] >= self.holds[self.women[at]]:
            at += 1
        self.finger[man] = at
        return self.women[at] if at < end else None

    def accept(self, man: int, woman: int) -> int:
        """Engage the woman at his place to him; return the man whom she leaves, or -1."""
        before, self.husband[woman] = self.husband[woman], man
        self.holds[woman] = self.her_rank[self.finger[man]]
        return before

    def places(self) -> list[int]:
        """Return how far each man has come down his list, from 1."""
        return [at - begin + 1 for at, begin in zip(self.finger, self.begin[:-1], strict=True)]


def gale_shapley_rounds(preferences: Preferences) -> Rounds:
    """Run Gale and Shapley's algorithm in rounds, all free men at the same time."""
    market = _Market(preferences)
    free = list(range(preferences.num_men))
    places = []
    while free:
        asked = [(man, woman) for man in free if (woman := market.next_woman(man)) is not None]
        places.append(market.places())
        free = []
        for man, woman in asked:
            if market.her_rank[market.finger[man]] < market.holds[woman]:
                left = market.accept(man, woman)
                free += [left] if left >= 0 else []
            else:
                free.append(man)
    wife = np.full(preferences.num_men, -1, np.int32)
    for woman, man in enumerate(market.husband):
        if man >= 0:
            wife[man] = woman
    return Rounds(np.array(places, np.int32).reshape(len(places), wife.size), wife)


def pointer_rounds(graph: Graph) -> Rounds:
    """Run the pointer algorithm of Manne and Bisseling in rounds.

    All unmatched vertices point at their best unmatched neighbours; two that point at each other
    are matched. It ends when no vertex has to point again.
    """
    lists = [sorted(row, reverse=True) for row in _weighted_rows(graph)]
    n = len(lists)
    at, mate = [0] * n, [-1] * n
    places = []
    moved = list(range(n))
    while moved:
        for v in moved:
            while at[v] < len(lists[v]) and mate[lists[v][at[v]][1]] >= 0:
                at[v] += 1
        places.append([place + 1 for place in at])
        points = [
            row[place][1] if place < len(row) else -1 for row, place in zip(lists, at, strict=True)
        ]
        for v in moved:
            if points[v] >= 0 and points[points[v]] == v:
                mate[v], mate[points[v]] = points[v], v
        moved = [v for v in range(n) if mate[v] < 0 and points[v] >= 0 and mate[points[v]] >= 0]
    return Rounds(np.array(places, np.int32).reshape(len(places), n), np.array(mate, np.int32))
