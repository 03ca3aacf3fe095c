"""Communities by Louvain: certified on every graph, of sufficient quality, with clear errors."""

from __future__ import annotations

import threading

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.errors import Cancelled, DeviceError, GraphError, ParameterError
from gpucore.families.communities.fast import small
from gpucore.family import get_runner
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from support.cancelling import Later
from support.devices import SmallDevice, random_schedule
from support.pairwise import pairwise

from .cases import networkx_modularity
from .runs import (
    GOOD,
    PAPER,
    bipartite,
    cliques,
    find,
    found_in,
    once,
    random_graph,
    real_graph,
    real_names,
)

VARIANTS = get_runner("louvain").variant_names

quick = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

#: Modularity that every variant has to reach, node-centred or not.
BOUNDS = {"karate": 0.4151, "football": 0.60, "polbooks": 0.52, "lesmis": 0.55}


#: The largest graphs have two variants each, one that is tuned and one of the paper.
LARGEST = {
    "power": ("leiden", "relaxed"),
    "ca-hepth": ("fast", "buckets"),
    "bcsstk13": ("leiden", "node_centred"),
}


@pytest.mark.parametrize(
    ("variant", "name"),
    [(variant, name) for name in real_names() for variant in LARGEST.get(name, VARIANTS)],
)
def test_real_graphs(each_device, variant, name):
    result = found_in(name, variant, each_device)
    assert result.modularity >= BOUNDS.get(name, 0.0)


@pytest.mark.parametrize("name", ["karate", "football", "lesmis", "netscience", "email-eu-core"])
def test_variants_agree_about_quality(each_device, name):
    found = {v: found_in(name, v, each_device).modularity for v in VARIANTS}
    assert max(found.values()) - min(found.values()) < 0.012, found


@st.composite
def odd_graphs(draw):
    """Draw a graph with loops, isolated vertices, weights of 0, and of all sizes."""
    n = draw(st.integers(1, 24))
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).map(sorted).map(tuple)
    pairs = draw(st.lists(pair, unique=True, max_size=70))
    u, v = (np.array([p[side] for p in pairs], dtype=np.int64) for side in (0, 1))
    kind = draw(st.sampled_from(["none", "whole", "real", "any size"]))
    if kind == "none":
        return Graph.from_edges(n, u, v)
    weight = {
        "whole": st.integers(0, 9),
        "real": st.floats(0, 1, width=32),
        "any size": st.integers(-6, 6).map(lambda power: 10.0**power) | st.just(0.0),
    }[kind]
    return Graph.from_edges(n, u, v, draw(st.lists(weight, min_size=len(u), max_size=len(u))))


@pytest.mark.parametrize("variant", VARIANTS)
@given(graph=odd_graphs(), seed=st.integers(0, 2**32), gamma=st.floats(0.1, 5))
@quick
def test_any_graph_any_schedule(variant, graph, seed, gamma):
    result = find(graph, variant, random_schedule(seed), resolution=gamma, **once(variant))
    theirs = networkx_modularity(graph, result.community, gamma)
    assert result.modularity == pytest.approx(theirs, abs=1e-7)


@pytest.mark.parametrize(
    ("variant", "weights", "loops"), pairwise(VARIANTS, ["none", "whole", "real"], [0, 50])
)
def test_random_graphs_on_devices(each_device, variant, weights, loops):
    graph = random_graph(400, 1200, 3, loops=loops, weights=weights)
    for gamma in (0.5, 1.0, 2.0):
        result = find(graph, variant, each_device, resolution=gamma, **once(variant))
        theirs = networkx_modularity(graph, result.community, gamma)
        assert result.modularity == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [0, 1, 5])
def test_no_edges(each_device, variant, n):
    result = find(Graph.from_edges(n, [], []), variant, each_device)
    assert (result.modularity, result.num_communities, result.levels) == (0.0, n, ())


@pytest.mark.parametrize("variant", VARIANTS)
def test_only_loops(each_device, variant):
    graph = Graph.from_edges(4, [0, 1, 2], [0, 1, 2], [1.0, 2.0, 3.0])
    result = find(graph, variant, each_device)
    assert result.community.tolist() == [0, 1, 2, 3]
    assert result.modularity == pytest.approx(1 - 14 / 36)


@pytest.mark.parametrize("variant", VARIANTS)
def test_only_weights_of_zero(each_device, variant):
    result = find(Graph.from_edges(3, [0, 1], [1, 2], [0.0, 0.0]), variant, each_device)
    assert (result.modularity, result.num_communities) == (0.0, 3)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("scale", [1e-38, 1e-12, 1.0, 1e12, 1e37])
def test_the_unit_of_weights_does_not_matter(each_device, variant, scale):
    plain = random_graph(60, 150, 8, loops=5, weights="whole")
    u, v, w = plain.edges()
    at, loop = plain.loops()
    w, loop = w * np.float32(scale), loop * np.float32(scale)
    graph = Graph.from_edges(60, [*u, *at], [*v, *at], [*w, *loop])
    result = find(graph, variant, each_device, **once(variant))
    assert result.modularity > 0.3


