"""Matrices to match, and reference maximum matchings."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import strategies as st
from scipy.sparse.csgraph import maximum_bipartite_matching

from gpucore.problems.bipartite.graph import BipartiteGraph


@st.composite
def matrices(draw, largest=9):
    """Draw a small rectangular pattern, from empty to full."""
    rows, columns = draw(st.integers(0, largest)), draw(st.integers(0, largest))
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    entries = draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
    return matrix_of(entries, (rows, columns))


def matrix_of(entries, shape):
    """Make the graph of entries ``(row, column)``."""
    places = np.array(entries, np.int64).reshape(-1, 2)
    return BipartiteGraph.from_entries(places[:, 0], places[:, 1], shape=shape)


def random_matrix(rows, columns, entries, seed):
    """Make a matrix with at most `entries` entries at random places."""
    rng = np.random.default_rng(seed)
    at = rng.integers(0, rows, entries), rng.integers(0, columns, entries)
    return BipartiteGraph.from_entries(*at, shape=(rows, columns))


def chain(n):
    """Make an n by n matrix whose main and upper diagonals are full."""
    rows = np.concatenate([np.arange(n), np.arange(n - 1)])
    columns = np.concatenate([np.arange(n), np.arange(1, n)])
    return BipartiteGraph.from_entries(rows, columns, shape=(n, n))


def other_side(match, size):
    """Return the matching of the other side, which has `size` vertices."""
    other = np.full(size, -1, np.int32)
    matched = np.flatnonzero(match >= 0)
    other[match[matched]] = matched
    return other


def scipy_matching(graph):
    """Return row_match and column_match of a maximum matching, by SciPy."""
    row_match = maximum_bipartite_matching(graph.to_matrix(), perm_type="column")
    return row_match.astype(np.int32), other_side(row_match, graph.num_columns)


def networkx_matching(graph):
    """Return row_match and column_match of a maximum matching, by NetworkX."""
    rows, columns = graph.entries()
    theirs = nx.Graph()
    theirs.add_nodes_from(range(graph.num_vertices))
    theirs.add_edges_from(zip(rows.tolist(), (columns + graph.num_rows).tolist(), strict=True))
    mates = nx.bipartite.hopcroft_karp_matching(theirs, range(graph.num_rows))
    row_match = np.full(graph.num_rows, -1, np.int32)
    for r in range(graph.num_rows):
        row_match[r] = mates.get(r, graph.num_rows - 1) - graph.num_rows
    return row_match, other_side(row_match, graph.num_columns)


def greedy_matching(graph, order):
    """Return the maximal matching that takes the entries in an order, each that still fits."""
    row_match = np.full(graph.num_rows, -1, np.int32)
    column_match = np.full(graph.num_columns, -1, np.int32)
    rows, columns = graph.entries()
    for r, c in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if row_match[r] < 0 and column_match[c] < 0:
            row_match[r], column_match[c] = c, r
    return row_match, column_match
