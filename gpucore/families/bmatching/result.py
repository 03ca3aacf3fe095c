"""Results of methods for weighted b-matching."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from gpucore.result import PairsResult, hashes_of_sets


@dataclass(frozen=True)
class BMatchingResult(PairsResult):
    """Result of a b-matching algorithm: the mates of every vertex.

    Attributes
    ----------
    capacity : ndarray of int32, shape (n,)
        How many mates each vertex may have, as asked for; it may be above the degree.
    starts : ndarray of int64, shape (n + 1,)
        ``mates[starts[u]:starts[u + 1]]`` are the mates of vertex ``u``, ascending.
    mates : ndarray of int32, shape (2 * cardinality,)
        All mates; every pair stands at both of its ends.

    Examples
    --------
    >>> starts, mates = from_pairs(3, [0, 2], [1, 1])
    >>> result = BMatchingResult(
    ...     "by hand", {}, 0.0, {"weight": 5.0, "cardinality": 2},
    ...     capacity=np.array([1, 2, 1], np.int32), starts=starts, mates=mates,
    ... )
    >>> result.mates_of(1).tolist(), result.cardinality
    ([0, 2], 2)
    """

    capacity: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    starts: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))
    mates: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    @property
    def weight(self) -> float:
        """Sum of the weights of the matched edges (float64)."""
        return float(self.figures["weight"])

    def mates_of(self, vertex: int) -> np.ndarray:
        """Return the mates of a vertex, ascending: a view of int32."""
        return self.mates[self.starts[vertex] : self.starts[vertex + 1]]

    def by_vertex(self) -> dict[str, np.ndarray]:
        """Return a hash of each vertex's set of mates: uint64, 0 for none."""
        return {"mates": hashes_of_sets(self.starts, self.mates)}


def from_pairs(n: int, u: ArrayLike, v: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the mates of every vertex from the pairs of a b-matching.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : array_like of int, shape (pairs,)
        Ends of the pairs, each pair once, in any order.

    Returns
    -------
    starts : ndarray of int64, shape (n + 1,)
    mates : ndarray of int32, shape (2 * pairs,)
        ``mates[starts[u]:starts[u + 1]]`` are the mates of ``u``, ascending.

    Examples
    --------
    >>> starts, mates = from_pairs(4, [0, 3], [2, 0])
    >>> starts.tolist(), mates.tolist()
    ([0, 2, 2, 3, 4], [2, 3, 0, 0])
    """
    one, other = np.asarray(u, np.int32), np.asarray(v, np.int32)
    ends, mates = np.concatenate([one, other]), np.concatenate([other, one])
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(ends, minlength=n), out=starts[1:])
    return starts, mates[np.lexsort((mates, ends))]
