"""The preparation of graphs for modularity keeps all weights."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_communities
from support.graph_strategies import graphs


@given(graph=graphs(weights=st.sampled_from([0.0, 0.5, 3.0])))
def test_only_zeros_are_dropped(graph):
    prepared = for_communities(graph)
    assert prepared.num_vertices == graph.num_vertices
    assert prepared.weights.all()
    assert prepared.weights.sum() == graph.weights.sum()
    assert prepared.loops()[1].sum() == graph.loops()[1].sum()
    assert prepared.weighted == graph.weighted
    assert for_communities(prepared) is prepared


@pytest.mark.parametrize(("u", "v"), [(0, 2), (1, 1)])
def test_a_negative_weight_is_refused_by_name(u, v):
    graph = Graph.from_edges(3, [0, u], [1, v], [1, -2.5])
    with pytest.raises(GraphError, match=rf"edge \({u}, {v}\) has the weight -2.5.*absolute"):
        for_communities(graph)
