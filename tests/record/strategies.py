"""Random problems for the tests of this folder."""

from __future__ import annotations

from hypothesis import strategies as st

from gpucore.bipartite import BipartiteGraph


@st.composite
def weighted_graphs(draw, max_vertices=14):
    """Small graphs, among them dense ones and ones of equal weights."""
    n = draw(st.integers(2, max_vertices))
    pairs = [(u, v) for u in range(n) for v in range(u)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=len(pairs)))
    weights = draw(st.lists(st.integers(1, 6), min_size=len(edges), max_size=len(edges)))
    return n, [(u, v, w / 4) for (u, v), w in zip(edges, weights, strict=True)]


@st.composite
def bipartite_graphs(draw, most=7):
    """Small patterns, among them dense ones, empty ones and ones of a single row or column."""
    shape = draw(st.tuples(st.integers(1, most), st.integers(1, most)))
    cells = [(r, c) for r in range(shape[0]) for c in range(shape[1])]
    entries = draw(st.lists(st.sampled_from(cells), unique=True, max_size=len(cells)))
    rows, columns = ([entry[i] for entry in entries] for i in (0, 1))
    return BipartiteGraph.from_entries(rows, columns, shape=shape)
