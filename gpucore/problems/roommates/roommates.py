"""Stable roommates: each person ranks some of the others; pairs share a room."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.notes import with_steps
from gpucore.params import is_whole
from gpucore.problems.graph.graph import Graph
from gpucore.problems.roommates.graph import RoommatesGraph
from gpucore.rows import row_numbers, row_starts
from gpucore.seeds import generator
from gpucore.specification import generated

#: Entries in all lists together: what fits 32-bit numbers.
MAX_ENTRIES = 2**31 - 1

#: Largest number of entries of :meth:`Roommates.random`, which takes about 6 GB for them.
MAX_RANDOM = 1 << 26


@dataclass(frozen=True, eq=False, repr=False)
class Roommates:
    """The lists of n people, each of whom ranks some of the others, most wanted first.

    Only pairs that list each other are kept. :meth:`from_lists`, :meth:`from_graph` and
    :meth:`random` are the usual constructors.

    Attributes
    ----------
    indptr : ndarray of int64, shape (n + 1,)
        The list of person ``p`` is ``others[indptr[p]:indptr[p + 1]]``.
    others : ndarray of int32, shape (entries,)
        The listed people; the rank is the place in the list, 1 is the best.
    ranks : ndarray of int32, shape (entries,)
        Rank, from 1, that the listed person gives in return.
    name : str
        Display label.
    names : tuple of str, optional
        Names of the people.
    source : mapping
        Where the instance comes from, JSON-able; ``source["purged"]`` counts the entries that
        were dropped because they were not mutual.

    Notes
    -----
    Stable roommates with incomplete lists (SRI) of section 2.1 in "On stable marriages and greedy
    matchings", CSC 2016; complete lists are the classical problem (SR).

    Examples
    --------
    >>> trio = Roommates.from_lists([[1, 2], [2, 0], [0, 1]])
    >>> trio, trio.ranks.tolist()
    (Roommates(people=3, pairs=3), [2, 1, 2, 1, 2, 1])
    """

    #: Kind of problem, a folder of :mod:`gpucore.problems`.
    kind: ClassVar[str] = "roommates"

    indptr: NDArray[np.int64]
    others: NDArray[np.int32]
    ranks: NDArray[np.int32]
    name: str = field(default="", kw_only=True)
    names: tuple[str, ...] | None = field(default=None, kw_only=True)
    source: Mapping[str, Any] = field(default_factory=lambda: {"kind": "memory"}, kw_only=True)

    @classmethod
    def from_lists(
        cls,
        lists: Sequence[Iterable[int]],
        *,
        name: str = "",
        names: Sequence[str] | None = None,
        source: Mapping[str, Any] | None = None,
    ) -> Roommates:
        """Make an instance from one list per person, most wanted first.

        One-sided entries are dropped and counted.

        Raises
        ------
        GraphError
            A person lists himself or herself, an unknown number, or one person twice; the text
            names the place.

        Examples
        --------
        >>> Roommates.from_lists([[1, 2], [0], []]).source["purged"]
        1
        """
        rows = [np.asarray(list(row)) for row in lists]
        for p, row in enumerate(rows):
            if row.size and row.dtype.kind not in "iu":
                raise GraphError(f"person {p}: a list holds numbers of people, not {row[:3]!r}")
        indptr = row_starts([row.size for row in rows])
        others = np.concatenate([*rows, np.empty(0, np.int64)]).astype(np.int64)
        return cls._purged(indptr, others, name, names, source)

    @classmethod
    def from_graph(cls, graph: Graph) -> Roommates:
        """Make the instance of a weighted graph: each person prefers heavier edges.

        Of two edges of equal weight the one to the larger vertex is preferred, as in all matching
        methods here. Loops and edges of weight zero or less are left out.

        Notes
        -----
        The construction of section 3 of "On stable marriages and greedy matchings": the greedy
        matching is the only stable one.

        Examples
        --------
        >>> path = Graph.from_edges(3, [0, 1], [1, 2], [1.0, 2.0])
        >>> Roommates.from_graph(path).lists()
        [[1], [2, 0], [1]]
        """
        rows = row_numbers(graph.indptr)
        kept = (graph.weights > 0) & (rows != graph.indices)
        rows, others, weights = rows[kept], graph.indices[kept], graph.weights[kept]
        order = np.lexsort((-others, -weights, rows))
        indptr = _starts(rows, graph.num_vertices)
        source = with_steps(graph.source, {"step": "roommates_of_graph"})
        return cls._purged(indptr, others[order].astype(np.int64), graph.name, graph.names, source)

    @classmethod
    def random(cls, n: int, *, length: float | None = None, seed: int = 0) -> Roommates:
        """Make random lists: complete ones, or of about `length` people each.

        With `length`, pairs are drawn and equal ones merged, so lists are shorter where `length` is
        near `n`: with n = 100 and a length of 90 they have 59 people on average.

        Raises
        ------
        GraphError
            If `n`, `length` or `seed` is out of range.

        Examples
        --------
        >>> Roommates.random(4, seed=1).num_pairs
        6
        """
        if not is_whole(n) or n < 0:
            raise GraphError(f"n must be a whole number of at least 0, not {n!r}")
        if length is not None and not 0 <= length < max(n, 1):
            raise GraphError(f"length must be from 0 to n - 1, not {length!r}")
        entries = n * (n - 1 if length is None else length)
        if entries > MAX_RANDOM:
            raise GraphError(f"{entries:.0f} entries are more than {MAX_RANDOM}; give a length")
        rng = generator(seed)
        if length is None:
            u, v = np.triu_indices(n, 1)
        else:
            u, v = np.sort(rng.integers(0, max(n, 1), (2, int(entries / 2))), axis=0)
            u, v = np.divmod(np.unique((u * n + v)[u < v]), max(n, 1))
        rows, others = np.concatenate([u, v]), np.concatenate([v, u])
        order = np.lexsort((rng.random(rows.size), rows))
        drawn = {"n": int(n), "length": length, "seed": int(seed)}
        source = generated("roommates", {k: v for k, v in drawn.items() if v is not None})
        indptr = _starts(rows, n)
        return cls._purged(indptr, others[order], f"roommates:n={n},seed={seed}", None, source)

    @classmethod
    def _purged(
        cls,
        indptr: NDArray[np.int64],
        others: NDArray[np.int64],
        name: str,
        names: Sequence[str] | None,
        source: Mapping[str, Any] | None,
    ) -> Roommates:
        """Check the entries, keep the mutual ones and find their ranks."""
        n = indptr.size - 1
        if names is not None and len(names) != n:
            raise GraphError(f"{len(names)} names were given for {n} people")
        if others.size > MAX_ENTRIES:
            raise GraphError(f"{others.size} entries are more than the {MAX_ENTRIES} possible")
        people = np.repeat(np.arange(n), np.diff(indptr))
        _check_entries(indptr, people, others)
        mutual = np.isin(people * n + others, others * n + people)
        people, others = people[mutual], others[mutual]
        indptr = _starts(people, n)
        own = np.arange(others.size) - indptr[people] + 1
        # The k-th entry by (person, other) and the k-th by (other, person) return each other.
        ranks = np.empty(others.size, np.int32)
        ranks[np.lexsort((others, people))] = own[np.lexsort((people, others))]
        return cls(
            _frozen(indptr),
            _frozen(others.astype(np.int32)),
            _frozen(ranks),
            name=name,
            names=None if names is None else tuple(str(one) for one in names),
            source={
                "kind": "memory",
                **(source or {}),
                "purged": int(np.count_nonzero(~mutual)),
            },
        )

    @property
    def num_vertices(self) -> int:
        """Number of people."""
        return int(self.indptr.size - 1)

    @property
    def num_pairs(self) -> int:
        """Number of pairs that list each other."""
        return int(self.others.size // 2)

    @property
    def num_edges(self) -> int:
        """Number of pairs, as records and other code for all kinds of problems ask for it."""
        return self.num_pairs

    def graph(self) -> RoommatesGraph:
        """Return the graph of the pairs, for the app and for records that are opened again."""
        return RoommatesGraph.of(self)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the lists, as hexadecimal digits."""
        digest = hashlib.sha256(b"roommates")
        for array, dtype in ((self.indptr, "<i8"), (self.others, "<i4")):
            digest.update(array.astype(dtype, copy=False).data)
        return digest.hexdigest()

    def lists(self) -> list[list[int]]:
        """Return the list of each person, most wanted first."""
        whole = self.others.tolist()
        starts = self.indptr.tolist()
        return [whole[a:b] for a, b in pairwise(starts)]

    def __eq__(self, other: object) -> bool:
        """Compare the lists; names and source do not matter."""
        return isinstance(other, Roommates) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        return f"Roommates({name}people={self.num_vertices}, pairs={self.num_pairs})"


