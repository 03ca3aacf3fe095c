"""Bipartite matchings: as large as SciPy's and NetworkX's, with a cover that proves it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore.datasets import catalogue
from gpucore.family import get_runner
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.bipartite.prepare import permute_sides
from support.devices import random_schedule
from support.pairwise import pairwise

from .runs import (
    INITIAL,
    chain,
    complete,
    fan,
    find,
    layered_matrices,
    matrices,
    networkx_cardinality,
    of_pairs,
    real_graph,
    real_names,
    scipy_cardinality,
    skewed_matrices,
    stars,
    uniform,
)

VARIANTS = get_runner("bipartite").variant_names

quick = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
beginnings = st.sampled_from(INITIAL)

#: Structural ranks that the SuiteSparse collection publishes, or that follow by hand.
RANKS = {"bcsstk13": 2003, "southern_women": 14, "karate": 27}


@pytest.mark.parametrize("name", real_names())
@pytest.mark.parametrize("variant", VARIANTS)
def test_real_matrices(each_device, variant, name):
    graph = real_graph(name)
    result = find(graph, variant, each_device)
    assert result.cardinality == scipy_cardinality(graph)
    assert result.cardinality == RANKS.get(name, result.cardinality)


def test_the_catalogue_knows_the_rank():
    answers = catalogue()["southern_women"].answers
    assert find(real_graph("southern_women"), "fast").cardinality == answers["max_matching"]


@pytest.mark.parametrize("variant", VARIANTS)
@given(graph=matrices() | layered_matrices(), seed=st.integers(0, 2**32), initial=beginnings)
@quick
def test_any_matrix_any_schedule(variant, graph, seed, initial):
    result = find(graph, variant, random_schedule(seed), initial=initial)
    assert result.cardinality == scipy_cardinality(graph) == networkx_cardinality(graph)


@pytest.mark.parametrize("variant", VARIANTS)
@given(graph=skewed_matrices(), seed=st.integers(0, 2**32), initial=beginnings)
@quick
def test_skewed_matrices(variant, graph, seed, initial):
    result = find(graph, variant, random_schedule(seed), initial=initial)
    assert result.cardinality == scipy_cardinality(graph)


@pytest.mark.parametrize("variant", VARIANTS)
@given(length=st.integers(1, 40), seed=st.integers(0, 100), roots=st.integers(1, 4))
@quick
def test_chains_force_long_paths(variant, length, seed, roots):
    """The only augmenting path goes through all rows and columns, a level at a time."""
    graph, matched = chain(length, seed)
    result = find(graph, variant, random_schedule(seed), initial=matched, record="counters")
    assert result.figures["initial_cardinality"] == length
    assert result.cardinality == length + 1
    assert result.figures["levels"] > length


SHAPES = {
    "square": uniform(3000, 3000, 9000, 1),
    "wide": uniform(500, 4000, 9000, 2),
    "tall": uniform(4000, 500, 9000, 3),
    "very sparse": uniform(20_000, 20_000, 22_000, 4),
    "full": complete(90, 70),
    "stars": stars(3, 2000),
    "chain": chain(300, 5)[0],
}


@pytest.mark.parametrize(("shape", "variant", "initial"), pairwise([*SHAPES], VARIANTS, INITIAL))
def test_shapes_on_devices(each_device, variant, shape, initial):
    result = find(SHAPES[shape], variant, each_device, initial=initial)
    assert result.cardinality == scipy_cardinality(SHAPES[shape])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "spec",
    [
        "uniform:rows=2000,columns=2000,degree=3,seed=2",
        "bip_rmat:scale=10,edge_factor=4,seed=3",
        "delaunay:n=1500,seed=4",
        "grid:rows=40,columns=41",
    ],
)
@pytest.mark.parametrize("permuted", [False, True], ids=["natural", "permuted"])
def test_the_papers_families(each_device, variant, spec, permuted):
    graph = load_bipartite(spec)
    expected = scipy_cardinality(graph)
    if permuted:
        graph = permute_sides(graph, 7)
    assert find(graph, variant, each_device).cardinality == expected


#: Matrices with the size of their largest matchings.
DEGENERATE = {
    "nothing": (of_pairs([], (0, 0)), 0),
    "no rows": (of_pairs([], (0, 7)), 0),
    "no columns": (of_pairs([], (7, 0)), 0),
    "no entries": (of_pairs([], (5, 6)), 0),
    "1 x 1, empty": (of_pairs([], (1, 1)), 0),
    "1 x 1": (of_pairs([(0, 0)], (1, 1)), 1),
    "one row": (of_pairs([(0, c) for c in range(5000)], (1, 5000)), 1),
    "one column": (of_pairs([(r, 0) for r in range(5000)], (5000, 1)), 1),
    "a row of nine": (of_pairs([(3, c) for c in range(600)], (9, 700)), 1),
    "the last corner": (of_pairs([(8, 8)], (9, 9)), 1),
    "all through one": (fan(40, 40)[0], 2),
}


@pytest.mark.parametrize(("case", "variant", "initial"), pairwise([*DEGENERATE], VARIANTS, INITIAL))
def test_degenerate_matrices(each_device, variant, case, initial):
    graph, pairs = DEGENERATE[case]
    result = find(graph, variant, each_device, initial=initial, record="events")
    assert result.cardinality == pairs
    assert result.row_match.shape == (graph.num_rows,)
    assert result.column_match.shape == (graph.num_columns,)


def test_a_graph_becomes_its_twin(each_device):
    """A triangle has no perfect matching, but its matrix has a full transversal."""
    from gpucore.problems.bipartite.prepare import for_bipartite
    from gpucore.problems.graph.graph import Graph

    triangle = for_bipartite(Graph.from_edges(3, [0, 1, 2], [1, 2, 0]))
    assert isinstance(triangle, BipartiteGraph)
    assert find(triangle, "fast", each_device).cardinality == 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_transpose_has_the_same_rank(each_device, variant):
    graph = uniform(300, 200, 450, 9)
    result = find(graph.transpose(), variant, each_device)
    assert result.cardinality == scipy_cardinality(graph)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("options", [{"threads": 3}, {"policy": "round_robin", "resident": 8}])
def test_threads_and_resident_blocks_do_not_matter(make_device, variant, options):
    graph = uniform(3000, 3000, 8000, 6)
    result = find(graph, variant, make_device("host", **options))
    assert result.cardinality == scipy_cardinality(graph)


@pytest.mark.parametrize("variant", [v for v in VARIANTS if v.endswith("mt")])
@pytest.mark.parametrize(("most", "warps"), [(1 << 31, 3), (64, 2), (1, 1)])
def test_threads_of_mt(each_device, variant, most, warps):
    """Section 4: MT = min(columns, #threads); kernels over rows had a thread a row before."""
    graph = uniform(3000, 90, 4000, 6)
    sizes = {"threads_per_block": 32, "most_threads": most}
    result = find(graph, variant, each_device, record="counters", initial="none", **sizes)
    assert result.cardinality == scipy_cardinality(graph)
    assert np.unique(result.record.warps["warp"]).tolist() == list(range(warps))


@pytest.mark.parametrize("variant", VARIANTS)
def test_mates_are_the_graphs_vertices(variant):
    graph = uniform(40, 60, 120, 3)
    mate = find(graph, variant).mate
    matched = np.flatnonzero(mate >= 0)
    np.testing.assert_array_equal(mate[mate[matched]], matched)
    u, v, _ = graph.edges()
    edges = set(zip(u.tolist(), v.tolist(), strict=True))
    assert all((min(a, mate[a]), max(a, mate[a])) in edges for a in matched.tolist())
