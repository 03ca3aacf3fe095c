"""Graphs of preferences, and their preparation for stable marriage."""

import pickle

import numpy as np
import pytest
from hypothesis import given

from gpucore.errors import GraphError
from gpucore.loading import load
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.preferences.prepare import as_preferences, for_marriage, random_preferences
from gpucore.problems.rebuild import all_steps
from support.graph_strategies import relaxed

from .strategies import preference_lists, rank_tables


@relaxed
@given(preference_lists())
def test_the_edges_are_the_mutual_pairs(sides):
    graph = Preferences.from_lists(*sides, name="pairs").graph()
    men, women = graph.entries()
    assert set(zip(men.tolist(), women.tolist(), strict=True)) == set(rank_tables(*sides))
    assert graph.num_edges == graph.preferences.num_pairs
    assert graph.shape == (len(sides[0]), len(sides[1]))
    assert repr(graph).startswith("PreferenceGraph('pairs', men=")


def test_the_fingerprint_covers_ranks_and_capacities():
    first = Preferences.from_lists([[0, 1]], [[0], [0]]).graph()
    turned = Preferences.from_lists([[1, 0]], [[0], [0]]).graph()
    wide = Preferences.from_lists([[0, 1]], [[0], [0]], man_capacity=2).graph()
    assert len({graph.fingerprint for graph in (first, turned, wide)}) == 3
    assert first.with_attributes(name="else") == first
    assert pickle.loads(pickle.dumps(wide)) == wide


def test_shared_preferences_are_written_out():
    shared = Preferences.shared([1, 0, 2], [2, 1])
    graph = shared.graph()
    assert graph.preferences == shared.expanded()
    assert graph.transpose().preferences == shared.expanded().swapped()


def test_moving_entries_would_lose_the_ranks():
    graph = Preferences.shared([0, 1], [1, 2]).graph()
    with pytest.raises(GraphError, match="their ranks would be lost"):
        all_steps()["permute_sides"](graph, seed=1)
    with pytest.raises(GraphError, match=r"made by Preferences\.graph"):
        PreferenceGraph(graph.indptr, graph.indices, graph.weights, num_rows=2,
                        preferences=graph.preferences)  # fmt: skip


def test_every_kind_of_graph_is_prepared():
    preferences = Preferences.shared([0, 1], [1, 2]).graph()
    assert for_marriage(preferences) is preferences
    weighted = Graph.from_edges(3, [0, 1], [1, 2], [-3.0, 1.0])
    assert for_marriage(weighted).preferences.lists()[0] == [[], [2], [1]]
    matrix = BipartiteGraph.from_entries([0, 0, 1], [0, 1, 1], (2, 3), names="abxyz")
    ranked = for_marriage(matrix, seed=3)
    assert np.array_equal(ranked.indices, matrix.indices)
    assert ranked.names == matrix.names
    assert ranked == for_marriage(matrix, seed=3)


def test_random_preferences_depend_on_the_seed_alone():
    full = BipartiteGraph.from_entries(*np.divmod(np.arange(400), 20), (20, 20))
    first, again, other = (random_preferences(full, seed) for seed in (1, 1, 2))
    assert (first == again, first == other) == (True, False)
    men, women = first.preferences.lists()
    assert len({tuple(row) for row in men}) == len({tuple(row) for row in women}) == 20


@pytest.mark.parametrize("weights", [None, [1.0, 2.0]])
def test_the_steps_make_the_instance_again(weights):
    graph = Graph.from_edges(3, [0, 1], [1, 2], weights)
    prepared = for_marriage(graph, seed=4)
    again = graph
    for step in prepared.source["prepared"]:
        again = all_steps()[step["step"]](again, **{k: v for k, v in step.items() if k != "step"})
    assert again == prepared
    swapped = all_steps()["swapped"](prepared)
    assert swapped.source["prepared"][-1] == {"step": "swapped"}


def test_other_problems_are_refused():
    with pytest.raises(GraphError, match=r"stable marriage takes preferences, not Graph\('karate'"):
        as_preferences(load("karate"))
    with pytest.raises(GraphError, match="takes a bipartite graph"):
        random_preferences(load("karate"))
