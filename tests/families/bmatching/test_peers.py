"""NetworKit's b-Suitor: equal results where ties allow it, certified elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from gpucore.errors import Cancelled, DeviceError, ParameterError
from gpucore.families.bmatching.peers import networkit_bsuitor
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from support.bmatching_cases import graphs_and_b
from support.cancelling import Stop
from support.matching_cases import random_graph, skewed_graph
from support.running import uncertified

pytest.importorskip("networkit")

quick = settings(max_examples=60, deadline=None)
theirs = get_runner("networkit_bsuitor")
ours = get_runner("bsuitor_serial")


@given(case=graphs_and_b(max_vertices=40, weights=("distinct",)))
@quick
def test_it_finds_the_same_with_distinct_weights(case):
    graph, b = case
    result, expected = uncertified(theirs.name, graph, b=b), uncertified(ours.name, graph, b=b)
    np.testing.assert_array_equal(result.starts, expected.starts)
    np.testing.assert_array_equal(result.mates, expected.mates)
    assert result.weight == expected.weight
    assert result.params["b"] == expected.params["b"]


@pytest.mark.parametrize("b", [3, "degree/2"])
@pytest.mark.parametrize("graph", [random_graph(3000, 20_000, 1), skewed_graph(12, 20_000, 1)])
def test_it_finds_the_same_weight_on_larger_graphs(graph, b):
    weight = uncertified(theirs.name, graph, b=b).weight
    assert weight == pytest.approx(uncertified(ours.name, graph, b=b).weight, rel=1e-6)


@given(case=graphs_and_b(weights=("equal", "few")))
@quick
def test_with_its_own_ties_it_is_half_approximate(case):
    graph, b = case
    certificate = theirs.certify(graph, uncertified(theirs.name, graph, b=b))
    assert certificate.ok, str(certificate)


def test_loops_and_weights_below_zero_are_left_out():
    graph = Graph.from_edges(4, [0, 0, 1, 2], [0, 1, 2, 3], [9, 1, 0, -1])
    assert uncertified(theirs.name, graph, b=2).mates.tolist() == [1, 0]


def test_cancelling_and_memory_are_looked_at_first(monkeypatch):
    graph = random_graph(50, 200, 1)
    with pytest.raises(Cancelled):
        uncertified(theirs.name, graph, cancel=Stop(before=True))
    monkeypatch.setattr(networkit_bsuitor, "available_memory", lambda: 1000)
    with pytest.raises(DeviceError, match="networkit_bsuitor needs about"):
        uncertified(theirs.name, graph)


def test_what_would_take_minutes_is_refused(monkeypatch):
    graph = skewed_graph(10, 6000, 3)
    monkeypatch.setattr(networkit_bsuitor, "MAX_WORK", 1e6)
    assert uncertified(theirs.name, graph, b=2).cardinality > 0
    with pytest.raises(ParameterError, match=r"= 1e\+06, here it is 1.7e\+07; take a smaller b"):
        uncertified(theirs.name, graph, b="degree/2")
