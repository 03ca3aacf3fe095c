"""Conversion of graphs to NetworkX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import networkx as nx


def networkx_graph(
    n: int,
    ends: tuple[NDArray[np.int32], NDArray[np.int32]],
    weights: NDArray[np.float32] | None,
    *,
    name: str = "",
    names: Sequence[str] | None = None,
    coordinates: NDArray[np.float64] | None = None,
) -> nx.Graph:
    """Return a NetworkX graph with nodes 0 to n - 1.

    Parameters
    ----------
    n : int
        Number of vertices.
    ends : pair of ndarray of int32, shape (m,)
        Every edge and self-loop once.
    weights : ndarray of float32, shape (m,), or None
        Becomes the edges' attribute "weight".
    name : str
        Name of the graph.
    names, coordinates : optional
        Become the nodes' attributes "name" and "pos".

    Examples
    --------
    >>> ends = np.array([0], np.int32), np.array([2], np.int32)
    >>> print(networkx_graph(3, ends, np.array([0.5], np.float32)).edges(data=True))
    [(0, 2, {'weight': 0.5})]
    """
    import networkx as nx

    result = nx.Graph(name=name)
    result.add_nodes_from(range(n))
    u, v = (one.tolist() for one in ends)
    if weights is not None:
        result.add_weighted_edges_from(zip(u, v, weights.tolist(), strict=True))
    else:
        result.add_edges_from(zip(u, v, strict=True))
    if names is not None:
        nx.set_node_attributes(result, dict(enumerate(names)), "name")
    if coordinates is not None:
        nx.set_node_attributes(result, dict(enumerate(map(tuple, coordinates))), "pos")
    return result
