"""Parts of a graph: each rank of a run on several devices holds the rows of some vertices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.problems.graph.graph import Graph

if TYPE_CHECKING:
    from gpucore.device import Device


@dataclass(frozen=True, eq=False)
class GraphPart:
    """Consecutive rows of an undirected graph in compressed sparse rows.

    Rows are those of :class:`gpucore.Graph`: sorted by neighbour, each neighbour once, both
    directions of an edge with the same weight. The other direction may be in another part.

    Parameters
    ----------
    n : int
        Vertices of the whole graph.
    bounds : ndarray of int64, shape (ranks + 1,)
        Rank ``r`` holds the rows ``bounds[r]`` to ``bounds[r + 1] - 1``, perhaps none.
    rank : int
        The rank that holds this part.
    indptr : array of int64, shape (rows + 1,)
        Row ``v`` of the graph is the slice from ``indptr[v - lo]`` to ``indptr[v - lo + 1]``.
    indices : array of int32
        Neighbours, numbered as in the whole graph.
    weights : array of float32, same shape
        Weights; all ones if the graph has none.
    name : str
        Display label.
    weighted : bool
        False if the source has no weights.
    source : mapping
        Where the graph comes from, see :class:`gpucore.Graph`.
    num_edges : int or None
        Edges of the whole graph, each once, if this is known.

    Notes
    -----
    `indptr`, `indices` and `weights` are NumPy's or CuPy's arrays, `bounds` is always NumPy's.
    """

    #: Kind of problem, a folder of :mod:`gpucore.problems`.
    kind: ClassVar[str] = "graph"

    n: int
    bounds: NDArray[np.int64]
    rank: int
    indptr: Any
    indices: Any
    weights: Any
    name: str = ""
    weighted: bool = True
    source: Mapping[str, Any] = field(default_factory=lambda: {"kind": "memory"})
    num_edges: int | None = None

    @property
    def unit(self) -> float:
        """The owner's weight for a stored weight of 1, as :attr:`gpucore.Graph.unit`."""
        return float(np.ldexp(1.0, int(self.source.get("exponent", 0))))

    @property
    def num_vertices(self) -> int:
        """Vertices of the whole graph."""
        return self.n

    @property
    def xp(self) -> ModuleType:
        """Library of the three arrays: ``numpy`` or ``cupy``."""
        if isinstance(self.indices, np.ndarray):
            return np
        import cupy

        return cast("ModuleType", cupy)

    @property
    def ranks(self) -> int:
        """Number of parts."""
        return int(self.bounds.size - 1)

    @property
    def lo(self) -> int:
        """First vertex of this part."""
        return int(self.bounds[self.rank])

    @property
    def hi(self) -> int:
        """Vertex behind the last one of this part."""
        return int(self.bounds[self.rank + 1])

    @property
    def rows(self) -> int:
        """Number of vertices of this part."""
        return self.hi - self.lo

    @property
    def entries(self) -> int:
        """Number of entries of this part: ends of edges at its vertices."""
        return int(self.indices.size)

    @property
    def nbytes(self) -> int:
        """Bytes of the three arrays of this part."""
        return int(self.indptr.nbytes + self.indices.nbytes + self.weights.nbytes)

    def owners(self, vertices: Any, xp: ModuleType = np) -> Any:
        """Return the ranks that hold these vertices; `xp` is the library of the array.

        Examples
        --------
        >>> part = cut(Graph.from_edges(4, [0, 1, 2], [1, 2, 3]), 2)[0]
        >>> part.bounds.tolist(), part.owners(np.array([0, 1, 2, 3])).tolist()
        ([0, 2, 4], [0, 0, 1, 1])
        """
        return xp.searchsorted(xp.asarray(self.bounds), vertices, side="right") - 1


