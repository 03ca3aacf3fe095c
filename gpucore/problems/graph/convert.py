"""Graphs from NetworkX and SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from gpucore.arrays import sound, wide
from gpucore.errors import GraphError
from gpucore.problems.graph.adjacency import Edges, read_edges
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import Matrix, symmetrise

if TYPE_CHECKING:
    import networkx as nx

#: Stands for the value of an edge that has no attribute; None is a value, which no weight has.
MISSING = object()


def from_networkx(graph: nx.Graph, *, weight: str | None = "weight") -> Graph:
    """Convert a NetworkX graph; vertices are numbered in the order of its nodes.

    Parameters
    ----------
    graph : networkx.Graph
        Directions are dropped; of two opposite arcs, and of parallel edges, the weight of larger
        absolute value is used.
    weight : str or None
        Edge attribute with the weights, 1 where it is missing; the graph is weighted if some
        edge has it. None: unweighted.

    Returns
    -------
    Graph
        `names` holds the nodes as strings unless they are 0 to n - 1 in order; `coordinates`
        the node attribute "pos", if all nodes have it.

    Raises
    ------
    GraphError
        If a weight is not a finite real number.

    Examples
    --------
    >>> import networkx as nx
    >>> from_networkx(nx.Graph([("a", "b"), ("b", "c")])).names
    ('a', 'b', 'c')
    """
    nodes, u, v, values = _edges(graph, weight)
    weighted = any(value is not MISSING for value in values or ())
    positions = [data.get("pos") for _, data in graph.nodes(data=True)]
    return Graph.from_edges(
        len(nodes),
        u,
        v,
        _weights(graph, values or [], weight) if weighted else None,
        duplicates="larger",
        name=str(graph.name),
        names=None if nodes == list(range(len(nodes))) else [str(node) for node in nodes],
        coordinates=None if not nodes or any(p is None for p in positions) else positions,
    )


def _edges(graph: nx.Graph, weight: str | None) -> Edges:
    """Return the edges, and their values of the attribute, or `MISSING`."""
    if not graph.is_multigraph():
        return read_edges(graph, weight, MISSING)
    nodes = list(graph)
    number = {node: at for at, node in enumerate(nodes)}
    ends = np.array([(number[u], number[v]) for u, v in graph.edges()], np.int64).reshape(-1, 2)
    values = None
    if weight:
        values = [data.get(weight, MISSING) for _, _, data in graph.edges(data=True)]
    return Edges(nodes, ends[:, 0], ends[:, 1], values)


def _weights(graph: nx.Graph, values: list[object], weight: str | None) -> np.ndarray:
    found: list[float] = []
    try:
        found.extend(map(_number, values))
    except (TypeError, ValueError, OverflowError) as error:
        (u, v), value = list(graph.edges())[len(found)], values[len(found)]
        large = isinstance(error, OverflowError)
        wrong = "too large for double precision" if large else f"{value!r}, which is not a number"
        raise GraphError(
            f"edge ({u}, {v}): the attribute {weight!r} is {wrong}; "
            "name the right attribute, or pass weight=None"
        ) from None
    return np.array(found)


def _number(value: Any) -> float:
    if isinstance(value, np.complexfloating):  # NumPy would drop the imaginary part
        raise TypeError
    return 1.0 if value is MISSING else float(value)


def from_scipy(matrix: Matrix, *, symmetric: bool = True, name: str = "") -> Graph:
    """Convert a square sparse matrix to a graph; its diagonal becomes self-loops.

    Parameters
    ----------
    matrix : sparse array or matrix, shape (n, n)
        Real; entries given twice are added up. A matrix of booleans makes an unweighted graph.
    symmetric : bool
        True requires a symmetric matrix; False symmetrises any matrix
        (:func:`gpucore.problems.graph.prepare.symmetrise`).
    name : str
        Name of the graph.

    Raises
    ------
    GraphError
        Not square, not real, or not symmetric though it should be.

    Examples
    --------
    >>> from_scipy(sparse.coo_array([[0, 2], [2, 0]]))
    Graph(vertices=2, edges=1, weighted)
    """
    if not symmetric:
        return symmetrise(matrix, name=name)
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise GraphError(f"a graph takes a square matrix, not one of shape {matrix.shape}")
    rows = sparse.csr_array(wide(sound(matrix)), copy=True)
    rows.sum_duplicates()
    weights = None if rows.dtype == np.bool_ else rows.data
    return Graph.from_csr(rows.indptr, rows.indices, weights, name=name)
