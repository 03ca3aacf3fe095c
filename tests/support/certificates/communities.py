"""What the certificate of communities asks of native code: contraction with SciPy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from gpucore.families.communities import certificate
from gpucore.families.communities.modularity import adjacency, modularity
from gpucore.families.communities.native_proof import Proof

#: Entries processed together, unless a single row has more: bounds the temporaries.
CHUNK = 1 << 20

#: A gain counts only above this part of the larger of its two terms; below it is rounding.
ROUNDING = 1e-12


def reference(*arguments, **options):
    """Certify communities without native code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificate, "examine", examine)
        return certificate.certify_communities(*arguments, **options)


def examine(graph, community, levels, resolution):
    """Compute modularity on all levels, and what single moves could gain."""
    matrix = adjacency(graph)
    gains = best_gains(matrix, community, resolution)
    found = modularity(matrix, community, resolution)
    totals = [float(matrix.sum())]
    path = [modularity(matrix, np.arange(community.size), resolution)]
    for level in levels:
        parts = int(level.max(initial=-1)) + 1
        matrix = contract(matrix, level.astype(np.int64), parts)
        totals.append(float(matrix.sum()))
        path.append(modularity(matrix, np.arange(parts), resolution))
    improvable = int(np.count_nonzero(gains))
    return Proof(found, totals, path, improvable, float(gains.max(initial=0.0)), float(gains.sum()))


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
