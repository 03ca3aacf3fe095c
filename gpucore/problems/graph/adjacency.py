"""The edges of a NetworkX graph as arrays, read from its dictionaries at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Nodes that are integers get their numbers from a table, if it has at most so many places a node.
SPREAD = 4


class Edges(NamedTuple):
    """The edges of a graph, in the order of NetworkX's ``G.edges``.

    Attributes
    ----------
    nodes : list
        The graph's nodes; vertex ``i`` is ``nodes[i]``.
    u, v : ndarray of int64, shape (m,)
        Ends of the edges; an undirected edge is there once.
    values : list or None
        The attribute of every edge, where one was asked for.
    """

    nodes: list[Any]
    u: NDArray[np.int64]
    v: NDArray[np.int64]
    values: list[Any] | None


def read_edges(graph: Any, attribute: Any = None, default: Any = None) -> Edges:
    """Return the edges of a graph or a directed graph without parallel edges.

    Parameters
    ----------
    graph : networkx.Graph or networkx.DiGraph
    attribute : hashable, optional
        Edge attribute to read; None for none.
    default : object
        Value of an edge without the attribute.

    Examples
    --------
    >>> import networkx as nx
    >>> nodes, u, v, values = read_edges(nx.Graph([("a", "b"), ("c", "a")]), "weight", 1)
    >>> nodes, u.tolist(), v.tolist(), values
    (['a', 'b', 'c'], [0, 0], [1, 2], [1, 1])
    """
    rows = graph._adj  # the views of `graph.adj` make an object for each neighbour
    nodes = list(rows)
    degrees = np.fromiter(map(len, rows.values()), np.int64, len(nodes))
    u = np.repeat(np.arange(len(nodes)), degrees)
    v = _neighbours(nodes, rows, u.size)
    once = np.ones(u.size, np.bool_) if graph.is_directed() else u <= v
    values = None
    if attribute is not None:
        data = compress(chain.from_iterable(row.values() for row in rows.values()), once.tolist())
        values = [attributes.get(attribute, default) for attributes in data]
    return Edges(nodes, u[once], v[once], values)


def _neighbours(nodes: list[Any], rows: Mapping[Any, Any], count: int) -> NDArray[np.int64]:
    """Return the vertices of all neighbours, row by row."""

    def entries() -> Iterator[Any]:
        return chain.from_iterable(rows.values())

    if set(map(type, nodes)) == {int}:
        try:
            names = np.fromiter(nodes, np.int64, len(nodes))
            found = np.fromiter(entries(), np.int64, count)
        except (OverflowError, TypeError, ValueError):  # beyond 64 bits, or equal to an integer
            pass
        else:
            if names[0] == 0 and (np.diff(names) == 1).all():
                return found
            if names.min() >= 0 and names.max() < SPREAD * len(nodes):
                table = np.empty(names.max() + 1, np.int64)
                table[names] = np.arange(len(nodes))
                return table[found]
    number = {node: at for at, node in enumerate(nodes)}
    return np.fromiter(map(number.__getitem__, entries()), np.int64, count)
