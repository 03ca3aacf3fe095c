"""The CPU methods for maximal matching: maximal, and equal to reference implementations."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore import native
from gpucore.compare import compare
from gpucore.errors import Cancelled, DeviceError, ParameterError
from gpucore.families.redblue.colours import (
    SELECTS,
    best_p,
    first_round_fraction,
    round_numbers,
)
from gpucore.family import get_runner, methods
from gpucore.problems.graph.graph import Graph
from support.cancelling import OnceCancelled, Stop
from support.matching_cases import graph_of, graphs, greedy_mates, random_graph, skewed_graph
from support.running import uncertified

from .runs import find, lists_of, reference, rounds_of, scatter, star

NAMES = ["greedy_random", "greedy_weighted", "redblue_omp"]
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def solve(name, graph, **params):
    """Run a method; its certificate has to hold."""
    runner = get_runner(name)
    result = uncertified(runner.name, graph, **params)
    certificate = runner.certify(graph, result)
    assert certificate.ok, str(certificate)
    return result


def with_all_weights(graph, seed):
    """Give a graph's edges weights of both signs and zero, and some vertices loops."""
    rng = np.random.default_rng(seed)
    u, v, _ = graph.edges()
    loops = np.flatnonzero(rng.random(graph.num_vertices) < 0.3)
    ends = np.concatenate([u, loops]), np.concatenate([v, loops])
    return Graph.from_edges(graph.num_vertices, *ends, rng.integers(-2, 3, ends[0].size))


def test_all_methods_are_found():
    found = [name for name, runner in methods().items() if runner.family == "redblue"]
    assert found == NAMES


def test_algorithm_2_on_permuted_vertices_is_algorithm_2():
    """Weights decide, so the numbering changes the matching only where weights are equal."""
    graph = random_graph(300, 900, 4)
    plain = solve("greedy_weighted", graph)
    for seed in range(3):
        turned = solve("greedy_weighted", graph, permute=True, seed=seed)
        np.testing.assert_array_equal(turned.mate, plain.mate)
        assert turned.params == {"seed": seed, "permute": True, "threads": 1}
    assert np.unique(graph.weights).size == graph.num_edges
    with pytest.raises(ParameterError, match="permute"):
        uncertified("greedy_weighted", graph, permute="yes")


def in_random_order(graph, select, seed):
    """Match by algorithm 1, vertex by vertex."""
    rng = np.random.default_rng(seed)
    order, salt = rng.permutation(graph.num_vertices).tolist(), int(rng.integers(0, 2**32))
    lists, mate = lists_of(graph), np.full(graph.num_vertices, -1)
    for v in order:
        entries = lists[v]
        if mate[v] < 0 and entries:
            place = scatter(v, salt) % len(entries) if select == "random" else 0
            free = [e for e in entries[place:] + entries[:place] if mate[e[0]] < 0]
            if free:
                u = max((w, u) for u, w in free)[1] if select == "weighted" else free[0][0]
                mate[v], mate[u] = u, v
    return mate


@pytest.mark.parametrize("select", SELECTS)
@given(graph=graphs(max_vertices=40), seed=st.integers(0, 1000))
@quick
def test_algorithm_1(select, graph, seed):
    found = solve("greedy_random", graph, select=select, seed=seed)
    np.testing.assert_array_equal(found.mate, in_random_order(graph, select, seed))


@given(graph=graphs(max_vertices=40))
@quick
def test_algorithm_2(graph):
    found = solve("greedy_weighted", graph)
    np.testing.assert_array_equal(found.mate, greedy_mates(graph))
    np.testing.assert_array_equal(found.mate, uncertified("greedy", graph).mate)


@pytest.mark.parametrize("select", SELECTS)
@given(graph=graphs(max_vertices=40), seed=st.integers(0, 1000), threads=st.sampled_from([1, 2, 4]))
@quick
def test_algorithm_3(select, graph, seed, threads):
    found = solve("redblue_omp", graph, select=select, seed=seed, threads=threads)
    expected, rounds = reference(graph, select, seed=seed)
    np.testing.assert_array_equal(found.mate, expected)
    figures = found.figures
    assert rounds_of(found) == rounds
    assert sum(figures["matched"]) == 2 * found.cardinality
    assert sum(figures["matched"]) + sum(figures["dead"]) == graph.num_vertices
    assert figures["rounds"] == len(figures["matched"]) == len(figures["dead"])


