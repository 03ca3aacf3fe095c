"""All CPU methods find the one b-stable b-matching, on every graph, for every b and schedule."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore import native
from gpucore.cpu import common
from gpucore.datasets import names as dataset_names
from gpucore.errors import Cancelled, DeviceError, ParameterError
from gpucore.families.bmatching import native as bmatching_native
from gpucore.families.bmatching.capacity import capacities
from gpucore.family import get_runner
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from support.bmatching_cases import graphs_and_b, greedy_b_mates, heaviest_b_weight
from support.cancelling import OnceCancelled, Stop
from support.matching_cases import graph_of, graphs, greedy_mates, random_graph, skewed_graph
from support.running import uncertified

SERIAL = [("bgreedy", {}), ("bsuitor_serial", {})]
THREADED = [("bsuitor_omp", {"variant": "eager"}), ("bsuitor_omp", {"variant": "delayed"})]
METHODS = [*SERIAL, *THREADED]
every = pytest.mark.parametrize(("name", "options"), METHODS, ids=str)
threaded = pytest.mark.parametrize(("name", "options"), THREADED, ids=str)

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def solve(name, graph, b, **options):
    return uncertified(name, graph, b=b, **options)


def check_equal(result, starts, mates):
    assert (result.starts.dtype, result.mates.dtype) == (np.int64, np.int32)
    np.testing.assert_array_equal(result.starts, starts)
    np.testing.assert_array_equal(result.mates, mates)


@pytest.mark.parametrize(("name", "options"), SERIAL, ids=str)
@given(case=graphs_and_b(max_vertices=40))
@quick
def test_serial_methods_equal_the_reference(name, options, case):
    graph, b = case
    result = solve(name, graph, b, **options)
    check_equal(result, *greedy_b_mates(graph, capacities(graph, b)))
    np.testing.assert_array_equal(result.capacity, capacities(graph, b))


@threaded
@given(case=graphs_and_b(max_vertices=40), threads=st.sampled_from([1, 2, 4]))
@quick
def test_threaded_methods_equal_the_reference(name, options, case, threads):
    graph, b = case
    expected = greedy_b_mates(graph, capacities(graph, b))
    check_equal(solve(name, graph, b, threads=threads, **options), *expected)


@every
@given(graph=graphs(max_vertices=24))
@quick
def test_with_one_mate_they_find_the_greedy_matching(name, options, graph):
    result = solve(name, graph, 1, **options)
    mate = np.full(graph.num_vertices, -1, np.int32)
    mate[np.diff(result.starts) > 0] = result.mates
    np.testing.assert_array_equal(mate, greedy_mates(graph))


@every
@given(graph=graphs(max_vertices=7), b=st.integers(0, 3))
@quick
def test_they_weigh_at_least_half_of_the_optimum(name, options, graph, b):
    best = heaviest_b_weight(graph, capacities(graph, b))
    weight = solve(name, graph, b, **options).weight
    assert 0.5 * best <= weight * (1 + 1e-9)
    assert weight <= best * (1 + 1e-9)


@pytest.mark.parametrize("b", [1, 3, 10, "degree/2"])
@pytest.mark.parametrize("levels", [1, 2, 50, None])
@pytest.mark.parametrize("make", [random_graph, skewed_graph])
def test_methods_agree_on_graphs_of_some_size(make, levels, b):
    """Large enough for threads to work at the same time and meet."""
    graph = make(5000 if make is random_graph else 12, 40_000, 7, levels)
    first = solve("bgreedy", graph, b)
    certificate = get_runner("bgreedy").certify(graph, first)
    assert certificate.ok, str(certificate)
    for name, options in METHODS:
        for threads in [1, 2, 4] if (name, options) in THREADED else [1]:
            check_equal(
                solve(name, graph, b, threads=threads, **options), first.starts, first.mates
            )


@threaded
@pytest.mark.parametrize("b", [1, 3, "degree/2"])
def test_schedules_do_not_matter(name, options, b):
    """Few distinct weights and hubs: many threads ask the same vertices."""
    graph = skewed_graph(10, 6000, 3, levels=3)
    expected = greedy_b_mates(graph, capacities(graph, b))
    for _ in range(50):
        check_equal(solve(name, graph, b, threads=4, **options), *expected)


@every
@pytest.mark.parametrize("dataset", list(dataset_names("graph")))
def test_bundled_graphs(name, options, dataset):
    graph = for_matching(load(dataset))
    result = solve(name, graph, "degree/2", threads=2, **options)
    certificate = get_runner(name).certify(graph, result)
    assert certificate.ok, str(certificate)


@every
@pytest.mark.parametrize("n", [0, 1, 7])
def test_nothing_to_match(name, options, n):
    result = solve(name, graph_of(n, [], []), 3, threads=3, **options)
    assert (result.starts == 0).all()
    assert result.starts.shape == (n + 1,)
    assert result.capacity.tolist() == [3] * n
    assert (result.weight, result.cardinality) == (0.0, 0)


@every
def test_loops_and_weights_below_zero_are_left_out(name, options):
    graph = Graph.from_edges(6, [0, 0, 1, 2, 4], [0, 1, 2, 3, 5], [9, 1, 0, -1, 1e-42])
    result = solve(name, graph, 2, threads=2, **options)
    assert result.starts.tolist() == [0, 1, 2, 2, 2, 3, 4]
    assert result.mates.tolist() == [1, 0, 5, 4]
    assert get_runner(name).certify(graph, result).ok


@every
def test_extreme_weights_keep_their_order(name, options):
    tiny, huge = np.nextafter(np.float32(0), np.float32(1)), np.finfo(np.float32).max
    graph = graph_of(4, [(0, 1), (1, 2), (2, 3)], [tiny, 2 * tiny, huge])
    result = solve(name, graph, [1, 1, 2, 1], **options)
    assert [result.mates_of(v).tolist() for v in range(4)] == [[], [2], [1, 3], [2]]


@every
def test_a_vertex_asks_beyond_the_neighbours_that_are_sorted_first(name, options):
    """Leaves prefer each other, so hub 0 asks its heaviest neighbours in vain, in many batches."""
    n, pairs, weights = 401, [], []
    for v in range(1, n, 2):
        pairs += [(0, v), (0, v + 1), (v, v + 1)]
        weights += [2 * v, 2 * v + 1, 2000.0]
    pairs.append((0, n))
    weights.append(1.0)
    graph = Graph.from_edges(n + 1, *np.array(pairs).T, np.array(weights, np.float32))
    result = solve(name, graph, 1, threads=2, **options)
    assert result.mates_of(0).tolist() == [n]
    check_equal(result, *greedy_b_mates(graph, [1] * (n + 1)))


@threaded
def test_a_chain_of_ever_heavier_edges(name, options):
    """The worst case of dependence: the last edge decides about all others."""
    n = 3001
    graph = graph_of(n, [(v, v + 1) for v in range(n - 1)], np.arange(1, n))
    result = solve(name, graph, 1, threads=4, **options)
    check_equal(result, *greedy_b_mates(graph, [1] * n))


def test_figures_count_the_work():
    star = graph_of(5, [(0, v) for v in range(1, 5)], [1, 2, 3, 4])
    figures = solve("bsuitor_serial", star, 2).figures
    # 0 asks 4 and 3. Leaves 1 and 2 fill its room, 3 and 4 displace them. Lists are sorted once.
    assert figures == {"weight": 7.0, "cardinality": 2, "scans": 5, "proposals": 6}
    assert set(solve("bgreedy", star, 2).figures) == {"weight", "cardinality"}
    delayed = solve("bsuitor_omp", star, 2, variant="delayed", threads=1).figures
    assert delayed == {**figures, "rounds": 2}
    assert "rounds" not in solve("bsuitor_omp", star, 2, threads=1).figures


@every
def test_results_say_where_they_come_from(name, options):
    result = solve(name, random_graph(50, 100, 1), "degree/2", threads=2, **options)
    assert result.algorithm == name
    threads = 2 if name == "bsuitor_omp" else 1
    assert result.device["threads"] == threads
    assert result.params == {"b": "degree/2", **options, "threads": threads}
    assert result.seconds > 0
    json.dumps([result.summary(), result.device, result.params])
    given_b = solve(name, random_graph(50, 100, 1), [1] * 50, **options)
    assert given_b.params["b"] == "given"


def test_a_wrong_variant_is_refused():
    with pytest.raises(ParameterError, match="no variant 'lazy'; it has eager, delayed"):
        solve("bsuitor_omp", random_graph(5, 5, 1), 1, variant="lazy")


@every
def test_a_wrong_number_of_capacities_is_refused(name, options):
    with pytest.raises(ParameterError, match="b has 3 numbers, but the graph has 5 vertices"):
        solve(name, random_graph(5, 5, 1), [1, 2, 3], **options)


@every
@pytest.mark.parametrize("before", [True, False])
def test_cancelling_ends_a_run(name, options, before, monkeypatch):
    if not before:
        library = native.load()
        monkeypatch.setattr(native, "load", lambda: OnceCancelled(library))
    with pytest.raises(Cancelled):
        solve(name, random_graph(3000, 200_000, 1), 3, threads=2, cancel=Stop(before), **options)


@every
def test_memory_is_asked_for_beforehand(name, options, monkeypatch):
    monkeypatch.setattr(bmatching_native, "available_memory", lambda: 1000)
    with pytest.raises(DeviceError, match=rf"{name} needs about .* and 1000 B are free"):
        solve(name, random_graph(500, 2000, 1), 3, **options)


@pytest.mark.parametrize("status", [2, 3])
def test_what_native_code_reports_becomes_an_error(status):
    with pytest.raises(DeviceError):
        common.check_status("bsuitor_omp", random_graph(5, 5, 1), 4, status)