def balanced_bounds(indptr: Any, ranks: int, xp: ModuleType = np) -> NDArray[np.int64]:
    """Return where to cut rows so that each part has about equally much work.

    A row has as much work as it has entries, and one more. Part ``r`` begins at the first row with
    at least ``r / ranks`` of all work before it, so a part can have one row more than its share;
    parts may have no row.

    Parameters
    ----------
    indptr : array of int64, shape (n + 1,)
        Entries before each row.
    ranks : int
        Number of parts, at least 1.
    xp : module
        Library of `indptr`: ``numpy`` or ``cupy``.

    Returns
    -------
    ndarray of int64, shape (ranks + 1,)

    Examples
    --------
    >>> balanced_bounds(np.array([0, 20, 21]), 3).tolist()
    [0, 1, 1, 2]
    """
    work = xp.arange(indptr.size, dtype=np.int64)
    work += indptr
    aims = xp.array(shares(int(work[-1]), ranks), dtype=np.int64)
    return np.array(xp.searchsorted(work, aims).tolist(), np.int64)


def shares(total: int, ranks: int) -> list[int]:
    """Return the sums of the shares of ranks: 0, one share, two, and at the end the total.

    Examples
    --------
    >>> shares(10, 3)
    [0, 4, 7, 10]
    """
    if ranks < 1:
        raise GraphError(f"a graph is cut into at least 1 part, not {ranks}")
    return [-(-total * rank // ranks) for rank in range(ranks + 1)]


def cut(graph: Graph, ranks: int) -> list[GraphPart]:
    """Cut a graph into parts of consecutive rows, balanced by :func:`balanced_bounds`.

    Parameters
    ----------
    graph : Graph
        The graph, with or without self-loops.
    ranks : int
        Number of parts, at least 1; with more parts than vertices some have no rows.

    Returns
    -------
    list of GraphPart
        Their `indices` and `weights` are views of the graph's.

    Examples
    --------
    >>> star = Graph.from_edges(4, [0, 0, 0], [1, 2, 3])
    >>> [part.indices.tolist() for part in cut(star, 3)]
    [[1, 2, 3], [0, 0], [0]]
    >>> join(cut(star, 3)) == star
    True
    """
    bounds = balanced_bounds(graph.indptr, ranks)
    return [part_of(graph, bounds, rank) for rank in range(ranks)]


def part_of(graph: Graph, bounds: NDArray[np.int64], rank: int) -> GraphPart:
    """Return one part of a graph that is cut at `bounds`, as a view."""
    first, last = int(bounds[rank]), int(bounds[rank + 1])
    start, stop = int(graph.indptr[first]), int(graph.indptr[last])
    return GraphPart(
        graph.num_vertices,
        bounds,
        rank,
        graph.indptr[first : last + 1] - start,
        graph.indices[start:stop],
        graph.weights[start:stop],
        name=graph.name,
        weighted=graph.weighted,
        source=graph.source,
        num_edges=graph.num_edges,
    )


def join(parts: Sequence[GraphPart]) -> Graph:
    """Return the graph whose parts these are, checked; the arrays must be NumPy's.

    Parameters
    ----------
    parts : sequence of GraphPart
        All parts, in any order.

    Raises
    ------
    GraphError
        A part is missing or there twice, the parts are not of one graph, or their rows are not
        those of a symmetric matrix.
    """
    parts = sorted(parts, key=lambda part: part.rank)
    if not parts or [part.rank for part in parts] != list(range(parts[0].ranks)):
        raise GraphError(
            f"the parts {[part.rank for part in parts]} are not all parts of a graph; each of them "
            "is needed once"
        )
    one = parts[0]
    for part in parts:
        if part.n != one.n or not np.array_equal(part.bounds, one.bounds):
            raise GraphError(f"parts {one.rank} and {part.rank} are not parts of the same graph")
    starts = np.cumsum([0, *(part.entries for part in parts)])
    return Graph(
        np.concatenate([[0], *(part.indptr[1:] + starts[part.rank] for part in parts)]),
        np.concatenate([part.indices for part in parts]),
        np.concatenate([part.weights for part in parts]),
        name=one.name,
        weighted=one.weighted,
        source=one.source,
    )


def on_host(part: GraphPart, device: Device) -> GraphPart:
    """Return a part of a device with NumPy arrays."""
    return with_arrays(part, device.to_host)


def with_arrays(part: GraphPart, convert: Callable[[Any], Any]) -> GraphPart:
    """Return a part with its three arrays converted."""
    arrays = {name: convert(getattr(part, name)) for name in ("indptr", "indices", "weights")}
    return replace(part, **arrays)
