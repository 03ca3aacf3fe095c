"""Certificate of stable fixtures: no pair blocks, or an odd party proves that none is stable.

The proof gives each pair of people who list each other a share of 0, 1/2 or 1. The shares of a
person sum to at most the capacity. Pairs with the share 1/2 make up disjoint cycles of an odd
number of people, the odd parties. And each pair with a share below 1 is dominated by one of its
two people: this person's shares in pairs that he or she likes at least as much sum to the
capacity. Without odd parties this is a stable solution, and the last condition says that no pair
blocks it. With odd parties no solution is stable: all such proofs of one instance have the same odd
parties (Biró and Fleiner, after Tan). So either answer has a proof of the size of the instance,
and all of it is checked here.

References
----------
P. Biró, T. Fleiner, "The integral stable allocation problem on graphs", Discrete Optimization 7
(2010).
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


def certify_fixtures(
    problem: Roommates | Graph,
    capacity: np.ndarray,
    starts: np.ndarray,
    mates: np.ndarray,
    successor: np.ndarray,
) -> Certificate:
    """Prove, or refute, that a solution of stable fixtures is stable, or that none is.

    Parameters
    ----------
    problem : Roommates or Graph
        The lists.
    capacity, starts, mates, successor : ndarray of integer types
        As in :class:`gpucore.families.roommates.fixtures.FixturesResult`: pairs of mates have the
        share 1, a person and another successor 1/2.

    Returns
    -------
    Certificate
        Its figures are ``cardinality`` (0 with odd parties), ``full``, the people whose shares
        reach the capacity, and ``parties``. Wrong arrays of whatever shape or type give a failed
        certificate, not an error.

    Examples
    --------
    >>> trio = Roommates.from_lists([[1, 2], [2, 0], [0, 1]])
    >>> starts, alone = np.array([0, 2, 4, 6]), np.array([0, 1, 2])
    >>> mates = np.array([1, 2, 0, 2, 0, 1])
    >>> print(certify_fixtures(trio, np.array([2, 2, 2]), starts, mates, alone))
    certified
      ok   well formed: 3 people
      ok   odd parties: none
      ok   mutually listed: 3 pairs
      ok   capacities: 3 people without room for more
      ok   no blocking pair: none of the 3 pairs
    """
    lists = as_roommates(problem)
    arrays = [np.asarray(array) for array in (capacity, starts, mates, successor)]
    checks = [_well_formed(lists.num_vertices, *arrays)]
    if not checks[-1].ok:
        return certificate(checks, {})
    room, begin, others, following = (array.astype(np.int64) for array in arrays)
    length, cycle = cycle_lengths(following)
    parties = int(np.unique(cycle[length > 1]).size)
    checks.append(_parties(following, length, parties))
    if not checks[-1].ok:
        return certificate(checks, {})
    shares = _Shares(lists, room, begin, others, following)
    checks.append(shares.listed())
    if checks[-1].ok:
        checks.append(shares.capacities())
    if checks[-1].ok:
        checks.append(shares.stable())
    figures = {
        "cardinality": 0 if parties else others.size // 2,
        "full": int(np.count_nonzero(shares.total == 2 * room)),
        "parties": parties,
    }
    return certificate(checks, figures)


def certify_result(problem: Roommates | Graph, result: Any) -> Certificate:
    """Certify a ``FixturesResult`` with the figures that it reports."""
    b, capacity = result.params.get("b", "given"), np.asarray(result.capacity)
    if b != "given" and np.any(other := capacity != b):
        text = f"outside b = {b}: {values('capacity', capacity, np.flatnonzero(other))}"
        return certificate([Check("capacities as asked", False, text)], {})
    found = certify_fixtures(problem, capacity, result.starts, result.mates, result.successor)
    return with_reported(found, result, {"solvable": not found.figures.get("parties")})


def _well_formed(
    n: int, capacity: np.ndarray, starts: np.ndarray, mates: np.ndarray, successor: np.ndarray
) -> Check:
    name = "well formed"
    sizes = (("capacity", capacity, n), ("starts", starts, n + 1), ("successor", successor, n))
    for what, array, size in (*sizes, ("mates", mates, mates.size)):
        if array.shape != (size,):
            text = f"{what} has the shape {array.shape}, {n} people need ({size},)"
            return Check(name, False, text)
        if array.dtype.kind not in "iu":
            return Check(name, False, f"{what} has the dtype {array.dtype}, not an integer type")
    for what, array, last in (
        ("capacity", capacity, 2**31 - 1),
        ("mates", mates, n - 1),
        ("successor", successor, n - 1),
    ):
        outside = np.flatnonzero((array < 0) | (array > last))
        if outside.size:
            return Check(name, False, f"outside 0..{last}: {values(what, array, outside)}")
    if starts[0] != 0 or starts[-1] != mates.size or np.any(starts[1:] < starts[:-1]):
        return Check(name, False, f"starts do not rise from 0 to the {mates.size} mates")
    return Check(name, True, counted(n, "person"))


def _parties(successor: NDArray[np.int64], length: NDArray[np.int64], parties: int) -> Check:
    name = "odd parties"
    if fault := followed_twice(successor):
        return Check(name, False, fault)
    even = np.flatnonzero(length % 2 == 0)
    if even.size:
        text = f"person {even[0]} is in a cycle of {length[even[0]]}, which is even"
        return Check(name, False, text)
    return Check(name, True, f"{parties}: no solution is stable" if parties else "none")


class _Shares:
    """Twice the share of every entry of the lists, and of each person in all."""

    def __init__(
        self,
        lists: Roommates,
        room: NDArray[np.int64],
        starts: NDArray[np.int64],
        mates: NDArray[np.int64],
        successor: NDArray[np.int64],
    ) -> None:
        n = room.size
        self.lists, self.room, self.n = lists, room, n
        self.rows = np.repeat(np.arange(n), np.diff(lists.indptr))
        key = self.rows * n + lists.others
        whole = np.repeat(np.arange(n), np.diff(starts)) * n + mates
        some = np.flatnonzero(successor != np.arange(n))
        half = np.concatenate([some * n + successor[some], successor[some] * n + some])
        #: Pairs, each in both directions; each may be given once.
        self.given = np.concatenate([whole, half])
        self.unlisted = self.given[~np.isin(self.given, key)]
        self.one_sided = whole[~np.isin(whole, whole % max(n, 1) * n + whole // max(n, 1))]
        self.share = 2 * np.isin(key, whole) + np.isin(key, half)
        self.total = np.bincount(self.rows, self.share, minlength=n).astype(np.int64)

    def listed(self) -> Check:
        name = "mutually listed"
        _, count = np.unique(self.given, return_counts=True)
        for what, wrong in (
            ("not in each other's lists", self.unlisted),
            ("at one end only", self.one_sided),
            ("given more than once", np.unique(self.given)[count > 1]),
        ):
            if wrong.size:
                pairs = ", ".join(f"({e // self.n}, {e % self.n})" for e in wrong[:NAMED].tolist())
                return Check(name, False, f"{what}: {pairs}{more(wrong.size)}")
        return Check(name, True, counted(self.given.size // 2, "pair"))

    def capacities(self) -> Check:
        name = "capacities"
        wrong = np.flatnonzero(self.total > 2 * self.room)
        if wrong.size:
            p = int(wrong[0])
            text = f"person {p} has {self.total[p] / 2:g} mates, room for {self.room[p]}"
            return Check(name, False, f"{text}{more(wrong.size)}")
        full = np.count_nonzero(self.total == 2 * self.room)
        return Check(name, True, f"{counted(full, 'person')} without room for more")

    def stable(self) -> Check:
        name = "no blocking pair"
        lists, rows = self.lists, self.rows
        so_far = np.cumsum(self.share)
        before = np.concatenate([[0], so_far])[lists.indptr[rows]]
        dominated = so_far - before == 2 * self.room[rows]
        in_return = dominated[lists.indptr[lists.others] + lists.ranks - 1]
        blocks = (self.share < 2) & ~dominated & ~in_return & (rows < lists.others)
        found = np.flatnonzero(blocks)
        if found.size:
            pairs = "; ".join(f"({rows[e]}, {lists.others[e]})" for e in found[:NAMED])
            text = f"{counted(found.size, 'blocking pair')}: {pairs}"
            return Check(name, False, text + more(found.size))
        return Check(name, True, f"none of the {counted(lists.num_pairs, 'pair')}")
