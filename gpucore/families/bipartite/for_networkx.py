"""Functions of NetworkX about matchings of maximum cardinality in bipartite graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from gpucore.drop_in import solve
from gpucore.families.bipartite.alternating import alternating_graph, reach
from gpucore.networkx_backend.graph import Given
from gpucore.problems.bipartite.graph import BipartiteGraph


def hopcroft_karp_matching(
    G: Given,  # NetworkX's name
    top_nodes: Any = None,
    *,
    device: str = "auto",
    certify: bool = True,
    record: Any = None,
) -> dict[Any, Any]:
    """Return a maximum matching; see :func:`networkx.bipartite.hopcroft_karp_matching`."""
    problem, rows, columns = _divided(G, top_nodes)
    result = solve(
        problem, "bipartite", "hopcroft_karp", device=device, certify=certify, record=record
    )
    matched = np.flatnonzero(result.row_match >= 0)
    ends = rows[matched].tolist(), columns[result.row_match[matched]].tolist()
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
    that they do not reach, cover all edges. The cover is the same for every maximum matching.
    """
    problem, rows, columns = _divided(G, top_nodes)
    place = np.full(len(G), -1, np.int32)
    place[rows], place[columns] = np.arange(rows.size), np.arange(columns.size)
    row_match = np.full(rows.size, -1, np.int32)
    column_match = np.full(columns.size, -1, np.int32)
    is_row = np.zeros(len(G), np.bool_)
    is_row[rows] = True
    for node, partner in matching.items():
        u, v = G.number[node], G.number[partner]
        if is_row[u]:
            row_match[place[u]], column_match[place[v]] = place[v], place[u]
    reached = reach(alternating_graph(*problem.by_row(), column_match, row_match)).reached
    covered = row_match[reached & (row_match >= 0)]
    return G.named([*rows[~reached], *columns[covered]])


def _divided(
    graph: Given, top_nodes: Any
) -> tuple[BipartiteGraph, NDArray[np.int64], NDArray[np.int64]]:
    """Return the graph between its two sides, and the vertices of its rows and columns.

    Raises
    ------
    networkx.NetworkXError
        The graph is not bipartite.
    networkx.AmbiguousSolution
        It is not connected, and nothing says which nodes are on one side.
    """
    import networkx as nx

    if top_nodes is None:
        top = _sides(graph)
    else:
        top = np.zeros(len(graph), np.bool_)
        top[[graph.number[node] for node in top_nodes]] = True
    across = top[graph.u] != top[graph.v]
    if not across.all():
        raise nx.NetworkXError("Graph is not bipartite.")
    rows, columns = np.flatnonzero(top), np.flatnonzero(~top)
    place = np.empty(len(graph), np.int64)
    place[rows], place[columns] = np.arange(rows.size), np.arange(columns.size)
    u = np.where(top[graph.u], graph.u, graph.v)
    v = np.where(top[graph.u], graph.v, graph.u)
    shape = rows.size, columns.size
    return BipartiteGraph.from_entries(place[u], place[v], shape=shape), rows, columns


def _sides(graph: Given) -> NDArray[np.bool_]:
    """Return which vertices are at an even distance from the first."""
    import networkx as nx

    n = len(graph)
    links = sparse.csr_array(
        sparse.coo_array((np.ones(2 * len(graph.u)), (np.append(graph.u, graph.v),
                                                     np.append(graph.v, graph.u))), (n, n))
    )  # fmt: skip
    if n and csgraph.connected_components(links, directed=False)[0] > 1:
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    even = np.ones(n, np.bool_)
    if n:
        order, before = csgraph.breadth_first_order(links, 0, directed=False)
        for vertex in order[1:]:
            even[vertex] = not even[before[vertex]]
    return even
