"""Checks that arrays are a valid graph, with a separate GraphError for each violation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gpucore.arrays import plain
from gpucore.errors import GraphError
from gpucore.params import is_whole

#: Vertex numbers are int32.
MAX_VERTICES = 2**31 - 1


class EntryError(GraphError):
    """One entry breaks a rule; `entry` is its row and column."""

    def __init__(self, message: str, entry: tuple[int, int]) -> None:
        super().__init__(message)
        self.entry = entry


class DuplicateError(EntryError):
    """An edge is given more than once; `entry` has the smaller vertex first."""


class AsymmetryError(EntryError):
    """The entry has no equal mirror image."""


def vertex_array(values: ArrayLike, what: str) -> NDArray[np.integer]:
    """Return `values` as a one-dimensional integer array, or raise GraphError."""
    array = plain(values, what)
    if array.ndim != 1:
        raise GraphError(f"{what} must be one-dimensional, not of shape {array.shape}")
    if array.size == 0:
        return np.empty(0, np.int32)
    if array.dtype.kind not in "iu":
        raise GraphError(f"{what} must hold integers, not {array.dtype}; convert them first")
    return array


def weight_array(values: ArrayLike, size: int, what: str = "weights") -> NDArray[np.float32]:
    """Return `values` as `size` finite float32 numbers, or raise GraphError."""
    array = plain(values, what)
    if array.shape != (size,):
        raise GraphError(f"{what} must have shape ({size},) like the edges, not {array.shape}")
    if array.size and array.dtype.kind not in "iufb":
        raise GraphError(f"{what} must be real numbers, not {array.dtype}")
    named = (lambda at: f"{what}[{at}] = {array[at]}", "weights", "remove or replace it")
    return single_precision(array, *named)


def single_precision(
    array: NDArray[Any], named: Callable[[int], str], what: str, remedy: str
) -> NDArray[np.float32]:
    """Return numbers as float32, or raise GraphError if one is not finite, or lost in it.

    Parameters
    ----------
    named : callable
        ``named(at)`` returns the beginning of the error's text for the number at a place.
    what, remedy : str
        What the numbers are, and what to do with one that is not finite.
    """
    with np.errstate(over="ignore"):
        single: NDArray[np.float32] = array.astype(np.float32, copy=False)
    finite = np.isfinite(single)
    if not finite.all():
        at = int(np.argmin(finite))
        cause = (
            f"is too large for single precision (largest: 3.4e38); scale the {what} down"
            if np.isfinite(array[at])
            else f"is not a finite number; {remedy}"
        )
        raise GraphError(f"{named(at)} {cause}")
    vanished = (single == 0) & (array != 0)
    if vanished.any():
        raise GraphError(
            f"{named(int(np.argmax(vanished)))} is too small for single precision (smallest: "
            f"1.4e-45), in which it would be 0; scale the {what} up"
        )
    return single


def check_size(n: int) -> int:
    """Return the number of vertices as an int, or raise GraphError."""
    if not is_whole(n):
        raise GraphError(f"the number of vertices must be an integer, not {n!r}")
    if not 0 <= n <= MAX_VERTICES:
        raise GraphError(
            f"the number of vertices must be between 0 and {MAX_VERTICES}, not {n}: "
            "vertex numbers are 32-bit integers"
        )
    return int(n)


def check_bounds(indptr: NDArray[np.integer], indices: NDArray[np.integer]) -> None:
    """Raise GraphError unless rows are within `indices`, and indices are numbers of vertices."""
    n = indptr.size - 1
    if n < 0:
        raise GraphError("indptr must hold at least one number, the 0 it starts with")
    check_size(n)
    if indptr[0] != 0 or indptr[-1] != indices.size or (indptr[1:] < indptr[:-1]).any():
        raise GraphError(
            f"indptr must rise from 0 to the number of entries ({indices.size}) without falling"
        )
    if indices.size and (indices.min() < 0 or indices.max() >= n):
        at = int(np.argmax((indices < 0) | (indices >= n)))
        raise GraphError(f"indices[{at}] = {indices[at]} is out of range for {n} vertices")


def check_rows(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], weights: NDArray[np.float32]
) -> None:
    """Raise GraphError unless the rows are sorted and the matrix is symmetric."""
    n = indptr.size - 1
    rising = np.ones(indices.size, np.bool_)
    np.greater(indices[1:], indices[:-1], out=rising[1:])
    starts = indptr[:-1]
    rising[starts[starts < indices.size]] = True
    if not rising.all():
        at = int(np.argmin(rising))
        row = int(np.searchsorted(indptr, at, side="right")) - 1
        if indices[at] == indices[at - 1]:
            entry = (row, int(indices[at]))
            raise DuplicateError(f"row {row} holds the neighbour {indices[at]} twice", entry)
        raise GraphError(f"row {row} is not sorted; Graph.from_csr sorts rows")
    _check_symmetric(n, indptr, indices, weights)


def _check_symmetric(
    n: int, indptr: NDArray[np.int64], indices: NDArray[np.int32], weights: NDArray[np.float32]
) -> None:
    turned = sparse.csr_array((weights, indices, indptr), shape=(n, n)).tocsc()
    if (
        np.array_equal(turned.indptr, indptr)
        and np.array_equal(turned.indices, indices)
        and np.array_equal(turned.data, weights)
    ):
        return
    row, column, weight = _first_unpaired(n, indptr, indices, weights, turned)
    raise AsymmetryError(
        f"the matrix is not symmetric: entry ({row}, {column}) = {weight:g} has no equal entry "
        f"({column}, {row}); make it so "
        "(in Python: gpucore.problems.graph.prepare.symmetrise does)",
        (row, column),
    )


def _first_unpaired(
    n: int,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    weights: NDArray[np.float32],
    turned: sparse.csc_array,
) -> tuple[int, int, float]:
    """Return row, column and weight of one entry without an equal mirror image."""
    keys = np.repeat(np.arange(n), np.diff(indptr)) * n + indices
    mirrored = np.repeat(np.arange(n), np.diff(turned.indptr)) * n + turned.indices
    different = keys != mirrored
    if not different.any():
        at = int(np.argmax(weights != turned.data))
        return int(keys[at] // n), int(keys[at] % n), float(weights[at])
    at = int(np.argmax(different))  # both are sorted: the smaller key is missing in the other one
    if keys[at] < mirrored[at]:
        return int(keys[at] // n), int(keys[at] % n), float(weights[at])
    return int(mirrored[at] % n), int(mirrored[at] // n), float(turned.data[at])


def coordinate_array(values: ArrayLike, n: int) -> NDArray[np.float64]:
    """Return a copy of `values` as finite coordinates, shape (n, 2), or raise GraphError."""
    try:
        given = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise GraphError(f"coordinates must have shape ({n}, 2)") from None
    if given.size and given.dtype.kind not in "iuf":
        raise GraphError(f"coordinates must be real numbers, not {given.dtype}")
    array = given.astype(np.float64)
    if array.shape != (n, 2):
        raise GraphError(f"coordinates must have shape ({n}, 2), not {array.shape}")
    if not np.isfinite(array).all():
        raise GraphError("coordinates must be finite numbers")
    return array
