"""Helpers for tests of bipartite matching: runs, graphs of a given shape, reference answers."""

from __future__ import annotations

from functools import cache

import networkx as nx
import numpy as np
from hypothesis import strategies as st
from scipy.sparse.csgraph import maximum_bipartite_matching

import gpucore
from gpucore.datasets import names as dataset_names
from gpucore.families.bipartite.methods import METHODS
from gpucore.family import get_runner
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite

VARIANTS = get_runner("bipartite").variant_names

PAPER = [variant for variant in VARIANTS if variant != "fast"]
#: Those that walk along every path that the search finds, as algorithm 3 says; the others follow
#: one path a root (the end of section 3), and their walks cannot meet on figure 1's graph.
ALL_PATHS = [variant for variant in PAPER if not variant.startswith("apsb_gpubfs_wr")]
#: Our methods on the processor, and those on several threads.
OURS = tuple(method.name for method in METHODS)
TEAMS = tuple(name for name in OURS if name.endswith("_omp"))
INITIAL = ("none", "cheap", "cheap_serial", "short_first", "karp_sipser")


def find(graph, variant, device="host", **more):
    """Run a variant; its result is certified and its figures fit together."""
    result = gpucore.run("bipartite", graph, device=device, variant=variant, **more)
    certificate = result.certificate
    assert certificate.ok, str(certificate)
    figures = result.figures
    assert result.cardinality == np.count_nonzero(result.row_match >= 0)
    assert 0 <= figures["initial_cardinality"] <= result.cardinality
    # Only the last phase may have nothing to search from, and a graft may reach free rows itself.
    assert figures["levels"] + figures.get("grafted", 0) >= figures["phases"] - 1 >= -1
    assert figures.get("runaways", 0) == 0
    assert result.row_match.dtype == result.column_match.dtype == np.int32
    return result


def scipy_cardinality(graph):
    """Return the number of pairs that SciPy finds."""
    if not graph.num_edges:
        return 0
    matched = maximum_bipartite_matching(graph.to_matrix(), perm_type="column")
    return int(np.count_nonzero(matched >= 0))


def networkx_cardinality(graph):
    """Return the number of pairs that NetworkX finds."""
    rows = range(graph.num_rows)
    return len(nx.bipartite.hopcroft_karp_matching(graph.to_networkx(), top_nodes=rows)) // 2


@cache
def real_graph(name):
    """Return a bundled matrix, or the twin of a bundled graph."""
    return load_bipartite(name)


def real_names():
    """Return all bundled data sets."""
    return list(dataset_names("graph"))


def of_pairs(pairs, shape, **attributes):
    """Make a graph of (row, column) pairs."""
    rows, columns = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    return BipartiteGraph.from_entries(rows, columns, shape, **attributes)


def figure_one():
    """Make the paper's figure 1 and the matching that it begins with."""
    return of_pairs([(0, 0), (0, 1), (1, 1), (2, 1)], (3, 2)), np.array([1, -1, -1])


def uniform(rows, columns, entries, seed):
    """Make a matrix of random entries, some of them given twice, some rows and columns empty."""
    rng = np.random.default_rng(seed)
    given = np.stack([rng.integers(0, rows, entries), rng.integers(0, columns, entries)], axis=1)
    return of_pairs(given, (rows, columns))


def complete(rows, columns):
    """Make a full matrix: every column reaches every row."""
    return of_pairs(np.argwhere(np.ones((rows, columns))), (rows, columns))


def stars(centres, leaves):
    """Make rows that share all their columns, beside as many columns that share a row."""
    pairs = [(r, c) for r in range(centres) for c in range(leaves)]
    pairs += [(centres + r, leaves + c) for r in range(leaves) for c in range(centres)]
    return of_pairs(pairs, (centres + leaves, leaves + centres))


def chain(length, seed=None):
    """Make a path from an unmatched column to an unmatched row, and the matching that forces it.

    Returns the graph and a given matching of `length` pairs: the only augmenting path has
    ``2 * length + 1`` edges.  With a seed, rows and columns are numbered at random.
    """
    rng = np.random.default_rng(seed)
    count = length + 1
    row_of, column_of = np.arange(count), np.arange(count)
    if seed is not None:
        row_of, column_of = rng.permutation(count), rng.permutation(count)
    at = np.arange(count)
    pairs = np.concatenate(
        [
            np.stack([row_of[at], column_of[at]], axis=1),
            np.stack([row_of[at[:-1]], column_of[at[1:]]], axis=1),
        ]
    )
    matched = np.full(count, -1)
    matched[row_of[:-1]] = column_of[1:]
    return of_pairs(pairs, (count, count)), matched


def fan(columns, rows):
    """Make many roots that lead through one row and one column to many unmatched rows.

    Returns the graph and a given matching of one pair.  All walks pass through the one column.
    """
    pairs = [(0, c) for c in range(columns + 1)] + [(r, columns) for r in range(1, rows + 1)]
    matched = np.full(rows + 1, -1)
    matched[0] = columns
    return of_pairs(pairs, (rows + 1, columns + 1)), matched


@st.composite
def matrices(draw, largest=14):
    """Draw a matrix of any shape, with empty rows and columns and entries given twice."""
    rows, columns = draw(st.integers(0, largest)), draw(st.integers(0, largest))
    if not rows or not columns:
        return of_pairs([], (rows, columns))
    entry = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    return of_pairs(draw(st.lists(entry, max_size=4 * largest)), (rows, columns))


@st.composite
def skewed_matrices(draw):
    """Draw an R-MAT matrix: few rows and columns have most of the entries."""
    scale, seed = draw(st.integers(2, 6)), draw(st.integers(0, 1000))
    return load_bipartite(f"bip_rmat:scale={scale},edge_factor=3,seed={seed}")


@st.composite
def layered_matrices(draw):
    """Draw a matrix whose shortest augmenting paths get longer with every phase."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=2, max_size=8))
    starts = np.cumsum([0, *sizes])
    pairs = [
        (starts[layer] + r, starts[layer + step] + c)
        for layer in range(len(sizes))
        for step in (0, 1)
        if layer + step < len(sizes)
        for r in range(sizes[layer])
        for c in range(sizes[layer + step])
        if (r + c) % 2 == 0 or step == 0
    ]
    return of_pairs(pairs, (starts[-1], starts[-1]))
