"""Under every schedule the paper's variants find the same communities, the tuned one valid ones."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.problems.graph.graph import Graph
from support.devices import random_schedule

from .runs import PAPER, bipartite, cliques, find, hubs, once, random_graph, real_graph

#: Small, but the first has vertices for the block's kernels, and the second loops and real weights.
GRAPHS = {
    "hubs": hubs(95, seed=3),
    "loops": random_graph(30, 70, 2, loops=6, weights="real"),
}

#: Graphs on which many vertices want to move at once; a wrong rule lets them swap for ever.
RESTLESS = [
    Graph.from_edges(2, [0], [1]),
    Graph.from_edges(3, [0, 1], [1, 2]),
    Graph.from_edges(7, [0] * 6, range(1, 7)),
    bipartite(4, 5),
    cliques(2, 5),
    cliques(4, 4),
]


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("variant", PAPER)
def test_fifty_schedules_one_result(variant, graph):
    expected = find(graph, variant)
    for seed in range(50):
        result = find(graph, variant, random_schedule(seed))
        np.testing.assert_array_equal(result.community, expected.community, f"seed {seed}")
        assert result.modularity == expected.modularity
        assert result.sweeps == expected.sweeps


@pytest.mark.parametrize("variant", PAPER)
@pytest.mark.parametrize("name", ["lesmis", "usairports"])
def test_policies_and_resident_blocks_do_not_matter(variant, name):
    expected = find(real_graph(name), variant)
    for options in (
        {"policy": "round_robin"},
        {"policy": "round_robin", "resident": 8, "poison": True},
        {"policy": "sequential", "resident": 3, "strict": True},
        {"threads": 3},
    ):
        result = find(real_graph(name), variant, get_device("host", **options))
        np.testing.assert_array_equal(result.community, expected.community, str(options))


@pytest.mark.parametrize("variant", PAPER)
@pytest.mark.parametrize(
    "graph",
    [
        pytest.param(random_graph(900, 4000, 7, loops=90, weights="real"), id="real weights"),
        pytest.param(random_graph(900, 4000, 8), id="no weights"),
        pytest.param(hubs(330), id="hubs"),
    ],
)
def test_devices_do_not_matter(each_device, variant, graph):
    """The GPU does not fuse multiplications and additions, so even real weights agree."""
    expected = find(graph, variant)
    result = find(graph, variant, each_device)
    np.testing.assert_array_equal(result.community, expected.community)
    assert result.modularity == pytest.approx(expected.modularity, abs=1e-12)


def test_fast_is_valid_on_many_schedules():
    """Each run's certificate is checked; the modularity may differ, but not by much."""
    graphs = [*RESTLESS, real_graph("florentine"), GRAPHS["loops"]]
    usual = [find(graph, "fast", starts=1).modularity for graph in graphs]
    for seed in range(10 * len(graphs)):
        at = seed % len(graphs)
        result = find(graphs[at], "fast", random_schedule(seed), starts=1)
        assert result.modularity > usual[at] - 0.06
        assert all(stage["sweeps"] < 64 for stage in result.figures["stages"])


@pytest.mark.parametrize("seed", range(8))
def test_fast_on_hubs_under_any_schedule(seed):
    result = find(hubs(140, seed=seed), "fast", random_schedule(seed))
    assert result.modularity > 0


@pytest.mark.parametrize("variant", ["fast", *PAPER])
def test_the_same_schedule_gives_the_same_result(variant):
    graph = random_graph(200, 700, 5)
    free = {"policy": "random", "seed": 9, "resident": 4}
    first, second = (
        find(graph, variant, get_device("host", **free), **once(variant)) for _ in range(2)
    )
    np.testing.assert_array_equal(first.community, second.community)
