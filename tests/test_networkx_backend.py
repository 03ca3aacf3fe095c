"""The NetworkX backend: NetworkX's own tests, certified answers, refusals, and what it imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.errors import ParameterError
from gpucore.networkx_backend import backend, get_info
from gpucore.record import Record

OURS = {"backend": "warplens"}
SUITES = (
    "community.tests.test_louvain",
    "community.tests.test_quality",
    "tests.test_matching",
    "bipartite.tests.test_matching",
)
pytestmark = pytest.mark.filterwarnings("ignore:.*cached value:UserWarning")


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
    assert all(count > 0 for count in counted.values()), counted


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
    assert "less than" in backend.should_run("maximal_matching", (nx.path_graph(9),), {})
    assert backend.should_run("maximal_matching", (nx.path_graph(9_000),), {}) is True
    graph = nx.Graph([(0, 1, {"weight": -1.0})])
    with pytest.raises(NotImplementedError) as refused:
        nx.community.louvain_communities(graph, **OURS)
    assert "numbers from 0" in str(refused.value.__cause__)
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
