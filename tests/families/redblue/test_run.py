"""One matching for seed and selection: on every device, by both variants, under every schedule."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial import Delaunay, cKDTree

import gpucore
from gpucore.datasets import names as dataset_names
from gpucore.device import get_device
from gpucore.families.redblue.colours import (
    best_p,
    first_round_fraction,
    md5_colours,
    round_numbers,
)
from gpucore.families.redblue.rounds import ROUNDS_A_LAUNCH
from gpucore.families.redblue.run import BEST_P
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from support.devices import random_schedule
from support.matching_cases import graphs, greedy_mates, random_graph, skewed_graph
from support.running import uncertified

from .runs import (
    COLOURS,
    EVERYTHING,
    NAMES,
    SELECTS,
    algorithm_1,
    find,
    mates_of,
    pairs_in,
    path,
    reference,
    rounds_of,
    run,
    star,
    weight_in,
)

VARIANTS = get_runner("redblue").variant_names

quick = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
params = st.fixed_dictionaries(
    {
        "select": st.sampled_from(SELECTS),
        "p": st.sampled_from([BEST_P, 0.2, 0.5, 0.9]),
        "generator": st.sampled_from(sorted(COLOURS)),
        "seed": st.integers(0, 2**40),
    }
)

#: Few and many neighbours: lists for 8 lanes, for a warp, for a block; ties.
GRAPHS = {
    "random": random_graph(2000, 9000, 1),
    "equal weights": random_graph(2000, 9000, 2, levels=1),
    "skewed": skewed_graph(10, 9000, 3, levels=4),
    "warps": random_graph(300, 20_000, 4, levels=9),
    "one star": star(3000, centre=1234),
    "path": path(2000),
}


@pytest.mark.parametrize("variant", VARIANTS)
@given(graph=graphs(max_vertices=40), schedule=st.integers(0, 2**32), chosen=params)
@quick
def test_any_graph_any_schedule(variant, graph, schedule, chosen):
    result = find(graph, variant, random_schedule(schedule), **chosen)
    mates, rounds = reference(graph, **chosen)
    np.testing.assert_array_equal(result.mate, mates)
    assert rounds_of(result) == rounds


@pytest.mark.parametrize(("variant", "select"), EVERYTHING, ids=NAMES)
def test_two_hundred_schedules(variant, select):
    """Few distinct weights and hubs: many vertices propose to the same one."""
    graph = skewed_graph(6, 300, 5, levels=3)
    expected, _ = reference(graph, select, seed=7)
    for seed in range(200):
        found = mates_of(graph, variant, random_schedule(seed), select=select, seed=7)
        np.testing.assert_array_equal(found, expected, f"schedule {seed}")


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("select", SELECTS)
@pytest.mark.parametrize("generator", COLOURS)
def test_devices_and_variants_agree(each_device, graph, select, generator):
    chosen = {"select": select, "generator": generator, "seed": 3}
    expected, rounds = reference(graph, **chosen)
    found = [find(graph, variant, each_device, **chosen) for variant in VARIANTS]
    for result in found:
        np.testing.assert_array_equal(result.mate, expected)
        assert rounds_of(result) == rounds
    assert found[0].figures == found[1].figures


@pytest.mark.parametrize("dataset", dataset_names("graph"))
def test_real_graphs(each_device, dataset):
    graph = for_matching(gpucore.load(dataset))
    for select in SELECTS:
        first, second = (find(graph, v, each_device, select=select, seed=1) for v in VARIANTS)
        np.testing.assert_array_equal(first.mate, second.mate)
        if graph.num_edges < 20_000:
            np.testing.assert_array_equal(first.mate, reference(graph, select, seed=1)[0])


def test_more_rounds_than_a_launch_has(each_device):
    graph = random_graph(200, 600, 1)
    expected, rounds = reference(graph, p=0.02, seed=3)
    assert len(rounds["dead"]) > ROUNDS_A_LAUNCH
    result = find(graph, "fast", each_device, p=0.02, seed=3)
    np.testing.assert_array_equal(result.mate, expected)
    assert rounds_of(result) == rounds


def test_threads_of_the_host_do_not_matter():
    graph = skewed_graph(10, 8000, 9, levels=5)
    device = get_device("host", threads=4)
    for variant, select in EVERYTHING:
        expected, _ = reference(graph, select)
        for _ in range(3):
            np.testing.assert_array_equal(mates_of(graph, variant, device, select=select), expected)


def test_seeds_and_generators_give_different_matchings(each_device):
    graph = random_graph(500, 3000, 4)
    found = [
        find(graph, "fast", each_device, select=select, generator=generator, seed=seed)
        for select in SELECTS
        for generator in COLOURS
        for seed in (0, 1)
    ]
    assert len({result.mate.tobytes() for result in found}) == len(SELECTS) * 4


@pytest.mark.parametrize(("variant", "select"), EVERYTHING, ids=NAMES)
@pytest.mark.parametrize("n", [0, 1, 5])
def test_nothing_to_match(each_device, variant, select, n):
    graph = Graph.from_edges(n, np.empty(0, int), np.empty(0, int))
    result = find(graph, variant, each_device, select=select, record="events")
    assert result.cardinality == result.weight == 0
    assert (result.mate == -1).all()


@pytest.mark.parametrize(("variant", "select"), EVERYTHING, ids=NAMES)
def test_stars_paths_and_lonely_vertices(each_device, variant, select):
    one = find(star(40), variant, each_device, select=select)
    assert one.cardinality == 1
    assert one.figures["dead"][-1] > 0
    assert find(path(2), variant, each_device, select=select).mate.tolist() == [1, 0]
    for n in (3, 10, 101):  # a maximal matching has a third of the edges of a path at least
        found = find(path(n), variant, each_device, select=select)
        assert (n - 1) / 3 <= found.cardinality <= n / 2
    lonely = Graph.from_edges(100, [17], [60], [2.0])
    found = find(lonely, variant, each_device, select=select)
    assert np.flatnonzero(found.mate >= 0).tolist() == [17, 60]


@pytest.mark.parametrize(("variant", "select"), EVERYTHING, ids=NAMES)
@pytest.mark.parametrize("centre", [0, 400])
def test_leaves_of_a_star_die_together(each_device, variant, select, centre):
    """Lines 23 and 24: red vertices die, too. When they waited for blue, this took 11 rounds."""
    for record in ("off", "events"):
        found = find(star(1000, centre), variant, each_device, select=select, record=record)
        assert rounds_of(found) == {"matched": [2, 0], "dead": [0, 999]}


@pytest.mark.parametrize(("variant", "select"), EVERYTHING, ids=NAMES)
def test_red_vertices_without_edges_die_in_the_first_round(each_device, variant, select):
    """The old rule, by which only blue ones die, left half of them for later rounds."""
    empty = Graph.from_edges(100, np.empty(0, int), np.empty(0, int))
    found = find(empty, variant, each_device, select=select)
    assert rounds_of(found) == {"matched": [0], "dead": [100]}


@pytest.mark.parametrize("select", ["weighted", "random"])
@pytest.mark.parametrize("p", [0.35, BEST_P, 0.7])
def test_the_first_round_matches_what_equation_2_says(each_device, p, select):
    """Whom a vertex proposes to is uniform, also along the heaviest of independent weights."""
    graph, seeds = large(), range(16)
    n = graph.num_vertices
    runs = [run(graph, "fast", each_device, select=select, p=p, seed=seed) for seed in seeds]
    found = np.mean([result.figures["matched"][0] / n for result in runs])
    # The equation counts on p n blue vertices; where it is steep, those that there were matter.
    blue = [md5_colours(n, round_numbers(seed, 1)[0], p).mean() for seed in seeds]
    assert found == pytest.approx(np.mean([first_round_fraction(b) for b in blue]), rel=0.01)
    if p == BEST_P:
        assert best_p() == pytest.approx(BEST_P, abs=5e-6)
        assert found == pytest.approx(first_round_fraction(best_p()), rel=0.01)


@cache
def large():
    """Make G(n, d): sparse, with degrees that hardly differ."""
    return random_graph(6000, 450_000, 8)


def bundled():
    """Return the small bundled graphs."""
    graphs = [for_matching(gpucore.load(name)) for name in dataset_names("graph")]
    return [graph for graph in graphs if graph.num_edges < 10_000]


@pytest.mark.parametrize(("p", "least"), [(BEST_P, 0.98), (0.3, 0.985), (0.1, 0.99)])
def test_nearly_as_large_as_algorithm_1(p, least):
    """With fewer proposals at a time the size approaches that of the sequential algorithm."""
    ratios = []
    for graph in bundled():
        ours = [run(graph, select="random", p=p, seed=s).cardinality for s in range(6)]
        theirs = [pairs_in(algorithm_1(graph, "random", seed)) for seed in range(6)]
        ratios.append(np.mean(ours) / np.mean(theirs))
    assert np.mean(ratios) >= least


@cache
def by_size():
    """Make graphs of all kinds: bundled ones, hubs, triangles, a grid, lists of equal length."""
    rng = np.random.default_rng(3)
    points = rng.random((4000, 2))
    near = cKDTree(points).query_pairs(0.03, output_type="ndarray")
    corners = Delaunay(points).simplices
    sides = np.unique(np.sort(corners[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    cell = np.arange(3600).reshape(60, 60)
    across = [np.stack(ends, -1).reshape(-1, 2) for ends in _neighbours(cell)]
    made = [
        Graph.from_edges(n, *pairs.T, 0.1 + rng.random(len(pairs)))
        for n, pairs in ((4000, near), (4000, sides), (3600, np.concatenate(across)))
    ]
    return [*bundled(), skewed_graph(12, 40_000, 1), random_graph(3000, 20_000, 2), *made]


def _neighbours(cell):
    return (cell[:, :-1], cell[:, 1:]), (cell[:-1], cell[1:])


def sizes_by_algorithm_1(select, seeds=5, **options):
    """Return for every graph the mean size of a matching by the mean size of algorithm 1's."""
    ratios = []
    for graph in by_size():
        ours = [run(graph, select=select, seed=s, **options).cardinality for s in range(seeds)]
        theirs = [
            uncertified("greedy_random", graph, select="random", seed=s).cardinality
            for s in range(seeds)
        ]
        ratios.append(np.mean(ours) / np.mean(theirs))
    return np.array(ratios)


