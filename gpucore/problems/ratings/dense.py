"""Entries of matrices in memory, sparse or dense."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gpucore.arrays import sound
from gpucore.errors import GraphError


def entries_of(matrix: Any) -> tuple[NDArray, NDArray, NDArray, tuple[int, int]]:
    """Return rows, columns and values of the entries of a matrix, and its shape.

    Parameters
    ----------
    matrix : sparse array or matrix, masked array, or array_like, shape (U, I)
        The entries of a sparse matrix are the stored ones, of a masked array those that are not
        masked, of another array those that are not NaN.

    Raises
    ------
    GraphError
        It is not a matrix of numbers, or a dense array without NaN.
    """
    stored: bool = sparse.issparse(matrix)
    if stored:
        if matrix.ndim != 2:
            raise GraphError(f"a matrix has users and items, not the shape {matrix.shape}")
        entries = sparse.coo_array(sound(matrix))
        i, j = entries.coords
        return i, j, entries.data, (matrix.shape[0], matrix.shape[1])
    masked = isinstance(matrix, np.ma.MaskedArray)
    try:
        whole = matrix.data if masked else np.asarray(matrix)
    except ValueError:  # rows of different lengths
        raise GraphError("the rows of a matrix must have equal lengths") from None
    if whole.ndim != 2:
        raise GraphError(f"a matrix has users and items, not the shape {whole.shape}")
    if whole.dtype.kind not in "iufb":
        raise GraphError(f"ratings must be real numbers, not {whole.dtype}; convert them first")
    present = ~np.ma.getmaskarray(matrix) if masked else ~np.isnan(whole)
    if not masked and present.all():
        raise GraphError(
            "a dense array does not say which of its entries are ratings; put NaN where there is "
            "none, or pass a sparse matrix of SciPy's, or a masked array"
        )
    rows, columns = np.nonzero(present)
    return rows, columns, whole[present], (whole.shape[0], whole.shape[1])
