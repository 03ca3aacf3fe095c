"""Matchings that a caller gives to begin with: their checks, and the texts that stand for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.problems.bipartite.graph import BipartiteGraph

#: A name of an initial matching, or the matching itself: the column of each row, -1 for none.
Initial = str | ArrayLike
#: Names of initial matchings; not every method computes all.
NAMES = ("cheap", "cheap_serial", "karp_sipser", "short_first", "none", "auto")
#: In the parameters of a result: the name of a matching that the caller gave.
GIVEN = "given"


def check_initial(initial: Any, names: Sequence[str]) -> None:
    """Raise ParameterError unless `initial` is one of the names or can be a matching.

    Parameters
    ----------
    initial : str or array_like of int, shape (rows,)
        As a caller gives it; :func:`check_given` checks a matching against its matrix.
    names : sequence of str
        Names of initial matchings that a method can compute.
    """
    if isinstance(initial, str):
        if initial in names:
            return
        raise ParameterError(
            f"there is no initial matching {initial!r}; use {', '.join(names)}, or a matching: the "
            "column of each row, -1 for none (on the command line: a file)"
        )
    if not isinstance(initial, np.ndarray | Sequence) or isinstance(initial, bytes):
        raise ParameterError(
            f"initial is {initial!r}; use {', '.join(names)}, or a matching: the column of each "
            "row, -1 for none"
        )


def check_given(graph: BipartiteGraph, given: ArrayLike) -> NDArray[np.int32]:
    """Return a given matching as int32, shape (rows,), or raise an error that says what is wrong.

    Parameters
    ----------
    graph : BipartiteGraph
        The matrix.
    given : array_like of int, shape (rows,)
        The column of each row, -1 for none.

    Raises
    ------
    ParameterError
        Wrong shape or type, a column outside the matrix or taken twice, a pair without an
        entry; the message names the pair.
    """
    columns = _as_whole_numbers(graph, given)
    outside = np.flatnonzero((columns < -1) | (columns >= graph.num_columns))
    if outside.size:
        row = int(outside[0])
        known = (
            f"columns are numbered 0 to {graph.num_columns - 1}"
            if graph.num_columns
            else "the matrix has no columns"
        )
        raise ParameterError(
            f"the given matching pairs row {row} with column {columns[row]}, but {known}, "
            "and -1 is none"
        )
    columns = columns.astype(np.int32)
    rows = np.flatnonzero(columns >= 0)
    taken, count = np.unique(columns[rows], return_counts=True)
    if (count > 1).any():
        twice = int(taken[np.argmax(count > 1)])
        first, second = np.flatnonzero(columns == twice)[:2]
        raise ParameterError(
            f"the given matching pairs both row {first} and row {second} with column {twice}"
        )
    there = are_entries(graph, rows, columns[rows])
    if not there.all():
        row = int(rows[np.argmin(there)])
        raise ParameterError(
            f"the given matching pairs row {row} with column {columns[row]}, where the matrix has "
            "no entry"
        )
    return columns


def _as_whole_numbers(graph: BipartiteGraph, given: ArrayLike) -> NDArray[Any]:
    """Return the numbers of a given matching, one for each row."""
    try:
        columns = np.asarray(given)
    except (ValueError, OverflowError):  # lists of different lengths
        raise ParameterError(
            "a given matching has one whole number for each row, not lists of different lengths"
        ) from None
    if not columns.size:  # NumPy takes an empty list for floats
        columns = columns.astype(np.int32)
    if columns.shape != (graph.num_rows,) or columns.dtype.kind not in "iu":
        raise ParameterError(
            f"a given matching has one whole number for each of the {graph.num_rows} rows, its "
            f"column or -1, not {columns.dtype} of shape {columns.shape}"
        )
    return columns


def are_entries(
    graph: BipartiteGraph, rows: NDArray[Any], columns: NDArray[Any]
) -> NDArray[np.bool_]:
    """Return for each pair whether it is an entry of the matrix, by bisection in all the rows.

    Examples
    --------
    >>> from gpucore.problems.bipartite.graph import BipartiteGraph
    >>> matrix = BipartiteGraph.from_matrix([[1, 1, 0], [0, 0, 1]])
    >>> are_entries(matrix, np.array([0, 0, 1]), np.array([1, 2, 2])).tolist()
    [True, False, True]
    """
    indptr, listed = graph.by_row()
    low, end = indptr[rows], indptr[rows + 1]
    high = end.copy()
    while (wide := low < high).any():
        middle = (low + high) // 2
        below = np.zeros(len(rows), bool)
        below[wide] = listed[middle[wide]] < columns[wide]
        low, high = np.where(below, middle + 1, low), np.where(below, high, middle)
    found: NDArray[np.bool_] = low < end
    found[found] = listed[low[found]] == columns[found]
    return found


def describe_initial(initial: Initial, pairs: int) -> dict[str, Any]:
    """Return the parameters of a result that say where it began, JSON-able.

    >>> describe_initial("cheap", 7), describe_initial([1, -1], 1)
    ({'initial': 'cheap'}, {'initial': 'given', 'given': 1})
    """
    if isinstance(initial, str):
        return {"initial": initial}
    return {"initial": GIVEN, GIVEN: pairs}


def read_initial(text: str) -> Initial:
    """Return what a text of the command line means: a name, or the matching of a file.

    Only the command line may call this, since it opens the file.

    Parameters
    ----------
    text : str
        One of :data:`NAMES`, or a file; see
        :func:`gpucore.io.numbers.read_numbers`. Any other text is returned as it is.

    Raises
    ------
    ParameterError
        The file cannot be read, or holds something else.
    """
    from gpucore.io.numbers import exists, read_numbers

    if text in NAMES or not (PurePath(text).suffix or exists(text)):
        return text
    return read_numbers(text, "one whole number for each row: its column, or -1")