def test_as_large_as_algorithm_1_by_the_papers_rule():
    """Section 4: more than 99 % on average, with permuted vertices and the first neighbour."""
    found = sizes_by_algorithm_1("first", permute=True)
    assert found.mean() >= 0.99
    assert found.min() >= 0.96
    # What the permutation is for: in the order of the data sets the small numbers are neighbours.
    given = sizes_by_algorithm_1("first")
    assert given[: len(bundled())].mean() < found[: len(bundled())].mean()


def test_as_heavy_as_the_paper_says():
    """Heavier than algorithm 1's, lighter than algorithm 2's (section 4), on average."""
    by_first, by_second = [], []
    for graph in bundled():
        ours = np.mean([run(graph, seed=seed).weight for seed in range(4)])
        first = [weight_in(graph, algorithm_1(graph, "weighted", seed)) for seed in range(4)]
        by_first.append(ours / np.mean(first))
        by_second.append(ours / weight_in(graph, greedy_mates(graph)))
    assert np.mean(by_first) > 1
    assert 0.85 < np.mean(by_second) < 1


@pytest.mark.gpu
@pytest.mark.parametrize(("variant", "select"), EVERYTHING, ids=NAMES)
def test_a_gpu_again_and_again(cuda, variant, select):
    graph = skewed_graph(12, 60_000, 3, levels=4)
    expected, _ = reference(graph, select)
    for _ in range(20):
        np.testing.assert_array_equal(mates_of(graph, variant, cuda, select=select), expected)
