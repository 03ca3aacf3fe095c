"""The stages after the first ones in one launch."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.families.communities import starts
from gpucore.families.communities.fast import later, leiden, small, small_leiden
from gpucore.loading import load
from support.devices import race_detector

from .cases import networkx_modularity
from .runs import DEVICES, cliques, find, random_graph

GRAPHS = {
    "communities": lambda: load("planted:n=3000,communities=60,seed=1"),
    "isolated vertices": lambda: load("rmat:scale=12,a=0.45,b=0.22,c=0.22,seed=1"),
    "plane": lambda: load("delaunay:n=5000,seed=1"),
    "loops and real weights": lambda: random_graph(3000, 9000, 1, loops=500, weights="real"),
    "cliques": lambda: cliques(400, 6),
}


VARIANTS = tuple(small.KERNELS)


@pytest.fixture
def rests(monkeypatch):
    """Return what the launches found, also of dense stages; whole graphs have none."""
    found = []

    def watched(start, *args, **more):
        found.append(start(*args, **more))
        return found[-1]

    monkeypatch.setattr(small, "fits", lambda *_: False)
    monkeypatch.setattr(leiden, "CYCLE_ENTRIES", 0)
    monkeypatch.setattr(later, "MOST_OF_A_VERTEX", 1000)
    for module in (later, small_leiden):
        monkeypatch.setattr(module, "start", partial(watched, module.start))
    return found


def stages(result):
    """Return the stages before refinement."""
    return [s for s in result.figures["stages"] if not s.get("refining")]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_it_finds_as_much(variant, name, device, rests, monkeypatch):
    graph, device = GRAPHS[name](), DEVICES[device]()
    one = find(graph, variant, device, starts=1)
    assert len(rests) == 1
    assert rests[0].modularity is not None, "not one launch"
    assert [bool(s.get("one_launch")) for s in stages(one)] == [
        False,
        *[True] * (len(stages(one)) - 1),
    ]
    sizes = [s["communities"] for s in stages(one)]
    assert sizes == sorted(sizes, reverse=True)
    assert [s["vertices"] for s in stages(one)[1:]] == sizes[:-1]
    assert all(s["threshold"] == 1e-6 for s in stages(one))
    monkeypatch.setattr(later, "MOST_VERTICES", 0)
    many = find(graph, variant, device, starts=1)
    assert len(rests) == 1
    assert one.modularity > many.modularity - 0.01


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_hierarchy_without_refinement(variant, name, rests):
    """Every stage's mapping is a level; the log's modularity is that of its communities.

    Levels of "leiden" but the last one are parts of the communities.
    """
    graph = GRAPHS[name]()
    result = find(graph, variant, starts=1, refine=0)
    assert rests[0].modularity is not None
    community = np.arange(graph.num_vertices)
    for k, (level, stage) in enumerate(zip(result.levels, stages(result), strict=False)):
        community = level[community]
        whole = variant == "fast" or k + 1 == len(result.levels)
        if graph.num_vertices <= 3000 and whole:
            assert networkx_modularity(graph, community) == pytest.approx(stage["modularity"])
    assert result.modularity == pytest.approx(rests[0].modularity)
    np.testing.assert_array_equal(community, result.community)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_first_threshold(variant, rests):
    """A stage before the last threshold goes on with it in the launch."""
    result = find(GRAPHS["plane"](), variant, starts=1, bin_vertices=500, t_bin=0.02)
    assert rests[0].modularity is not None
    thresholds = [s["threshold"] for s in stages(result)]
    assert thresholds == sorted(thresholds, reverse=True)
    assert set(thresholds) == {0.02, 1e-6}


@pytest.mark.parametrize(("variant", "most"), [("fast", 500), ("leiden", 1000)])
def test_it_stays_at_the_last_threshold(variant, most, rests, monkeypatch):
    """The second stage gained little, so the others have the last threshold."""
    monkeypatch.setattr(later, "MOST_VERTICES", most)
    result = find(GRAPHS["plane"](), variant, starts=1, bin_vertices=0, t_bin=1.0)
    assert rests[0].modularity is not None
    assert [s["threshold"] for s in stages(result)][:3] == [1.0, 1.0, 1e-6]
    assert [bool(s.get("one_launch")) for s in stages(result)][:3] == [False, False, True]


@pytest.mark.parametrize("variant", VARIANTS)
def test_starts_side_by_side(variant, rests, monkeypatch):
    monkeypatch.setattr(starts, "BESIDE_DEVICES", ("host",))
    found = find(GRAPHS["plane"](), variant, starts=3)
    assert found.figures["side by side"]
    assert rests[0].modularity is not None
    assert found.modularity >= rests[0].modularity - 1e-12


@pytest.mark.parametrize("name", ["communities", "loops and real weights"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_races(variant, name, rests):
    device = race_detector()
    find(GRAPHS[name](), variant, device, starts=1)
    assert device.profile().races == ()
    assert rests[0].modularity is not None


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_it_lacks_takes_launches(variant, rests, monkeypatch):
    """More stages than it has."""
    monkeypatch.setattr(small, "MOST_STAGES", 1)
    monkeypatch.setattr(small_leiden, "MOST_LEVELS", 2)
    monkeypatch.setattr(later, "ALONE", (1, 1))
    result = find(GRAPHS["plane"](), variant, starts=1)
    assert rests[0].modularity is None
    assert result.modularity > 0.8


@pytest.mark.parametrize("limit", ["MOST_VERTICES", "MOST_ENTRIES", "MOST_OF_A_VERTEX"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_too_large_or_too_dense(variant, limit, rests, monkeypatch):
    monkeypatch.setattr(later, limit, 1)
    find(GRAPHS["cliques"](), variant, starts=1)
    assert rests == []


def test_a_second_cycle_takes_launches(rests, monkeypatch):
    monkeypatch.setattr(leiden, "CYCLE_ENTRIES", 1 << 20)
    find(GRAPHS["communities"](), "leiden", starts=1)
    assert rests == []


def test_dense_stages_wait(rests, monkeypatch):
    """Moves wait where a stage has more entries a vertex, as by launches."""
    graph = load("planted:n=3000,communities=60,seed=1")
    monkeypatch.setattr(small, "DENSE", 1)
    for seed in range(3):
        one = find(graph, "leiden", starts=1, refine_seed=seed)
        assert rests[-1].modularity is not None
        assert one.modularity > 0.65


def test_it_takes_no_memory_that_is_not_there(rests, monkeypatch):
    """What the run needs is known before; this is on top of it."""
    device = get_device("host")
    monkeypatch.setattr(later, "search_bytes", lambda *_: device.free_memory() + 1)
    find(GRAPHS["plane"](), "fast", device, starts=1)
    assert rests == []


@pytest.mark.parametrize("more", [{"record": "counters"}, {"deterministic": True}])
@pytest.mark.parametrize("variant", VARIANTS)
def test_neither_records_nor_reproducible_runs(variant, more, rests):
    find(GRAPHS["plane"](), variant, starts=1, **more)
    assert rests == []


def test_a_hub_takes_launches(rests):
    """Stars whose centres are joined to one vertex: contracted, it has more edges than a block."""
    arms, size = 1600, 3
    centres = 1 + np.arange(arms) * (size + 1)
    u = np.concatenate([np.zeros(arms, np.int64), np.repeat(centres, size)])
    v = np.concatenate([centres, (centres[:, None] + np.arange(1, size + 1)).ravel()])
    graph = gpucore.Graph.from_edges(1 + arms * (size + 1), u, v)
    result = find(graph, "fast", starts=1)
    assert rests == []
    assert result.modularity > 0.7


@pytest.mark.gpu
@pytest.mark.parametrize("variant", VARIANTS)
def test_on_a_gpu(variant, cuda, rests):
    cuda.kernel(*small.KERNELS[variant]).load()
    for name, make in GRAPHS.items():
        graph = make()
        for count in (1, None):
            result = gpucore.run("louvain", graph, variant=variant, device=cuda, starts=count)
            assert result.certificate.ok, name
            assert rests[-1] is not None, name
