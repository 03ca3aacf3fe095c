"""Hypothesis strategies of small graphs, shared by the tests of graphs and files."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from gpucore.problems.graph.graph import Graph

#: For properties that write files, or whose time depends on how busy the machine is.
relaxed = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
FINITE = st.floats(-(2.0**70), 2.0**70, width=32)


@st.composite
def edge_dicts(draw, max_vertices=12, loops=True, weights=FINITE):
    """Draw a number of vertices and a dict from edges (u <= v) to weights."""
    n = draw(st.integers(0, max_vertices))
    pairs = [(u, v) for v in range(n) for u in range(v + loops)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return n, {pair: draw(weights) for pair in chosen}


@st.composite
def graphs(draw, loops=True, weighted=None, weights=FINITE):
    """Draw a graph, weighted or not."""
    n, edges = draw(edge_dicts(loops=loops, weights=weights))
    u, v = (np.array([pair[side] for pair in edges], np.int64) for side in (0, 1))
    has_weights = draw(st.booleans()) if weighted is None else weighted
    return Graph.from_edges(n, u, v, list(edges.values()) if has_weights else None)
