"""All CPU methods find the one locally dominant matching, on every graph and schedule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore.datasets import names as dataset_names
from gpucore.families.matching.certificate import certify_result
from gpucore.family import get_runner
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from support.matching_cases import graph_of, graphs, greedy_mates, random_graph, skewed_graph
from support.running import uncertified

SERIAL = ["greedy", "suitor_serial", "ld_serial"]
THREADED = ["suitor_omp", "ld_omp"]
METHODS = [*SERIAL, *THREADED]

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def mates(name, graph, threads=None):
    return uncertified(name, graph, threads=threads).mate


@pytest.mark.parametrize("name", SERIAL)
@given(graph=graphs(max_vertices=40))
@quick
def test_serial_methods_equal_the_reference(name, graph):
    np.testing.assert_array_equal(mates(name, graph), greedy_mates(graph))


@pytest.mark.parametrize("name", THREADED)
@given(graph=graphs(max_vertices=40), threads=st.sampled_from([1, 2, 4]))
@quick
def test_threaded_methods_equal_the_reference(name, graph, threads):
    np.testing.assert_array_equal(mates(name, graph, threads), greedy_mates(graph))


@pytest.mark.parametrize("levels", [1, 2, 50, None])
@pytest.mark.parametrize("make", [random_graph, skewed_graph])
def test_methods_agree_on_graphs_of_some_size(make, levels):
    """Large enough for threads to work at the same time and meet."""
    graph = make(5000, 40_000, 7, levels) if make is random_graph else make(12, 40_000, 7, levels)
    first = uncertified("greedy", graph)
    certificate = certify_result(graph, first)
    assert certificate.ok, str(certificate)
    for name in METHODS:
        for threads in [1, 2, 4] if name in THREADED else [1]:
            np.testing.assert_array_equal(mates(name, graph, threads), first.mate, f"{name}")


@pytest.mark.parametrize("name", THREADED)
def test_schedules_do_not_matter(name):
    """Few distinct weights and hubs: many threads ask for the same vertices."""
    graph = skewed_graph(10, 6000, 3, levels=3)
    expected = greedy_mates(graph)
    for _ in range(100):
        np.testing.assert_array_equal(mates(name, graph, threads=4), expected)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("dataset", list(dataset_names("graph")))
def test_bundled_graphs(name, dataset):
    graph = for_matching(load(dataset))
    result = uncertified(name, graph, threads=2)
    certificate = get_runner(name).certify(graph, result)
    assert certificate.ok, str(certificate)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("n", [0, 1, 7])
def test_nothing_to_match(name, n):
    result = uncertified(name, graph_of(n, [], []), threads=3)
    assert (result.mate == -1).all()
    assert result.mate.shape == (n,)
    assert (result.weight, result.cardinality) == (0.0, 0)


@pytest.mark.parametrize("name", METHODS)
def test_loops_and_weights_below_zero_are_left_out(name):
    graph = Graph.from_edges(6, [0, 0, 1, 2, 4], [0, 1, 2, 3, 5], [9, 1, 0, -1, 1e-42])
    assert mates(name, graph, 2).tolist() == [1, 0, -1, -1, 5, 4]


@pytest.mark.parametrize("name", METHODS)
def test_extreme_weights_keep_their_order(name):
    tiny, huge = np.nextafter(np.float32(0), np.float32(1)), np.finfo(np.float32).max
    graph = graph_of(4, [(0, 1), (1, 2), (2, 3)], [tiny, 2 * tiny, huge])
    assert mates(name, graph, 2).tolist() == [1, 0, 3, 2]


@pytest.mark.parametrize("name", THREADED)
def test_a_chain_of_ever_heavier_edges(name):
    """The worst case of dependence: the last edge decides about all others."""
    n = 3001
    graph = graph_of(n, [(v, v + 1) for v in range(n - 1)], np.arange(1, n))
    expected = [v + 1 if v % 2 else v - 1 for v in range(1, n)]
    assert mates(name, graph, 4).tolist() == [-1, *expected]


def test_figures_count_the_work():
    star = graph_of(5, [(0, v) for v in range(1, 5)], [1, 2, 3, 4])
    figures = uncertified("suitor_serial", star).figures
    # 0 asks 4; then each leaf of 1..4 displaces the one before, which has no other neighbour.
    assert figures == {"weight": 4.0, "cardinality": 1, "scans": 8}
    figures = uncertified("ld_serial", star).figures
    # Five first looks; 0 and 4 release their neighbours; 1, 2 and 3 look again in vain.
    assert figures == {"weight": 4.0, "cardinality": 1, "scans": 10, "rounds": 1}
    assert set(uncertified("greedy", star).figures) == {"weight", "cardinality"}
