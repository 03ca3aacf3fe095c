"""Modularity in double precision, for benchmarks and records.

Functions take a symmetric SciPy matrix whose diagonal holds twice the loops' weights (see
:mod:`gpucore.families.communities.certificate` for why).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Entries processed together, unless a single row has more: bounds the temporaries.
CHUNK = 1 << 20
#: Most bytes that :func:`disconnected` takes for an entry of the lists, and for a vertex.
CONNECTED_ENTRY, CONNECTED_VERTEX = 26, 48


def adjacency(graph: Graph) -> sparse.csr_array:
    """Return the matrix of a graph: float64, loops counted twice, 8 bytes more an entry.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> adjacency(Graph.from_edges(2, [0, 1], [1, 1], [3, 5])).toarray()
    array([[ 0.,  3.],
           [ 3., 10.]])
    """
    n = graph.num_vertices
    weights = graph.weights.astype(np.float64)
    for first, last in _blocks(graph.indptr):
        entries = slice(graph.indptr[first], graph.indptr[last])
        rows = np.repeat(np.arange(first, last), np.diff(graph.indptr[first : last + 1]))
        weights[entries][rows == graph.indices[entries]] *= 2.0
    return sparse.csr_array((weights, graph.indices, graph.indptr), shape=(n, n))


def modularity(matrix: sparse.csr_array, community: NDArray[np.int64], resolution: float) -> float:
    """Return the modularity of a partition, straight from the matrix of the original graph.

    Parameters
    ----------
    matrix : csr_array, shape (n, n)
        See :func:`adjacency`.
    community : ndarray of int64, shape (n,)
        Labels from 0.
    resolution : float
        Factor of the weight that a random graph would have inside the communities.

    Returns
    -------
    float
        0 for a graph without weight.
    """
    inside = 0.0
    for first, last in _blocks(matrix.indptr):
        entries = slice(matrix.indptr[first], matrix.indptr[last])
        own = np.repeat(community[first:last], np.diff(matrix.indptr[first : last + 1]))
        inside += float(matrix.data[entries][own == community[matrix.indices[entries]]].sum())
    strength = matrix.sum(axis=1)
    return _modularity(inside, np.bincount(community, strength), resolution)


def _modularity(inside: float, totals: NDArray[Any], resolution: float) -> float:
    two_m = float(totals.sum())
    if two_m == 0.0:
        return 0.0
    return inside / two_m - resolution * float(((totals / two_m) ** 2).sum())


def _blocks(indptr: NDArray[np.integer]) -> Iterator[tuple[int, int]]:
    """Yield blocks ``first, last`` of rows with at most CHUNK entries, or of one row."""
    first, n = 0, indptr.size - 1
    while first < n:
        last = int(np.searchsorted(indptr, indptr[first] + CHUNK, side="right")) - 1
        last = max(last, first + 1)
        yield first, last
        first = last


def disconnected(graph: Graph, community: NDArray[np.integer]) -> int:
    """Return how many communities are not connected by the edges inside them of weight above 0.

    One thread; memory is `CONNECTED_ENTRY` bytes an entry and `CONNECTED_VERTEX` a vertex at most.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    >>> disconnected(path, np.array([0, 1, 1, 0])), disconnected(path, np.array([0, 0, 1, 1]))
    (1, 0)
    """
    n = graph.num_vertices
    indptr, columns = np.zeros(n + 1, np.int64), [np.empty(0, np.int32)]
    for first, last in _blocks(graph.indptr):
        entries = slice(graph.indptr[first], graph.indptr[last])
        row = np.repeat(np.arange(first, last), np.diff(graph.indptr[first : last + 1]))
        column = graph.indices[entries]
        inside = (community[row] == community[column]) & (graph.weights[entries] > 0)
        inside &= row < column
        indptr[first + 1 : last + 1] = np.bincount(row[inside] - first, minlength=last - first)
        columns.append(column[inside])
    indices = np.concatenate(columns)
    del columns
    edges = sparse.csr_array(
        (np.ones(len(indices), np.int8), indices, np.cumsum(indptr)), shape=(n, n)
    )
    count, component = connected_components(edges, directed=False)
    # The edges are inside communities, so each component is in one.
    owner = np.empty(count, dtype=np.int64)
    owner[component] = community
    return int(np.count_nonzero(np.bincount(owner) > 1))
