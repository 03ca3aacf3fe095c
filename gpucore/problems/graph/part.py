"""A part of a distributed graph: the rows of one rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True, eq=False)
class GraphPart:
    """Rows ``lo`` to ``hi - 1`` of a graph; their neighbours keep their global numbers.

    Attributes
    ----------
    n : int
        Number of vertices of the whole graph.
    bounds : ndarray of int64, shape (ranks + 1,)
        Rank ``r`` has the vertices ``bounds[r]`` to ``bounds[r + 1] - 1``.
    rank : int
        The rank that has this part.
    indptr : ndarray of int64, shape (hi - lo + 1,)
        Row ``lo + i`` is ``indices[indptr[i]:indptr[i + 1]]``; ``indptr[0]`` is 0.
    indices : ndarray of int32
        Neighbours.
    weights : ndarray of float32, same shape
        Weights.
    """

    #: Kind of problem, a folder of :mod:`gpucore.problems`.
    kind: ClassVar[str] = "graph"

    n: int
    bounds: NDArray[np.int64]
    rank: int
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    weights: NDArray[np.float32]

    @property
    def lo(self) -> int:
        """The first vertex of the part."""
        return int(self.bounds[self.rank])

    @property
    def hi(self) -> int:
        """The vertex after the last one of the part."""
        return int(self.bounds[self.rank + 1])

    @property
    def ranks(self) -> int:
        """Number of parts of the graph."""
        return len(self.bounds) - 1

    @property
    def nbytes(self) -> int:
        """Bytes of the three arrays of rows."""
        return self.indptr.nbytes + self.indices.nbytes + self.weights.nbytes


def cut(graph: Graph, ranks: int) -> list[GraphPart]:
    """Divide a graph into contiguous parts with about equally many edges; copies no rows.

    A part may be empty: if there are fewer vertices than ranks, or beside a vertex of high degree.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> [part.bounds[1:].tolist() for part in cut(Graph.from_edges(4, [0, 1, 2], [1, 2, 3]), 2)]
    [[2, 4], [2, 4]]
    """
    bounds = balanced_bounds(graph.indptr, ranks)
    parts = []
    for rank in range(ranks):
        lo, hi = bounds[rank], bounds[rank + 1]
        row = slice(graph.indptr[lo], graph.indptr[hi])
        indptr = graph.indptr[lo : hi + 1] - graph.indptr[lo]
        parts.append(
            GraphPart(
                graph.num_vertices, bounds, rank, indptr, graph.indices[row], graph.weights[row]
            )
        )
    return parts


def balanced_bounds(indptr: NDArray[np.int64], ranks: int) -> NDArray[np.int64]:
    """Return the bounds of parts with about equally many entries, rows counted as one more each.

    Parameters
    ----------
    indptr : ndarray of int64, shape (n + 1,)
        Offsets of the rows.
    ranks : int
        Number of parts, at least 1.
    """
    work = indptr + np.arange(len(indptr))  # a row without entries costs something too
    aims = work[-1] * np.arange(1, ranks, dtype=np.float64) / ranks
    inner = np.searchsorted(work, aims)
    return np.concatenate([[0], inner, [len(indptr) - 1]]).astype(np.int64)
