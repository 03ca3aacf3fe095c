"""One matching for all: every variant, parameter, device and schedule finds greedy's mates."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.datasets import names as dataset_names
from gpucore.device import get_device
from gpucore.errors import Cancelled, GraphError, ParameterError
from gpucore.families.matching.hubs import HUB_DEGREE
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from support.devices import random_schedule
from support.matching_cases import graph_of, graphs, greedy_mates, random_graph, skewed_graph
from support.running import uncertified

from .runs import EVERYTHING, NAMES

VARIANTS = get_runner("suitor").variant_names

PAPER = [variant for variant in VARIANTS if variant != "fast"]

quick = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
shapes = st.fixed_dictionaries(
    {
        "threads_per_block": st.sampled_from([32, 128, 192, 256]),
        "vertices_per_warp": st.sampled_from([1, 2, 3, 4, 8, 32, 256]),
        "lb_iterations": st.sampled_from([0, 1, 3, "adaptive"]),
    }
)


def starry(centres, leaves, seed):
    """Make stars that share their leaves: the centres' adjacencies are long."""
    pairs = [(c, centres + v) for c in range(centres) for v in range(leaves)]
    weights = np.random.default_rng(seed).integers(1, 50, len(pairs))
    return graph_of(centres + leaves, pairs, weights)


@pytest.mark.parametrize(("name", "params"), EVERYTHING, ids=NAMES)
@given(graph=graphs(max_vertices=40), seed=st.integers(0, 2**32), shape=shapes)
@quick
def test_any_graph_any_schedule(name, params, graph, seed, shape):
    settings_of_run = {**params, **shape} if name == "suitor" else params
    result = gpucore.run(name, graph, device=random_schedule(seed), **settings_of_run)
    assert result.certificate.ok, str(result.certificate)
    np.testing.assert_array_equal(result.mate, greedy_mates(graph))


@pytest.mark.parametrize(("name", "params"), EVERYTHING, ids=NAMES)
def test_two_hundred_schedules(name, params):
    """Few distinct weights and hubs: many lanes want the same vertices."""
    graph = skewed_graph(6, 300, 5, levels=3)
    expected = greedy_mates(graph)
    for seed in range(200):
        result = gpucore.run(name, graph, device=random_schedule(seed), certify=False, **params)
        np.testing.assert_array_equal(result.mate, expected, f"seed {seed}")


@pytest.mark.parametrize(("name", "params"), EVERYTHING, ids=NAMES)
@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(random_graph(3000, 20_000, 1), id="random"),
        pytest.param(random_graph(3000, 20_000, 2, levels=1), id="equal weights"),
        pytest.param(skewed_graph(11, 20_000, 3), id="skewed"),
        pytest.param(skewed_graph(11, 20_000, 4, levels=4), id="skewed, ties"),
        pytest.param(starry(3, HUB_DEGREE + 300, 5), id="hubs"),
        pytest.param(starry(1, 40 * 32 + 7, 6), id="one star"),
    ],
)
def test_devices_agree_with_greedy(each_device, graph, name, params):
    result = gpucore.run(name, graph, device=each_device, **params)
    assert result.certificate.ok, str(result.certificate)
    np.testing.assert_array_equal(result.mate, uncertified("greedy", graph).mate)
    assert result.weight == pytest.approx(uncertified("greedy", graph).weight, rel=1e-6)


@pytest.mark.parametrize("dataset", dataset_names("graph"))
def test_real_graphs(each_device, dataset):
    graph = for_matching(gpucore.load(dataset))
    expected = uncertified("greedy", graph).mate
    for name, params in EVERYTHING:
        result = gpucore.run(name, graph, device=each_device, **params)
        np.testing.assert_array_equal(result.mate, expected, f"{name} {params}")
        assert result.certificate.ok


@pytest.mark.parametrize("variant", PAPER)
@pytest.mark.parametrize("threads", [128, 192, 256])
@pytest.mark.parametrize("vertices", [1, 2, 4, 8, 16, 32, 64, 128, 256])
def test_the_papers_parameters(each_device, variant, threads, vertices):
    graph = random_graph(2000, 10_000, 11, levels=20)
    result = gpucore.run(
        "suitor",
        graph,
        device=each_device,
        certify=False,
        variant=variant,
        threads_per_block=threads,
        vertices_per_warp=vertices,
    )
    np.testing.assert_array_equal(result.mate, uncertified("greedy", graph).mate)


def test_threads_of_the_host_do_not_matter():
    graph = skewed_graph(10, 8000, 9, levels=5)
    expected = uncertified("greedy", graph).mate
    device = get_device("host", threads=4)
    for name, params in EVERYTHING:
        for _ in range(3):
            result = gpucore.run(name, graph, device=device, certify=False, **params)
            np.testing.assert_array_equal(result.mate, expected)


@pytest.mark.parametrize(("name", "params"), EVERYTHING, ids=NAMES)
@pytest.mark.parametrize("n", [0, 1, 5])
def test_nothing_to_match(each_device, name, params, n):
    graph = Graph.from_edges(n, np.empty(0, int), np.empty(0, int))
    result = gpucore.run(name, graph, device=each_device, record="events", **params)
    assert result.cardinality == 0
    assert result.weight == 0
    assert (result.mate == -1).all()
    assert result.certificate.ok


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"variant": "quick"}, "no variant 'quick'; it has fast, nosync"),
        ({"threads_per_block": 100}, "threads_per_block is 100; use 32"),
        ({"vertices_per_warp": 0}, "vertices_per_warp is 0; use an integer from 1 to 256"),
        ({"vertices_per_warp": 2.5}, "vertices_per_warp is 2.5"),
        ({"lb_iterations": -1}, "lb_iterations is -1"),
        ({"lb_iterations": "many"}, "lb_iterations is 'many'"),
        ({"speed": 3}, "suitor has no parameter 'speed'"),
    ],
)
def test_wrong_parameters(params, message):
    with pytest.raises(ParameterError, match=message):
        gpucore.run("suitor", random_graph(5, 5, 1), device="host", **params)


def test_unknown_algorithm():
    known = ", ".join(sorted(gpucore.algorithms()))
    named = rf"no algorithm 'sutor' \(did you mean 'suitor'\?\); algorithms: {known};"
    with pytest.raises(ParameterError, match=named):
        gpucore.run("sutor", random_graph(5, 5, 1), device="host")


@pytest.mark.parametrize("name", ["ld", "suitor"])
def test_graphs_that_cannot_be_matched(name):
    loop = Graph.from_edges(2, [0, 0], [0, 1], [1.0, 1.0])
    with pytest.raises(GraphError, match=r"1 loops.*for_matching"):
        gpucore.run(name, loop, device="host")
    negative = Graph.from_edges(2, [0], [1], [-1.0])
    with pytest.raises(GraphError, match=r"not positive.*for_matching"):
        gpucore.run(name, negative, device="host")


def test_cancel():
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        gpucore.run("suitor", random_graph(50, 90, 1), device="host", cancel=cancel)


def test_progress_is_reported():
    """A launch reports every 50 ms: the graph grows until one lasts so long on this machine."""
    seen = []
    for vertices in (60_000, 240_000, 960_000, 3_840_000):
        seen.clear()
        gpucore.run(
            "suitor",
            random_graph(vertices, 7 * vertices, 1),
            device="host",
            progress=lambda *step: seen.append(step),
        )
        assert ("certifying", 0, 0) in seen
        launches = [(done, total) for _, done, total in seen if total]
        if launches:
            break
    assert launches
    assert all(0 <= done <= total for done, total in launches)
