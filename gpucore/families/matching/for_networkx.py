"""Functions of NetworkX about matchings of one graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.drop_in import solve
from gpucore.networkx_backend.graph import Given
from gpucore.problems.graph.graph import Graph


def maximal_matching(
    G: Given,  # NetworkX's name
    *,
    device: str = "auto",
    certify: bool = True,
    record: Any = None,
) -> set[tuple[Any, Any]]:
    """Return a maximal matching; see :func:`networkx.maximal_matching`.

    With equal weights a locally dominant matching is maximal: no edge has two free ends.
    """
    plain = G.unweighted
    ones = Graph(plain.indptr, plain.indices, plain.weights, weighted=True)
    mate = solve(
        ones, "suitor", "suitor_serial", device=device, certify=certify, record=record
    ).mate
    first = np.flatnonzero(mate > np.arange(len(mate)))
    return {(G.nodes[u], G.nodes[mate[u]]) for u in first}


def is_matching(G: Given, matching: Any) -> bool:
    """Return whether pairs of nodes are a matching; see :func:`networkx.is_matching`."""
    return _mates(G, matching) is not None


def is_maximal_matching(G: Given, matching: Any) -> bool:
    """Return whether no edge can be added; see :func:`networkx.is_maximal_matching`."""
    mate = _mates(G, matching)
    if mate is None:
        return False
    plain = G.u != G.v
    return not ((mate[G.u] < 0) & (mate[G.v] < 0) & plain).any()


def is_perfect_matching(G: Given, matching: Any) -> bool:
    """Return whether every node has a partner; see :func:`networkx.is_perfect_matching`."""
    mate = _mates(G, matching)
    return mate is not None and bool((mate >= 0).all())


def _mates(graph: Given, matching: Any) -> NDArray[np.int64] | None:
    """Return the partner of every vertex, -1 for none; None if this is no matching.

    Raises
    ------
    networkx.NetworkXError
        An element is no pair, or names a node that the graph does not have.
    """
    import networkx as nx

    pairs = matching.items() if isinstance(matching, dict) else matching
    mate = np.full(len(graph), -1, np.int64)
    edges = {*zip(graph.u.tolist(), graph.v.tolist(), strict=True)}
    for pair in {frozenset(pair) if len(pair) == 2 else _bad(pair) for pair in map(tuple, pairs)}:
        for node in pair:
            if node not in graph.number:
                raise nx.NetworkXError(f"matching contains edge {tuple(pair)} with node not in G")
        if len(pair) != 2:
            return None  # a loop
        u, v = (graph.number[node] for node in pair)
        if mate[u] >= 0 or mate[v] >= 0 or not {(u, v), (v, u)} & edges:
            return None
        mate[u], mate[v] = v, u
    return mate


def _bad(pair: tuple[Any, ...]) -> Any:
    import networkx as nx

    raise nx.NetworkXError(f"matching has non-2-tuple edge {pair}")
