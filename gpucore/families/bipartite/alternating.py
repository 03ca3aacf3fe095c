"""Alternating paths of a bipartite matching, for its certificate and for decompositions.

An alternating path starts at an unmatched column. It goes from a column to a row by any entry of
the matrix, and from a row to a column only by a matched pair. Without the rows it is a path in a
directed graph on the columns, with an arc from ``c`` to the column matched to ``r`` for every entry
``(r, c)``. Rows and columns may be exchanged throughout.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


class Reach(NamedTuple):
    """Columns that alternating paths from the unmatched columns reach.

    Attributes
    ----------
    reached : ndarray of bool, shape (columns,)
        The columns reached; the unmatched columns where paths begin count too.
    path : ndarray of int, shape (k,)
        Columns of a shortest augmenting path, the unmatched one first; empty if there is none.
    """

    reached: NDArray[np.bool_]
    path: NDArray[np.integer]


def alternating_graph(
    indptr: NDArray[np.int64],
    rows: NDArray[np.int32],
    row_match: NDArray[np.int32],
    column_match: NDArray[np.int32],
) -> sparse.csr_array:
    """Return the directed graph on the columns whose paths are the alternating paths.

    Parameters
    ----------
    indptr, rows
        The matrix by columns: ``rows[indptr[c]:indptr[c + 1]]`` are the rows of column ``c``.
    row_match : ndarray of int32, shape (rows,)
        Column of every row, or -1.
    column_match : ndarray of int32, shape (columns,)
        Row of every column, or -1.

    Returns
    -------
    csr_array, shape (columns + 2, columns + 2)
        Vertex ``columns`` leads to every unmatched column; vertex ``columns + 1`` stands for every
        unmatched row.

    Examples
    --------
    >>> two_columns_in_one_row = np.array([0, 1, 2]), np.array([0, 0], np.int32)
    >>> steps = alternating_graph(
    ...     *two_columns_in_one_row, np.array([0], np.int32), np.array([0, -1], np.int32)
    ... )
    >>> steps.indices.tolist(), steps.indptr.tolist()
    ([0, 0, 1], [0, 1, 2, 3, 3])
    """
    columns = column_match.size
    sink = columns + 1
    target = np.where(row_match < 0, np.int32(sink), row_match)
    unmatched = np.flatnonzero(column_match < 0).astype(np.int32)
    arcs = np.concatenate([target[rows], unmatched])
    bounds = np.concatenate([indptr, np.full(2, arcs.size)])
    # SciPy needs a value for each arc; one value broadcast to all arcs takes no memory.
    ones = np.broadcast_to(np.float64(1.0), arcs.shape)
    return sparse.csr_array((ones, arcs, bounds), shape=(columns + 2, columns + 2))


def reach(steps: sparse.csr_array) -> Reach:
    """Follow all alternating paths from the unmatched columns, nearer columns first.

    Parameters
    ----------
    steps : csr_array
        See :func:`alternating_graph`.

    Notes
    -----
    The breadth-first search is SciPy's: a loop over levels in Python would take seconds for every
    hundred thousand levels, and paths can be that long.
    """
    from scipy.sparse.csgraph import breadth_first_order

    columns = steps.shape[0] - 2
    source, sink = columns, columns + 1
    order, before = breadth_first_order(steps, source, directed=True)
    reached = np.zeros(columns + 2, np.bool_)
    reached[order] = True
    path = []
    if reached[sink]:
        at = int(before[sink])
        while at != source:
            path.append(at)
            at = int(before[at])
    return Reach(reached[:columns], np.array(path[::-1], np.int64))
