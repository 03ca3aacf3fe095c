"""Results of b-matching: lists of mates, and how two results are compared."""

from __future__ import annotations

import dataclasses

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpucore.compare import differences
from gpucore.families.bmatching.capacity import capacities
from gpucore.result import from_pairs
from support.bmatching_cases import graphs_and_b, greedy_b_mates, lists_to_arrays
from support.matching_cases import graph_of
from support.running import uncertified


@given(graphs_and_b(), st.randoms(use_true_random=False))
def test_lists_are_made_of_pairs_in_any_order(case, random):
    graph, b = case
    starts, mates = greedy_b_mates(graph, capacities(graph, b))
    ends = np.repeat(np.arange(graph.num_vertices), np.diff(starts)).tolist()
    pairs = [pair for pair in zip(ends, mates.tolist(), strict=True) if pair[0] < pair[1]]
    random.shuffle(pairs)
    pairs = [pair[:: random.choice((1, -1))] for pair in pairs]
    found = from_pairs(graph.num_vertices, [u for u, _ in pairs], [v for _, v in pairs])
    assert (found[0].dtype, found[1].dtype) == (np.int64, np.int32)
    np.testing.assert_array_equal(found[0], starts)
    np.testing.assert_array_equal(found[1], mates)


@given(graphs_and_b(), st.data())
def test_results_are_compared_vertex_by_vertex(case, data):
    """Only the vertices whose mates differ count, though all later lists have moved."""
    graph, b = case
    result = uncertified("bgreedy", graph, b=b)
    lists = [result.mates_of(v).tolist() for v in range(graph.num_vertices)]
    changed = []
    for v, own in enumerate(lists):
        if own and data.draw(st.booleans()):
            own.remove(data.draw(st.sampled_from(own)))
            changed.append(v)
    starts, mates = lists_to_arrays(lists)
    other = dataclasses.replace(result, starts=starts, mates=mates)
    assert differences(result, other) == len(changed)
    ours, theirs = result.by_vertex()["mates"], other.by_vertex()["mates"]
    assert (ours.dtype, ours.shape) == (np.uint64, (graph.num_vertices,))
    assert np.flatnonzero(ours != theirs).tolist() == changed


def test_a_vertex_without_mates_has_the_hash_zero():
    result = uncertified("bgreedy", graph_of(4, [(0, 1), (0, 3)], [1, 2]), b=2)
    hashes = result.by_vertex()["mates"]
    assert (hashes == 0).tolist() == [False, False, True, False]
    assert hashes[1] == hashes[3]  # both have only 0
    assert result.by_vertex()["mates"].tolist() == hashes.tolist()


def test_properties_are_the_figures():
    result = uncertified("bgreedy", graph_of(4, [(0, 1), (0, 3)], [1, 2]), b=2)
    assert (result.weight, result.cardinality) == (3.0, 2)
    assert set(result.solution()) == {"capacity", "starts", "mates"}
