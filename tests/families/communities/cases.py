"""Graphs and partitions for the tests of communities, and modularity by other libraries."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from gpucore.problems.graph.graph import Graph

RESOLUTIONS = st.sampled_from([1.0, 0.5, 2.0, 1.7])


@st.composite
def community_graphs(draw, max_vertices=14, loops=True):
    """Draw a graph with weights of at least 0 or without, with and without loops."""
    n = draw(st.integers(1, max_vertices))
    pairs = [(u, v) for v in range(n) for u in range(v + loops)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    numbers = draw(st.sampled_from(["none", "whole", "real"]))
    u, v = (np.array([pair[side] for pair in edges], np.int64) for side in (0, 1))
    if numbers == "none":
        return Graph.from_edges(n, u, v)
    weight = st.integers(0, 5) if numbers == "whole" else st.floats(2.0**-10, 100, width=32)
    return Graph.from_edges(n, u, v, draw(st.lists(weight, min_size=u.size, max_size=u.size)))


@st.composite
def partitions(draw, n):
    """Draw labels 0 to k - 1 of n things, all used."""
    labels = draw(st.lists(st.integers(0, max(n - 1, 0)), min_size=n, max_size=n))
    return np.unique(np.array(labels, np.int64), return_inverse=True)[1].astype(np.int32)


def networkx_graph(graph):
    """Build it edge by edge, by the library's own rules."""
    theirs = nx.Graph()
    theirs.add_nodes_from(range(graph.num_vertices))
    for u, v, w in [*zip(*graph.edges(), strict=True)]:
        theirs.add_edge(int(u), int(v), weight=float(w))
    for v, w in zip(*graph.loops(), strict=True):
        theirs.add_edge(int(v), int(v), weight=float(w))
    return theirs


def networkx_modularity(graph, community, resolution=1.0):
    """Modularity by NetworkX; 0 where it divides by 0."""
    parts = [set(np.flatnonzero(community == c).tolist()) for c in np.unique(community)]
    theirs = networkx_graph(graph)
    if theirs.size(weight="weight") == 0:
        return 0.0
    return nx.community.modularity(theirs, parts, weight="weight", resolution=resolution)
