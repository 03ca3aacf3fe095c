"""Compressed sparse rows of an undirected graph: built from edges, or checked entry by entry.

Both directions are built from the upper half (``u <= v``) without a coordinate list of all entries:
a stable counting sort by the larger endpoint, a transposition that sorts by the smaller one (both
are skipped for sorted edges), a second transposition that gives the lower half, and an interleaving
of the two halves row by row. Every pass is linear in the number of
edges and stable, so "the first of several equal edges" means the first one given.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.problems.graph.checks import (
    MAX_VERTICES,
    DuplicateError,
    check_bounds,
    check_size,
    vertex_array,
    weight_array,
)
from gpucore.rows import row_starts

Duplicates = Literal["error", "first", "sum", "max", "larger"]
Arrays = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]
#: The same with weights that may be ones of one byte each.
Half = tuple[NDArray[np.int64], NDArray[np.int32], NDArray]


def _check_range(n: int, u: NDArray[np.integer], v: NDArray[np.integer]) -> None:
    for end in (u, v):
        if end.size and (end.min() < 0 or end.max() >= n):
            at = int(np.argmax((end < 0) | (end >= n)))
            raise GraphError(
                f"edge {at} ({u[at]}, {v[at]}): vertex {end[at]} is out of range, the graph has "
                f"{n} vertices numbered from 0; numbers that start at 1 must be shifted"
            )


def _ordered(
    first: NDArray[np.integer], second: NDArray[np.integer]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the smaller and the larger ends, without a copy if one side is always smaller."""
    if not (first <= second).all():
        if (first >= second).all():
            first, second = second, first
        else:
            first, second = np.minimum(first, second), np.maximum(first, second)
    return first.astype(np.int32, copy=False), second.astype(np.int32, copy=False)


def _sorted_half(n: int, low: NDArray[np.int32], high: NDArray[np.int32], weights: NDArray) -> Half:
    """Return rows `low` with sorted entries `high`, equal edges in the order given."""
    m = low.size
    if ((low[1:] > low[:-1]) | ((low[1:] == low[:-1]) & (high[1:] >= high[:-1]))).all():
        start = row_starts(np.bincount(low, minlength=n))
        return start, high, weights
    width: type[np.signedinteger] = np.int32 if m < MAX_VERTICES else np.int64
    edges: NDArray[np.signedinteger] = np.arange(m + 1, dtype=width)
    by_high = sparse.csc_array((np.zeros(m, np.int8), high, edges), shape=(n, m)).tocsr()
    # A counting sort: row h of it lists the edges whose larger endpoint is h.
    order, bounds = by_high.indices, by_high.indptr
    del by_high, edges
    half = sparse.csr_array((weights[order], low[order], bounds), shape=(n, n)).tocsc()
    return (
        half.indptr.astype(np.int64, copy=False),
        half.indices.astype(np.int32, copy=False),
        half.data,
    )


def _merge_duplicates(
    n: int,
    indptr: NDArray[np.int64],
    high: NDArray[np.int32],
    weights: NDArray,
    duplicates: Duplicates,
) -> Half:
    """Merge equal entries of each row; their weights are combined as `duplicates` says."""
    fresh = starts_of_runs(indptr, high)
    starts = np.flatnonzero(fresh)
    if starts.size == high.size:
        return indptr, high, weights
    if duplicates == "error":
        at = int(np.argmin(fresh))
        row = int(np.searchsorted(indptr, at, side="right")) - 1
        raise DuplicateError(
            f"edge ({row}, {high[at]}) is given more than once (the order of its ends does not "
            'matter); say what to do with duplicates="first", "sum", "max" or "larger"',
            (row, int(high[at])),
        )
    merged = combine(weights, starts, duplicates)
    kept = row_starts(fresh)
    return kept[indptr], high[starts], merged