def as_roommates(problem: Roommates | Graph) -> Roommates:
    """Return an instance unchanged, or that of a weighted graph; GraphError for anything else."""
    if isinstance(problem, Roommates):
        return problem
    if isinstance(problem, RoommatesGraph):
        return problem.roommates
    if isinstance(problem, Graph):
        return Roommates.from_graph(problem)
    raise GraphError(f"roommates are a Roommates or a Graph, not {type(problem).__name__}")


def _starts(rows: NDArray[np.integer], n: int) -> NDArray[np.int64]:
    """Return where each of n rows begins when entries are sorted by row: int64, shape (n + 1,)."""
    return row_starts(np.bincount(rows, minlength=n))


def _check_entries(
    indptr: NDArray[np.int64], people: NDArray[np.int64], others: NDArray[np.int64]
) -> None:
    """Raise GraphError for an entry that is out of range, the person itself, or repeated."""
    n = indptr.size - 1
    wrong = np.flatnonzero((others < 0) | (others >= n) | (others == people))
    if wrong.size:
        at = wrong[0]
        p, q = int(people[at]), int(others[at])
        what = "himself or herself" if p == q else f"{q}, but people are 0 to {n - 1}"
        raise GraphError(f"person {p} lists {what} at place {at - indptr[p] + 1}")
    order = np.lexsort((others, people))
    twice = np.flatnonzero((np.diff(people[order]) == 0) & (np.diff(others[order]) == 0))
    if twice.size:
        at = order[twice[0] + 1]
        p = int(people[at])
        raise GraphError(f"person {p} lists {others[at]} again at place {at - indptr[p] + 1}")


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, read-only from now on."""
    array.flags.writeable = False
    return array
