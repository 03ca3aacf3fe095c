"""Functions of NetworkX about matchings of maximum cardinality in bipartite graphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from gpucore.families.bipartite.alternating import Reach, alternating_graph, reach
from gpucore.families.bipartite.result import other_side
from gpucore.networkx_backend.answer import answer
from gpucore.networkx_backend.graph import Given
from gpucore.problems.bipartite.graph import BipartiteGraph

#: A column of every row, and a row of every column; -1 for none.
Pairs = tuple[NDArray[np.int32], NDArray[np.int32]]


def hopcroft_karp_matching(
    G: Given,  # NetworkX's name
    top_nodes: Any = None,
    *,
    device: str = "auto",
    certify: bool = True,
    record: Any = None,
) -> dict[Any, Any]:
    """Return a maximum matching; see :func:`networkx.bipartite.hopcroft_karp_matching`.

    As in NetworkX, edges between two nodes that are not in `top_nodes` are left out.
    """
    sides = _divided(G, top_nodes)
    result = answer(
        sides.problem, "bipartite", "hopcroft_karp", device=device, certify=certify, record=record
    )
    matched = np.flatnonzero(result.row_match >= 0)
    ends = sides.rows[matched].tolist(), sides.columns[result.row_match[matched]].tolist()
    pairs = [(G.nodes[u], G.nodes[v]) for u, v in zip(*ends, strict=True)]
    return {**dict(pairs), **{v: u for u, v in pairs}}


#: Another way to the same answer: any maximum matching.
eppstein_matching = hopcroft_karp_matching


def to_vertex_cover(
    G: Given,
    matching: dict[Any, Any],
    top_nodes: Any = None,
) -> set[Any]:
    """Return a smallest vertex cover by König's theorem; see :mod:`networkx.bipartite`.

    Alternating paths start at the unmatched rows, as in NetworkX: columns that they reach, and rows
    that they do not reach, cover all edges. The cover is the same for every maximum matching. If
    `matching` is not one, a maximum matching is computed.
    """
    sides = _divided(G, top_nodes)
    if sides.problem.num_edges < len(G.u):
        raise NotImplementedError("an edge joins two nodes that are not in top_nodes")
    given = _given_pairs(G, sides, matching)
    found = None if given is None else _reached(sides.problem, given)
    if given is None or found is None or found.path.size:
        result = answer(
            sides.problem, "bipartite", "hopcroft_karp", device="auto", certify=True, record=None
        )
        given = result.row_match, other_side(result.row_match, sides.columns.size)
        found = _reached(sides.problem, given)
    row_match, _ = given
    covered = row_match[found.reached & (row_match >= 0)]
    return G.named([*sides.rows[~found.reached].tolist(), *sides.columns[covered].tolist()])


def _reached(problem: BipartiteGraph, pairs: Pairs) -> Reach:
    row_match, column_match = pairs
    return reach(alternating_graph(*problem.by_row(), column_match, row_match))


def _given_pairs(graph: Given, sides: _Sides, matching: dict[Any, Any]) -> Pairs | None:
    """Return the pairs of a dictionary with either node as the key; None if it is no matching."""
    iter(matching)  # a TypeError comes before an AttributeError, as in NetworkX
    number = graph.number
    ends = [(number.get(node), number.get(other)) for node, other in matching.items()]
    if any(u is None or v is None for u, v in ends):
        return None
    u, v = np.array(ends, np.int64).reshape(-1, 2).T
    if (sides.top[u] == sides.top[v]).any() or not graph.has_edges(u, v):
        return None
    rows, columns = (sides.place[np.where(sides.top[u], one, two)] for one, two in ((u, v), (v, u)))
    row_match = np.full(sides.rows.size, -1, np.int32)
    row_match[rows] = columns
    if (row_match[rows] != columns).any():
        return None
    column_match = other_side(row_match, sides.columns.size)
    return (row_match, column_match) if (column_match[columns] == rows).all() else None


@dataclass(frozen=True)
class _Sides:
    """A graph between two sides: the problem, and which vertices its rows and columns are."""

    problem: BipartiteGraph
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    #: Which vertices are rows, and the row or column of every vertex.
    top: NDArray[np.bool_]
    place: NDArray[np.int64]


def _divided(graph: Given, top_nodes: Any) -> _Sides:
    """Return the graph between its two sides, without the edges inside the lower side.

    Raises
    ------
    NotImplementedError
        `top_nodes` is an iterator, or has nodes that the graph does not have, or both ends of an
        edge.
    networkx.NetworkXError
        The graph is not bipartite.
    networkx.AmbiguousSolution
        It is not connected, and nothing says which nodes are on one side.
    """
    if top_nodes is None:
        top = _sides(graph)
    else:
        if isinstance(top_nodes, Iterator):  # NetworkX could not read it again
            raise NotImplementedError("top_nodes has to be a container, not an iterator")
        names = set(top_nodes)
        if not names <= graph.number.keys():
            raise NotImplementedError("top_nodes names nodes that the graph does not have")
        top = np.zeros(len(graph), np.bool_)
        top[[graph.number[node] for node in names]] = True
    if (top[graph.u] & top[graph.v]).any():
        raise NotImplementedError("top_nodes contains both ends of an edge")
    rows, columns = np.flatnonzero(top), np.flatnonzero(~top)
    place = np.empty(len(graph), np.int64)
    place[rows], place[columns] = np.arange(rows.size), np.arange(columns.size)
    across = top[graph.u] != top[graph.v]
    u, v = graph.u[across], graph.v[across]
    entries = place[np.where(top[u], u, v)], place[np.where(top[u], v, u)]
    problem = BipartiteGraph.from_entries(*entries, shape=(rows.size, columns.size))
    return _Sides(problem, rows, columns, top, place)


def _sides(graph: Given) -> NDArray[np.bool_]:
    """Return which vertices are at an even distance from the first.

    Every vertex has two copies, for even and for odd distances. The copies of a connected graph
    fall into two components if it is bipartite, else into one.
    """
    import networkx as nx

    n = len(graph)
    if not n:
        raise nx.NetworkXPointlessConcept("a graph without nodes has no two sides")
    links = np.concatenate([graph.u, graph.v]), np.concatenate([graph.v, graph.u]) + n
    copies = sparse.coo_array((np.ones(2 * len(graph.u), np.int8), links), (2 * n, 2 * n))
    count, component = csgraph.connected_components(copies, directed=False)
    bipartite = component[0] != component[n]
    if count > (2 if bipartite else 1):
        raise nx.AmbiguousSolution("the graph is not connected: name the nodes of one side")
    if not bipartite:
        raise nx.NetworkXError("Graph is not bipartite.")
    even: NDArray[np.bool_] = component[:n] == component[0]
    return even
