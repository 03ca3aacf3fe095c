"""A greedy b-matching is the stable many-to-many assignment of its graph's preference lists.

Section 3 of Manne, Naim, Lerring and Halappanavar, "On stable marriages and greedy matchings",
CSC 2016. The lists have ranks only, no weights, and nothing here is shared with the certificate.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gpucore.families.bmatching.capacity import capacities
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.preferences.preferences import Preferences
from support.bmatching_cases import graphs_and_b
from support.running import uncertified

quick = settings(max_examples=60, deadline=None)


def instance_of(graph, capacity):
    """Return the paper's G': every vertex is a man and a woman, both with its capacity.

    There a capacity is at least 1, so vertices without room lose their edges instead.
    """
    u, v, w = graph.edges()
    kept = (capacity[u] > 0) & (capacity[v] > 0)
    rest = Graph.from_edges(graph.num_vertices, u[kept], v[kept], w[kept])
    room = np.maximum(capacity, 1)
    return Preferences.from_graph(rest, man_capacity=room, woman_capacity=room)


def blocking_pairs(preferences, capacity, partners_of_men):
    """Return all pairs that prefer each other to a partner they have, or have room.

    `partners_of_men` is a list of women for each man.
    """
    wishes = preferences.lists()
    men, women = ([{p: i for i, p in enumerate(own)} for own in side] for side in wishes)
    partners_of_women = [[] for _ in women]
    for man, own in enumerate(partners_of_men):
        for woman in own:
            partners_of_women[woman].append(man)

    def would_take(rank, partners, room, other):
        return len(partners) < room or rank[other] < max(rank[partner] for partner in partners)

    return [
        (man, woman)
        for man, listed in enumerate(men)
        for woman in listed
        if woman not in partners_of_men[man]
        and would_take(listed, partners_of_men[man], capacity[man], woman)
        and would_take(women[woman], partners_of_women[woman], capacity[woman], man)
    ]


def lists_of(result):
    return [result.mates[a:b].tolist() for a, b in pairwise(result.starts.tolist())]


def is_stable_assignment(graph, capacity, lists):
    """Whether a b-matching is a stable many-to-many assignment of its graph's lists."""
    preferences = instance_of(graph, capacity)
    listed = preferences.lists()[0]
    return (
        all(len(own) <= room for own, room in zip(lists, capacity, strict=True))
        and all(set(own) <= set(listed[v]) for v, own in enumerate(lists))
        and all(v in lists[mate] for v, own in enumerate(lists) for mate in own)
        and not blocking_pairs(preferences, capacity, lists)
    )


@pytest.mark.parametrize("name", ["bgreedy", "bsuitor_serial", "bsuitor_omp"])
@given(case=graphs_and_b())
@quick
def test_a_b_matching_is_a_stable_assignment(name, case):
    graph, b = case
    result = uncertified(name, graph, b=b)
    assert is_stable_assignment(graph, capacities(graph, b), lists_of(result))


@given(case=graphs_and_b(), data=st.data())
@quick
def test_without_one_of_its_pairs_it_is_not(case, data):
    graph, b = case
    lists = lists_of(uncertified("bgreedy", graph, b=b))
    pairs = [(u, v) for u, own in enumerate(lists) for v in own]
    assume(pairs)
    u, v = data.draw(st.sampled_from(pairs))
    lists[u].remove(v)
    lists[v].remove(u)
    assert not is_stable_assignment(graph, capacities(graph, b), lists)


@given(case=graphs_and_b())
@quick
def test_both_sides_find_it_as_their_best_assignment(case):
    """The best assignment for the men and that for the women agree, so there is only one."""
    graph, b = case
    instance = instance_of(graph, capacities(graph, b))
    result = uncertified("bgreedy", graph, b=b)
    ends = np.repeat(np.arange(graph.num_vertices), np.diff(result.starts))
    for proposers in ("men", "women"):
        assignment = uncertified("gale_shapley", instance, proposers=proposers)
        np.testing.assert_array_equal(assignment.men, ends)
        np.testing.assert_array_equal(assignment.women, result.mates)


def test_a_bundled_graph():
    graph = for_matching(load("karate"))
    capacity = capacities(graph, "degree/2")
    result = uncertified("bsuitor_omp", graph, b="degree/2", variant="delayed")
    assert is_stable_assignment(graph, capacity, lists_of(result))
