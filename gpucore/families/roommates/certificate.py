"""Certificate of stable roommates: no pair blocks, or an odd party proves that none is stable.

A stable partition (Tan, 1991) arranges all people in cycles, and two conditions hold. In a cycle
of three or more, each person prefers the next person to the previous one. And of every two people
who list each other and do not follow each other in a cycle, one likes the previous person of the
cycle at least as much (a single has no previous person, and likes every listed person better). A
partition whose cycles are pairs and singles is a stable matching, and the second condition says
that no pair blocks it. Tan's theorem: if one stable partition has an odd cycle of at least three
people, an odd party, then all have it and no matching is stable. So either answer has a proof of
the size of the instance, and all of it is checked here.

References
----------
J. J. M. Tan, "A necessary and sufficient condition for the existence of a complete stable
matching", Journal of Algorithms 12 (1991).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.reported import with_reported
from gpucore.families.roommates.cycles import NAMED, cycle_lengths, followed_twice, more, values
from gpucore.format import counted
from gpucore.problems.roommates.roommates import Roommates, as_roommates

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def certify_roommates(
    problem: Roommates | Graph,
    mate: np.ndarray,
    successor: np.ndarray,
) -> Certificate:
    """Prove, or refute, that a matching of roommates is stable, or that none is.

    Parameters
    ----------
    problem : Roommates or Graph
        The lists.
    mate, successor : ndarray of an integer type, shape (n,)
        As in :class:`gpucore.families.roommates.result.RoommatesResult`.

    Returns
    -------
    Certificate
        Its figures are ``cardinality``, ``singles`` and ``parties``, the odd cycles of at least
        three. Wrong arrays of whatever shape or type give a failed certificate, not an error.

    Examples
    --------
    >>> trio = Roommates.from_lists([[1, 2], [2, 0], [0, 1]])
    >>> print(certify_roommates(trio, np.full(3, -1), np.array([1, 2, 0])))
    certified
      ok   well formed: 3 people
      ok   cycles: everybody follows one person
      ok   answer follows: 1 odd party: no matching is stable
      ok   mutually listed: everybody lists the next in the cycle
      ok   forward preferred: no person in a party prefers the one before
      ok   no blocking pair: none of the 3 pairs
    """
    lists = as_roommates(problem)
    mate, successor = np.asarray(mate), np.asarray(successor)
    checks = [_well_formed(lists.num_vertices, mate, successor)]
    if checks[-1].ok:
        mate, successor = mate.astype(np.int64), successor.astype(np.int64)
        checks.append(_permutation(successor))
    if not checks[-1].ok:
        return certificate(checks, {})
    length = cycle_lengths(successor)
    parties = int(np.unique(length[1][(length[0] >= 3) & (length[0] % 2 == 1)]).size)
    figures = {
        "cardinality": int(np.count_nonzero(mate >= 0)) // 2,
        "singles": int(np.count_nonzero(length[0] == 1)),
        "parties": parties,
    }
    checks.append(_answer(mate, successor, parties))
    if checks[-1].ok:
        places = _Places(lists, successor)
        checks.append(places.listed())
    if checks[-1].ok:
        checks.append(places.forward(length[0]))
    if checks[-1].ok:
        checks.append(places.stable())
    return certificate(checks, figures)


def certify_result(problem: Roommates | Graph, result: Any) -> Certificate:
    """Certify a ``RoommatesResult`` with the figures that it reports."""
    found = certify_roommates(problem, result.mate, result.successor)
    return with_reported(found, result, {"solvable": not found.figures.get("parties")})


def _well_formed(n: int, mate: np.ndarray, successor: np.ndarray) -> Check:
    name = "well formed"
    for what, array, least in (("mate", mate, -1), ("successor", successor, 0)):
        if array.shape != (n,):
            return Check(name, False, f"{what} has the shape {array.shape}, {n} people need ({n},)")
        if array.dtype.kind not in "iu":
            return Check(name, False, f"{what} has the dtype {array.dtype}, not an integer type")
        outside = np.flatnonzero((array < least) | (array >= n))
        if outside.size:
            return Check(name, False, f"outside {least}..{n - 1}: {values(what, array, outside)}")
    return Check(name, True, counted(n, "person"))


def _permutation(successor: NDArray[np.int64]) -> Check:
    name = "cycles"
    if fault := followed_twice(successor):
        return Check(name, False, fault)
    return Check(name, True, "everybody follows one person")


def _answer(mate: NDArray[np.int64], successor: NDArray[np.int64], parties: int) -> Check:
    """Check that the matching agrees with the partition."""
    name = "answer follows"
    if parties:
        odd = np.flatnonzero(mate >= 0)
        text = f"{counted(parties, 'odd party')}: no matching is stable"
        if odd.size:
            text += f", yet {values('mate', mate, odd)}"
        return Check(name, not odd.size, text)
    alone = successor == np.arange(successor.size)
    wrong = np.flatnonzero(mate != np.where(alone, -1, successor))
    if wrong.size:
        p = int(wrong[0])
        return Check(name, False, f"mate[{p}] = {mate[p]} but successor[{p}] = {successor[p]}")
    wrong = np.flatnonzero(~alone & (successor[successor] != np.arange(successor.size)))
    if wrong.size:
        p = int(wrong[0])
        return Check(name, False, f"mate[{p}] = {mate[p]} but mate[{mate[p]}] = {mate[mate[p]]}")
    return Check(name, True, f"{counted(np.count_nonzero(~alone) // 2, 'pair')}, no odd party")


class _Places:
    """For each person the places of the next and the previous person of the cycle in the list."""

    def __init__(self, lists: Roommates, successor: NDArray[np.int64]) -> None:
        n = successor.size
        self.lists, self.successor = lists, successor
        self.rows = np.repeat(np.arange(n), np.diff(lists.indptr))
        self.place = np.arange(lists.others.size) - lists.indptr[self.rows] + 1
        before = np.empty(n, np.int64)
        before[successor] = np.arange(n)
        self.before = before
        # A single has no partner: every listed person is better.
        alone = np.where(successor == np.arange(n), np.iinfo(np.int64).max, 0)
        self.of_next, self.of_previous = alone, alone.copy()
        for found, whom in ((self.of_next, successor), (self.of_previous, before)):
            hit = lists.others == whom[self.rows]
            found[self.rows[hit]] = self.place[hit]

    def listed(self) -> Check:
        name = "mutually listed"
        absent = np.flatnonzero(self.of_next == 0)
        if absent.size:
            pairs = ", ".join(f"({p}, {self.successor[p]})" for p in absent[:NAMED])
            return Check(name, False, f"not in each other's lists: {pairs}{more(absent.size)}")
        return Check(name, True, "everybody lists the next in the cycle")

    def forward(self, length: NDArray[np.int64]) -> Check:
        name = "forward preferred"
        wrong = np.flatnonzero((length >= 3) & (self.of_next > self.of_previous))
        if wrong.size:
            p = int(wrong[0])
            text = f"{p} prefers {self.before[p]}, the one before, to {self.successor[p]}"
            return Check(name, False, f"{text}{more(wrong.size)}")
        return Check(name, True, "no person in a party prefers the one before")

    def stable(self) -> Check:
        name = "no blocking pair"
        lists, rows = self.lists, self.rows
        blocks = (self.place < self.of_previous[rows]) & (rows < lists.others)
        blocks &= lists.ranks < self.of_previous[lists.others]
        found = np.flatnonzero(blocks)
        if found.size:
            text = "; ".join(self._blocking(int(e)) for e in found[:NAMED])
            return Check(
                name, False, f"{found.size} blocking pair{'s' if found.size > 1 else ''}: {text}"
            )
        return Check(name, True, f"none of the {counted(lists.num_pairs, 'pair')}")

    def _blocking(self, entry: int) -> str:
        p, q = int(self.rows[entry]), int(self.lists.others[entry])
        sides = ((p, q, self.place[entry]), (q, p, self.lists.ranks[entry]))
        words = [f"{a} ranks {b} {rank} {self._has(a)}" for a, b, rank in sides]
        return f"({p}, {q}): {', '.join(words)}"

    def _has(self, p: int) -> str:
        if self.before[p] == p:
            return "and has no partner"
        return f"but has {self.before[p]}, ranked {self.of_previous[p]}"
