"""Values of b, and slow, simple reference methods for b-matching."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import strategies as st

from support.matching_cases import graphs


def greedy_b_mates(graph, capacities):
    """Match the heaviest edges first while both ends have room; returns (starts, mates).

    The order of edges is (weight, larger end, smaller end), as everywhere.
    """
    edges = zip(*(a.tolist() for a in graph.edges()), strict=True)
    room = [int(b) for b in capacities]
    mates = [[] for _ in room]
    for _, v, u in sorted(((w, v, u) for u, v, w in edges if w > 0 and u != v), reverse=True):
        if room[u] > 0 and room[v] > 0:
            room[u] -= 1
            room[v] -= 1
            mates[u].append(v)
            mates[v].append(u)
    return lists_to_arrays(mates)


def lists_to_arrays(mates):
    """Turn a list of mates for each vertex into (starts, mates)."""
    starts = np.zeros(len(mates) + 1, np.int64)
    np.cumsum([len(own) for own in mates], out=starts[1:])
    return starts, np.array([v for own in mates for v in sorted(own)], np.int32)


@st.composite
def given_b(draw, n):
    """Draw a b of any form for a graph of `n` vertices: 0 and above the degree among them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return draw(
        st.sampled_from([0, 1, 2, 3, 5, 9, 40, 2**31 - 1, "degree", "degree/2", "degree/3"])
        | st.sampled_from([2, 5, 12]).map(lambda top: rng.integers(0, top, n).astype(np.int32))
    )


@st.composite
def graphs_and_b(draw, max_vertices=24, weights=("equal", "few", "distinct", "random")):
    """Draw a graph and a b for it."""
    graph = draw(graphs(max_vertices, weights))
    return graph, draw(given_b(graph.num_vertices))


def heaviest_b_weight(graph, capacities):
    """Weight of a heaviest b-matching of a tiny graph, by trying every set of edges."""
    edges = [edge for edge in zip(*(a.tolist() for a in graph.edges()), strict=True) if edge[2] > 0]

    @cache
    def best(at, room):
        if at == len(edges):
            return 0.0
        u, v, w = edges[at]
        found = best(at + 1, room)
        if room[u] > 0 and room[v] > 0:
            left = list(room)
            left[u] -= 1
            left[v] -= 1
            found = max(found, w + best(at + 1, tuple(left)))
        return found

    return best(0, tuple(min(int(b), graph.num_vertices) for b in capacities))
