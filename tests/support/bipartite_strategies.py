"""Hypothesis strategies of small matrices as graphs, with empty rows and columns."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from gpucore.problems.bipartite.graph import BipartiteGraph


@st.composite
def entry_lists(draw, most=9):
    """Draw the shape of a matrix and a list of entries, of which some are given twice."""
    shape = draw(st.integers(0, most)), draw(st.integers(0, most))
    places = st.tuples(st.integers(0, shape[0] - 1), st.integers(0, shape[1] - 1))
    entries = draw(st.lists(places, max_size=30)) if min(shape) else []
    return shape, entries


@st.composite
def bipartite_graphs(draw, most=9):
    """Draw the graph of such a matrix."""
    shape, entries = draw(entry_lists(most))
    rows, columns = np.array(entries, np.int64).reshape(-1, 2).T
    return BipartiteGraph.from_entries(rows, columns, shape)