@pytest.mark.parametrize("variant", VARIANTS)
def test_heavy_loops_keep_vertices_apart(each_device, variant):
    """Loops are so heavy that joining a neighbour lowers modularity."""
    ring = np.arange(12)
    u, v = np.concatenate([ring, ring]), np.concatenate([(ring + 1) % 12, ring])
    graph = Graph.from_edges(12, u, v, [*np.ones(12), *np.full(12, 50.0)])
    result = find(graph, variant, each_device)
    assert result.num_communities == 12


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("graph", "communities"),
    [
        pytest.param(Graph.from_edges(2, [0], [1]), 1, id="edge"),
        pytest.param(Graph.from_edges(3, [0, 1], [1, 2]), 1, id="path"),
        pytest.param(Graph.from_edges(9, [0] * 8, range(1, 9)), 1, id="star"),
        pytest.param(bipartite(5, 7), None, id="bipartite"),
        pytest.param(cliques(2, 6), 2, id="two cliques"),
        pytest.param(cliques(2, 6, joined=False), 2, id="two cliques apart"),
        pytest.param(cliques(10, 5), 10, id="ten cliques"),
        pytest.param(cliques(1, 17), 1, id="clique"),
    ],
)
def test_lone_vertices_do_not_swap_for_ever(each_device, variant, graph, communities):
    """Where all want to move at once, a sweep limit of a thousand is never reached."""
    result = find(graph, variant, each_device)
    assert communities in (None, result.num_communities)
    assert all(stage["sweeps"] < 64 for stage in result.figures["stages"])


@pytest.mark.parametrize("variant", GOOD)
def test_higher_resolution_finds_more_communities(each_device, variant):
    graph = real_graph("football")
    counts = [
        find(graph, variant, each_device, resolution=gamma).num_communities
        for gamma in (0.2, 1.0, 4.0)
    ]
    assert counts == sorted(counts)
    assert counts[0] < counts[1] < counts[2]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_hierarchy_leads_to_the_result(each_device, variant):
    graph = random_graph(700, 2000, 5, loops=100, weights="real")
    unrefined = {"refine": 0}
    result = find(graph, variant, each_device, **unrefined)
    assert len(result.levels) == result.figures["levels"] >= 2
    np.testing.assert_array_equal(result.at_level(0), np.arange(700))
    np.testing.assert_array_equal(result.at_level(len(result.levels)), result.community)
    sizes = [len(np.unique(result.at_level(i))) for i in range(len(result.levels) + 1)]
    assert sizes == sorted(sizes, reverse=True)
    for i in range(len(result.levels)):
        finer, coarser = result.at_level(i), result.at_level(i + 1)
        pairs = np.unique(np.stack([finer, coarser]), axis=1)
        assert pairs.shape[1] == sizes[i]


@pytest.mark.parametrize("seed", range(3))
def test_refinement_gains(each_device, seed):
    """R-MAT graphs have hubs that are joined too early."""
    graph = load(f"rmat:scale=11,seed={seed}")
    before = find(graph, "fast", each_device, refine=0)
    after = find(graph, "fast", each_device, refine=3)
    assert after.modularity > before.modularity + 0.002
    assert [bool(s.get("refining")) for s in after.figures["stages"]].count(True) == 1
    assert after.levels[0].size == graph.num_vertices


def test_isolated_vertices_do_not_make_a_stage_large(each_device):
    """A later stage is swept in parts, or its moves, made at the same time, spoil each other."""
    graph = load("rmat:scale=10,seed=1")
    u, v, w = graph.edges()
    padded = Graph.from_edges(200_000, u, v, w)
    alone = gpucore.run("louvain", padded, device=each_device, variant="fast", certify=True)
    assert alone.modularity > find(graph, "fast", each_device).modularity - 0.01


def test_components_are_never_joined(each_device):
    graph = random_graph(400, 380, 6)
    parts = list(nx.connected_components(graph.to_networkx()))
    component = np.zeros(400, dtype=int)
    for number, members in enumerate(parts):
        component[list(members)] = number
    for variant in VARIANTS:
        community = find(graph, variant, each_device).community
        assert len(np.unique(np.stack([community, component]), axis=1).T) == community.max() + 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_limit_of_sweeps_is_kept(each_device, variant):
    result = find(real_graph("email-eu-core"), variant, each_device, max_sweeps=2)
    stages = [stage for stage in result.figures["stages"] if not stage.get("refining")]
    assert all(stage["sweeps"] <= 2 for stage in stages)


@pytest.mark.parametrize("variant", VARIANTS)
def test_thresholds(each_device, variant):
    graph = random_graph(1000, 4000, 2)
    fine = find(graph, variant, each_device)
    coarse = find(graph, variant, each_device, t_bin=1.0, t_final=0.3, bin_vertices=0)
    sweeps = [
        sum(s["sweeps"] for s in result.figures["stages"] if not s.get("refining"))
        for result in (coarse, fine)
    ]
    assert sweeps[0] < sweeps[1]
    assert fine.modularity > coarse.modularity - 0.01
    assert coarse.figures["stages"][0]["threshold"] == 1.0
    assert fine.figures["stages"][0]["threshold"] == 1e-6