def combine(weights: NDArray, starts: NDArray[np.int64], duplicates: Duplicates) -> NDArray:
    """Return one weight for each run of equal edges that begins at `starts`."""
    if duplicates == "first":
        return weights[starts]
    if duplicates == "sum":
        return weight_array(np.add.reduceat(weights.astype(np.float64), starts), starts.size)
    largest = np.maximum.reduceat(weights, starts)
    if duplicates == "max":
        return largest
    if duplicates == "larger":
        smallest = np.minimum.reduceat(weights, starts)
        return np.where(largest >= -smallest, largest, smallest)
    raise GraphError(
        f'duplicates must be "error", "first", "sum", "max" or "larger", not {duplicates!r}'
    )


def starts_of_runs(indptr: NDArray[np.integer], indices: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return where an entry differs from the one before it in its row."""
    fresh = np.ones(indices.size, np.bool_)
    np.not_equal(indices[1:], indices[:-1], out=fresh[1:])
    starts = indptr[:-1]
    fresh[starts[starts < indices.size]] = True
    return fresh


def assemble(
    n: int, u: ArrayLike, v: ArrayLike, w: ArrayLike | None, duplicates: Duplicates
) -> Arrays:
    """Return the rows of the undirected graph with edges ``u[i] -- v[i]``.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : array_like of int, shape (m,)
        Ends of the edges, in any order, each undirected edge once.
    w : array_like of float, shape (m,), or None
        Weights; None for ones.
    duplicates : {"error", "first", "sum", "max", "larger"}
        What to do with an edge that is given more than once; "larger" keeps the weight of larger
        absolute value, the positive one of two opposite ones.

    Returns
    -------
    indptr : ndarray of int64, shape (n + 1,)
    indices : ndarray of int32, shape (2 * edges + loops,)
    weights : ndarray of float32, same shape

    Raises
    ------
    GraphError
        If the edges are not such a graph.
    """
    n = check_size(n)
    first, second = vertex_array(u, "u"), vertex_array(v, "v")
    if first.shape != second.shape:
        raise GraphError(f"u and v must have equal lengths, not {first.size} and {second.size}")
    m = first.size
    # Ones of one byte each suffice while the halves are sorted.
    weights: NDArray = np.ones(m, np.int8) if w is None else weight_array(w, m, "w")
    _check_range(n, first, second)
    low, high = _ordered(first, second)
    start, high, weights = _sorted_half(n, low, high, weights)
    del low, first, second
    start, high, weights = _merge_duplicates(n, start, high, weights, duplicates)
    return _both_directions(n, start, high, weights)


def _both_directions(
    n: int, start: NDArray[np.int64], high: NDArray[np.int32], weights: NDArray
) -> Arrays:
    """Interleave the upper half (loops included) with its transpose (loops left out)."""
    lower = sparse.csr_array((weights, high, start), shape=(n, n)).tocsc()
    rows = np.flatnonzero(np.diff(start))
    rows = rows[high[start[rows]] == rows]  # a loop is the first entry of its upper row
    loops = np.zeros(n, np.int64)
    loops[rows] = 1
    mirrored, values = lower.indices, lower.data
    if rows.size:  # and the last one of its lower row
        keep = np.ones(high.size, np.bool_)
        keep[lower.indptr[1:][rows] - 1] = False
        mirrored, values = mirrored[keep], values[keep]
    before, after = np.diff(lower.indptr) - loops, np.diff(start)
    del lower
    indptr = row_starts(before + after)
    is_lower = np.repeat(
        np.tile(np.array([True, False]), n), np.column_stack((before, after)).ravel()
    )
    is_upper = ~is_lower
    indices = np.empty(is_lower.size, np.int32)
    indices[is_lower], indices[is_upper] = mirrored, high
    del mirrored
    both = np.empty(is_lower.size, np.float32)
    both[is_lower], both[is_upper] = values, weights
    return indptr, indices, both


def sort_rows(
    indptr: NDArray[np.integer], indices: NDArray[np.integer], weights: NDArray[np.float32]
) -> Arrays:
    """Return the rows sorted by index in linear time, by transposing twice."""
    check_bounds(indptr, indices)
    n = indptr.size - 1
    twice = sparse.csr_array((weights, indices, indptr), shape=(n, n)).tocsc().tocsr()
    return (
        twice.indptr.astype(np.int64, copy=False),
        twice.indices.astype(np.int32, copy=False),
        twice.data,
    )
