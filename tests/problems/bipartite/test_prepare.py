"""Twins of undirected graphs, and rows and columns in random order."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import maximum_bipartite_matching

from gpucore.errors import GraphError
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.prepare import (
    bipartite_twin,
    for_bipartite,
    permute_sides,
    transpose,
)
from gpucore.problems.graph import prepare
from gpucore.problems.graph.graph import Graph
from support.bipartite_strategies import bipartite_graphs
from support.graph_strategies import graphs, relaxed


@relaxed
@given(graphs())
def test_a_twin_is_the_adjacency_matrix(graph):
    twin = bipartite_twin(graph)
    n = graph.num_vertices
    assert twin.shape == (n, n)
    assert (twin.by_row()[1] == graph.indices).all()
    assert (twin.by_column()[1] == graph.indices).all()
    assert BipartiteGraph(twin.indptr, twin.indices, twin.weights, num_rows=n) == twin
    assert BipartiteGraph.from_entries(*twin.entries(), (n, n)) == twin
    assert twin.num_edges == 2 * graph.num_edges + graph.num_loops


def test_a_twins_vertices_are_named_after_the_graphs():
    graph = Graph.from_edges(2, [0], [1], names=["a", "b"], coordinates=np.eye(2), name="pair")
    twin = for_bipartite(graph)
    assert (twin.name, twin.names, twin.coordinates) == ("pair", ("a", "b", "a", "b"), None)
    assert twin.source["prepared"] == [{"step": "bipartite_twin"}]
    assert for_bipartite(twin) is twin


@relaxed
@given(bipartite_graphs(), st.integers(0, 2**32))
def test_permuting_moves_rows_and_columns_with_their_names(graph, seed):
    named = graph.with_attributes(names=[str(v) for v in range(graph.num_vertices)])
    moved = permute_sides(named, seed)
    rows, columns = moved.names[: graph.num_rows], moved.names[graph.num_rows :]
    i, j = moved.entries()
    back = BipartiteGraph.from_entries(
        [int(rows[r]) for r in i], [int(columns[c]) - graph.num_rows for c in j], graph.shape
    )
    assert back == graph
    assert permute_sides(named, seed) == moved


def test_the_order_is_that_of_numpys_generator():
    graph = BipartiteGraph.from_entries(np.arange(50), np.arange(50), (50, 60))
    moved = permute_sides(graph, seed=5)
    rng = np.random.default_rng(5)
    rows, columns = rng.permutation(50), rng.permutation(60)
    assert moved == BipartiteGraph.from_entries(rows, columns[:50], (50, 60))
    assert moved != graph != permute_sides(graph, seed=6)
    assert permute_sides(graph, np.int64(5)) == moved
    assert json.loads(json.dumps(moved.source["prepared"])) == [
        {"step": "permute_sides", "seed": 5}
    ]


@relaxed
@given(bipartite_graphs(), st.integers(0, 9))
def test_no_step_changes_the_structural_rank(graph, seed):
    rank = (maximum_bipartite_matching(graph.to_matrix()) >= 0).sum()
    for step in (permute_sides(graph, seed), transpose(graph)):
        assert (maximum_bipartite_matching(step.to_matrix()) >= 0).sum() == rank


def test_steps_of_other_families_keep_the_graph():
    graph = BipartiteGraph.from_entries([0, 1], [0, 0], (2, 1))
    for step in (prepare.drop_loops, prepare.drop_zeros, prepare.absolute_values):
        assert step(graph) is graph
    weighted = prepare.for_matching(graph, seed=1)
    assert weighted.weighted
    assert (weighted.indices == graph.indices).all()


@pytest.mark.parametrize("step", [permute_sides, transpose])
def test_what_is_not_bipartite(step):
    with pytest.raises(GraphError, match=r"takes a bipartite graph.*bipartite_twin"):
        step(Graph.from_edges(2, [0], [1]))


def test_bad_seeds_and_sizes():
    graph = BipartiteGraph.from_entries([0], [0], (1, 1))
    with pytest.raises(GraphError, match="seed must be a whole number of at least 0, not -1"):
        permute_sides(graph, -1)
    with pytest.raises(GraphError, match="seed must be a whole number"):
        permute_sides(graph, "7")
