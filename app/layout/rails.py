"""The layout on two rails: rows and columns in an order with few crossings.

To minimise the crossings between two layers of a bipartite graph is hard; the barycentre method
[1]_ comes close. Each side in turn is sorted by the mean place of its neighbours on the other one,
from an order that keeps neighbours close together (reverse Cuthill-McKee), and the best order found
is kept. The layout is deterministic: the same matrix, the same drawing.

.. [1] K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
   structures", IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from gpucore.progress import Cancel, check

#: A longer rail is not laid out: its vertices would be thinner than a pixel.
MOST_ON_A_RAIL = 600

#: Sweeps over both sides; the count of crossings hardly falls after a dozen.
SWEEPS = 24

#: Half the distance of the rails, in the unit in which they are 2 long.
HEIGHT = 0.3


def rails(
    rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int], *, cancel: Cancel | None = None
) -> np.ndarray | None:
    """Return places on two rails for the rows and the columns of a matrix.

    Parameters
    ----------
    rows, columns : ndarray of int, shape (nnz,)
        Row and column of each entry.
    shape : tuple of int
        R rows and C columns.

    Returns
    -------
    ndarray of float32, shape (R + C, 2), or None
        Rows at the bottom, columns at the top, each evenly spread from -1 to 1; None if a side
        has more than :data:`MOST_ON_A_RAIL`.

    Raises
    ------
    Cancelled
    """
    if max(shape) > MOST_ON_A_RAIL:
        return None
    row_order, column_order = fewest_crossings(rows, columns, shape, cancel=cancel)
    if _falls(row_order) + _falls(column_order) > 0:  # the mirror image has as few crossings
        row_order, column_order = row_order[::-1], column_order[::-1]
    places = np.empty((sum(shape), 2), np.float32)
    for order, first, height in ((row_order, 0, -HEIGHT), (column_order, shape[0], HEIGHT)):
        places[first + order, 0] = _spread(len(order), max(shape))
        places[first : first + len(order), 1] = height
    return places


def in_order(shape: tuple[int, int]) -> np.ndarray | None:
    """Return places on two rails in the order of the numbers; see :func:`rails`."""
    if max(shape) > MOST_ON_A_RAIL:
        return None
    rows, columns = shape
    places = np.empty((rows + columns, 2), np.float32)
    places[:, 0] = np.concatenate([_spread(count, max(shape)) for count in shape])
    places[:, 1] = np.repeat(np.array([-HEIGHT, HEIGHT], np.float32), shape)
    return places


def _falls(order: np.ndarray) -> float:
    """Return from -1 to 1 whether numbers rise (-1) or fall (1) along a rail."""
    if len(order) < 2:
        return 0.0
    return -float(np.corrcoef(order, np.arange(len(order)))[0, 1])


def _spread(count: int, most: int) -> np.ndarray:
    """Return `count` places from -1 to 1, nearer to the middle if far fewer than `most`."""
    if count < 2:
        return np.zeros(count)
    # A short rail is stretched, but not to the full length of the other.
    half = min(1.0, max(0.5, 1.4 * (count - 1) / max(most - 1, 1)))
    return np.linspace(-half, half, count)


def fewest_crossings(
    rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int], *, cancel: Cancel | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return orders of rows and columns in which few lines cross: int64, shapes (R,) and (C,).

    Raises
    ------
    Cancelled
    """
    ones = np.ones(len(rows))
    matrix = sparse.coo_array((ones, (rows, columns)), shape=shape).toarray() > 0
    row_order, column_order = _close_together(matrix)
    best = row_order, column_order
    fewest = crossings(matrix[row_order][:, column_order])
    for sweep in range(SWEEPS):
        check(cancel)
        if sweep % 2 == 0:
            row_order = _by_barycentre(matrix[:, column_order], row_order)
        else:
            column_order = _by_barycentre(matrix[row_order].T, column_order)
        found = crossings(matrix[row_order][:, column_order])
        if found < fewest:
            fewest, best = found, (row_order, column_order)
    return best


def crossings(matrix: np.ndarray) -> int:
    """Return how many pairs of lines cross, rows and columns drawn in the order of a matrix.

    Parameters
    ----------
    matrix : ndarray of bool, shape (R, C)
        True where there is a line between a row and a column.

    Examples
    --------
    >>> crossings(np.array([[1, 0], [0, 1]], bool)), crossings(np.array([[0, 1], [1, 0]], bool))
    (0, 1)
    """
    # Lines cross if one begins further left and ends further right: for each line, count those
    # of later rows and earlier columns.
    before = np.cumsum(matrix[::-1], axis=0)[::-1]
    after = np.zeros(matrix.shape, np.int64)
    after[:-1, 1:] = np.cumsum(before, axis=1)[1:, :-1]
    return int(after[matrix].sum())


def _close_together(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return orders that keep neighbours close: part by part, the largest first, level by level.

    Empty rows and columns come last.
    """
    count, n = len(matrix), sum(matrix.shape)
    if n == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    rows, columns = np.nonzero(matrix)
    ends = np.concatenate([rows, columns + count]), np.concatenate([columns + count, rows])
    graph = sparse.coo_array((np.ones(len(ends[0]), np.int8), ends), shape=(n, n)).tocsr()
    order = csgraph.reverse_cuthill_mckee(graph, symmetric_mode=True).astype(np.int64)
    part = csgraph.connected_components(graph)[1]
    size = np.bincount(part, minlength=1)
    order = order[np.lexsort((part[order], -size[part[order]]))]
    return order[order < count], order[order >= count] - count


def _by_barycentre(neighbours: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Sort one side by the mean place of its neighbours; one without neighbours keeps its place."""
    degree = neighbours.sum(axis=1)
    sums = neighbours @ np.arange(neighbours.shape[1])
    place = np.empty(len(order))
    place[order] = np.arange(len(order)) * (neighbours.shape[1] / max(len(order), 1))
    wanted = np.where(degree > 0, sums / np.maximum(degree, 1), place)
    return order[np.argsort(wanted[order], kind="stable")]