def test_weights_that_have_no_meaning():
    with pytest.raises(GraphError, match=r"negative weight.*absolute_values"):
        find(Graph.from_edges(2, [0], [1], [-1.0]), "fast")
    with pytest.raises(GraphError, match="finite"):
        Graph.from_edges(2, [0], [1], [np.nan])
    with pytest.raises(GraphError, match=r"self-loop of weight over.*divide all weights"):
        find(Graph.from_edges(2, [0, 0], [0, 1], [3e38, 1.0]), "fast")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"variant": "quick"},
            "no variant 'quick'; it has fast, leiden, buckets, relaxed, node_centred",
        ),
        ({"t_bin": 1.5}, "t_bin is 1.5; a threshold lies between 0 and 1"),
        ({"t_final": -1e-3}, "t_final is -0.001"),
        ({"t_final": float("nan")}, "t_final is nan"),
        ({"t_bin": True}, "t_bin is True"),
        ({"resolution": 0}, "resolution is 0; use a number over 0"),
        ({"resolution": -1.0}, "resolution is -1.0"),
        ({"resolution": 2e6}, "use a number over 0, at most 1e6"),
        ({"theta": 2e6, "variant": "leiden"}, "use a number from 0 to 1e6"),
        ({"resolution": float("inf")}, "resolution is inf"),
        ({"resolution": "high"}, "resolution is 'high'"),
        ({"bin_vertices": -1}, "bin_vertices is -1; use an integer from 0 to 4611686018427387903"),
        ({"max_sweeps": 0}, "max_sweeps is 0; use an integer from 1 to 1000000"),
        ({"max_sweeps": 2.5}, "max_sweeps is 2.5"),
        ({"watch_vertex": -3}, "watch_vertex is -3; use an integer from -2 to 2147483647"),
        ({"rule": "mine"}, "louvain has no rule 'mine'; it has paper, ours"),
        ({"rule": 1}, "louvain has no rule 1"),
        ({"thresholds": "half"}, "louvain has no thresholds 'half'; it has absolute, relative"),
        ({"counted": "some"}, "louvain has no counted 'some'; it has all, with_edges"),
        ({"variant": "buckets", "take_back": 1}, "take_back is 1; use true or false"),
        ({"variant": "buckets", "ease": "no"}, "ease is 'no'; use true or false"),
        ({"alternate": False}, "alternate cannot be off in the variant 'fast'"),
        ({"speed": 3}, "louvain has no parameter 'speed'"),
    ],
)
def test_wrong_parameters(params, message):
    with pytest.raises(ParameterError, match=message):
        gpucore.run("louvain", cliques(2, 3), device="host", **params)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_graph_that_does_not_fit(variant):
    device = SmallDevice()
    message = r"search for communities needs [\d.]+ [KM]iB, but device 'host' has only 195 KiB"
    with pytest.raises(DeviceError, match=message):
        find(random_graph(2000, 9000, 1), variant, device)
    assert find(cliques(3, 5), variant, device).num_communities == 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_cancel(each_device, variant, monkeypatch):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        find(cliques(3, 5), variant, each_device, cancel=cancel)
    with pytest.raises(Cancelled):
        find(random_graph(300, 900, 4), variant, each_device, cancel=Later(1))
    monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    for patience in (1, 5, 12):
        with pytest.raises(Cancelled):
            find(random_graph(300, 900, 4), variant, each_device, cancel=Later(patience))
    assert find(cliques(3, 5), variant, each_device).num_communities == 3


@pytest.mark.parametrize("variant", VARIANTS)
def test_progress_is_reported(each_device, variant):
    seen = []
    graph = random_graph(300, 900, 1)
    result = find(graph, variant, each_device, progress=lambda *step: seen.append(step))
    phases = [phase for phase, _, _ in seen]
    starts = result.figures.get("starts")
    if result.figures.get("side by side"):
        assert f"{len(starts)} starts side by side" in phases
    elif starts:
        begins = [phases.index(f"start {i + 1} of {len(starts)}") for i in range(len(starts))]
        kept = int(result.figures["kept start"].split()[0]) - 1
        begin, end = [*begins, None][kept:][:2]
        phases = phases[begin:end]
    # A search that one launch cannot complete begins again with its first stage.
    reported = list(dict.fromkeys(phase for phase in phases if phase.startswith("stage")))
    stages = [*enumerate(result.figures["stages"], start=1)]
    beside = [number for number, stage in stages if stage.get("one_launch")]
    expected = [
        f"stage {number}, {stage['vertices']:,} vertices"
        for number, stage in stages
        if not stage.get("refining") and number not in beside[1:]
    ]
    assert reported == expected
    assert seen[-1][0] == "certifying"


@pytest.mark.parametrize("variant", PAPER)
def test_repeated_runs_are_identical(each_device, variant):
    first = found_in("email-eu-core", variant, each_device)
    second = find(real_graph("email-eu-core"), variant, each_device)
    np.testing.assert_array_equal(first.community, second.community)
    assert first.modularity == second.modularity
