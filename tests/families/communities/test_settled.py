"""After the tuned variants no vertex could gain by moving alone, under every schedule."""

import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import gpucore
from gpucore.certify import Check, Measured
from gpucore.device import get_device
from gpucore.device.source import files
from gpucore.families.communities import certificate, variants
from gpucore.families.communities.certificate import GAIN_TOLERANCE
from gpucore.families.communities.fast import refinement, sizes, small
from gpucore.families.communities.fast.phase import FastPhase
from gpucore.families.communities.timeline import communities_timeline
from gpucore.families.communities.variants import SETTLED
from gpucore.loading import load
from gpucore.problems.graph.convert import from_networkx
from gpucore.problems.graph.graph import Graph
from support.devices import random_schedule

from .cases import RESOLUTIONS, community_graphs
from .runs import PAPER, find, phase_of, random_graph, real_graph, real_names, totals
from .test_schedules import GRAPHS, RESTLESS

#: Regular graphs: vertices are alike, so many of them want the same move at the same time.
REGULAR = [
    nx.petersen_graph(),
    nx.cycle_graph(9),
    nx.hypercube_graph(4),
    nx.complete_multipartite_graph(3, 3, 3),
    nx.circulant_graph(20, [1, 4]),
    nx.random_regular_graph(3, 60, seed=1),
    nx.random_regular_graph(6, 120, seed=2),
]
MORE = [random_graph(300, 600, 1), random_graph(300, 900, 2, loops=60, weights="real")]


def largest_gain(graph, community, resolution=1.0):
    """Return the most that one vertex could gain, from the matrix of the definition."""
    matrix = graph.to_scipy().toarray().astype(float)
    matrix[np.diag_indices_from(matrix)] *= 2
    strength, total = matrix.sum(axis=0), matrix.sum()
    excess = matrix - resolution * np.outer(strength, strength) / total
    np.fill_diagonal(excess, 0.0)
    to = excess @ np.eye(community.max() + 1)[community]
    near = (matrix > 0) @ np.eye(community.max() + 1)[community] > 0
    own = to[np.arange(community.size), community]
    return float(max(0.0, (2 * np.where(near, to - own[:, None], 0.0) / total).max()))


def settled(graph, variant, device="host", **more):
    result = find(graph, variant, device, **more)
    assert [c.ok for c in result.certificate.checks if c.name == "local optimality"] == [True]
    if graph.num_vertices <= 2000:
        gain = largest_gain(graph, result.community, result.params["resolution"])
        assert gain <= GAIN_TOLERANCE
    return result


@pytest.mark.parametrize("variant", SETTLED)
@pytest.mark.parametrize("name", [name for name in real_names() if name != "bcsstk13"])
def test_real_graphs(variant, name):
    settled(real_graph(name), variant, starts=1)


@pytest.mark.parametrize("variant", SETTLED)
def test_regular_graphs_under_many_schedules(variant):
    graphs = [*map(from_networkx, REGULAR), *RESTLESS, *GRAPHS.values(), *MORE]
    for seed in range(4 * len(graphs)):
        settled(graphs[seed % len(graphs)], variant, random_schedule(seed), starts=1)


@pytest.mark.parametrize("variant", SETTLED)
@pytest.mark.parametrize("options", [{"policy": "round_robin"}, {"threads": 3}])
def test_vertices_that_move_in_step(variant, options):
    for graph in [*map(from_networkx, REGULAR), *MORE]:
        settled(graph, variant, get_device("host", **options), starts=1)


