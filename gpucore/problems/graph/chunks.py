"""Rows of a graph in chunks, for work that takes memory for each entry."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

#: Entries that are sorted at a time.
CHUNK = 1 << 23


def row_chunks(indptr: Any, chunk: int, xp: ModuleType) -> list[tuple[int, int, int, int]]:
    """Return consecutive chunks of whole rows, each with entries.

    Parameters
    ----------
    indptr : array of int64, shape (rows + 1,)
        Bounds of the rows.
    chunk : int
        Most entries of a chunk; only a single row may have more.
    xp : module
        Library of the array: ``numpy`` or ``cupy``.

    Returns
    -------
    list of tuple of int
        Of each chunk the first row, the one behind the last, and the same of its entries.

    Examples
    --------
    >>> row_chunks(np.array([0, 3, 3, 5, 6]), 3, np)
    [(0, 2, 0, 3), (2, 4, 3, 6)]
    """
    total = int(indptr[-1])
    chunks, first, start = [], 0, 0
    while start < total:
        limits = xp.array([start, start + chunk], dtype=np.int64)
        least, behind = xp.searchsorted(indptr, limits, side="right").tolist()
        last = max(least, behind - 1)
        stop = int(indptr[last])
        chunks.append((first, last, start, stop))
        first, start = last, stop
    return chunks
