"""Graphs with vertices renumbered at random, for methods that need it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gpucore.last import keeps_last
from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class Permuted:
    """A renumbered graph.

    Attributes
    ----------
    graph : Graph
        Graph whose vertex i is the given graph's vertex ``order[i]``.
    order : ndarray of int32, shape (n,)
        The permutation.
    """

    graph: Graph
    order: NDArray[np.int32]

    def given_mates(self, mate: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return a matching of :attr:`graph` in the given graph's numbers: int32, shape (n,)."""
        given = np.full_like(mate, -1)
        given[self.order] = np.where(mate >= 0, self.order[mate], -1)
        return given


@keeps_last
def permuted(graph: Graph, seed: int) -> Permuted:
    """Return a graph with its vertices renumbered at random; the seed determines the numbering.

    The last answer is cached as long as its graph exists.

    Examples
    --------
    >>> path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    >>> other = permuted(path, 0)
    >>> other.order.tolist(), other.graph.degrees.tolist()
    ([3, 0, 2, 1], [1, 1, 2, 2])
    >>> other.given_mates(np.array([-1, -1, 3, 2], np.int32)).tolist()
    [-1, 2, 1, -1]
    """
    rng = np.random.default_rng([seed, 1])
    order = rng.permutation(graph.num_vertices).astype(np.int32)
    return Permuted(renumbered(graph, order), order)


def renumbered(graph: Graph, order: NDArray[np.int32]) -> Graph:
    """Return the graph whose vertex i is the given one's vertex ``order[i]``.

    Notes
    -----
    Takes time linear in the graph: the rows of a symmetric matrix are its columns, and converting
    rows to columns sorts them.
    """
    number = np.empty_like(order)
    number[order] = np.arange(order.size, dtype=order.dtype)
    shape = (order.size, order.size)
    short = np.int32 if graph.indices.size < 2**31 else np.int64  # else SciPy makes them int64
    rows: Any = (graph.weights, number[graph.indices], graph.indptr.astype(short))
    columns = sparse.csr_array(rows, shape=shape)[order].tocsc()
    indptr = columns.indptr.astype(np.int64)
    indices = columns.indices.astype(np.int32, copy=False)
    return Graph._of_rows((indptr, indices, columns.data), weighted=graph.weighted)
