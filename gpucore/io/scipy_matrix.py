"""Matrices in the arrays of ``scipy.sparse.save_npz``, checked before SciPy gets them.

SciPy converts what it is given: it truncates fractions and reads texts as numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problems.graph.prepare import Matrix

_SAVE = "save it again"


def matrix_of(
    arrays: Mapping[str, np.ndarray], limits: Limits, vertices: Callable[[tuple[int, ...]], int]
) -> Matrix:
    """Return the matrix in the arrays of a SciPy archive.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Arrays by SciPy's names.
    limits : Limits
        Larger matrices are refused.
    vertices : callable
        ``vertices(shape)`` returns the number of vertices, for the limits.

    Raises
    ------
    GraphError
        The matrix is invalid or too large.
    """
    form = _form(arrays)
    rows, columns = (int(length) for length in _whole(arrays, "shape", 2))
    data = _array(arrays, "data")
    if data.dtype.kind not in "biufc":
        raise GraphError(f"the array 'data' holds {data.dtype}, not numbers; {_SAVE}")
    limits.check("the matrix", vertices((rows, columns)), data.size)
    # SciPy computes with neither half precision nor another byte order.
    half = data.dtype.kind == "f" and data.dtype.itemsize == 2
    data = data.astype(np.float32 if half else data.dtype.newbyteorder("="), copy=False)
    if form == "coo":
        i, j = (_whole(arrays, name, data.size) for name in ("row", "col"))
        _check_range("row", i, rows)
        _check_range("col", j, columns)
        return sparse.coo_array((data, (i, j)), shape=(rows, columns))
    long, wide = (rows, columns) if form == "csr" else (columns, rows)
    indices = _whole(arrays, "indices", data.size)
    indptr = _whole(arrays, "indptr", long + 1)
    _check_range("indices", indices, wide)
    _check_range("indptr", indptr, data.size + 1)
    if indptr[0] != 0 or indptr[-1] != data.size or (indptr[1:] < indptr[:-1]).any():
        raise GraphError(
            f"the array 'indptr' must rise from 0 to the number of entries ({data.size}) without "
            f"falling; {_SAVE}"
        )
    make = sparse.csr_array if form == "csr" else sparse.csc_array
    return make((data, indices, indptr), shape=(rows, columns))


def _form(arrays: Mapping[str, np.ndarray]) -> str:
    array = arrays.get("format", np.zeros(0))
    if array.size != 1 or array.dtype.kind not in "SU":
        raise GraphError(f"the array 'format' is missing, or it is no word; {_SAVE}")
    word = array.item()
    form = word.decode(errors="replace") if isinstance(word, bytes) else str(word)
    if form not in ("coo", "csr", "csc"):
        raise GraphError(f"the matrix is in format {form[:40]!r}; save matrix.tocoo() instead")
    return form


def _array(arrays: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    """Return a one-dimensional array."""
    if name not in arrays:
        raise GraphError(f"the array {name!r} is missing; {_SAVE}")
    if arrays[name].ndim != 1:
        raise GraphError(
            f"the array {name!r} has shape {arrays[name].shape}, but one dimension is needed; "
            f"{_SAVE}"
        )
    return arrays[name]


def _whole(arrays: Mapping[str, np.ndarray], name: str, size: int) -> np.ndarray:
    """Return an array of `size` whole numbers that are not negative, as int64."""
    array = _array(arrays, name)
    if array.size != size:
        raise GraphError(f"the array {name!r} has {array.size} numbers, not {size}; {_SAVE}")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype.kind not in "iu":
        raise GraphError(f"the array {name!r} holds {array.dtype}, not whole numbers; {_SAVE}")
    if array.min() < 0 or array.max() > np.iinfo(np.int64).max:
        bad = array.min() if array.min() < 0 else array.max()
        raise GraphError(f"the array {name!r} holds {bad}, which is out of range; {_SAVE}")
    return array.astype(np.int64)


def _check_range(name: str, array: np.ndarray, end: int) -> None:
    if array.size and array.max() >= end:
        raise GraphError(
            f"the array {name!r} holds {array.max()}, which is more than {end - 1}; {_SAVE}"
        )
