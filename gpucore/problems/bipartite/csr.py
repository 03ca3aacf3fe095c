"""Compressed sparse rows of a bipartite graph: the lists of a matrix's rows, then its columns'."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.problems.graph.checks import check_size, vertex_array
from gpucore.problems.graph.csr import Arrays, starts_of_runs
from gpucore.rows import row_starts


def check_shape(shape: tuple[int, int]) -> tuple[int, int]:
    """Return the numbers of rows and columns as ints, or raise GraphError."""
    if len(shape) != 2:
        raise GraphError(f"the shape must be two numbers, rows and columns, not {shape!r}")
    rows, columns = check_size(shape[0]), check_size(shape[1])
    check_size(rows + columns)
    return rows, columns


def check_entries(
    rows: ArrayLike, columns: ArrayLike, shape: tuple[int, int]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the places of the entries as arrays of int32, or raise GraphError."""
    i, j = vertex_array(rows, "rows"), vertex_array(columns, "columns")
    if i.size != j.size:
        raise GraphError(f"rows and columns must have equal lengths, not {i.size} and {j.size}")
    for what, numbers, count in (("row", i, shape[0]), ("column", j, shape[1])):
        if numbers.size and (numbers.min() < 0 or numbers.max() >= count):
            at = int(np.argmax((numbers < 0) | (numbers >= count)))
            raise GraphError(
                f"entry {at} ({i[at]}, {j[at]}): {what} {numbers[at]} is out of range, the matrix "
                f"has {count} {what}s numbered from 0; numbers that start at 1 must be shifted"
            )
    return i.astype(np.int32, copy=False), j.astype(np.int32, copy=False)


def check_sides(indptr: NDArray[np.int64], indices: NDArray[np.int32], num_rows: int) -> None:
    """Raise GraphError unless every edge joins one of the first `num_rows` vertices and another."""
    half = int(indptr[num_rows])
    wrong = np.concatenate((indices[:half] < num_rows, indices[half:] >= num_rows))
    if wrong.any():
        at = int(np.argmax(wrong))
        vertex = int(np.searchsorted(indptr, at, side="right")) - 1
        side = "rows" if at < half else "columns"
        raise GraphError(
            f"edge ({vertex}, {indices[at]}) joins two {side}; every edge of a bipartite graph "
            "joins a row and a column"
        )


def both_sides(
    rows: NDArray[np.int32], columns: NDArray[np.int32], shape: tuple[int, int]
) -> Arrays:
    """Return the sorted lists of the rows, then those of the columns, every entry once.

    Converting rows to columns or back is a counting sort, linear in the entries. Two conversions
    sort the lists of the rows, a third one gives the lists of the columns.
    """
    entries = sparse.coo_array((np.ones(rows.size, np.int8), (rows, columns)), shape=shape)
    entries.has_canonical_format = True  # equal entries are dropped below, not added up
    by_row = _without_repeats(entries.tocsc().tocsr())
    by_column = by_row.tocsc()
    m = by_row.nnz
    indptr = np.concatenate(
        (by_row.indptr.astype(np.int64), by_column.indptr[1:].astype(np.int64) + m)
    )
    indices = np.empty(2 * m, np.int32)
    np.add(by_row.indices, shape[0], out=indices[:m], casting="unsafe")
    indices[m:] = by_column.indices
    return indptr, indices, np.ones(2 * m, np.float32)


def _without_repeats(by_row: sparse.csr_array) -> sparse.csr_array:
    fresh = starts_of_runs(by_row.indptr, by_row.indices)
    if fresh.all():
        return by_row
    kept = row_starts(fresh)
    columns = by_row.indices[fresh]
    ones = np.ones(columns.size, np.int8)
    return sparse.csr_array((ones, columns, kept[by_row.indptr]), shape=by_row.shape)
