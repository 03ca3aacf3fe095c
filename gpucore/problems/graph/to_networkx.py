"""Conversion of graphs to NetworkX."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import networkx as nx

    from gpucore.problems.graph.graph import Graph


def edges_and_loops(
    graph: Graph,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    """Return every edge once, then the self-loops, as arrays ``u <= v`` and ``w``."""
    u, v, w = graph.edges()
    at, loop_weights = graph.loops()
    return (
        np.concatenate((u, at)),
        np.concatenate((v, at)),
        np.concatenate((w, loop_weights)),
    )


def to_networkx(graph: Graph) -> nx.Graph:
    """Return a NetworkX graph with nodes 0 to n - 1.

    Edges have the attribute "weight" if the graph is weighted; nodes have "name" and "pos" if
    the graph has names and coordinates. Self-loops are kept.

    Examples
    --------
    >>> from gpucore import Graph
    >>> print(to_networkx(Graph.from_edges(3, [0], [2], [0.5])).edges(data=True))
    [(0, 2, {'weight': 0.5})]
    """
    import networkx as nx

    result = nx.Graph(name=graph.name)
    result.add_nodes_from(range(graph.num_vertices))
    u, v, w = edges_and_loops(graph)
    if graph.weighted:
        result.add_weighted_edges_from(zip(u.tolist(), v.tolist(), w.tolist(), strict=True))
    else:
        result.add_edges_from(zip(u.tolist(), v.tolist(), strict=True))
    if graph.names is not None:
        nx.set_node_attributes(result, dict(enumerate(graph.names)), "name")
    if graph.coordinates is not None:
        nx.set_node_attributes(result, dict(enumerate(map(tuple, graph.coordinates))), "pos")
    return result
