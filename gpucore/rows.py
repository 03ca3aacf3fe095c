"""Lists one after the other in one array, as the rows of compressed matrices are."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def row_starts(lengths: ArrayLike) -> NDArray[np.int64]:
    """Return where each list begins, and where the last one ends; of marks, the marks before each.

    Examples
    --------
    >>> row_starts([2, 0, 3]), row_starts(np.array([True, False, True]))
    (array([0, 2, 2, 5]), array([0, 1, 1, 2]))
    """
    lengths = np.asarray(lengths)
    starts = np.zeros(lengths.size + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def row_numbers(starts: NDArray[np.integer]) -> NDArray[np.int32]:
    """Return the list that every element is in, of lists that begin and end at `starts`.

    Examples
    --------
    >>> row_numbers(np.array([0, 2, 2, 5])).tolist()
    [0, 0, 2, 2, 2]
    """
    return np.repeat(np.arange(starts.size - 1, dtype=np.int32), np.diff(starts))
