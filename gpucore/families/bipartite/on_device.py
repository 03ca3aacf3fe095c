"""A matrix in a device's memory, made there from its entries."""

from __future__ import annotations

from typing import Any

from gpucore.arrays import Entries
from gpucore.errors import GraphError
from gpucore.families.bipartite.state import Matrix
from gpucore.limits import NARROW_ENTRIES
from gpucore.problems.bipartite.csr import check_shape

#: Bytes an entry that sorting takes, and that the lists of both sides take.
BYTES_TO_SORT = 40


def matrix_of_entries(xp: Any, entries: Entries) -> Matrix:
    """Return the lists of rows and columns, sorted, an entry that is given twice once.

    Parameters
    ----------
    xp : module
        That of the entries' arrays, NumPy's or CuPy's.
    entries : Entries

    Raises
    ------
    GraphError
        More rows and columns, or entries, than the kernels can number, or an entry outside.
    """
    rows, columns = check_shape(entries.shape)
    i, j = entries.rows.astype(xp.int64), entries.columns.astype(xp.int64)
    if i.size and bool(((i < 0) | (i >= rows) | (j < 0) | (j >= columns)).any()):
        raise GraphError(f"an entry is outside of the matrix of {rows} rows and {columns} columns")
    by_row = xp.unique(i * columns + j)
    if 2 * by_row.size > NARROW_ENTRIES:
        raise GraphError(
            f"{by_row.size:,} entries are more than the {NARROW_ENTRIES // 2:,} that the kernels "
            "can number; take a smaller matrix"
        )
    i, j = by_row // max(1, columns), by_row % max(1, columns)
    by_column = xp.sort(j * rows + i)
    m = int(by_row.size)
    indices = xp.empty(max(1, 2 * m), dtype=xp.int32)
    indices[:m] = j + rows
    indices[m : 2 * m] = by_column % max(1, rows)
    return Matrix(
        rows=rows,
        columns=columns,
        entries=m,
        row_indptr=_starts(xp, i, rows),
        column_indptr=_starts(xp, by_column // max(1, rows), columns) + m,
        indices=indices,
    )


def _starts(xp: Any, numbers: Any, count: int) -> Any:
    """Return where each number's run begins in a sorted array, and the end: int64."""
    return xp.searchsorted(numbers, xp.arange(count + 1)).astype(xp.int64)
