"""Modularity in double precision, for the certificate of communities.

All functions take a symmetric SciPy matrix whose diagonal holds twice the loops' weights (see
:mod:`gpucore.families.communities.certificate` for why); a contracted graph is such a matrix
again.
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

#: A gain counts only above this part of the larger of its two terms; below it is rounding.
ROUNDING = 1e-12


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


def contracted_modularity(matrix: sparse.csr_array, resolution: float) -> float:
    """Return the modularity of the partition whose communities are the rows of `matrix`."""
    return _modularity(float(matrix.diagonal().sum()), matrix.sum(axis=1), resolution)


def _modularity(inside: float, totals: NDArray[Any], resolution: float) -> float:
    two_m = float(totals.sum())
    if two_m == 0.0:
        return 0.0
    return inside / two_m - resolution * float(((totals / two_m) ** 2).sum())


def contract(matrix: sparse.csr_array, mapping: NDArray[np.int64], size: int) -> sparse.csr_array:
    """Return the matrix of a contracted graph: the sum of all entries between two parts."""
    small = sparse.csr_array((size, size), dtype=np.float64)
    for first, last in _blocks(matrix.indptr):
        entries = slice(matrix.indptr[first], matrix.indptr[last])
        rows = np.repeat(mapping[first:last], np.diff(matrix.indptr[first : last + 1]))
        places = (rows, mapping[matrix.indices[entries]])
        small = small + sparse.coo_array((matrix.data[entries], places), (size, size)).tocsr()
    return small


def best_gains(
    matrix: sparse.csr_array, community: NDArray[np.int64], resolution: float
) -> NDArray[np.float64]:
    """Return what each vertex could gain by moving alone to the best neighbouring community.

    Parameters
    ----------
    matrix, community, resolution
        As for :func:`modularity`.

    Returns
    -------
    ndarray of float64, shape (n,)
        Gain in modularity, 0 where no move gains more than rounding.
    """
    strength = matrix.sum(axis=1)
    totals = np.bincount(community, strength)
    two_m = float(strength.sum())
    gains = np.zeros(community.size)
    if two_m == 0.0:
        return gains
    for first, last in _blocks(matrix.indptr):
        linked = _to_communities(matrix, community, first, last)
        vertex = np.repeat(np.arange(last - first), np.diff(linked.indptr))
        own = community[first:last]
        k = strength[first:last]
        stays = linked.indices == own[vertex]
        to_own = np.bincount(vertex[stays], linked.data[stays], last - first)
        # Leaving loses the links to the own community, and saves the expected ones.
        links = (linked.data - to_own[vertex]) / two_m
        expected = k / two_m * (totals[own] - k) / two_m
        change = expected[vertex] - (k / two_m)[vertex] * totals[linked.indices] / two_m
        gain = 2.0 * (links + resolution * change)
        noise = ROUNDING * np.maximum(linked.data + to_own[vertex], 0.0) / two_m
        useful = ~stays & (gain > np.maximum(noise, ROUNDING * resolution * expected[vertex]))
        np.maximum.at(gains, first + vertex[useful], gain[useful])
    return gains


def _to_communities(
    matrix: sparse.csr_array, community: NDArray[np.int64], first: int, last: int
) -> sparse.csr_array:
    """Return the weights from vertices first..last-1 to every community, loops left out."""
    entries = slice(matrix.indptr[first], matrix.indptr[last])
    starts = matrix.indptr[first : last + 1] - matrix.indptr[first]
    columns = matrix.indices[entries]
    rows = np.repeat(np.arange(first, last), np.diff(starts))
    weights = np.where(rows == columns, 0.0, matrix.data[entries])
    shape = (last - first, int(community.max(initial=0)) + 1)
    linked = sparse.csr_array((weights, community[columns], starts), shape=shape)
    linked.sum_duplicates()
    return linked


def _blocks(indptr: NDArray[np.integer]) -> Iterator[tuple[int, int]]:
    """Yield blocks ``first, last`` of rows with at most CHUNK entries, or of one row."""
    first, n = 0, indptr.size - 1
    while first < n:
        last = int(np.searchsorted(indptr, indptr[first] + CHUNK, side="right")) - 1
        last = max(last, first + 1)
        yield first, last
        first = last


def disconnected(matrix: sparse.csr_array, community: NDArray[np.int64]) -> int:
    """Return how many communities are not connected by the edges inside them of weight above 0.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> path = adjacency(Graph.from_edges(4, [0, 1, 2], [1, 2, 3]))
    >>> disconnected(path, np.array([0, 1, 1, 0])), disconnected(path, np.array([0, 0, 1, 1]))
    (1, 0)
    """
    rows, columns = [], []
    for first, last in _blocks(matrix.indptr):
        entries = slice(matrix.indptr[first], matrix.indptr[last])
        row = np.repeat(np.arange(first, last), np.diff(matrix.indptr[first : last + 1]))
        column = matrix.indices[entries]
        inside = (community[row] == community[column]) & (matrix.data[entries] > 0) & (row < column)
        rows.append(row[inside].astype(np.int32))
        columns.append(column[inside].astype(np.int32))
    u, v = np.concatenate([*rows, []]).astype(np.int32), np.concatenate([*columns, []])
    edges = sparse.coo_array(
        (np.ones(len(u), dtype=np.int8), (u, v.astype(np.int32))), shape=matrix.shape
    )
    _, component = connected_components(edges, directed=False)
    parts = np.unique(np.stack([community, component.astype(np.int64)]), axis=1)[0]
    return int(np.count_nonzero(np.bincount(parts) > 1))
