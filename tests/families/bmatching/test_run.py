"""One b-matching for all: every variant, device and schedule finds greedy's mates."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.device.constants import check_defaults, check_known
from gpucore.errors import Cancelled, GraphError, KernelError, ParameterError
from gpucore.families.bmatching.capacity import capacities
from gpucore.families.bmatching.fast import CASCADE
from gpucore.families.matching.hubs import HUB_DEGREE
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from support.bmatching_cases import graphs_and_b, greedy_b_mates
from support.devices import random_schedule
from support.matching_cases import graph_of, random_graph, skewed_graph

from .runs import EVERYTHING, NAMES, find

VARIANTS = get_runner("bmatching").variant_names

quick = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
#: Cascades and heaps, equal and unequal capacities.
EVERY_B = [1, 2, 3, CASCADE, CASCADE + 1, 10, "degree/2", "degree"]


def assert_greedy(result, graph, b):
    """Check that a result has the mates of greedy."""
    starts, mates = greedy_b_mates(graph, capacities(graph, b))
    np.testing.assert_array_equal(result.starts, starts)
    np.testing.assert_array_equal(result.mates, mates)


def stars(centres, leaves, seed):
    """Make stars that share their leaves: the centres' adjacencies are long."""
    pairs = [(c, centres + v) for c in range(centres) for v in range(leaves)]
    weights = np.random.default_rng(seed).integers(1, 50, len(pairs))
    return graph_of(centres + leaves, pairs, weights)


@pytest.mark.parametrize("params", EVERYTHING, ids=NAMES)
@given(
    case=graphs_and_b(max_vertices=40),
    seed=st.integers(0, 2**32),
    threads=st.sampled_from([32, 64, 128, 256]),
)
@quick
def test_any_graph_any_b_any_schedule(params, case, seed, threads):
    graph, b = case
    result = find(graph, b, random_schedule(seed), params, threads_per_block=threads)
    assert result.certificate.ok, str(result.certificate)
    assert_greedy(result, graph, b)


@pytest.mark.parametrize("params", EVERYTHING, ids=NAMES)
def test_two_hundred_schedules(params):
    """Few distinct weights and hubs: many workers meet at the same vertices."""
    graph = skewed_graph(5, 150, 9, levels=3)
    for b in (3, 12):
        starts, mates = greedy_b_mates(graph, capacities(graph, b))
        for seed in range(100):
            result = find(graph, b, random_schedule(seed), params, certify=False)
            assert np.array_equal(result.starts, starts), f"b = {b}, schedule {seed}"
            assert np.array_equal(result.mates, mates), f"b = {b}, schedule {seed}"


@pytest.mark.parametrize("b", EVERY_B)
def test_devices_agree_with_greedy(each_device, b):
    for graph in (random_graph(900, 5000, 2, levels=40), skewed_graph(9, 4000, 3)):
        starts, mates = greedy_b_mates(graph, capacities(graph, b))
        for name, params in zip(NAMES, EVERYTHING, strict=True):
            result = find(graph, b, each_device, params)
            np.testing.assert_array_equal(result.starts, starts, name)
            np.testing.assert_array_equal(result.mates, mates, name)


@pytest.mark.parametrize("b", [1, 3, 10, "degree/2"])
def test_hubs(each_device, b):
    graph = stars(3, HUB_DEGREE + 500, 1)
    assert_greedy(find(graph, b, each_device, {"variant": "fast"}), graph, b)


@pytest.mark.parametrize("dataset", ["karate_weighted", "lesmis", "football", "minnesota"])
def test_real_graphs(each_device, dataset):
    graph = for_matching(gpucore.load(dataset))
    for b in (2, "degree/2"):
        for variant in VARIANTS:
            assert_greedy(find(graph, b, each_device, {"variant": variant}), graph, b)


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_mate_each_is_suitor(each_device, variant):
    graph = skewed_graph(10, 6000, 4, levels=9)
    mate = gpucore.run("suitor", graph, device=each_device).mate
    result = find(graph, 1, each_device, {"variant": variant})
    assert (np.diff(result.starts) == (mate >= 0)).all()
    np.testing.assert_array_equal(result.mates, mate[mate >= 0])
    assert result.weight == gpucore.run("suitor", graph, device=each_device).weight


@pytest.mark.parametrize("params", EVERYTHING, ids=NAMES)
def test_nothing_to_match(each_device, params):
    empty = np.empty(0, np.int32)
    for n in (0, 5):
        result = find(Graph.from_edges(n, empty, empty), 2, each_device, params)
        assert result.cardinality == 0
        assert result.certificate.ok
    result = find(random_graph(40, 90, 1), 0, each_device, params)
    assert result.cardinality == 0
    assert result.certificate.ok


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"variant": "lazy"}, "no variant 'lazy'; it has fast, eager, delayed"),
        ({"worker": "block"}, "no worker 'block'"),
        ({"lists": "random"}, "no lists 'random'"),
        ({"threads_per_block": 48}, "threads_per_block is 48; use 32, 64, 128 or 256"),
        ({"b": -1}, "b is -1; use an integer"),
        ({"b": "/etc/hostname"}, "b is '/etc/hostname'; use an integer"),
        ({"b": [1, 2]}, "b has 2 numbers, but the graph has 5 vertices"),
    ],
)
def test_wrong_parameters(params, message):
    with pytest.raises(ParameterError, match=message):
        gpucore.run("bmatching", random_graph(5, 5, 1), device="host", **params)


def test_graphs_that_cannot_be_matched():
    loop = Graph.from_edges(2, [0, 0], [0, 1], [1.0, 1.0])
    with pytest.raises(GraphError, match=r"1 loops.*for_matching"):
        gpucore.run("bmatching", loop, device="host")


def test_cancel():
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        gpucore.run("bmatching", random_graph(50, 90, 1), device="host", cancel=cancel)


@pytest.mark.parametrize("source", ["bsuitor_fast", "bsuitor_peers", "bsuitor_ranks"])
def test_kernels_for_a_gpu_are_compiled_for_one_capacity(source):
    """A constant in a header is one of the source's; on the host it has its default."""
    check_known(source, {"SLOTS": 3})
    with pytest.raises(KernelError, match="compiled with SLOTS=0 only"):
        check_defaults(source, {"SLOTS": 3})
