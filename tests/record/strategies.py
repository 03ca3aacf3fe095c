"""Random problems for the tests of this folder."""

from __future__ import annotations

from hypothesis import strategies as st


@st.composite
def weighted_graphs(draw, max_vertices=14):
    """Small graphs, among them dense ones and ones of equal weights."""
    n = draw(st.integers(2, max_vertices))
    pairs = [(u, v) for u in range(n) for v in range(u)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=len(pairs)))
    weights = draw(st.lists(st.integers(1, 6), min_size=len(edges), max_size=len(edges)))
    return n, [(u, v, w / 4) for (u, v), w in zip(edges, weights, strict=True)]
