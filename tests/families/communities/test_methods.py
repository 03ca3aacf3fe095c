"""The CPU methods for communities: certified, of the known quality, with checked arguments."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from hypothesis import given, settings

import gpucore
from gpucore import native
from gpucore.compare import compare
from gpucore.errors import (
    Cancelled,
    DeviceError,
    GraphError,
    MissingDependency,
    ParameterError,
)
from gpucore.families.communities.partitions import adjusted_rand_index
from gpucore.family import get_runner, methods
from gpucore.problems.graph.graph import Graph
from support.cancelling import Stop
from support.running import uncertified

from .cases import RESOLUTIONS, community_graphs, networkx_modularity

SERIAL = ["louvain_adaptive", "louvain_serial"]
OURS = [*SERIAL, "leiden_serial", "louvain_omp"]
LIBRARIES = ["igraph_multilevel", "networkit_plm", "networkx_louvain"]
#: Programs and libraries of others for machines with a GPU; tests/cpu/test_programs.py has some.
ELSEWHERE = ["cugraph_leiden", "cugraph_louvain", "gve_louvain", "nu_louvain"]
few = settings(max_examples=25, deadline=None)


def solve(name, graph, **params):
    """Run a method where its library is installed; its certificate has to hold."""
    runner = get_runner(name)
    if (reason := runner.available()) is not None:
        pytest.skip(reason)
    result = uncertified(runner.name, graph, **params)
    certificate = runner.certify(graph, result)
    assert certificate.ok, str(certificate)
    return result, certificate


def test_all_methods_are_found():
    found = [name for name, runner in methods().items() if runner.family == "communities"]
    assert found == sorted(OURS + LIBRARIES + ELSEWHERE)


@pytest.mark.parametrize("name", OURS + LIBRARIES)
@given(graph=community_graphs(), resolution=RESOLUTIONS)
@few
def test_modularity_is_that_of_networkx(name, graph, resolution):
    result, _ = solve(name, graph, resolution=resolution)
    theirs = networkx_modularity(graph, result.community, resolution)
    assert result.modularity == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("name", SERIAL)
@given(graph=community_graphs(), resolution=RESOLUTIONS)
@few
def test_serial_ones_end_in_a_local_optimum_of_communities(name, graph, resolution):
    """With threshold 0 no two communities can be joined with gain: the last stage moved nothing."""
    thresholds = {"threshold": 0} if name == "louvain_serial" else {"t_bin": 0, "t_final": 0}
    result, _ = solve(name, graph, resolution=resolution, **thresholds)
    k = result.num_communities
    for a in range(k):
        for b in range(a):
            joined = np.where(result.community == a, b, result.community)
            assert networkx_modularity(graph, joined, resolution) <= result.modularity + 1e-9


@pytest.mark.parametrize(
    ("dataset", "least"),
    [("karate", 0.4151), ("football", 0.60), ("polbooks", 0.52), ("lesmis", 0.55)],
)
@pytest.mark.parametrize("name", OURS)
def test_quality_on_known_graphs(name, dataset, least):
    result, certificate = solve(name, gpucore.load(dataset))
    best = gpucore.datasets.catalogue()[dataset].answers["modularity"]
    less = 0.01 if name == "louvain_omp" else 0.0  # neighbours decide at the same time
    assert least - less <= result.modularity <= best + 1e-4
    assert certificate.figures["largest_gain"] < 0.01 + less


@pytest.mark.parametrize("dataset", ["email-eu-core", "netscience", "usairports", "power"])
def test_ours_are_as_good_as_the_libraries(dataset):
    graph = gpucore.load(dataset)
    theirs = solve("igraph_multilevel", graph)[0]
    for name, allowed in (("louvain_serial", 0.02), ("louvain_omp", 0.03)):
        assert solve(name, graph)[0].modularity >= theirs.modularity - allowed, name


def test_planted_communities_are_found():
    spec = "planted:n=2000,communities=20,degree_in=20,degree_out=2,shuffle=false,seed=1"
    graph = gpucore.load(spec)
    for name in OURS + LIBRARIES:
        result, _ = solve(name, graph)
        assert adjusted_rand_index(result.community, np.arange(2000) // 100) > 0.95


def test_the_hierarchy_leads_from_vertices_to_the_result():
    result, _ = solve("louvain_serial", gpucore.load("power"))
    assert len(result.levels) >= 3
    sizes = [np.unique(result.at_level(i)).size for i in range(len(result.levels) + 1)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 4941
    np.testing.assert_array_equal(result.at_level(len(result.levels)), result.community)
    stages = result.figures["stages"]
    assert [stage["vertices"] for stage in stages[:-1]] == sizes[: len(stages) - 1]
    assert sum(stage["sweeps"] for stage in stages) == result.sweeps
    with pytest.raises(ParameterError, match="there is no level 99"):
        result.at_level(99)


def test_resolution_makes_communities_smaller():
    graph = gpucore.load("power")
    counts = [solve("louvain_serial", graph, resolution=r)[0].num_communities for r in (0.2, 1, 5)]
    assert counts == sorted(counts)
    assert counts[0] < counts[2]


def test_a_large_threshold_ends_stages_early():
    graph = gpucore.load("power")
    slow, _ = solve("louvain_adaptive", graph, bin_vertices=10_000)
    fast, _ = solve("louvain_adaptive", graph, bin_vertices=1000, t_bin=0.1)
    assert fast.figures["stages"][0]["threshold"] == 0.1
    assert fast.figures["stages"][0]["sweeps"] < slow.figures["stages"][0]["sweeps"]
    assert fast.figures["stages"][-1]["threshold"] == 1e-6
    assert slow.modularity == solve("louvain_serial", graph)[0].modularity


@pytest.mark.parametrize("name", OURS + LIBRARIES)
def test_graphs_without_edges_between_vertices(name):
    for n in (0, 1, 3):
        result, _ = solve(name, Graph.from_edges(n, [], []))
        assert (result.modularity, result.num_communities) == (0, n)
    loops, _ = solve(name, Graph.from_edges(3, [0, 2], [0, 2], [1.0, 1.0]))
    assert (loops.modularity, loops.num_communities) == (0.5, 3)
    zeros, _ = solve(name, Graph.from_edges(3, [0, 1], [1, 2], [0.0, 0.0]))
    assert (zeros.modularity, zeros.num_communities) == (0, 3)
    pair, _ = solve(name, Graph.from_edges(4, [1], [2]))
    assert pair.community[1] == pair.community[2]
    assert pair.num_communities == 3


@pytest.mark.parametrize("name", OURS + LIBRARIES)
def test_weights_below_zero_are_refused(name):
    if get_runner(name).available() is not None:
        pytest.skip("its library is not installed")
    with pytest.raises(GraphError, match=r"edge \(0, 2\) has the weight -2; .*absolute_values"):
        uncertified(name, Graph.from_edges(3, [0, 0], [1, 2], [1, -2]))


@pytest.mark.parametrize(
    ("name", "params", "text"),
    [
        ("louvain_serial", {"threshold": -1}, "threshold must be a number from 0 to 1"),
        ("louvain_serial", {"threshold": float("nan")}, "threshold must be"),
        ("louvain_serial", {"resolution": 0}, "resolution must be a number above 0"),
        ("louvain_serial", {"thresholds": "half"}, "no thresholds 'half'; it has absolute, rel"),
        ("louvain_adaptive", {"counted": "none"}, "no counted 'none'; it has all, with_edges"),
        ("louvain_adaptive", {"t_bin": 2}, "t_bin must be"),
        ("louvain_adaptive", {"t_final": "1"}, "t_final must be"),
        ("louvain_adaptive", {"bin_vertices": -1}, "bin_vertices must be at least 0"),
        ("louvain_adaptive", {"bin_vertices": 1.5}, "bin_vertices must be a whole number"),
        ("louvain_omp", {"colouring": "some"}, "no colouring 'some'; it has plain, balanced, none"),
        ("louvain_omp", {"follow": 1}, "follow is 1; use true or false"),
        ("louvain_omp", {"threads": 0}, "threads must be between 1 and"),
        ("louvain_omp", {"max_sweeps": -1}, "max_sweeps is -1; use an integer from 0 to 1000000"),
        ("networkx_louvain", {"seed": True}, "seed must be a whole number"),
        ("networkit_plm", {"resolution": float("inf")}, "resolution must be"),
        ("networkit_plm", {"threads": 0}, "threads must be"),
    ],
)
def test_parameters_out_of_range_are_refused(name, params, text):
    if get_runner(name).available() is not None:
        pytest.skip("its library is not installed")
    with pytest.raises(ParameterError, match=text):
        uncertified(name, gpucore.load("karate"), **params)


@pytest.mark.parametrize("name", OURS + LIBRARIES)
def test_runs_repeat_and_describe_themselves(name):
    graph = gpucore.load("lesmis")
    first, second = (solve(name, graph, threads=1)[0] for _ in range(2))
    np.testing.assert_array_equal(first.community, second.community)
    assert first.community.dtype == np.int32
    assert first.device["name"] == "cpu"
    json.dumps([first.summary(), first.device, first.params])


@pytest.mark.parametrize("name", OURS + LIBRARIES)
def test_a_cancelled_run_does_not_start(name):
    if get_runner(name).available() is not None:
        pytest.skip("its library is not installed")
    with pytest.raises(Cancelled):
        uncertified(name, gpucore.load("karate"), cancel=Stop(before=True))


@pytest.mark.parametrize("name", OURS)
def test_a_run_can_be_cancelled(name):
    graph = gpucore.load("rmat:scale=15,edge_factor=16,seed=1")
    with pytest.raises(Cancelled):
        uncertified(name, graph, cancel=Stop(before=False))


def test_large_graphs_are_not_for_plain_python():
    graph = gpucore.load("gnp:n=2000,p=0.03,seed=1")
    with pytest.raises(ParameterError, match=r"up to 50,000 edges.*louvain_serial"):
        uncertified("networkx_louvain", graph)


def test_without_igraph_its_method_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "igraph", None)
    runner = get_runner("igraph_multilevel")
    assert "[peers]'" in runner.available()
    with pytest.raises(MissingDependency, match="pip install"):
        uncertified(runner.name, gpucore.load("karate"))


def test_running_out_of_memory_is_an_error(monkeypatch):
    library = native.load()

    class Failing:
        cpu_louvain_new = library.cpu_louvain_new
        cpu_louvain_delete = library.cpu_louvain_delete

        @staticmethod
        def cpu_louvain_serial(*_):
            return 2

    monkeypatch.setattr(native, "load", Failing)
    with pytest.raises(DeviceError, match="out of memory"):
        uncertified("louvain_serial", gpucore.load("karate"))


def test_runs_are_compared_whatever_communities_are_called():
    rows = compare(gpucore.load("karate"), ["louvain_serial", "louvain_adaptive"]).as_rows()
    assert [row["certified"] for row in rows] == [True, True]
    assert rows[1]["differs"] == 0
    result = uncertified("louvain_serial", gpucore.load("karate"))
    turned = result.community.max() - result.community
    other = type(result)(**{**vars(result), "community": turned, "levels": ()})
    np.testing.assert_array_equal(other.like(result).community, result.community)
