"""Results of methods for bipartite matching."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gpucore.result import PairsResult


@dataclass(frozen=True)
class BipartiteResult(PairsResult):
    """Result of a method that matches the rows of a matrix with its columns.

    Attributes
    ----------
    row_match : ndarray of int32, shape (rows,)
        ``row_match[r]`` is the column matched to row ``r``, or -1.
    column_match : ndarray of int32, shape (columns,)
        ``column_match[c]`` is the row matched to column ``c``, or -1.

    Notes
    -----
    Figures of every run are ``cardinality``, ``initial_cardinality``, ``initial_seconds``,
    ``phases`` and ``levels``; `seconds` covers the initial matching and its augmentation.

    Examples
    --------
    >>> result = BipartiteResult(
    ...     "by hand", {}, 0.0, {"cardinality": 1},
    ...     row_match=np.array([-1, 0], np.int32), column_match=np.array([1, -1, -1], np.int32),
    ... )
    >>> result.cardinality, result.mate.tolist()
    (1, [-1, 2, 1, -1, -1])
    """

    row_match: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    column_match: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    @property
    def mate(self) -> np.ndarray:
        """Matched vertex of every vertex, rows before columns: int32, shape (rows + columns,)."""
        rows = np.int32(self.row_match.size)
        of_rows = np.where(self.row_match >= 0, self.row_match + rows, self.row_match)
        return np.concatenate([of_rows, self.column_match])

    def by_vertex(self) -> dict[str, np.ndarray]:
        """Return :attr:`mate`."""
        return {"mate": self.mate}


def other_side(match: np.ndarray, size: int) -> np.ndarray:
    """Return the same matching as seen from the other side, which has `size` vertices.

    >>> other_side(np.array([2, -1, 0], np.int32), 4).tolist()
    [2, -1, 0, -1]
    """
    other = np.full(size, -1, np.int32)
    matched = np.flatnonzero(match >= 0)
    other[match[matched]] = matched
    return other
