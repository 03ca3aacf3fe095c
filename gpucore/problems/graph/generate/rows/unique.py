"""Sort the entries of rows and remove repeated ones, in place and in chunks of whole rows."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from gpucore.problems.graph.chunks import row_chunks

#: Bytes of temporary arrays for each entry that is sorted at a time: two keys, a row number, the
#: sort's own copy, a mark.
_BYTES = 40


def scratch(indptr: Any, chunk: int) -> int:
    """Return the bytes that :func:`unique_rows` takes besides its arguments, at most."""
    if indptr.size < 2:
        return 0
    longest = int((indptr[1:] - indptr[:-1]).max())
    return _BYTES * min(max(chunk, longest), int(indptr[-1]))


def unique_rows(indptr: Any, indices: Any, chunk: int, xp: ModuleType) -> tuple[Any, Any]:
    """Sort each row and keep every entry once.

    Parameters
    ----------
    indptr : array of int64, shape (rows + 1,)
        Bounds of the rows; overwritten.
    indices : array of int32
        Entries in any order; overwritten.
    chunk : int
        Entries that are sorted at a time, more only if one row has more.
    xp : module
        Library of the arrays: ``numpy`` or ``cupy``.

    Returns
    -------
    indptr, indices
        The new rows; `indices` is a view of the one given.

    Examples
    --------
    >>> indptr, indices = np.array([0, 3, 3, 5]), np.array([7, 2, 7, 1, 0], np.int32)
    >>> [rows.tolist() for rows in unique_rows(indptr, indices, 2, np)]
    [[0, 2, 2, 4], [2, 7, 0, 1]]
    """
    kept = last = 0
    for first, last, start, stop in row_chunks(indptr, chunk, xp):
        begins = indptr[first:last] - start
        keys = xp.searchsorted(begins, xp.arange(stop - start, dtype=np.int64), side="right") - 1
        keys = keys.astype(np.int64, copy=False)
        keys <<= 32
        keys |= indices[start:stop]
        keys.sort()
        fresh = xp.ones(keys.size, dtype=np.bool_)
        fresh[1:] = keys[1:] != keys[:-1]
        keys = keys[fresh]
        del fresh
        rows = xp.arange(last - first, dtype=np.int64) << 32
        indptr[first:last] = xp.searchsorted(keys, rows) + kept
        indices[kept : kept + keys.size] = (keys & 0x7FFFFFFF).astype(np.int32)
        kept += int(keys.size)
    indptr[last:] = kept
    return indptr, indices[:kept]
