"""Hypothesis strategies of tiny problems, for runs that are recorded."""

from __future__ import annotations

from hypothesis import strategies as st

from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.preferences.preferences import Preferences


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


@st.composite
def preferences(draw, most=7):
    """Small instances, among them complete ones, ones without pairs, and ones of many women."""
    men, women = draw(st.integers(0, most)), draw(st.integers(0, most))
    cells = [(m, w) for m in range(men) for w in range(women)]
    kept = draw(st.just(cells) | st.lists(st.sampled_from(cells or [None]), unique=True))
    kept = [cell for cell in kept if cell]
    shuffled = (draw(st.permutations(kept)), draw(st.permutations(kept)))
    of_men = [[w for m, w in shuffled[0] if m == man] for man in range(men)]
    of_women = [[m for m, w in shuffled[1] if w == woman] for woman in range(women)]
    return Preferences.from_lists(of_men, of_women)