@pytest.mark.parametrize("p", [0.2, 0.53406, 0.8])
@pytest.mark.parametrize("select", SELECTS)
def test_the_kernels_find_the_same(select, p):
    graph = skewed_graph(9, 3000, 5, levels=4)
    ours = solve("redblue_omp", graph, select=select, p=p, seed=3, threads=2)
    kernels = find(graph, "paper", select=select, p=p, seed=3)
    np.testing.assert_array_equal(ours.mate, kernels.mate)
    assert rounds_of(ours) == rounds_of(kernels)


@pytest.mark.parametrize("select", SELECTS)
@pytest.mark.parametrize("make", [random_graph, skewed_graph])
def test_schedules_do_not_matter(make, select):
    """Large enough for threads to work at the same time."""
    size = 20_000 if make is random_graph else 14
    graph = make(size, 80_000, 7, levels=50)
    first = solve("redblue_omp", graph, select=select, threads=1)
    for threads in (2, 3, 8):
        other = solve("redblue_omp", graph, select=select, threads=threads)
        np.testing.assert_array_equal(other.mate, first.mate)
        assert other.figures == first.figures


@pytest.mark.parametrize("name", NAMES)
@given(graph=graphs(max_vertices=24), seed=st.integers(0, 1000))
@quick
def test_edges_of_all_weights_are_matched_but_no_loops(name, graph, seed):
    graph = with_all_weights(graph, seed)
    for params in [{}] if name == "greedy_weighted" else [{"select": s} for s in SELECTS]:
        solve(name, graph, **params)


@given(graph=graphs(max_vertices=30))
@quick
def test_sizes_are_within_a_half_of_networkx_ones(graph):
    other = nx.Graph()
    other.add_edges_from(zip(*(a.tolist() for a in graph.edges()[:2]), strict=True))
    size = len(nx.maximal_matching(other))
    for name in NAMES:
        assert size <= 2 * solve(name, graph).cardinality <= 4 * size


def test_sizes_on_average_are_those_of_networkx():
    """Maximal matchings of large random graphs have nearly the same size, by any method."""
    ratios = []
    for seed in range(4):
        graph = random_graph(3000, 60_000, seed)
        other = nx.Graph(list(zip(*(a.tolist() for a in graph.edges()[:2]), strict=True)))
        sizes = [solve(name, graph, seed=seed, select="random").cardinality for name in NAMES[::2]]
        ratios.append(np.array(sizes) / len(nx.maximal_matching(other)))
    assert np.mean(ratios, axis=0) == pytest.approx(1, abs=0.015)


def test_red_blue_matches_as_many_as_algorithm_1():
    """The paper, section 4: more than 99% on average over its graphs."""
    ratios = []
    for seed in range(6):
        graph = random_graph(4000, 100_000, seed)
        sizes = [solve(name, graph, seed=seed, select="random").cardinality for name in NAMES[::2]]
        ratios.append(sizes[1] / sizes[0])
    assert np.mean(ratios) > 0.99


def test_weights_are_between_those_of_algorithms_1_and_2():
    graph = random_graph(4000, 40_000, 1)
    by_weight, red_blue = (solve(name, graph).weight for name in NAMES[1:])
    at_random = solve("greedy_random", graph, select="random").weight
    assert at_random < red_blue < by_weight


@pytest.mark.parametrize("p", [0.4, best_p(), 0.7])
def test_the_first_round_matches_what_equation_2_says(p):
    graph = random_graph(20_000, 400_000, 2)
    first = [
        uncertified("redblue_omp", graph, select="random", p=p, seed=seed).figures["matched"][0]
        for seed in range(8)
    ]
    assert np.mean(first) / 20_000 == pytest.approx(first_round_fraction(p), rel=0.01)


def test_tiny_graphs_and_wide_stars():
    for name in NAMES:
        for n in (0, 1, 5):
            result = solve(name, graph_of(n, [], []))
            assert (result.cardinality, result.mate.tolist()) == (0, [-1] * n)
        assert solve(name, graph_of(200, [(0, v) for v in range(1, 200)], [1] * 199)).cardinality
    assert solve("redblue_omp", graph_of(0, [], [])).figures["rounds"] == 0
    assert solve("redblue_omp", graph_of(2, [(0, 1)], [1]), threads=64).mate.tolist() == [1, 0]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("select", SELECTS)
def test_leaves_of_a_star_die_together(select, threads):
    """Lines 23 and 24: red vertices die, too. When they waited for blue, this took 11 rounds."""
    found = solve("redblue_omp", star(1000), select=select, threads=threads)
    assert rounds_of(found) == {"matched": [2, 0], "dead": [0, 999]}


