"""The second cycle of Leiden: what it takes apart, what it gains, and when there is none."""

from __future__ import annotations

import random
import statistics

import networkx as nx
import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.families.communities.fast import leiden
from gpucore.families.communities.fast.leiden import next_cycle
from gpucore.families.communities.fast.refinement import composed
from gpucore.problems.graph.convert import from_networkx
from gpucore.problems.graph.graph import Graph
from support.devices import random_schedule

from .runs import cliques, find, phase_of, real_graph, totals


def blocks(sizes, inside, outside, seed):
    """Return a graph of communities, with so many neighbours inside and outside on average."""
    shares = [[outside / sum(sizes)] * len(sizes) for _ in sizes]
    for block, size in enumerate(sizes):
        shares[block][block] += inside / size
    return from_networkx(nx.Graph(nx.stochastic_block_model(sizes, shares, seed=seed)))


def power_law(n, seed):
    """Return a graph without communities whose expected degrees have a power law."""
    expected = 40.0 * (np.arange(n) + 10.0) ** -0.5
    return from_networkx(nx.expected_degree_graph(expected, seed=seed, selfloops=False))


#: Where one cycle leaves communities joined, or vertices in poor places.
FAMILIES = {
    "blocks": blocks([16, 32, 64, 128, 256], 12, 4, 1),
    "power law": power_law(600, 1),
    "3-regular": from_networkx(nx.random_regular_graph(3, 500, seed=1)),
}


def cycles(result):
    """Return the modularity at the end of every cycle."""
    return [s["modularity"] for s in result.figures["stages"] if s.get("refining")]


@pytest.mark.parametrize("name", FAMILIES)
def test_families(name):
    """The mean of some runs is not below igraph's Leiden method, and the second cycle gains."""
    igraph = pytest.importorskip("igraph")
    graph, theirs = FAMILIES[name], []
    other = igraph.Graph(n=graph.num_vertices, edges=np.stack(graph.edges()[:2], axis=1))
    igraph.set_random_number_generator(random)
    for seed in range(10):
        random.seed(seed)
        found = other.community_leiden("modularity").membership
        theirs.append(other.modularity(found))
    runs = [find(graph, "leiden", random_schedule(seed), starts=4) for seed in range(4)]
    assert statistics.mean(r.modularity for r in runs) > statistics.median(theirs) - 0.002
    one = [find(graph, "leiden", random_schedule(seed), starts=1) for seed in range(4)]
    assert max(cycles(result)[-1] - cycles(result)[0] for result in one) > 0.001


def test_communities_that_were_joined_come_apart(each_device):
    """Of six blocks two are one community; no vertex, and no first part, gains by leaving it."""
    graph = blocks([60] * 6, 20, 2, 3)
    phase = phase_of(graph, 6, 0, each_device)
    xp, wanted = each_device.xp, np.repeat(np.arange(6), 60)
    matrix = graph.to_scipy()

    def modularity(label):
        inside = sum(matrix[label == c][:, label == c].sum() for c in set(label.tolist()))
        shares = np.bincount(label, np.asarray(matrix.sum(axis=1)).ravel()) / matrix.sum()
        return inside / matrix.sum() - float(shares @ shares)

    joined = np.where(wanted == 1, 0, wanted)
    phase.community = xp.asarray((60 * joined).astype(np.int32))
    phase.total = totals(phase)
    levels, strength, reached = next_cycle(phase.run, phase, float(modularity(joined)))
    found = each_device.to_host(composed(levels))
    assert len(strength) == 6
    assert reached == pytest.approx(modularity(found))
    assert reached > modularity(joined) + 0.01
    for block in (0, 1):  # but for a vertex or two, which others may move at the same time
        assert np.bincount(found[wanted == block]).max() >= 57


@pytest.mark.parametrize("seed", range(12))
def test_the_better_cycle_is_the_result(seed):
    result = find(real_graph("football"), "leiden", random_schedule(seed), starts=1)
    assert result.modularity == max(cycles(result))


def test_one_cycle():
    """Nothing moved, a record, a reproducible run, a large graph."""
    graph = FAMILIES["blocks"]
    assert len(cycles(find(cliques(8, 5), "leiden", starts=1))) == 1
    for options in ({"record": "events"}, {"deterministic": True}):
        assert len(cycles(find(graph, "leiden", starts=1, **options))) == 1


def test_a_large_graph_has_one_cycle(monkeypatch):
    monkeypatch.setattr(leiden, "CYCLE_ENTRIES", 100)
    found = find(FAMILIES["blocks"], "leiden", starts=1, theta=0.0)
    assert len(cycles(found)) == 1


def test_two_vertices_that_cannot_join_have_no_second_cycle():
    """Where no vertices join to parts, there is nothing to go on from."""
    phase = phase_of(Graph.from_edges(2, [0], [1]), 1, 0, get_device("host"))
    phase.community = np.arange(2, dtype=np.int32)
    phase.total = phase.strength.copy()
    assert next_cycle(phase.run, phase, -0.5) is None
