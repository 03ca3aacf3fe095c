"""The NetworkX backend: NetworkX's own tests, certified answers, refusals, and what it imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.errors import DeviceError, ParameterError
from gpucore.family import BreakEven, families
from gpucore.networkx_backend import backend, get_info
from gpucore.problems.graph.adjacency import read_edges
from gpucore.record import Record
from support.leiden_metric import METRIC

OURS = {"backend": "warplens"}
MEASURED = Path(__file__).parents[1] / "benchmarks" / "results" / "networkx-host.json"
SUITES = (
    "community.tests.test_louvain",
    "community.tests.test_leiden",
    "community.tests.test_quality",
    "tests.test_matching",
    "bipartite.tests.test_matching",
)
pytestmark = pytest.mark.filterwarnings("ignore:.*conversions to backend graphs:UserWarning")


def test_networkx_passes_its_own_tests_with_our_answers(tmp_path):
    calls = tmp_path / "calls.json"
    environment = {
        **os.environ,
        "NETWORKX_TEST_BACKEND": "warplens",
        "NETWORKX_FALLBACK_TO_NX": "True",
        "WARPLENS_CALLS": str(calls),
        "PYTHONPATH": str(Path(__file__).parent),
    }
    words = ["-q", "-p", "no:cacheprovider", "-p", "support.networkx_calls", "--pyargs"]
    names = [f"networkx.algorithms.{suite}" for suite in SUITES]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *names],
        capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=300,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-3000:]
    counted = json.loads(calls.read_text())
    assert set(counted) == set(get_info()["functions"])
    assert all(counted.values()), counted


@st.composite
def graphs(draw):
    n, m = draw(st.integers(1, 20)), draw(st.integers(0, 40))
    graph = nx.gnm_random_graph(n, m, seed=draw(st.integers(0, 999)))
    names = {v: f"node {v}" for v in graph}
    for u, v in graph.edges:
        graph[u][v]["weight"] = draw(st.sampled_from([0.5, 1, 2, 3.25]))
    return nx.relabel_nodes(graph, names)


@given(graphs())
@settings(deadline=None, max_examples=40)
def test_communities_are_a_partition_of_the_modularity_that_networkx_computes(graph):
    found = nx.community.louvain_communities(graph, **OURS)
    assert nx.community.is_partition(graph, found)
    if graph.number_of_edges():
        ours = nx.community.modularity(graph, found, **OURS)
        assert ours == pytest.approx(nx.community.modularity(graph, found), abs=1e-12)
    *_, last = nx.community.louvain_partitions(graph, **OURS)
    assert {frozenset(part) for part in last} == {frozenset(part) for part in found}


@given(graphs())
@settings(deadline=None, max_examples=40)
def test_matchings_are_maximal(graph):
    found = nx.maximal_matching(graph, **OURS)
    assert nx.is_maximal_matching(graph, found)
    assert nx.is_maximal_matching(graph, found, **OURS)
    assert nx.is_perfect_matching(graph, found, **OURS) == nx.is_perfect_matching(graph, found)


@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.sampled_from([0, 0.1, 0.3, 0.7, 1]),
    st.integers(0, 999),
)
@settings(deadline=None, max_examples=40)
def test_bipartite_matchings_are_as_large_and_covered(rows, columns, share, seed):
    graph = nx.bipartite.random_graph(rows, columns, share, seed=seed)
    top = range(rows)
    found = nx.bipartite.hopcroft_karp_matching(graph, top, **OURS)
    assert len(found) == len(nx.bipartite.hopcroft_karp_matching(graph, top))
    cover = nx.bipartite.to_vertex_cover(graph, found, top, **OURS)
    assert 2 * len(cover) == len(found)
    assert all(u in cover or v in cover for u, v in graph.edges)


def test_a_known_partition():
    karate = nx.karate_club_graph()
    found = nx.community.louvain_communities(karate, **OURS)
    theirs = nx.community.louvain_communities(karate, seed=2)
    assert {frozenset(part) for part in found} == {frozenset(part) for part in theirs}


def test_leiden_is_certified_and_recorded(tmp_path):
    path, karate = tmp_path / "karate.npz", nx.karate_club_graph()
    *_, last = nx.community.leiden_partitions(karate, seed=1, **METRIC, **OURS)
    found = nx.community.leiden_communities(karate, record=path, **METRIC, **OURS)
    for parts in (last, found):
        assert nx.community.modularity(karate, parts) > 0.44
        assert all(nx.is_connected(karate.subgraph(part)) for part in parts)
    assert Record.load(path).header["params"]["variant"] == "leiden"
    with nx.config(backend_priority=["warplens"]):
        assert nx.community.leiden_communities(nx.path_graph(4), **METRIC) == [{0, 1}, {2, 3}]


@given(graphs(), st.sampled_from([nx.Graph, nx.DiGraph]), st.integers(0, 2))
@settings(deadline=None, max_examples=60)
def test_edges_are_read_in_networkx_order(graph, kind, names):
    graph = kind(nx.relabel_nodes(graph, dict(enumerate(graph)) if names else {}))
    if names == 2:  # integers with gaps, in another order
        graph = nx.relabel_nodes(graph, {node: 3 * i % 70 for i, node in enumerate(graph)})
    graph.add_edges_from([(node, node) for node in [*graph][::3]])
    nodes, u, v, values = read_edges(graph, "weight", 7)
    assert nodes == list(graph)
    assert [(nodes[i], nodes[j]) for i, j in zip(u, v, strict=True)] == list(graph.edges)
    assert values == [weight for *_, weight in graph.edges(data="weight", default=7)]
    part = kind(graph).subgraph([*graph][:9])
    nodes, u, v, _ = read_edges(part)
    assert [(nodes[i], nodes[j]) for i, j in zip(u, v, strict=True)] == list(part.edges)


def test_nodes_that_equal_integers():
    graph = nx.Graph([(0, 1), (1, 2), (2, 1 << 70)])
    assert read_edges(graph).nodes == [0, 1, 2, 1 << 70]
    graph = nx.Graph([(0, 1)])
    graph.add_edge(1.0, True)
    assert [read_edges(graph).u.tolist(), read_edges(graph).v.tolist()] == [[0, 1], [1, 1]]


def test_weights_of_a_kept_conversion_are_not_those_of_another_call():
    graph = nx.path_graph(4)
    graph[1][2]["weight"] = 100
    community = nx.community
    for weight in ("weight", None, "weight"):
        found = community.louvain_communities(graph, weight=weight, **OURS)
        assert (len(found) == 2) is (weight is None)
        ours = community.modularity(graph, [{0, 1}, {2, 3}], weight=weight, **OURS)
        assert ours == pytest.approx(community.modularity(graph, [{0, 1}, {2, 3}], weight=weight))


def test_a_device_that_fails_leaves_the_call_to_networkx(monkeypatch):
    def fail(*_, **__):
        raise DeviceError("no memory")

    monkeypatch.setattr(backend, "should_run", lambda *_: True)
    monkeypatch.setattr("gpucore.networkx_backend.answer.solve", fail)
    graph = nx.path_graph(4)
    with nx.config(backend_priority=["warplens"]):
        assert nx.is_maximal_matching(graph, nx.maximal_matching(graph))
        with pytest.raises(DeviceError, match="no memory"):
            nx.maximal_matching(graph, device="cpu", **OURS)


def test_break_even_is_the_measured_one():
    measured = json.loads(MEASURED.read_text())["functions"]
    declared = {n: least for family in families().values() for n, least in
                family.networkx_least.items()}  # fmt: skip
    assert declared == {
        row["function"]: BreakEven(row["least"], row["least converted"]) for row in measured
    }
    alone = {name for name in backend.references() if name.startswith("leiden")}
    assert declared.keys() == backend.references().keys() - alone


def test_small_graphs_stay_with_networkx(monkeypatch):
    family = replace(
        families()["matching"],
        networkx_least={"maximal_matching": BreakEven(9, 5), "is_matching": BreakEven(None, None)},
    )
    monkeypatch.setattr(
        "gpucore.networkx_backend.interface._references",
        lambda: {name: (family, reference) for name, reference in family.networkx.items()},
    )
    for edges, kept, worth in (
        (8, False, False),
        (9, False, True),
        (4, True, False),
        (5, True, True),
    ):
        graph = nx.path_graph(edges + 1)
        if kept:
            nx.is_matching(graph, [], **OURS)
        assert (backend.should_run("maximal_matching", (graph,), {}) is True) is worth
        assert "as fast" in backend.should_run("is_matching", (), {"G": graph})
        assert backend.should_run("is_perfect_matching", (graph,), {}) is True


@pytest.mark.gpu
def test_a_gpu_answers_certified(tmp_path):
    graph, path = nx.gnm_random_graph(2_000, 9_000, seed=1), tmp_path / "run.npz"
    found = nx.community.louvain_communities(graph, device="cuda", **OURS)
    assert nx.community.is_partition(graph, found)
    matching = nx.maximal_matching(graph, device="cuda", record=path, **OURS)
    assert nx.is_maximal_matching(graph, matching)
    assert Record.load(path).header["device"]["name"] == "cuda"


def test_a_run_is_recorded(tmp_path):
    path = tmp_path / "karate.npz"
    nx.community.louvain_communities(nx.karate_club_graph(), record=path, **OURS)
    assert Record.load(path).num_events > 0


def test_what_is_refused_has_a_reason():
    assert "directed" in backend.can_run("louvain_communities", (nx.DiGraph(),), {})
    assert "multigraphs" in backend.can_run("maximal_matching", (nx.MultiGraph(),), {})
    assert backend.can_run("maximal_matching", (nx.Graph(),), {}) is True
    graph = nx.Graph([(0, 1, {"weight": -1.0})])
    with pytest.raises(NotImplementedError) as refused:
        nx.community.louvain_communities(graph, **OURS)
    assert "weights have to be 0, or numbers" in str(refused.value.__cause__)
    for options in ({"weight": lambda *_: 2}, {"resolution": 0}, {"threshold": -1}):
        with pytest.raises(NotImplementedError):
            nx.community.louvain_partitions(nx.path_graph(3), **options, **OURS)
    assert "no graph" in backend.can_run("maximal_matching", ([],), {})
    with pytest.raises(ParameterError, match="device 'tpu' is none of"):
        nx.maximal_matching(nx.path_graph(3), device="tpu", **OURS)
    with pytest.raises(nx.AmbiguousSolution):
        nx.bipartite.hopcroft_karp_matching(nx.Graph([(0, 1), (2, 3)]), **OURS)


def test_networkx_loads_nothing_heavy_of_ours():
    code = (
        "import sys, networkx; heavy = {'numpy', 'scipy', 'cupy', 'bokeh'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
