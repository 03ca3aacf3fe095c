"""NetworKit and NetworkX: equal results where ties allow it, bounds elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from gpucore.errors import ParameterError
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from support.matching_cases import graph_of, graphs, heaviest_weight, random_graph, skewed_graph
from support.running import uncertified

quick = settings(max_examples=60, deadline=None)
exact = get_runner("networkx_exact")
ours = get_runner("suitor_serial")


@given(graph=graphs(max_vertices=9))
@quick
def test_exact_is_the_optimum(graph):
    result = uncertified(exact.name, graph)
    assert exact.certify(graph, result).ok
    assert result.weight == pytest.approx(heaviest_weight(graph))


@given(graph=graphs(max_vertices=24))
@quick
def test_ours_lies_between_half_and_all_of_the_optimum(graph):
    optimum, weight = uncertified(exact.name, graph).weight, uncertified(ours.name, graph).weight
    assert 0.5 * optimum <= weight * (1 + 1e-9)
    assert weight <= optimum * (1 + 1e-9)
    result = uncertified(ours.name, graph)
    assert optimum <= ours.certify(graph, result).figures["upper_bound"] * (1 + 1e-9)


def test_exact_weighs_without_rounding():
    """In single precision the sums are equal; the pair of edges is the heavier by one in 2^24."""
    big, small = np.float32(1), np.float32(2**-24)
    path = graph_of(4, [(0, 1), (1, 2), (2, 3)], [big, big, small])
    assert uncertified(exact.name, path).mate.tolist() == [1, 0, 3, 2]


def test_exact_refuses_large_graphs():
    with pytest.raises(ParameterError, match=r"10,000,000.*suitor_omp"):
        uncertified(exact.name, random_graph(5000, 5000, 1))


def test_exact_leaves_out_loops_and_weights_below_zero():
    graph = Graph.from_edges(4, [0, 0, 1, 2], [0, 1, 2, 3], [9, 1, 0, -1])
    assert uncertified(exact.name, graph).mate.tolist() == [1, 0, -1, -1]


@given(graph=graphs(max_vertices=40, weights=("distinct",)))
@quick
def test_networkit_finds_the_same_with_distinct_weights(graph):
    pytest.importorskip("networkit")
    result = uncertified("networkit_suitor", graph)
    np.testing.assert_array_equal(result.mate, uncertified(ours.name, graph).mate)
    assert result.weight == uncertified(ours.name, graph).weight


@pytest.mark.parametrize("graph", [random_graph(3000, 20_000, 1), skewed_graph(12, 20_000, 1)])
def test_networkit_finds_the_same_weight_on_larger_graphs(graph):
    pytest.importorskip("networkit")
    weight = uncertified("networkit_suitor", graph).weight
    assert weight == pytest.approx(uncertified(ours.name, graph).weight, rel=1e-6)


@given(graph=graphs(max_vertices=24, weights=("equal", "few")))
@quick
def test_networkit_with_its_own_ties_is_half_approximate(graph):
    pytest.importorskip("networkit")
    runner = get_runner("networkit_suitor")
    certificate = runner.certify(graph, uncertified(runner.name, graph))
    assert certificate.ok, str(certificate)


def test_networkit_leaves_out_loops_and_weights_below_zero():
    pytest.importorskip("networkit")
    graph = Graph.from_edges(4, [0, 0, 1, 2], [0, 1, 2, 3], [9, 1, 0, -1])
    assert uncertified("networkit_suitor", graph).mate.tolist() == [1, 0, -1, -1]
