"""The graph type of all algorithms: undirected, weighted, immutable, checked once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.problems.graph.checks import (
    check_bounds,
    check_rows,
    coordinate_array,
    vertex_array,
    weight_array,
)
from gpucore.problems.graph.csr import (
    Arrays,
    Duplicates,
    assemble,
    sort_rows,
)
from gpucore.problems.graph.narrow import narrow_weights
from gpucore.problems.graph.to_networkx import networkx_graph
from gpucore.rows import row_numbers

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """An undirected graph in compressed sparse rows.

    Every edge is stored in the rows of both its ends with the same weight, a self-loop once; rows
    are sorted by neighbour and contain each neighbour once. The arrays are checked when the graph
    is made and read-only afterwards. :meth:`from_edges` is the usual constructor.

    Parameters
    ----------
    indptr : ndarray of int64, shape (num_vertices + 1,)
        Row ``v`` is ``indices[indptr[v]:indptr[v + 1]]``.
    indices : ndarray of int32, shape (2 * num_edges + num_loops,)
        Neighbours.
    weights : ndarray of float32, same shape
        Weights; all ones if the graph has none.
    name : str
        Display label.
    weighted : bool
        False if the source has no weights, so that all are 1.
    coordinates : ndarray of float64, shape (num_vertices, 2), optional
        Where to draw the vertices.
    names : sequence of str, optional
        Names of the vertices.
    source : mapping, optional
        Where the graph comes from, JSON-able; ``source["kind"]`` is "dataset", "generator",
        "file" or "memory".

    Raises
    ------
    GraphError
        If the arrays are not the sorted rows of a symmetric matrix.

    Examples
    --------
    >>> graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 0], [0.5, 2.0, 1.0])
    >>> graph
    Graph(vertices=4, edges=3, weighted)
    >>> graph.degrees.tolist()
    [2, 2, 2, 0]
    >>> ids, weights = graph.neighbours(0)
    >>> ids.tolist(), weights.tolist()
    ([1, 2], [0.5, 1.0])
    """

    #: Kind of problem, a folder of :mod:`gpucore.problems`.
    kind: ClassVar[str] = "graph"

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    weights: NDArray[np.float32]
    name: str = field(default="", kw_only=True)
    weighted: bool = field(default=True, kw_only=True)
    coordinates: NDArray[np.float64] | None = field(default=None, kw_only=True)
    names: tuple[str, ...] | None = field(default=None, kw_only=True)
    source: Mapping[str, Any] = field(default_factory=lambda: {"kind": "memory"}, kw_only=True)

    def __post_init__(self) -> None:
        indptr, indices = vertex_array(self.indptr, "indptr"), vertex_array(self.indices, "indices")
        weights = weight_array(self.weights, indices.size)
        check_bounds(indptr, indices)
        rows = (indptr.astype(np.int64), indices.astype(np.int32), weights.copy())
        check_rows(*rows)
        self._settle(rows)

    def _settle(self, rows: Arrays) -> None:
        """Store the checked rows read-only and check the other attributes."""
        indptr, indices, weights = rows
        values: dict[str, Any] = {
            "indptr": _frozen(indptr),
            "indices": _frozen(indices),
            "weights": _frozen(weights),
            "source": dict(self.source),
        }
        n = rows[0].size - 1
        if self.weighted is False and not (rows[2] == 1).all():
            raise GraphError("an unweighted graph must have weights that are all 1")
        if self.coordinates is not None:
            values["coordinates"] = _frozen(coordinate_array(self.coordinates, n))
        if self.names is not None:
            values["names"] = tuple(str(name) for name in self.names)
            if len(values["names"]) != n:
                raise GraphError(f"{len(values['names'])} names were given for {n} vertices")
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @classmethod
    def _of_rows(cls, rows: Arrays, **attributes: Any) -> Self:
        """Make a graph from rows that are correct by construction, without checking them."""
        graph = cls.__new__(cls)
        defaults = {"name": "", "weighted": True, "coordinates": None, "names": None}
        for key, value in (defaults | {"source": {"kind": "memory"}} | attributes).items():
            object.__setattr__(graph, key, value)
        graph._settle(rows)
        return graph

    @classmethod
    def from_edges(
        cls,
        n: int,
        u: ArrayLike,
        v: ArrayLike,
        w: ArrayLike | None = None,
        *,
        duplicates: Duplicates = "error",
        name: str = "",
        weighted: bool | None = None,
        coordinates: ArrayLike | None = None,
        names: Sequence[str] | None = None,
        source: Mapping[str, Any] | None = None,
    ) -> Graph:
        """Make a graph from undirected edges.

        Parameters
        ----------
        n : int
            Number of vertices, numbered 0 to n - 1.
        u, v : array_like of int, shape (m,)
            Ends of the edges; ``(u, v)`` and ``(v, u)`` are the same edge.
        w : array_like of float, shape (m,), optional
            Weights; without them the graph is unweighted and all weights are 1.
        duplicates : {"error", "first", "sum", "max", "larger"}
            What to do with an edge that is given more than once; "larger" keeps the weight of
            larger absolute value, the positive one of two opposite ones.
        name, weighted, coordinates, names, source
            See :class:`Graph`; `weighted` is True, unless given, if there is a `w` or a sum.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            Vertex out of range, weight not finite, duplicate edge, wrong shape or dtype.

        Examples
        --------
        >>> Graph.from_edges(3, [0, 1, 2], [1, 0, 2], [1, 5, 9], duplicates="max").to_scipy().toarray()
        array([[0., 5., 0.],
               [5., 0., 0.],
               [0., 0., 9.]], dtype=float32)
        """  # noqa: E501
        about: Mapping[str, Any] = {"kind": "memory"} if source is None else source
        if w is not None:
            w, about = narrow_weights(w, about)
        return cls._of_rows(
            assemble(n, u, v, w, duplicates),
            name=name,
            weighted=(w is not None or duplicates == "sum") if weighted is None else weighted,
            coordinates=coordinates,
            names=names,
            source=about,
        )

    @classmethod
    def from_csr(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        weights: ArrayLike | None = None,
        **attributes: Any,
    ) -> Graph:
        """Make a graph from the rows of a symmetric matrix; rows need not be sorted.

        Parameters
        ----------
        indptr, indices, weights
            As in :class:`Graph`, of any integer or real dtype; without weights the graph is
            unweighted.
        **attributes
            `name`, `weighted`, `coordinates`, `names`, `source` of :class:`Graph`.

        Raises
        ------
        GraphError
            Also if a row has a neighbour twice or the matrix is not symmetric.

        Examples
        --------
        >>> Graph.from_csr([0, 2, 3, 4], [2, 1, 0, 0], name="star")
        Graph('star', vertices=3, edges=2)
        """
        start, columns = vertex_array(indptr, "indptr"), vertex_array(indices, "indices")
        attributes.setdefault("weighted", weights is not None)
        if weights is None:
            values: ArrayLike = np.ones(columns.size, np.float32)
        else:
            about = attributes.get("source", {"kind": "memory"})
            values, attributes["source"] = narrow_weights(weights, about)
        rows = sort_rows(start, columns, weight_array(values, columns.size))
        return cls(*rows, **attributes)

    @property
    def unit(self) -> float:
        """The owner's weight for a stored weight of 1, a power of two."""
        return float(np.ldexp(1.0, int(self.source.get("exponent", 0))))

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return int(self.indptr.size - 1)

    @cached_property
    def num_loops(self) -> int:
        """Number of self-loops."""
        rows = row_numbers(self.indptr)
        return int(np.count_nonzero(rows == self.indices))

    @property
    def num_edges(self) -> int:
        """Number of undirected edges, each once, self-loops not counted."""
        return (self.indices.size - self.num_loops) // 2

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Number of entries in each row, shape (num_vertices,); a self-loop counts once."""
        return _frozen(np.diff(self.indptr))

    @cached_property
    def max_degree(self) -> int:
        """Largest degree, 0 for a graph without vertices."""
        return int(self.degrees.max(initial=0))

    @property
    def nbytes(self) -> int:
        """Bytes of the three arrays."""
        return self.indptr.nbytes + self.indices.nbytes + self.weights.nbytes

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the three arrays (little-endian), as hexadecimal digits."""
        digest = hashlib.sha256()
        for array, dtype in ((self.indptr, "<i8"), (self.indices, "<i4"), (self.weights, "<f4")):
            digest.update(array.astype(dtype, copy=False).data)
        return digest.hexdigest()

    def edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
        """Return every edge once as arrays ``u < v`` and ``w``, in row order, without loops."""
        rows = row_numbers(self.indptr)
        once = rows < self.indices
        return rows[once], self.indices[once], self.weights[once]

    def loops(self) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the vertices that have a self-loop, and the loops' weights."""
        rows = row_numbers(self.indptr)
        loop = rows == self.indices
        return rows[loop], self.weights[loop]

    def edges_and_loops(
        self,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
        """Return every edge once, then the self-loops, as arrays ``u <= v`` and ``w``."""
        (u, v, w), (at, loop_weights) = self.edges(), self.loops()
        return (
            np.concatenate((u, at)),
            np.concatenate((v, at)),
            np.concatenate((w, loop_weights)),
        )

    def neighbours(self, v: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the neighbours of vertex `v` (itself at a loop) and the edges' weights."""
        if not 0 <= v < self.num_vertices:
            raise GraphError(f"there is no vertex {v}, the graph has {self.num_vertices}")
        row = slice(self.indptr[v], self.indptr[v + 1])
        return self.indices[row], self.weights[row]

    def with_attributes(self, **attributes: Any) -> Self:
        """Return a copy with another `name`, `names`, `coordinates` or `source`."""
        values = {f.name: getattr(self, f.name) for f in fields(self)} | attributes
        rows = (values.pop("indptr"), values.pop("indices"), values.pop("weights"))
        return self._of_rows(rows, **values)

    def to_scipy(self) -> sparse.csr_array:
        """Return a copy as a symmetric SciPy matrix of float32."""
        n = self.num_vertices
        rows = (self.weights.copy(), self.indices.copy(), self.indptr.copy())
        return sparse.csr_array(rows, shape=(n, n))

    def to_matrix_market(self) -> tuple[Any, str | None, str]:
        """Return the matrix for a Matrix Market file, its field, and its symmetry."""
        return self.to_scipy(), None if self.weighted else "pattern", "symmetric"

    def edge_list(self) -> tuple[str, list[NDArray]]:
        """Return the comment that an edge list begins with, and the columns of its lines."""
        u, v, w = self.edges_and_loops()
        comment = f"# Nodes: {self.num_vertices} Edges: {u.size}"
        return comment, [u, v, w] if self.weighted else [u, v]

    def check_format(self, form: str) -> None:
        """Raise GraphError if a file format, named as in `gpucore.io.files`, cannot store this."""
        if form == "metis" and self.num_loops:
            raise GraphError(
                "METIS knows no self-loops; remove them with "
                "gpucore.problems.graph.prepare.drop_loops"
            )

    @property
    def sides(self) -> tuple[int, ...]:
        """Sizes of the sides of a bipartite graph; empty for other graphs."""
        return ()

    def archive_header(self) -> dict[str, Any]:
        """Return the data that an archive stores besides rows and attributes."""
        return {}

    def archive_arrays(self) -> dict[str, NDArray]:
        """Return the arrays that an archive stores besides the rows."""
        return {}

    def to_networkx(self) -> nx.Graph:
        """Return a NetworkX graph with nodes 0 to n - 1, and the weights as data of the edges."""
        u, v, w = self.edges_and_loops()
        return networkx_graph(
            self.num_vertices,
            (u, v),
            w if self.weighted else None,
            name=self.name,
            names=self.names,
            coordinates=self.coordinates,
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled graph; NumPy forgets that arrays were read-only."""
        self.__dict__.update({k: _frozen(v) if _is_array(v) else v for k, v in state.items()})

    def __eq__(self, other: object) -> bool:
        """Compare vertices, edges and weights; names and source do not matter."""
        return isinstance(other, Graph) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        parts = [repr(self.name)] if self.name else []
        parts += [f"vertices={self.num_vertices}", f"edges={self.num_edges}"]
        parts += [f"loops={self.num_loops}"] if self.num_loops else []
        parts += ["weighted"] if self.weighted else []
        return f"Graph({', '.join(parts)})"


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray)


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array
