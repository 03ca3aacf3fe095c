"""Leiden: every community is connected, under every schedule, and the certificate would notice."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.errors import ParameterError
from gpucore.families.communities.certificate import certify_communities
from gpucore.problems.graph.graph import Graph
from support.devices import random_schedule

from .runs import bipartite, cliques, find, hubs, random_graph, real_graph

GRAPHS = [
    cliques(4, 4),
    bipartite(4, 5),
    hubs(40, seed=3),
    random_graph(40, 90, 2, loops=6, weights="real"),
    random_graph(60, 90, 4),
]


def test_communities_are_connected_under_many_schedules():
    """The parts of every level are, too."""
    for seed in range(200):
        graph = GRAPHS[seed % len(GRAPHS)]
        theta = 0.3 if seed % 3 == 0 else 0.0
        result = find(graph, "leiden", random_schedule(seed), theta=theta, refine_seed=seed)
        assert result.certificate.figures["disconnected"] == 0
        assert any(check.name == "connected" for check in result.certificate.checks)
        for level in range(1, len(result.levels)):
            assert certify_communities(graph, result.at_level(level), connected=True).ok


def test_parts_of_every_level_are_connected(each_device):
    result = find(real_graph("email-eu-core"), "leiden", each_device)
    for level in range(1, len(result.levels) + 1):
        found = certify_communities(
            real_graph("email-eu-core"), result.at_level(level), connected=True
        )
        assert found.ok, found


def test_the_certificate_refutes_communities_that_are_not_connected():
    graph = cliques(2, 5, joined=False)
    labels = np.zeros(10, np.int32)
    refuted = certify_communities(graph, labels, connected=True)
    assert refuted.figures["disconnected"] == 1
    assert not refuted.ok
    assert "1 of 1 communities" in str(refuted)


def test_an_edge_of_weight_0_connects_nothing():
    path = Graph.from_edges(3, [0, 1], [1, 2], [1.0, 0.0])
    assert not certify_communities(path, np.zeros(3, np.int32), connected=True).ok
    assert certify_communities(path, np.array([0, 0, 1]), connected=True).ok
    assert find(path, "leiden").num_communities == 2


def test_quality_is_that_of_louvain(each_device):
    for name in ("karate", "netscience", "email-eu-core", "bcsstk13"):
        plain, refined = (find(real_graph(name), v, each_device) for v in ("fast", "leiden"))
        assert refined.modularity > plain.modularity - 0.01


@pytest.mark.parametrize("options", [{"theta": -1.0}, {"theta": "x"}, {"refine_seed": -1}])
def test_wrong_options(options):
    with pytest.raises(ParameterError):
        find(GRAPHS[0], "leiden", **options)


def test_other_variants_have_no_theta():
    with pytest.raises(ParameterError, match="belong to the variant 'leiden'"):
        find(GRAPHS[0], "fast", theta=0.5)
