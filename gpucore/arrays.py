"""Matrices of other libraries: SciPy's and CuPy's sparse ones, dense ones, and those of DLPack.

Nothing here copies between a card and the host: what a function gets on a card, it computes there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy import sparse

from gpucore.errors import GraphError, ParameterError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    #: Matrices in the host's memory; CuPy's have no types.
    HostMatrix: TypeAlias = sparse.sparray | sparse.spmatrix | ArrayLike

#: DLPack's numbers of CUDA's memories: of a card, and managed.
_CARD = (2, 13)


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of a matrix, one by one, in the memory where the matrix was.

    Attributes
    ----------
    xp : module
        ``numpy``, or ``cupy`` for a matrix on a card.
    rows, columns : array of an integer type, shape (entries,)
        Places of the entries.
    values : array, shape (entries,)
    shape : tuple of int
        Numbers of rows and columns.
    """

    xp: Any
    rows: Any
    columns: Any
    values: Any
    shape: tuple[int, int]

    @property
    def on_card(self) -> bool:
        """Whether the arrays are on a card."""
        return self.xp is not np

    @property
    def transposed(self) -> Entries:
        """The entries of the transposed matrix."""
        return Entries(self.xp, self.columns, self.rows, self.values, self.shape[::-1])

    def on_host(self) -> Entries:
        """Return the entries in the host's memory, which copies those of a card."""
        if not self.on_card:
            return self
        rows, columns, values = map(self.xp.asnumpy, (self.rows, self.columns, self.values))
        return Entries(np, rows, columns, values, self.shape)

    @contextmanager
    def its_card(self) -> Iterator[None]:
        """Make the card on which the entries are the current one."""
        with self.rows.device:
            yield


def entries_of(matrix: Any, *, zeros: bool = False) -> Entries:
    """Return the entries of a matrix, on the side where it is.

    Parameters
    ----------
    matrix : sparse array or matrix of SciPy or CuPy, or a dense array, shape (R, C)
        Of a sparse matrix every stored entry counts, zeros too. A dense one is an array of CuPy, of
        any library that has ``__dlpack__``, or an argument of ``numpy.asarray``.
    zeros : bool
        Whether zeros of a dense matrix are entries.

    Raises
    ------
    GraphError
        It is not a matrix.

    Examples
    --------
    >>> found = entries_of([[0, 7], [5, 0]])
    >>> found.rows.tolist(), found.columns.tolist(), found.values.tolist()
    ([0, 1], [1, 0], [7, 5])
    """
    stored: bool = sparse.issparse(matrix)
    if stored:
        if len(matrix.shape) != 2:
            raise _no_matrix(matrix.shape)
        coo = sparse.coo_array(sound(matrix))
        return Entries(np, coo.coords[0], coo.coords[1], coo.data, matrix.shape)
    if type(matrix).__module__.startswith("cupyx."):
        import cupy

        with matrix.data.device:
            coo = matrix.tocoo()
        return Entries(cupy, coo.row, coo.col, coo.data, coo.shape)
    xp, dense = _dense(matrix)
    if dense.ndim != 2:
        raise _no_matrix(dense.shape)
    if dense.dtype.kind not in "biuf":
        raise GraphError(f"a matrix has real numbers, not {dense.dtype}")
    if xp is np:
        return _entries_of_dense(xp, dense, zeros)
    with dense.device:
        return _entries_of_dense(xp, dense, zeros)


def sound(matrix: Any) -> Any:
    """Return a sparse matrix of SciPy whose arrays fit together, or raise GraphError.

    SciPy converts others, too, and writes past the ends of arrays.

    Examples
    --------
    >>> damaged = sparse.csr_array([[0, 1], [1, 0]])
    >>> damaged.indices[0] = 7
    >>> sound(damaged)
    Traceback (most recent call last):
    gpucore.errors.GraphError: the matrix is damaged: indices must be < 2; make it again
    """
    try:
        if matrix.format == "coo":
            sparse.coo_array(matrix)  # looks at the places
        else:
            rows = matrix if matrix.format in ("csr", "csc", "bsr") else matrix.tocsr()
            type(rows)(rows).check_format(full_check=True)
    except ValueError as error:
        raise GraphError(f"the matrix is damaged: {error}; make it again") from None
    return matrix


def wide(matrix: Any) -> Any:
    """Return a sparse matrix of SciPy whose equal entries can be added without an overflow.

    Examples
    --------
    >>> twice = sparse.coo_array((np.array([100, 100], np.int8), ([0, 0], [1, 1])), (2, 2))
    >>> int(wide(twice).tocsr()[0, 1]), int(twice.tocsr()[0, 1])
    (200, -56)
    """
    narrow = matrix.dtype.kind in "iu" and matrix.dtype.itemsize < 8
    return matrix.astype(np.int64) if narrow else matrix


def plain(values: ArrayLike, what: str) -> NDArray[Any]:
    """Return an array, or raise GraphError if some of its entries are masked."""
    if np.ma.is_masked(values):
        raise GraphError(f"{what}: some entries are masked; leave them out")
    return np.asarray(values)


def _entries_of_dense(xp: Any, dense: Any, zeros: bool) -> Entries:
    if not zeros:
        rows, columns = xp.nonzero(dense)
        return Entries(xp, rows, columns, dense[rows, columns], dense.shape)
    count, width = dense.shape
    rows = xp.repeat(xp.arange(count), width)
    if xp is np:
        dense = plain(dense, "the matrix")
    return Entries(xp, rows, xp.tile(xp.arange(width), count), dense.ravel(), dense.shape)


def _dense(matrix: Any) -> tuple[Any, Any]:
    """Return a dense array with its module; other libraries' arrays are taken over, not copied."""
    if isinstance(matrix, np.ndarray):
        return np, matrix
    if type(matrix).__module__.partition(".")[0] == "cupy":
        import cupy

        return cupy, matrix
    if hasattr(matrix, "__dlpack_device__"):
        if matrix.__dlpack_device__()[0] in _CARD:
            import cupy

            return cupy, cupy.from_dlpack(matrix)
        return np, np.from_dlpack(matrix)
    try:
        return np, np.asarray(matrix)
    except ValueError as error:  # lists of different lengths
        raise GraphError(f"this is no matrix: {error}") from None


def _no_matrix(shape: tuple[int, ...]) -> GraphError:
    return GraphError(f"a matrix has rows and columns, not the shape {tuple(shape)}")


def check_card(device: str) -> None:
    """Raise ParameterError for a device other than the card on which the problem is already."""
    if device not in ("auto", "cuda"):
        raise ParameterError(
            f"device is {device!r}, but the matrix is on a card, where it stays; copy it to the "
            "host first (in Python: matrix.get())"
        )
