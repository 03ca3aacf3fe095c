"""Compressed sparse rows of an undirected graph: built from edges, or checked entry by entry.

Both directions are built from the upper half ``H`` (``u <= v``) without ever holding a
coordinate list of all entries: a stable counting sort by the larger endpoint, one transposition
that sorts by the smaller one, a second transposition that gives the lower half, and an
interleaving of the two halves row by row. Every pass is linear in the number of edges and
stable, so "the first of several equal edges" means the first one given.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gpucore.csr_checks import DuplicateError, check_bounds, check_size, vertex_array, weight_array
from gpucore.errors import GraphError

Duplicates = Literal["error", "first", "sum", "max", "larger"]
Arrays = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]


def _check_range(n: int, u: NDArray[np.integer], v: NDArray[np.integer]) -> None:
    for end in (u, v):
        if end.size and (end.min() < 0 or end.max() >= n):
            at = int(np.argmax((end < 0) | (end >= n)))
            raise GraphError(
                f"edge {at} ({u[at]}, {v[at]}): vertex {end[at]} is out of range, the graph has "
                f"{n} vertices numbered from 0; numbers that start at 1 must be shifted"
            )


def _sorted_half(
    n: int, low: NDArray[np.int32], high: NDArray[np.int32], weights: NDArray[np.float32]
) -> Arrays:
    """Return rows `low` with sorted entries `high`, equal edges in the order given."""
    m = low.size
    by_high = sparse.csc_array(
        (np.zeros(m, np.int8), high, np.arange(m + 1)), shape=(n, m)
    ).tocsr()  # a counting sort: row h lists the edges whose larger endpoint is h
    order = by_high.indices
    half = sparse.csr_array((weights[order], low[order], by_high.indptr), shape=(n, n)).tocsc()
    return half.indptr.astype(np.int64, copy=False), half.indices, half.data


def _merge_duplicates(
    n: int,
    indptr: NDArray[np.int64],
    high: NDArray[np.int32],
    weights: NDArray[np.float32],
    duplicates: Duplicates,
) -> Arrays:
    """Give every row each entry once; the weights of equal edges are combined as asked."""
    fresh = _starts_of_runs(indptr, high)
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
    merged = _combine(weights, starts, duplicates)
    kept = np.zeros(high.size + 1, np.int64)
    np.cumsum(fresh, out=kept[1:])
    return kept[indptr], high[starts], merged


def _combine(
    weights: NDArray[np.float32], starts: NDArray[np.int64], duplicates: Duplicates
) -> NDArray[np.float32]:
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


def _starts_of_runs(indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> NDArray[np.bool_]:
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
        For everything that is not such a graph.
    """
    n = check_size(n)
    first, second = vertex_array(u, "u"), vertex_array(v, "v")
    if first.shape != second.shape:
        raise GraphError(f"u and v must have equal lengths, not {first.size} and {second.size}")
    m = first.size
    weights = np.ones(m, np.float32) if w is None else weight_array(w, m, "w")
    _check_range(n, first, second)
    low = np.minimum(first, second).astype(np.int32, copy=False)
    high = np.maximum(first, second).astype(np.int32, copy=False)
    start, high, weights = _sorted_half(n, low, high, weights)
    del low, first, second
    start, high, weights = _merge_duplicates(n, start, high, weights, duplicates)
    return _both_directions(n, start, high, weights)


def _both_directions(
    n: int, start: NDArray[np.int64], high: NDArray[np.int32], weights: NDArray[np.float32]
) -> Arrays:
    """Interleave the upper half (loops included) with its transpose (loops left out)."""
    upper = sparse.csr_array((weights, high, start), shape=(n, n))
    loops = np.zeros(n, np.int64)
    first = start[:-1][np.diff(start) > 0]  # a loop is the first entry of its upper row
    rows = np.flatnonzero(np.diff(start) > 0)
    loops[rows] = high[first] == rows
    lower = upper.tocsc()
    keep = np.ones(high.size, np.bool_)  # a loop is the last entry of its lower row
    keep[lower.indptr[1:][loops > 0] - 1] = False
    before, after = np.diff(lower.indptr) - loops, np.diff(start)
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(before + after, out=indptr[1:])
    is_lower = np.repeat(
        np.tile(np.array([True, False]), n), np.column_stack((before, after)).ravel()
    )
    indices = np.empty(is_lower.size, np.int32)
    values = np.empty(is_lower.size, np.float32)
    indices[is_lower] = lower.indices[keep]
    values[is_lower] = lower.data[keep]
    np.logical_not(is_lower, out=is_lower)
    indices[is_lower] = high
    values[is_lower] = weights
    return indptr, indices, values


def sort_rows(
    indptr: NDArray[np.integer], indices: NDArray[np.integer], weights: NDArray[np.float32]
) -> Arrays:
    """Return the rows sorted by index, in linear time: transposing twice sorts."""
    check_bounds(indptr, indices)
    n = indptr.size - 1
    twice = sparse.csr_array((weights, indices, indptr), shape=(n, n)).tocsc().tocsr()
    return (
        twice.indptr.astype(np.int64, copy=False),
        twice.indices.astype(np.int32, copy=False),
        twice.data,
    )
