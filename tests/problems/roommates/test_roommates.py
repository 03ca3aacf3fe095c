"""Instances of stable roommates: lists in, mutual lists and ranks out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError
from gpucore.problems.graph.graph import Graph
from gpucore.problems.roommates.roommates import Roommates, as_roommates
from support.graph_strategies import graphs


@st.composite
def any_lists(draw):
    """Draw lists that need not be mutual."""
    n = draw(st.integers(0, 7))
    others = [[q for q in range(n) if q != p] for p in range(n)]
    return [draw(st.lists(st.sampled_from(row), unique=True)) if row else [] for row in others]


@given(any_lists())
def test_only_mutual_entries_are_kept_with_both_ranks(lists):
    instance = Roommates.from_lists(lists)
    kept = [[q for q in row if p in lists[q]] for p, row in enumerate(lists)]
    assert instance.lists() == kept
    assert instance.source["purged"] == sum(map(len, lists)) - sum(map(len, kept))
    ranks = [kept[q].index(p) + 1 for p, row in enumerate(kept) for q in row]
    assert instance.ranks.tolist() == ranks
    assert instance.num_pairs * 2 == len(ranks)
    assert Roommates.from_lists(kept) == instance


@given(graphs())
def test_a_graph_is_ranked_by_weight_and_then_by_number(graph):
    instance = Roommates.from_graph(graph)
    for v, row in enumerate(instance.lists()):
        found = zip(*(array.tolist() for array in graph.neighbours(v)), strict=True)
        wanted = sorted(((w, u) for u, w in found if w > 0 and u != v), reverse=True)
        assert row == [u for _, u in wanted]
    assert instance.source["purged"] == 0


@pytest.mark.parametrize(
    ("lists", "text"),
    [
        ([[1], [0, 0]], "person 1 lists 0 again at place 2"),
        ([[1, 0], []], "person 0 lists himself or herself at place 2"),
        ([[2], []], "person 0 lists 2, but people are 0 to 1 at place 1"),
        ([[-1]], "person 0 lists -1"),
        ([[0.5], []], "a list holds numbers of people"),
    ],
)
def test_bad_lists_are_refused_with_the_place(lists, text):
    with pytest.raises(GraphError, match=text):
        Roommates.from_lists(lists)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Roommates.from_lists([[]], names=["Ann", "Bo"]), "2 names were given for 1"),
        (lambda: Roommates.random(-1), "n must be"),
        (lambda: Roommates.random(5, length=5), "length must be"),
        (lambda: Roommates.random(1 << 20), "give a length"),
        (lambda: as_roommates([[]]), "a Roommates or a Graph, not list"),
    ],
)
def test_what_else_is_refused(make, text):
    with pytest.raises(GraphError, match=text):
        make()


def test_random_lists_follow_from_the_seed():
    complete = Roommates.random(20, seed=3)
    assert complete == Roommates.random(20, seed=3)
    assert complete != Roommates.random(20, seed=4)
    assert hash(complete) == hash(Roommates.random(20, seed=3))
    assert all(sorted([*row, p]) == list(range(20)) for p, row in enumerate(complete.lists()))
    thin = Roommates.random(500, length=6, seed=1)
    assert 5 < thin.others.size / 500 < 6.5
    assert thin.source["spec"] == "roommates:n=500,length=6,seed=1"


def test_a_graph_keeps_its_name_and_arrays_cannot_be_changed():
    graph = Graph.from_edges(3, [0, 1], [1, 2], name="path", names=("a", "b", "c"))
    instance = as_roommates(graph)
    assert (instance.name, instance.names) == ("path", ("a", "b", "c"))
    assert repr(instance) == "Roommates('path', people=3, pairs=2)"
    assert as_roommates(instance) is instance
    with pytest.raises(ValueError, match="read-only"):
        np.add(instance.ranks, 1, out=instance.ranks)
