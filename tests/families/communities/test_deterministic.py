"""With ``deterministic`` the tuned variants find one result, whatever the threads' order."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.errors import ParameterError
from gpucore.families.communities.fast import batches, contraction, phase, sizes
from gpucore.families.communities.fast.order import CLASSES
from gpucore.families.communities.timeline import communities_timeline
from gpucore.families.communities.variants import TUNED
from gpucore.problems.graph.generate import rmat
from gpucore.problems.graph.graph import Graph
from support.devices import random_schedule

from .runs import (
    bipartite,
    cliques,
    find,
    found_in,
    hubs,
    phase_of,
    random_graph,
    real_graph,
    real_names,
)
from .test_schedules import RESTLESS

#: Vertices of every class of degree, loops, real weights, and equal vertices with many ties.
GRAPHS = {
    "hubs": hubs(140, seed=3),
    "loops": random_graph(60, 150, 2, loops=6, weights="real"),
    "cliques": cliques(6, 6),
    "bipartite": bipartite(4, 5),
    "pair": RESTLESS[0],
    "warps": random_graph(700, 2000, 5),
}
#: Of the modularity of the usual run, on the bundled graphs.
TOLERANCE = 0.01


def kept(graph, variant, device="host", **more):
    return find(graph, variant, device, deterministic=True, **more)


def same(found, expected, why=""):
    np.testing.assert_array_equal(found.community, expected.community, why)
    assert found.modularity == expected.modularity, why
    assert found.sweeps == expected.sweeps, why
    pairs = zip(found.levels, expected.levels, strict=True)
    assert all(np.array_equal(*levels) for levels in pairs), why


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("variant", TUNED)
def test_many_schedules_one_result(variant, graph):
    expected = kept(graph, variant, starts=1)
    for seed in range(6 if graph.num_vertices > 200 else 20):
        same(kept(graph, variant, random_schedule(seed), starts=1), expected, f"seed {seed}")


@pytest.mark.parametrize("name", ["lesmis", "usairports"])
@pytest.mark.parametrize("variant", TUNED)
def test_threads_in_step_and_resident_blocks(variant, name):
    expected = kept(real_graph(name), variant)
    for options in (
        {"policy": "round_robin"},
        {"policy": "round_robin", "resident": 8, "poison": True},
        {"policy": "sequential", "resident": 3, "strict": True},
        {"threads": 3},
    ):
        same(kept(real_graph(name), variant, get_device("host", **options)), expected, options)


@pytest.mark.parametrize("noise", [{}, {"theta": 0.01, "refine_seed": 7}])
def test_the_choice_at_random_is_that_of_its_seed(noise):
    graph = random_graph(200, 500, 3)
    expected = kept(graph, "leiden", **noise)
    for seed in range(5):
        same(kept(graph, "leiden", random_schedule(seed), **noise), expected)


@pytest.mark.parametrize("variant", TUNED)
@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(random_graph(2500, 9000, 7, loops=90, weights="real"), id="real weights"),
        pytest.param(rmat(11, seed=1), id="rmat"),
        pytest.param(hubs(1700), id="hubs"),
    ],
)
def test_devices_do_not_matter(each_device, variant, graph):
    same(kept(graph, variant, each_device), kept(graph, variant))


def of_two_block_classes():
    """Return a graph with vertices of 129 to 1536 edges and of more, each of which has a block."""
    rng, n = np.random.default_rng(4), 2500
    ends = [[hub] * count for hub, count in ((0, 1700), *((k, 300) for k in range(1, 25)))]
    others = [rng.choice(np.arange(25, n), len(one), replace=False) for one in ends]
    u, v, _ = random_graph(n, 4000, 5).edges()
    pairs = np.stack([[*np.concatenate(ends), *u], [*np.concatenate(others), *v]])
    return Graph.from_edges(n, *np.unique(np.sort(pairs, axis=0), axis=1))


@pytest.mark.parametrize("starts", [1, 2])
@pytest.mark.parametrize("variant", TUNED)
def test_a_record_is_that_of_the_run(variant, starts):
    """One launch divides all vertices that have a block into parts together; so does a record."""
    graph = of_two_block_classes()
    degrees = np.diff(graph.indptr)
    assert (degrees > 1536).any() and ((degrees > 128) & (degrees <= 1536)).any()
    recorded = kept(graph, variant, record="counters", starts=starts)
    same(recorded, kept(graph, variant, starts=starts))


@pytest.mark.parametrize("variant", TUNED)
def test_neither_launches_nor_memory_nor_records_matter(variant, monkeypatch):
    graph = hubs(1700)
    expected = kept(graph, variant)
    for level in ("counters", "events"):
        result = kept(graph, variant, record=level)
        same(result, expected, level)
    assert communities_timeline(result.record).doubt == ""
    with monkeypatch.context() as change:
        change.setattr(sizes, "COOPERATIVE_ENTRIES", 0)
        change.setattr(sizes, "JOINT_ENTRIES", 0)
        same(kept(graph, variant), expected, "a launch for each class")
    for module in (batches, contraction):
        monkeypatch.setattr(module, "SMALL_TABLE", 0)
    monkeypatch.setattr(contraction, "fits_at_once", lambda *_: False)
    same(kept(graph, variant), expected, "contraction in batches")


def classes_of(graph, device):
    """Return the vertices of every class of degree, as a reproducible run has them."""
    order = phase_of(graph, 5, 1, device, variant="fast", deterministic=True).order
    vertices = device.to_host(order.vertices)
    return [vertices[slice(*order.range_of(k))] for k in range(CLASSES)]


@pytest.mark.parametrize("graph", [hubs(1700), random_graph(5000, 9000, 3)], ids=["hubs", "sparse"])
def test_each_class_is_in_ascending_order(graph, each_device):
    """So a part of a sweep has the same vertices on every device."""
    degree, first = np.diff(graph.indptr), [0, 1, 5, 9, 17, 33, 129, 1537]
    of_class = np.searchsorted(first, degree, side="right") - 1
    expected = [np.flatnonzero(of_class == k) for k in range(CLASSES)]
    devices = [random_schedule(seed) for seed in range(6)] if each_device.name == "host" else []
    for device in (each_device, *devices):
        for found, wanted in zip(classes_of(graph, device), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_the_order_matters(monkeypatch):
    graph = random_graph(300, 900, 4)
    expected, place = kept(graph, "fast", starts=1), phase.FastPhase._place

    def backwards(one):
        place(one)
        for k in range(1, CLASSES):
            mine = slice(*one.order.range_of(k))
            one.order.vertices[mine] = one.order.vertices[mine][::-1].copy()

    monkeypatch.setattr(phase.FastPhase, "_place", backwards)
    assert kept(graph, "fast", starts=1).community.tolist() != expected.community.tolist()


@pytest.mark.parametrize("variant", TUNED)
@pytest.mark.parametrize("name", real_names())
def test_quality_is_that_of_the_usual_run(variant, name):
    found = kept(real_graph(name), variant)
    assert found.modularity > found_in(name, variant, "host").modularity - TOLERANCE
    assert found.params["deterministic"]


def test_the_papers_variants_always_are():
    graph = GRAPHS["loops"]
    same(kept(graph, "buckets"), find(graph, "buckets"))


def test_the_parameter_is_true_or_false():
    with pytest.raises(ParameterError, match="deterministic"):
        find(GRAPHS["pair"], "fast", deterministic=1)
