"""The graph of a sparse matrix: rows and columns are its vertices, entries its edges."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gpucore.arrays import sound
from gpucore.errors import GraphError
from gpucore.notes import with_steps
from gpucore.problems.bipartite.csr import (
    both_sides,
    check_entries,
    check_shape,
    check_sides,
)
from gpucore.problems.graph.checks import check_size
from gpucore.problems.graph.csr import Arrays
from gpucore.problems.graph.graph import Graph
from gpucore.rows import row_numbers

if TYPE_CHECKING:
    import networkx as nx

#: Any of SciPy's sparse arrays and matrices, or an argument of ``numpy.asarray``.
Matrix = Any


@dataclass(frozen=True, eq=False, repr=False)
class BipartiteGraph(Graph):
    """The pattern of a matrix as a graph between its rows and its columns.

    The vertices are the rows 0 to R - 1, followed by the columns, R to R + C - 1; every stored
    entry (i, j) is an edge between the vertices i and R + j. It can be used as a
    :class:`gpucore.Graph`. Values are ignored: a stored zero is an entry, and an entry given twice
    is one edge.

    With nnz entries, ``indices[:nnz]`` are the lists of the rows (numbers R + j) and
    ``indices[nnz:]`` those of the columns (numbers i); all lists are sorted.
    :meth:`from_entries` and :meth:`from_matrix` are the usual constructors.

    Parameters
    ----------
    indptr, indices, weights, name, coordinates, names, source
        See :class:`gpucore.Graph`; the weights are all 1, `names` are those of the rows followed
        by those of the columns.
    num_rows : int
        R, between 0 and the number of vertices.

    Raises
    ------
    GraphError
        Also if an edge joins two rows or two columns.

    Examples
    --------
    >>> graph = BipartiteGraph.from_entries([0, 0, 1], [0, 2, 2], shape=(2, 3))
    >>> graph
    BipartiteGraph(rows=2, columns=3, edges=3)
    >>> graph.neighbours(0)[0].tolist(), graph.neighbours(4)[0].tolist()
    ([2, 4], [0, 1])
    """

    #: Kind of problem, a folder of :mod:`gpucore.problems`.
    kind: ClassVar[str] = "bipartite"

    weighted: bool = field(default=False, kw_only=True)
    num_rows: int = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        rows = check_size(self.num_rows)
        object.__setattr__(self, "num_rows", rows)
        if rows > self.num_vertices:
            raise GraphError(f"{rows} rows cannot be among {self.num_vertices} vertices")
        if self.weighted:
            raise GraphError("a bipartite graph has no weights; it is a matrix's pattern")
        check_sides(self.indptr, self.indices, rows)

    @classmethod
    def _of_rows(cls, rows: Arrays, **attributes: Any) -> Self:
        if "num_rows" not in attributes:
            raise GraphError("a bipartite graph is made by from_entries or from_matrix")
        return super()._of_rows(rows, **{"weighted": False, **attributes})

    @classmethod
    def from_entries(
        cls,
        rows: ArrayLike,
        columns: ArrayLike,
        shape: tuple[int, int],
        *,
        name: str = "",
        names: Sequence[str] | None = None,
        coordinates: ArrayLike | None = None,
        source: Mapping[str, Any] | None = None,
    ) -> Self:
        """Make the graph of a matrix from its entries.

        Parameters
        ----------
        rows, columns : array_like of int, shape (nnz,)
            Rows and columns of the entries, from 0; an entry given twice is one edge.
        shape : tuple of int
            R rows and C columns; empty ones are vertices without edges.
        name, names, coordinates, source
            See :class:`BipartiteGraph`.

        Raises
        ------
        GraphError
            An entry outside the matrix, wrong dtype or lengths, more than 2**31 - 1 vertices.

        Examples
        --------
        >>> BipartiteGraph.from_entries([1, 1], [0, 0], (2, 1)).entries()
        (array([1], dtype=int32), array([0], dtype=int32))
        """
        size = check_shape(shape)
        return cls._of_rows(
            both_sides(*check_entries(rows, columns, size), size),
            num_rows=size[0],
            name=name,
            names=names,
            coordinates=coordinates,
            source={"kind": "memory"} if source is None else source,
        )

    @classmethod
    def from_matrix(cls, matrix: Matrix, **attributes: Any) -> Self:
        """Make the graph of a SciPy or NumPy matrix; its values are ignored.

        Parameters
        ----------
        matrix : sparse array or matrix, or array_like, shape (R, C)
            Every stored entry of a sparse matrix is an edge, zeros included; of a dense one, every
            number other than 0.
        **attributes
            As in :meth:`from_entries`.

        Examples
        --------
        >>> BipartiteGraph.from_matrix([[0, 7.5], [0, -1]], name="corner")
        BipartiteGraph('corner', rows=2, columns=2, edges=2)
        """
        stored: bool = sparse.issparse(matrix)
        whole = matrix if stored else np.asarray(matrix)
        if len(whole.shape) != 2:
            raise GraphError(f"a matrix has rows and columns, not the shape {whole.shape}")
        i, j = sparse.coo_array(sound(whole)).coords if stored else np.nonzero(whole)
        return cls.from_entries(i, j, whole.shape, **attributes)

    @property
    def num_columns(self) -> int:
        """Number of columns."""
        return self.num_vertices - self.num_rows

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return self.num_rows, self.num_columns

    @cached_property
    def num_loops(self) -> int:
        """Number of self-loops, always 0."""
        return 0

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the number of rows and a graph's fingerprint, as hexadecimal digits."""
        return hashlib.sha256(f"{self.num_rows} rows: {super().fingerprint}".encode()).hexdigest()

    def by_row(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the lists of the rows as numbers of columns, from 0.

        Returns
        -------
        indptr : ndarray of int64, shape (R + 1,)
        columns : ndarray of int32, shape (nnz,)
            Sorted in every row.
        """
        return (
            self.indptr[: self.num_rows + 1],
            self.indices[: self.num_edges] - np.int32(self.num_rows),
        )

    def by_column(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the lists of the columns as numbers of rows.

        Returns
        -------
        indptr : ndarray of int64, shape (C + 1,)
        rows : ndarray of int32, shape (nnz,)
            Sorted in every column.
        """
        return self.indptr[self.num_rows :] - self.num_edges, self.indices[self.num_edges :]

    def entries(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return every entry once, as its row and its column, in row order."""
        indptr, columns = self.by_row()
        return row_numbers(indptr), columns

    def to_matrix(self) -> sparse.csr_array:
        """Return the matrix, shape (R, C), as a copy: an int8 1 for every entry."""
        indptr, columns = self.by_row()
        ones = np.ones(columns.size, np.int8)
        return sparse.csr_array((ones, columns, indptr.copy()), shape=self.shape)

    def to_matrix_market(self) -> tuple[Any, str | None, str]:
        """Return the matrix for a Matrix Market file, its field, and its symmetry."""
        return self.to_matrix(), "pattern", "general"

    @property
    def sides(self) -> tuple[int, ...]:
        """Numbers of rows and of columns."""
        return self.shape

    def archive_header(self) -> dict[str, Any]:
        """Return the data that an archive stores besides rows and attributes."""
        return {"num_rows": self.num_rows}

    def to_networkx(self) -> nx.Graph:
        """Return a NetworkX graph whose nodes have the attribute "bipartite", 0 for rows."""
        import networkx as nx

        graph = super().to_networkx()
        sides = {v: int(v >= self.num_rows) for v in range(self.num_vertices)}
        nx.set_node_attributes(graph, sides, "bipartite")
        return graph

    def transpose(self) -> Self:
        """Return the graph of the transposed matrix: its rows are this one's columns.

        Examples
        --------
        >>> BipartiteGraph.from_entries([0], [2], (1, 3)).transpose()
        BipartiteGraph(rows=3, columns=1, edges=1)
        """
        i, j = self.entries()
        order = np.r_[self.num_rows : self.num_vertices, 0 : self.num_rows]
        return self.rearranged(
            j, i, order, (self.num_columns, self.num_rows), {"step": "transpose"}
        )

    def rearranged(
        self,
        rows: NDArray[np.int32],
        columns: NDArray[np.int32],
        order: NDArray[np.integer],
        shape: tuple[int, int],
        step: dict[str, Any],
    ) -> Self:
        """Return the graph of moved entries, whose vertex v was ``order[v]``; add the step."""
        return self._of_moved(
            rows,
            columns,
            shape,
            name=self.name,
            names=None if self.names is None else [self.names[v] for v in order],
            coordinates=None if self.coordinates is None else self.coordinates[order],
            source=with_steps(self.source, step),
        )

    def _of_moved(self, rows: Any, columns: Any, shape: tuple[int, int], **attributes: Any) -> Self:
        """Return a graph of the same entries, in their order, at other places."""
        return self.from_entries(rows, columns, shape, **attributes)

    def __repr__(self) -> str:
        parts = [repr(self.name)] if self.name else []
        parts += [f"rows={self.num_rows}", f"columns={self.num_columns}", f"edges={self.num_edges}"]
        return f"BipartiteGraph({', '.join(parts)})"
