"""Ratings made of graphs and matrices, and steps that are wrong."""

import numpy as np
import pytest
from hypothesis import given

from gpucore.errors import GraphError
from gpucore.loading import load
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.prepare import bipartite_twin
from gpucore.problems.graph.graph import Graph
from gpucore.problems.ratings.load import load_ratings
from gpucore.problems.ratings.prepare import for_ratings, synthetic_ratings, weights_as_ratings
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.rebuild import rebuild
from support.graph_strategies import graphs, relaxed
from support.ratings_strategies import ratings


@relaxed
@given(graphs())
def test_weights_become_ratings(graph):
    if graph.indices.size == 0:
        with pytest.raises(GraphError, match="no ratings"):
            weights_as_ratings(graph)
        return
    found = weights_as_ratings(graph)
    assert (found.to_matrix().toarray() == graph.to_scipy().toarray()).all()
    assert found.num_ratings == graph.indices.size


@relaxed
@given(ratings())
def test_ratings_are_kept(found):
    assert for_ratings(found) is found
    assert weights_as_ratings(found) is found


def test_a_pattern_gets_made_up_ratings():
    pattern = BipartiteGraph.from_entries([0, 1, 1], [1, 0, 1], (2, 3), names="abxyz", name="p")
    found = for_ratings(pattern, seed=2)
    assert (found.indices == pattern.indices).all()
    assert (found.name, found.names, found.shape) == ("p", pattern.names, (2, 3))
    assert found == synthetic_ratings(pattern, 2)
    assert found != synthetic_ratings(pattern, 2, noise=0.0)
    assert set(synthetic_ratings(pattern, round=1).values) <= {1, 2, 3, 4, 5}
    assert set(weights_as_ratings(pattern).values) == {1}


def test_made_again_with_its_steps():
    lesmis = load("lesmis")
    for found in (
        weights_as_ratings(lesmis),
        synthetic_ratings(bipartite_twin(lesmis), seed=3, k=2, noise=0.0, round=1),
        load_ratings("sample_ratings").transpose(),
    ):
        again = rebuild(found.source)
        assert isinstance(again, Ratings)
        assert again == found
        assert again.source == found.source


@pytest.mark.parametrize(
    ("step", "cause"),
    [
        ({"step": "synthetic_ratings", "seed": -1}, "seed must be a whole number"),
        ({"step": "synthetic_ratings", "k": 10**9}, "k must be between"),
        ({"step": "synthetic_ratings", "k": "8"}, "k must be a whole number"),
        ({"step": "synthetic_ratings", "noise": "x"}, "noise must be between"),
        ({"step": "synthetic_ratings", "speed": 1}, "step synthetic_ratings is wrong"),
        ({"step": "training_part", "fraction": 2}, "takes ratings"),
        ({"step": "for_ratings"}, "no step 'for_ratings'"),
    ],
)
def test_steps_of_a_record_that_are_wrong(step, cause):
    source = {"kind": "dataset", "spec": "southern_women", "prepared": [step]}
    with pytest.raises(GraphError, match=cause):
        rebuild(source)


def test_what_is_no_matrix():
    with pytest.raises(GraphError, match=r"synthetic_ratings takes a bipartite graph.*twin"):
        synthetic_ratings(Graph.from_edges(2, [0], [1]))
    with pytest.raises(GraphError, match="no ratings"):
        for_ratings(Graph.from_edges(3, [], []))


def test_arrays_of_the_matrix_are_not_changed():
    graph = Graph.from_edges(2, [0], [1], [2.5])
    found = weights_as_ratings(graph)
    assert graph.weights.tolist() == found.values.tolist() == [2.5, 2.5]
    assert np.shares_memory(found.values, graph.weights)
