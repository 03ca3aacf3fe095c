"""Graphs numbered at random: the same edges, the same numbers for a seed, no memory leak."""

import gc
import weakref

import numpy as np
import pytest

from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.numbering import permuted, renumbered


def some_graph(seed, n=60, m=200, loops=False):
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, n, (2, m))
    keep = slice(None) if loops else u != v
    weights = rng.random(m)[keep]
    return Graph.from_edges(n, u[keep], v[keep], weights, duplicates="first")


@pytest.mark.parametrize("loops", [False, True])
def test_every_edge_keeps_its_weight(loops):
    graph = some_graph(1, loops=loops)
    order = np.random.default_rng(2).permutation(60).astype(np.int32)
    other = renumbered(graph, order)
    expected = graph.to_scipy().toarray()[order][:, order]
    np.testing.assert_array_equal(other.to_scipy().toarray(), expected)
    checked = Graph(other.indptr, other.indices, other.weights)
    assert checked == other
    assert (other.indptr.dtype, other.indices.dtype) == (np.int64, np.int32)


def test_a_graph_without_weights_has_none_afterwards():
    graph = Graph.from_edges(3, [0, 1], [1, 2])
    assert not permuted(graph, 0).graph.weighted
    assert permuted(Graph.from_edges(0, [], []), 0).graph.num_vertices == 0


def test_seeds_fix_the_numbers_and_mates_get_the_given_ones():
    graph = some_graph(3)
    one, two = permuted(graph, 1), permuted(graph, 2)
    assert (one.order != two.order).any()
    np.testing.assert_array_equal(np.sort(one.order), np.arange(60))
    np.testing.assert_array_equal(permuted(graph, 1).order, one.order)
    row = int(np.argmax(one.graph.degrees))
    mate = np.full(60, -1, np.int32)
    other = int(one.graph.neighbours(row)[0][0])
    mate[row], mate[other] = other, row
    given = one.given_mates(mate)
    u, v = np.flatnonzero(given >= 0)
    assert {u, v} == {one.order[row], one.order[other]}
    assert v in graph.neighbours(u)[0]


def test_the_last_one_is_kept_while_its_graph_lives():
    graph = some_graph(4)
    first = permuted(graph, 1)
    assert permuted(graph, 1) is first
    assert permuted(some_graph(4), 1) is not first
    first = permuted(graph, 1)
    gone = weakref.ref(first.graph)
    del first, graph
    gc.collect()
    assert gone() is None
