"""Leiden: every community is connected, under every schedule, and the certificate would notice."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.errors import ParameterError
from gpucore.families.communities.certificate import certify_communities
from gpucore.families.communities.fast import sizes
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from support.devices import random_schedule
from support.running import uncertified

from .runs import bipartite, cliques, find, hubs, random_graph, real_graph

GRAPHS = [
    cliques(4, 4),
    bipartite(4, 5),
    hubs(40, seed=3),
    random_graph(40, 90, 2, loops=6, weights="real"),
    random_graph(60, 90, 4),
]


@pytest.mark.parametrize("entries", [0, 1 << 22], ids=["single launches", "one launch"])
def test_communities_are_connected_under_many_schedules(entries, monkeypatch):
    """The parts of every level are, too."""
    for name in ("COOPERATIVE_ENTRIES", "JOINT_ENTRIES"):
        monkeypatch.setattr(sizes, name, entries)
    for seed in range(50):
        graph = GRAPHS[seed % len(GRAPHS)]
        theta = 0.3 if seed % 3 == 0 else 0.0
        options = {"theta": theta, "refine_seed": seed, "refine": 0 if seed % 2 else 3, "starts": 1}
        result = find(graph, "leiden", random_schedule(seed), **options)
        assert result.certificate.figures["disconnected"] == 0
        assert any(check.name == "connected" for check in result.certificate.checks)
        for level in range(1, len(result.levels)):
            assert certify_communities(graph, result.at_level(level), connected=True).ok


def test_parts_of_every_level_are_connected(each_device):
    result = find(real_graph("email-eu-core"), "leiden", each_device, refine=0)
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


def test_refinement_in_the_end_keeps_communities_connected():
    """Single vertices that leave a community can divide it."""
    for seed in range(20):
        graph = random_graph(60, 90, seed)
        alone, refined = (
            find(graph, "leiden", random_schedule(seed), refine=sweeps, starts=1)
            for sweeps in (0, 3)
        )
        assert refined.certificate.figures["disconnected"] == 0
        assert alone.certificate.figures["disconnected"] == 0
    assert find(GRAPHS[0], "leiden").params["refine"] == 3


def test_the_serial_method_has_connected_parts_on_every_level():
    method = get_runner("leiden_serial")
    for theta in (0.0, 0.3):
        for graph in [*GRAPHS, real_graph("email-eu-core")]:
            result = uncertified(method.name, graph, theta=theta, refine_seed=5)
            found = method.certify(graph, result)
            assert found.ok, found
            assert found.figures["disconnected"] == 0
            for level in range(1, len(result.levels)):
                assert certify_communities(graph, result.at_level(level), connected=True).ok


def test_the_serial_method_draws_by_its_seed():
    graph = real_graph("power")
    found = [uncertified("leiden_serial", graph, theta=1.0, refine_seed=s) for s in (1, 1, 2)]
    np.testing.assert_array_equal(found[0].community, found[1].community)
    assert np.any(found[0].community != found[2].community)


def test_both_leidens_are_as_good(each_device):
    for name in ("karate", "netscience", "email-eu-core"):
        serial = uncertified("leiden_serial", real_graph(name)).modularity
        assert find(real_graph(name), "leiden", each_device).modularity > serial - 0.01


@pytest.mark.parametrize("options", [{"theta": -1.0}, {"theta": "x"}, {"refine_seed": -1}])
def test_wrong_options_of_the_serial_method(options):
    with pytest.raises(ParameterError):
        uncertified("leiden_serial", GRAPHS[0], **options)
