"""Every schedule of the racy kernels ends in a certified maximum matching."""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.family import get_runner
from gpucore.problems.bipartite.load import load_bipartite
from support.devices import observed_schedule, random_schedule

from .runs import (
    INITIAL,
    chain,
    complete,
    fan,
    figure_one,
    find,
    of_pairs,
    scipy_cardinality,
    stars,
    uniform,
)

VARIANTS = get_runner("bipartite").variant_names


def crossing(paths):
    """Make paths from many roots that meet in a middle and part again; with the matching."""
    pairs, matched = [], np.full(3 * paths, -1)
    for i in range(paths):
        matched[i] = paths + i
        matched[paths + i] = 2 * paths + i
        for j in (i, (i + 1) % paths, (i + 2) % paths):
            pairs += [(j, i), (paths + j, paths + i), (2 * paths + j, 2 * paths + i)]
        pairs += [(i, paths + i), (paths + i, 2 * paths + i)]
    return of_pairs(pairs, (3 * paths, 3 * paths)), matched


#: Graphs on which many lanes compete for the same rows and columns, each with an initial matching;
#: None: those of INITIAL in turn.
RACY = {
    "figure 1": figure_one(),
    "fan": fan(5, 6),
    "crossing": crossing(5),
    "chain": chain(9, 3),
    "stars": (stars(2, 7), None),
    "full": (complete(6, 5), None),
    "uniform": (uniform(24, 22, 60, 8), None),
    "sparse": (uniform(40, 40, 52, 5), None),
}


def runs():
    """Yield graph, parameters and right cardinality, cyclically and without end."""
    beginnings = cycle(INITIAL)
    for graph, matched in cycle(RACY.values()):
        params = {"initial": next(beginnings)} if matched is None else {"initial": matched}
        yield graph, params, scipy_cardinality(graph)


@pytest.mark.parametrize("variant", VARIANTS)
def test_three_hundred_schedules(variant):
    for seed, (graph, params, expected) in zip(range(300), runs(), strict=False):
        result = find(graph, variant, random_schedule(seed), **params)
        assert result.cardinality == expected, f"seed {seed}, {graph}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_hundred_schedules_with_lanes_that_part_anywhere(variant):
    for seed, (graph, params, expected) in zip(range(104), runs(), strict=False):
        device = observed_schedule(seed)
        if device is None:
            pytest.skip("the instrumented library was not built")
        result = find(graph, variant, device, **params)
        assert result.cardinality == expected, f"seed {seed}, {graph}"


#: Frontiers for all blocks and for one, lists that a warp shares, trees that are grafted.
WIDE = {
    "uniform": uniform(1500, 1500, 4200, 4),
    "skewed": load_bipartite("bip_rmat:scale=11,edge_factor=4,seed=2"),
    "stars": stars(3, 900),
    "wide": uniform(40, 3000, 5000, 7),
}


@pytest.mark.parametrize("graph", WIDE.values(), ids=WIDE)
@pytest.mark.parametrize("variant", ["fast", "apfb_gpubfs_wr_ct"])
def test_wide_frontiers_under_any_schedule(variant, graph):
    expected = scipy_cardinality(graph)
    for seed in range(8):
        result = find(graph, variant, random_schedule(seed), initial=("none", "cheap")[seed // 4])
        assert result.cardinality == expected, f"seed {seed}"


def test_two_hundred_schedules_of_short_lists_first():
    graph = load_bipartite("bip_rmat:scale=7,edge_factor=3,seed=3")
    expected = scipy_cardinality(graph)
    for seed in range(200):
        result = find(graph, "fast", random_schedule(seed), initial="short_first")
        assert result.cardinality == expected, f"seed {seed}"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_schedule_gives_the_same_matching(variant):
    graph = uniform(200, 200, 500, 5)
    first, second = (
        find(graph, variant, get_device("host", policy="random", seed=9, resident=4))
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.row_match, second.row_match)
    assert {**first.figures, "initial_seconds": 0} == {**second.figures, "initial_seconds": 0}


@pytest.mark.gpu
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", RACY)
def test_a_gpu_again_and_again(cuda, variant, name):
    graph, matched = RACY[name]
    params = {} if matched is None else {"initial": matched}
    for _ in range(20):
        assert find(graph, variant, cuda, **params).cardinality == scipy_cardinality(graph)
