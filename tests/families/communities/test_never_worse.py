"""No run returns less than it began with: every vertex alone."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.families.communities.hierarchy import Kind
from gpucore.family import get_family, get_runner
from gpucore.problems.graph.convert import from_networkx

from .runs import once

#: All graphs of 3 to 6 vertices with edges, and the Petersen graph.
SMALL = [graph for graph in nx.graph_atlas_g()[3:209] if graph.number_of_edges()]
SMALL.append(nx.petersen_graph())
RUNS = [
    (name, variant)
    for name, runner in get_family("communities").load_runners().items()
    if runner.where != "library"
    for variant in runner.variant_names or ("",)
]


def alone(graph):
    """Return the modularity of every vertex alone, by its definition."""
    matrix = graph.to_scipy().toarray().astype(float)
    strength = matrix.sum(axis=0) + np.diag(matrix)
    total = strength.sum()
    return 2 * np.trace(matrix) / total - float(((strength / total) ** 2).sum())


def check(name, variant, graph):
    # The best of several starts would hide one that loses.
    options = {"variant": variant, "device": "host", **once(variant)} if variant else {}
    result = gpucore.run(name, graph, **options)
    assert result.certificate.ok, result.certificate
    assert any(found.name == "not below its start" for found in result.certificate.checks)
    assert result.modularity >= alone(graph) - 1e-12
    for level in range(len(result.levels)):
        assert result.at_level(level).size == graph.num_vertices


@pytest.mark.parametrize(("name", "variant"), RUNS)
def test_small_graphs(name, variant):
    step = 1 if get_runner(name).where == "cpu" else 8  # the executor is slower
    for other in [*SMALL[::step], SMALL[-1]]:
        check(name, variant, from_networkx(other))


@st.composite
def graphs(draw):
    """Draw a dense graph with few different weights, where simultaneous moves collide."""
    n = draw(st.integers(3, 11))
    u, v = np.triu_indices(n, 1)
    weights = draw(st.lists(st.sampled_from([0, 1, 3, 4]), min_size=u.size, max_size=u.size))
    kept = np.array(weights) > 0
    if not kept.any():
        kept[0], weights[0] = True, 1
    values = np.array(weights, float)[kept]
    return gpucore.Graph.from_edges(n, u[kept], v[kept], values)


@pytest.mark.parametrize(("name", "variant"), RUNS)
@given(graph=graphs())
@settings(max_examples=12)
def test_dense_graphs(name, variant, graph):
    check(name, variant, graph)


@pytest.mark.parametrize("variant", ["buckets", "relaxed", "node_centred"])
def test_a_stage_that_lost_is_played_back(variant):
    """The record ends where the result is: every vertex alone."""
    graph = from_networkx(nx.petersen_graph())
    result = gpucore.run("louvain", graph, variant=variant, device="host", record="events")
    assert result.num_communities == 10
    events = result.record.events
    community = np.arange(10)
    for kind, a, c in zip(events["kind"], events["a"], events["c"], strict=True):
        if kind in (Kind.MOVE, Kind.TAKE_BACK):
            community[a] = c
    assert Kind.MOVE in events["kind"]
    assert community.tolist() == list(range(10))
