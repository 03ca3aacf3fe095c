"""Draw different cells of a matrix at random."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

#: ``draw(count)`` returns `count` random numbers of rows, or of columns.
Draw = Callable[[int], NDArray[np.integer]]
#: Rounds of drawing before the rest is drawn from all cells alike.
_ROUNDS = 24


def power_law(rng: np.random.Generator, size: int, power: float) -> Draw:
    """Return a function that draws numbers below `size` by a power law.

    The number of place r in a random order has a probability proportional to
    ``(r + 10) ** -power``.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the order now and the numbers later.
    size : int
        Bound of the numbers.
    power : float
        Exponent of the law.
    """
    bounds = np.cumsum((np.arange(size) + 10.0) ** -power)
    order = rng.permutation(size)
    return lambda count: order[np.searchsorted(bounds[:-1], rng.random(count) * bounds[-1])]


def distinct_cells(
    rng: np.random.Generator,
    shape: tuple[int, int],
    count: int,
    rows: Draw | None = None,
    columns: Draw | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Draw `count` different cells of a matrix.

    Cells are drawn until there are enough different ones. A power law draws few new cells once
    most of the popular ones are taken; after some rounds the rest is drawn uniformly from the free
    cells.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of the cells.
    shape : tuple of int
        Rows and columns; there are at least `count` cells.
    count : int
        Number of cells.
    rows, columns : callable, optional
        Draw rows and columns; by default uniformly.

    Returns
    -------
    rows, columns : ndarray of int32, shape (count,)
        In row order.
    """
    total = shape[0] * shape[1]
    cells: NDArray[np.int64] = np.empty(0, np.int64)
    if rows is not None and columns is not None:
        cells = _different(
            lambda many: rows(many).astype(np.int64) * shape[1] + columns(many), count, _ROUNDS
        )
    if cells.size < count:
        # The f-th free cell lies behind all taken cells c with at most f free ones before them.
        free = _different(
            lambda many: rng.integers(0, total - cells.size, many), count - cells.size
        )
        before = np.searchsorted(cells - np.arange(cells.size), free, side="right")
        cells = np.sort(np.concatenate((cells, free + before)))
    i, j = np.divmod(cells, shape[1])
    return i.astype(np.int32), j.astype(np.int32)


def _different(draw: Draw, count: int, rounds: int | None = None) -> NDArray[np.int64]:
    """Draw until there are `count` different numbers, or for some rounds; return them sorted."""
    found: NDArray[np.int64] = np.empty(0, np.int64)
    while found.size < count and rounds != 0:
        missing = count - found.size
        drawn = draw(missing + missing // 8 + 8).astype(np.int64, copy=False)
        found = _joined(found, drawn, count)
        rounds = None if rounds is None else rounds - 1
    return found


def _joined(cells: NDArray[np.int64], drawn: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the cells, sorted, and those drawn that are new; the first drawn if too many."""
    fresh, first = np.unique(drawn, return_index=True)
    if cells.size:
        place = np.minimum(np.searchsorted(cells, fresh), cells.size - 1)
        new = cells[place] != fresh
        fresh, first = fresh[new], first[new]
    missing = count - cells.size
    if fresh.size > missing:
        fresh = fresh[first < np.partition(first, missing)[missing]]
    joined = np.concatenate((cells, fresh))
    joined.sort(kind="stable")
    return joined