@pytest.mark.parametrize("p", [0.1, 0.9])
def test_vertex_0_dies_though_its_colour_never_changes(p):
    for graph in (graph_of(1, [], []), graph_of(9, [(3, 4), (5, 6), (6, 7)], [1, 2, 3])):
        ours, kernels = solve("redblue_omp", graph, p=p), find(graph, "paper", p=p)
        for figure in ("rounds", "matched", "dead"):
            assert ours.figures[figure] == kernels.figures[figure]


def test_results_say_where_they_come_from():
    graph = random_graph(50, 100, 1)
    for name in NAMES:
        runner = get_runner(name)
        result = uncertified(runner.name, graph, threads=2)
        assert runner.available() is None
        assert result.algorithm == name
        assert result.device["threads"] == result.params["threads"] == 1 + (name == "redblue_omp")
        assert result.mate.dtype == np.int32
        assert result.seconds > 0
        json.dumps([result.summary(), result.device, result.params])
    assert result.params == {
        "select": "weighted",
        "p": 0.53406,
        "generator": "md5",
        "seed": 0,
        "permute": False,
        "max_rounds": 10_000,
        "threads": 2,
    }


def test_they_can_be_compared():
    comparison = compare(random_graph(60, 200, 1), [*NAMES, "redblue:paper@host"])
    assert [entry.error for entry in comparison.entries] == [""] * 4
    assert comparison.certified
    assert comparison.as_rows()[2]["weight"] == comparison.as_rows()[3]["weight"]


def test_seeds_matter():
    graph = random_graph(300, 900, 1)
    for name in NAMES[::2]:
        mates = [solve(name, graph, seed=seed).mate.tolist() for seed in (1, 1, 2)]
        assert mates[0] == mates[1] != mates[2]


def test_too_few_rounds_are_an_error():
    graph = random_graph(300, 900, 1)
    rounds = solve("redblue_omp", graph).figures["rounds"]
    assert solve("redblue_omp", graph, max_rounds=rounds).figures["rounds"] == rounds
    with pytest.raises(ParameterError, match=f"after {rounds - 1} rounds.*nearer to a half"):
        solve("redblue_omp", graph, max_rounds=rounds - 1)
    with pytest.raises(ParameterError, match="300 vertices are neither"):
        solve("redblue_omp", graph, p=1e-30, max_rounds=20)
    assert (round_numbers(0, rounds) % 2 == 1).all()


@pytest.mark.parametrize(
    ("name", "params", "text"),
    [
        *((n, {"select": "best"}, "select must be") for n in NAMES[::2]),
        *((n, {"select": 1}, 'must be "weighted", "random" or "first", not 1') for n in NAMES[::2]),
        *((n, {"seed": s}, "seed must be") for n in NAMES[::2] for s in (-1, 0.5, True)),
        *((n, {"permute": 1}, "permute is 1; use true or false") for n in NAMES[::2]),
        ("redblue_omp", {"generator": "sha"}, 'must be "md5" or "philox", not'),
        *(("redblue_omp", {"p": p}, "p must be") for p in (0, 1, "0.5")),
        *(("redblue_omp", {"max_rounds": m}, "max_rounds is") for m in (0, True, 2.0, 10**7)),
        *(("redblue_omp", {"threads": t}, "threads must be") for t in (0, 2.0, 1025)),
    ],
)
def test_wrong_parameters_are_refused(name, params, text):
    with pytest.raises(ParameterError, match=text):
        uncertified(name, random_graph(10, 20, 1), **params)


@pytest.mark.parametrize("name", NAMES)
def test_a_cancelled_run_does_not_start(name):
    with pytest.raises(Cancelled):
        uncertified(name, random_graph(50, 100, 1), cancel=Stop(before=True))


def test_a_run_can_be_cancelled():
    """Without the request to stop, it would go on for half a minute."""
    clique = Graph.from_edges(1400, *np.triu_indices(1400, 1))
    with pytest.raises(Cancelled):
        uncertified("redblue_omp", clique, cancel=Stop(before=False), p=1e-30, threads=2)


def test_a_quick_run_can_be_cancelled(monkeypatch):
    library = native.load()
    monkeypatch.setattr(native, "load", lambda: OnceCancelled(library))
    with pytest.raises(Cancelled):
        uncertified("greedy_weighted", random_graph(300, 900, 1), cancel=Stop(before=False))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("status", "text"), [(2, "out of memory"), (3, "would not start")])
def test_native_failures_become_errors(monkeypatch, name, status, text):
    class Failing:
        def __getattr__(self, _):
            return lambda *_: status

    monkeypatch.setattr(native, "load", Failing)
    with pytest.raises(DeviceError, match=text):
        uncertified(name, random_graph(10, 20, 1))
