"""The certificate of communities agrees with other libraries and refutes wrong partitions."""

from __future__ import annotations

import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.errors import ParameterError
from gpucore.families.communities import certificate, modularity
from gpucore.families.communities.certificate import certify_communities
from gpucore.families.communities.partitions import canonical_labels
from gpucore.problems.graph.graph import Graph

from .cases import RESOLUTIONS, community_graphs, networkx_modularity, partitions

quick = settings(max_examples=60, deadline=None)
KARATE = gpucore.load("karate")
FACTIONS = gpucore.datasets.ground_truth("karate")


def failure(*args, **options):
    found = certify_communities(*args, **options)
    assert not found.ok
    return found.failure


@given(data=st.data(), graph=community_graphs(), resolution=RESOLUTIONS)
@quick
def test_modularity_is_that_of_networkx(data, graph, resolution):
    community = data.draw(partitions(graph.num_vertices))
    found = certify_communities(graph, community, resolution=resolution)
    assert found.ok
    theirs = networkx_modularity(graph, community, resolution)
    assert found.figures["modularity"] == pytest.approx(theirs, abs=1e-12)


@given(data=st.data(), graph=community_graphs(), resolution=RESOLUTIONS)
@quick
def test_modularity_is_that_of_igraph(data, graph, resolution):
    igraph = pytest.importorskip("igraph")
    community = data.draw(partitions(graph.num_vertices))
    u, v, w = graph.edges()
    loops, loop_weights = graph.loops()
    edges = [*zip(u.tolist(), v.tolist(), strict=True), *((x, x) for x in loops.tolist())]
    theirs = igraph.Graph(n=graph.num_vertices, edges=edges).modularity(
        community.tolist(),
        weights=[*w.tolist(), *loop_weights.tolist()],
        resolution=resolution,
        directed=False,
    )
    found = certify_communities(graph, community, resolution=resolution).figures["modularity"]
    assert found == (pytest.approx(theirs, abs=1e-12) if graph.weights.any() else 0.0)


@given(data=st.data(), graph=community_graphs(max_vertices=9), resolution=RESOLUTIONS)
@quick
def test_gains_are_those_of_moving_each_vertex(data, graph, resolution):
    community = data.draw(partitions(graph.num_vertices))
    start = networkx_modularity(graph, community, resolution)
    best = np.zeros(graph.num_vertices)
    for v in range(graph.num_vertices):
        for target in set(community[graph.neighbours(v)[0]]) - {community[v]}:
            moved = community.copy()
            moved[v] = target
            best[v] = max(best[v], networkx_modularity(graph, moved, resolution) - start)
    figures = certify_communities(graph, community, resolution=resolution).figures
    assert figures["largest_gain"] == pytest.approx(best.max(), abs=1e-12)
    assert figures["sum_of_gains"] == pytest.approx(best.sum(), abs=1e-11)


@given(data=st.data(), graph=community_graphs())
@quick
def test_levels_keep_weight_and_modularity(data, graph):
    first = data.draw(partitions(graph.num_vertices))
    second = data.draw(partitions(int(first.max()) + 1))
    found = certify_communities(graph, second[first], [first, second])
    assert found.ok
    assert found.figures["levels"] == 2
    assert found.figures["communities"] == second.max() + 1


def test_graphs_without_weight_have_modularity_0():
    nothing = Graph.from_edges(0, [], [])
    assert certify_communities(nothing, np.empty(0, np.int32)).figures["modularity"] == 0
    alone = certify_communities(Graph.from_edges(3, [], []), np.array([0, 1, 2]))
    assert alone.ok
    assert alone.figures["modularity"] == 0
    weightless = certify_communities(Graph.from_edges(2, [0], [1], [0]), np.array([0, 1]))
    assert (weightless.ok, weightless.figures["improvable"]) == (True, 0)


def test_a_graph_of_loops():
    """Two equal loops: half of the weight is in each of two communities."""
    loops = Graph.from_edges(3, [0, 1], [0, 1])
    assert certify_communities(loops, np.array([0, 1, 2])).figures["modularity"] == 0.5
    assert certify_communities(loops, np.array([0, 0, 0])).figures["modularity"] == 0.0


@pytest.mark.parametrize(
    ("community", "text"),
    [
        (FACTIONS[:-1], r"has the shape \(33,\), 34 members"),
        (FACTIONS.astype(float), "dtype float64"),
        (FACTIONS - 1, r"community\[0\] = -1 is outside 0\.\.33"),
        (FACTIONS + 40, r"community\[0\] = 40 is outside"),
        (FACTIONS * 2, "leaves number 1 unused"),
    ],
)
def test_what_is_no_partition_is_refuted(community, text):
    found = failure(KARATE, community)
    assert found.name == "partition"
    assert re.search(text, found.detail)


def test_wrong_hierarchies_are_refuted():
    pairs = np.arange(34) // 2
    halves = np.repeat([0, 1], [9, 8])
    right = halves[pairs]
    assert certify_communities(KARATE, right, [pairs, halves]).ok
    one_off = right.copy()
    one_off[5] = 1
    assert "the levels bring vertex 5 to 0" in failure(KARATE, one_off, [pairs, halves]).detail
    assert "levels[1] has the shape" in failure(KARATE, right, [pairs, halves[:-1]]).detail
    gap = pairs + (pairs > 3)
    assert "levels[0] leaves number 4 unused" in failure(KARATE, right, [gap, halves]).detail
    # A level that splits a community again cannot be a map of whole communities.
    assert failure(KARATE, FACTIONS, [right, np.arange(2)]).name == "hierarchy"


def test_levels_that_lose_modularity_are_refuted_where_asked():
    one = np.zeros(2, np.int32)
    everything = np.zeros(34, np.int32)
    found = certify_communities(KARATE, everything, [FACTIONS, one])
    assert found.ok
    assert found.figures["smallest_level_gain"] < -0.3
    assert failure(KARATE, everything, [FACTIONS, one], rising=True).name == "levels rise"


def test_local_optimality_is_reported():
    every_vertex = certify_communities(KARATE, np.arange(34))
    assert every_vertex.ok
    assert every_vertex.figures["improvable"] == 34
    assert "34 of 34 vertices could still gain" in str(every_vertex)


@pytest.mark.parametrize("resolution", [0.0, -1.0, float("nan"), float("inf")])
def test_resolutions_that_mean_nothing_are_refused(resolution):
    with pytest.raises(ParameterError, match="resolution must be a number above 0"):
        certify_communities(KARATE, FACTIONS, resolution=resolution)


def test_labels_may_be_of_any_integer_type():
    labels = canonical_labels(FACTIONS)
    for dtype in (np.uint8, np.int64):
        assert certify_communities(KARATE, labels.astype(dtype)).ok


@pytest.mark.parametrize(("n", "m"), [(1000, 40_000), (40_000, 40_000), (40_000, 0)])
def test_what_connected_communities_take_is_bounded_and_asked_for(n, m, monkeypatch):
    rng = np.random.default_rng(1)
    graph = Graph.from_edges(n, *np.unique(np.sort(rng.integers(0, n, (2, m)), axis=0), axis=1))
    one, asked = np.zeros(n, np.int32), []
    monkeypatch.setattr(certificate, "require_memory", asked.append)
    certify_communities(graph, one)
    assert not asked
    certify_communities(graph, one, connected=True)
    monkeypatch.setattr(modularity, "CHUNK", 1 << 10)
    tracemalloc.start()
    modularity.disconnected(graph, one)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken < asked[0] + 100_000
