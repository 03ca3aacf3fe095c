"""Functions of NetworkX about matchings of one graph."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.networkx_backend.answer import answer
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
    mate = answer(
        ones, "suitor", "suitor_serial", device=device, certify=certify, record=record
    ).mate
    first = np.flatnonzero(mate > np.arange(len(mate)))
    nodes = G.nodes
    return {(nodes[u], nodes[v]) for u, v in zip(first.tolist(), mate[first].tolist(), strict=True)}


def is_matching(G: Given, matching: Any) -> bool:
    """Return whether pairs of nodes are a matching; see :func:`networkx.is_matching`."""
    return _matched(G, matching) is not None


def is_maximal_matching(G: Given, matching: Any) -> bool:
    """Return whether no edge can be added; see :func:`networkx.is_maximal_matching`."""
    matched = _matched(G, matching, hashed=True)
    if matched is None:
        return False
    return not (~matched[G.u] & ~matched[G.v] & (G.u != G.v)).any()


def is_perfect_matching(G: Given, matching: Any) -> bool:
    """Return whether every node has a partner; see :func:`networkx.is_perfect_matching`."""
    matched = _matched(G, matching)
    return matched is not None and bool(matched.all())


def _matched(graph: Given, matching: Any, hashed: bool = False) -> NDArray[np.bool_] | None:
    """Return which vertices have a partner; None if this is no matching.

    With `hashed` the pairs have to be hashable, as NetworkX wants them in one of its functions.

    Raises
    ------
    networkx.NetworkXError
        An element is no pair, or names a node that the graph does not have, and no element before
        it breaks the matching; or a dictionary maps a node to itself.
    """
    pairs = list(_set_of(matching) if isinstance(matching, dict) else matching)
    number = graph.number
    try:
        sizes = set(map(len, pairs))
        ends = np.array([number[node] for node in chain.from_iterable(pairs)], np.int64)
    except (KeyError, TypeError):
        sizes, ends = {0}, np.empty(0, np.int64)
    unhashable = hashed and any(kind.__hash__ is None for kind in set(map(type, pairs)))
    if unhashable or sizes - {2}:
        _find_fault(graph, pairs, hashed)
        return None
    u, v = ends[::2], ends[1::2]
    matched = np.zeros(len(graph), np.bool_)
    matched[ends] = True
    if np.count_nonzero(matched) < ends.size or not graph.has_edges(u, v):
        return None
    return matched


def _set_of(matching: dict[Any, Any]) -> set[tuple[Any, Any]]:
    """Return the pairs of a dictionary, each once, in the set's order, as NetworkX sees them."""
    import networkx as nx

    pairs: set[tuple[Any, Any]] = set()
    for u, v in matching.items():
        if (v, u) not in pairs:
            if u == v:
                raise nx.NetworkXError(f"Selfloops cannot appear in matchings {(u, v)}")
            pairs.add((u, v))
    return pairs


def _find_fault(graph: Given, pairs: list[Any], hashed: bool) -> None:
    """Raise for the first element that is no pair of nodes, unless one before is no new edge.

    With `hashed` also for the first one that cannot be hashed.

    Raises
    ------
    networkx.NetworkXError
        As NetworkX, word by word.
    """
    import networkx as nx

    original, seen = graph.original, set()
    for pair in pairs:
        if len(pair) != 2:
            raise nx.NetworkXError(f"matching has non-2-tuple edge {pair}")
        u, v = pair
        if u not in original or v not in original:
            raise nx.NetworkXError(f"matching contains edge {pair} with node not in G")
        if u in seen or v in seen or u == v or not original.has_edge(u, v):
            return
        if hashed:
            hash(pair)
        seen |= {u, v}