@pytest.mark.parametrize("variant", SETTLED)
@given(graph=community_graphs(), resolution=RESOLUTIONS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_small_graphs(variant, graph, resolution):
    if graph.weights.sum() > 0:
        settled(graph, variant, starts=1, resolution=resolution)


@pytest.mark.parametrize("variant", SETTLED)
def test_a_launch_for_each_class_of_degrees(variant, monkeypatch):
    monkeypatch.setattr(sizes, "COOPERATIVE_ENTRIES", 0)
    settled(load("rmat:scale=9,seed=1"), variant, starts=1)


@pytest.mark.parametrize("variant", SETTLED)
def test_records_have_all_of_it(variant):
    graph = real_graph("minnesota")
    result = settled(graph, variant, record="events")
    assert result.figures["stages"][-1]["sweeps"] > result.params["refine"]
    assert communities_timeline(result.record).doubt == ""


@pytest.mark.parametrize("variant", SETTLED)
def test_moves_that_lost_are_undone_and_others_follow(variant, monkeypatch):
    """Where the first attempt is below the stages' modularity, the finer one is the result."""
    measured, calls = refinement._measured, []

    def at_first_below(phase, *, divided):
        calls.append(phase.sizes.parts)
        wait = measured(phase, divided=divided)
        if len(calls) > 1:
            return wait
        return lambda reached: wait(reached)._replace(modularity=reached - 0.1)

    monkeypatch.setattr(refinement, "_measured", at_first_below)
    monkeypatch.setattr(refinement, "FINEST", 256)
    graph = real_graph("usairports")
    result = settled(graph, variant, starts=1, record="events")
    assert calls[1:] == [refinement.FINEST]
    assert result.record.steps["taken_back"].any()
    assert not result.record.steps["taken_back"][-1]
    assert communities_timeline(result.record).doubt == ""


def tolerance():
    """Return what a move has to gain where vertices are visited until none could gain."""
    text = files()["louvain_fast_sweep.cuh"].read_text(encoding="utf-8")
    return float(re.search(r"define SETTLING_TOLERANCE (\S+)", text)[1])


def test_the_certificate_allows_twice_as_much():
    assert 2 * tolerance() == GAIN_TOLERANCE


@pytest.mark.parametrize("launches", [False, True])
@pytest.mark.parametrize(("leaves", "moves"), [(1, False), (4, False), (7, True), (40, True)])
def test_moves_that_gain_next_to_nothing_are_not_made(
    leaves, moves, launches, each_device, monkeypatch
):
    """A vertex between two cliques, in the one that has so many leaves more."""
    if launches:
        monkeypatch.setattr(sizes, "COOPERATIVE_ENTRIES", 0)
    size = 400
    u, v = np.triu_indices(size, 1)
    between, first = 2 * size, 2 * size + 1
    ends = [*[0] * leaves, 0, size], [*range(first, first + leaves), between, between]
    n = first + leaves
    graph = Graph.from_edges(n, [*u, *(u + size), *ends[0]], [*v, *(v + size), *ends[1]])
    gain = 2 * 2 * 2 * leaves / graph.weights.sum() ** 2  # of strength 2; a leaf adds 2
    assert moves == (gain > tolerance())
    phase = phase_of(graph, 1, 0, each_device, deterministic=launches)
    home = np.where(np.arange(n) // size == 1, size, 0).astype(np.int32)
    phase.community = each_device.asarray(home)
    phase.total = totals(phase)
    phase.sweep_all(0.0, 4)
    assert phase.sizes.cooperative != launches
    after = each_device.to_host(phase.community)
    assert (after[between] == size) == moves
    np.testing.assert_array_equal(np.delete(after, between), np.delete(home, between))


def test_vertices_that_trade_places_are_swept_in_smaller_parts(monkeypatch):
    monkeypatch.setattr(refinement, "PASSES", 1)
    monkeypatch.setattr(refinement, "ATTEMPTS", 12)
    settled(real_graph("minnesota"), "fast", starts=1)


@pytest.mark.parametrize("variant", SETTLED)
def test_vertices_of_a_larger_graph_that_trade_places_take_one_launch(
    variant, each_device, monkeypatch
):
    """A graph with a hub, whose sweeps before are a launch for each class of degrees."""
    whole, launched = FastPhase._whole_phase, []

    def counted(phase, *args):
        launched.append(phase.sizes.parts)
        whole(phase, *args)

    monkeypatch.setattr(FastPhase, "_whole_phase", counted)
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    monkeypatch.setattr(sizes, "COOPERATIVE_ENTRIES", 0)
    monkeypatch.setattr(refinement, "PASSES", 1)
    monkeypatch.setattr(refinement, "ATTEMPTS", 12)
    of_hub = [(0, v) for v in range(1, 1600)]
    pairs = np.concatenate([random_graph(2500, 2500, 3).edges()[:2], np.transpose(of_hub)], axis=1)
    settled(Graph.from_edges(2500, *np.unique(pairs, axis=1)), variant, each_device, starts=1)
    parts = refinement.SETTLING_PARTS
    assert launched[0] == parts and parts * refinement.FINER in launched
    assert max(launched) < 2500  # no part is empty


@pytest.mark.parametrize("variant", SETTLED)
def test_a_graph_with_a_large_hub_settles_in_one_launch(variant, each_device, monkeypatch):
    """Before, its sweeps are a launch for each class of degrees, and blocks may share the hub."""
    whole, launched = FastPhase._whole_phase, []

    def counted(phase, *args):
        launched.append((phase._longest, phase.sizes.parts))
        whole(phase, *args)

    monkeypatch.setattr(FastPhase, "_whole_phase", counted)
    edges, n = 9000, 12_000
    of_hub = np.stack([np.zeros(edges, np.int64), np.arange(1, edges + 1)])
    pairs = np.concatenate([random_graph(n, 20_000, 1).edges()[:2], of_hub], axis=1)
    graph = Graph.from_edges(n, *np.unique(np.sort(pairs, axis=0), axis=1))
    settled(graph, variant, each_device, starts=1)
    assert launched[0][0] > sizes.COOPERATIVE_DEGREE
    assert launched[0][1] == refinement.SETTLING_PARTS


@pytest.mark.parametrize("variant", ["fast", *PAPER])
def test_others_are_measured_only(variant, monkeypatch):
    """A graph that is too large to settle, no refinement, or a variant of the paper."""
    graph = real_graph("minnesota")
    options = [{"refine": 0, "starts": 1}, {"starts": 1}] if variant == "fast" else [{}]
    for module in (refinement, certificate, variants):
        monkeypatch.setattr(module, "SETTLED_ENTRIES", 100)
    for more in options:
        found = gpucore.run("louvain", graph, device="host", variant=variant, **more).certificate
        (remark,) = [p for p in (*found.checks, *found.measured) if p.name == "local optimality"]
        assert isinstance(remark, Measured) and not isinstance(remark, Check)
        assert found.figures["improvable"] > 0
