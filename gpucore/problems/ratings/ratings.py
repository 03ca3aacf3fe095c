"""Ratings of items by users: a bipartite graph with a number on every edge."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.problems.bipartite.graph import Matrix
from gpucore.problems.graph.csr import Arrays
from gpucore.problems.ratings.checks import pair_arrays, value_array
from gpucore.problems.ratings.csr import Duplicates, both_sides, rows_of
from gpucore.problems.ratings.dense import entries_of
from gpucore.problems.ratings.sides import UsersAndItems

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False, repr=False)
class Ratings(UsersAndItems):
    """Ratings as a bipartite graph: users are the rows, items are the columns.

    The vertices are the users 0 to U - 1, followed by the items, U to U + I - 1. A rating is a
    finite number of any sign, also 0; it is not a weight, and all weights are 1. There is at least
    one rating; users and items without ratings are allowed. :meth:`from_entries` and
    :meth:`from_matrix` are the usual constructors.

    Two orders of the ratings are in use. *Row order* is that of :meth:`entries`, by user and then
    by item. *Item order* is by item and then by user: the order of the edges a, b, c, ... in the
    IPDPS 2016 paper, so that edge number e is place e of this order.

    Parameters
    ----------
    indptr, indices, weights, name, coordinates, names, source, num_rows
        See :class:`gpucore.BipartiteGraph`; `num_rows` is U, `names` are those of the users
        followed by those of the items.
    values : ndarray of float32, shape (ratings,)
        The ratings in row order.

    Raises
    ------
    GraphError
        Also for a rating that is not finite, and if there are no ratings.

    Examples
    --------
    >>> ratings = Ratings.from_entries([0, 0, 1], [0, 1, 1], [5, 3, 1])
    >>> ratings
    Ratings(users=2, items=2, ratings=3)
    >>> ratings.values.tolist(), ratings.item_order.tolist(), ratings.mean
    ([5.0, 3.0, 1.0], [0, 1, 2], 3.0)
    """

    #: Kind of problem, a folder of :mod:`gpucore.problems`.
    kind: ClassVar[str] = "ratings"

    values: NDArray[np.float32] = field(kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.array(self.values))  # the caller's stays writable
        super().__post_init__()

    def _settle(self, rows: Arrays) -> None:
        """Store the rows and the ratings read-only."""
        super()._settle(rows)
        values = np.ascontiguousarray(value_array(self.values, self.indices.size // 2))
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @classmethod
    def _of_rows(cls, rows: Arrays, **attributes: Any) -> Self:
        if "values" not in attributes:
            raise GraphError("ratings are made by from_entries or from_matrix")
        return super()._of_rows(rows, **attributes)

    @classmethod
    def of_users(
        cls,
        indptr: NDArray[np.int64],
        items: NDArray[np.int32],
        values: NDArray[np.float32],
        num_items: int,
        **attributes: Any,
    ) -> Self:
        """Make ratings from lists of the users that are sorted and free of repeats, unchecked.

        The arguments are those that :meth:`by_user` returns, the number of items, and attributes.
        The array `values` is stored, and becomes read-only.
        """
        shape = (indptr.size - 1, num_items)
        rows = both_sides(indptr, items, shape)
        return cls._of_rows(rows, num_rows=shape[0], values=values, **attributes)

    @classmethod
    def from_entries(  # type: ignore[override]  # a pattern has no values
        cls,
        users: ArrayLike,
        items: ArrayLike,
        values: ArrayLike,
        shape: tuple[int, int] | None = None,
        *,
        duplicates: Duplicates = "error",
        name: str = "",
        names: Sequence[str] | None = None,
        coordinates: ArrayLike | None = None,
        source: Mapping[str, Any] | None = None,
    ) -> Self:
        """Make ratings from lists of users, items and numbers, in any order.

        Parameters
        ----------
        users, items : array_like of int, shape (n,)
        values : array_like of float, shape (n,)
            Finite numbers.
        shape : tuple of int, optional
            U users and I items; by default the largest numbers that occur, plus 1.
        duplicates : {"error", "mean", "last"}
            What to do if a user rates an item more than once.
        name, names, coordinates, source
            See :class:`Ratings`.

        Raises
        ------
        GraphError
            A number out of range, a rating that is not finite, a pair rated twice, different
            lengths, wrong dtype, no ratings, more than 2**31 - 1 vertices.

        Examples
        --------
        >>> Ratings.from_entries([1, 0, 1], [0, 0, 0], [4, 1, 2], duplicates="mean").values
        array([1., 3.], dtype=float32)
        """
        i, j, size = pair_arrays(users, items, shape)
        rows = rows_of(i, j, value_array(values, i.size), size, duplicates)
        given = isinstance(values, np.ndarray) and np.may_share_memory(values, rows[2])
        return cls.of_users(
            *rows[:2],
            rows[2].copy() if given else rows[2],
            size[1],
            name=name,
            names=names,
            coordinates=coordinates,
            source={"kind": "memory"} if source is None else source,
        )

    @classmethod
    def from_matrix(cls, matrix: Matrix, **attributes: Any) -> Self:
        """Make ratings from a matrix of users by items.

        Parameters
        ----------
        matrix : sparse array or matrix, masked array, or array_like, shape (U, I)
            Every stored entry of a sparse matrix is a rating, zeros included. Of a masked array,
            the unmasked entries are ratings; of any other dense array, the entries that are not
            NaN; it must have at least one, to show that NaN stands for "no rating".
        **attributes
            `duplicates`, `name`, `names`, `coordinates`, `source` of :meth:`from_entries`.

        Examples
        --------
        >>> Ratings.from_matrix([[5, np.nan], [0, 2]], name="dense").entries()[1].tolist()
        [0, 0, 1]
        """
        return cls.from_entries(*entries_of(matrix), **attributes)

    @property
    def num_ratings(self) -> int:
        """Number of ratings."""
        return int(self.values.size)

    @cached_property
    def mean(self) -> float:
        """Mean of the ratings, computed in double precision."""
        return float(self.values.mean(dtype=np.float64))

    @cached_property
    def range(self) -> tuple[float, float]:
        """Smallest and largest rating."""
        return float(self.values.min()), float(self.values.max())

    @cached_property
    def item_order(self) -> NDArray[np.int32]:
        """Place in row order of each place of item order, shape (ratings,)."""
        indptr, items = self.by_row()
        places = np.arange(items.size, dtype=np.int32)
        order = sparse.csr_array((places, items, indptr), shape=self.shape).tocsc().data
        order.flags.writeable = False
        return order

    def by_user(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
        """Return the ratings in row order.

        Returns
        -------
        indptr : ndarray of int64, shape (U + 1,)
        items : ndarray of int32, shape (ratings,)
            Numbers of items, ascending within a user.
        values : ndarray of float32, shape (ratings,)
        """
        return *self.by_row(), self.values

    def by_item(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
        """Return the ratings in item order.

        Returns
        -------
        indptr : ndarray of int64, shape (I + 1,)
        users : ndarray of int32, shape (ratings,)
            Ascending within an item.
        values : ndarray of float32, shape (ratings,)

        Examples
        --------
        >>> indptr, users, values = Ratings.from_entries([0, 0, 1], [0, 1, 0], [5, 3, 1]).by_item()
        >>> indptr.tolist(), users.tolist(), values.tolist()
        ([0, 2, 3], [0, 1, 0], [5.0, 1.0, 3.0])
        """
        return *self.by_column(), self.values[self.item_order]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return super().nbytes + self.values.nbytes

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of shape, lists of the users and ratings, as hexadecimal digits."""
        digest = hashlib.sha256(f"ratings: {self.num_users} x {self.num_items}".encode())
        indptr, items, values = self.by_user()
        for array, dtype in ((indptr, "<i8"), (items, "<i4"), (values, "<f4")):
            digest.update(array.astype(dtype, copy=False).data)
        return digest.hexdigest()

    def to_matrix(self) -> sparse.csr_array:
        """Return the matrix of the ratings, shape (U, I), as a copy of float32."""
        indptr, items, values = self.by_user()
        return sparse.csr_array((values.copy(), items, indptr.copy()), shape=self.shape)

    def to_matrix_market(self) -> tuple[Any, str | None, str]:
        """Return the matrix for a Matrix Market file, its field, and its symmetry."""
        return self.to_matrix(), "real", "general"

    def edge_list(self) -> tuple[str, list[NDArray]]:
        """Return users, items and ratings, and a comment with the numbers of users and items."""
        return f"# Users: {self.num_users} Items: {self.num_items}", [*self.entries(), self.values]

    def check_format(self, form: str) -> None:
        """Raise GraphError for METIS, which has no place for ratings."""
        if form == "metis":
            raise GraphError(
                "METIS has no place for ratings; save them as .csv, .mtx or .npz, which have"
            )

    def archive_header(self) -> dict[str, Any]:
        """Return the data that an archive stores besides rows and attributes."""
        return {"num_users": self.num_users}

    def archive_arrays(self) -> dict[str, NDArray]:
        """Return the arrays that an archive stores besides the rows."""
        return {"values": self.values}

    def to_networkx(self) -> nx.Graph:
        """Return a NetworkX graph whose edges have the attribute "rating"."""
        import networkx as nx

        graph = super().to_networkx()
        users, items = self.entries()
        ends = zip(users.tolist(), (items + self.num_users).tolist(), strict=True)
        nx.set_edge_attributes(graph, dict(zip(ends, self.values.tolist(), strict=True)), "rating")
        return graph

    def _of_moved(self, rows: Any, columns: Any, shape: tuple[int, int], **attributes: Any) -> Self:
        return self.from_entries(rows, columns, self.values, shape, **attributes)

    def __repr__(self) -> str:
        parts = [repr(self.name)] if self.name else []
        parts += [f"users={self.num_users}", f"items={self.num_items}"]
        return f"Ratings({', '.join([*parts, f'ratings={self.num_ratings}'])})"
