"""The certificate of a maximal matching accepts valid ones and names the mistake in all others."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gpucore.certify import pairs, work
from gpucore.families.redblue.certificate import certify_maximal
from gpucore.problems.graph.graph import Graph
from support.matching_cases import graph_of, graphs, random_graph

PATH = graph_of(5, [(0, 1), (1, 2), (2, 3), (3, 4)], [2, 3, 2, 1])


def failing(graph, mate):
    certificate = certify_maximal(graph, mate)
    assert not certificate.ok
    assert certificate.failure is certificate.checks[-1]  # checking ended there
    return certificate.failure


@st.composite
def matched(draw, **kwargs):
    """Draw a graph with a maximal matching: its edges in any order, each that still fits."""
    graph = draw(graphs(**kwargs))
    u, v, _ = graph.edges()
    order = np.random.default_rng(draw(st.integers(0, 1 << 20))).permutation(u.size)
    mate = np.full(graph.num_vertices, -1, np.int32)
    for i in order:
        if mate[u[i]] < 0 and mate[v[i]] < 0:
            mate[u[i]], mate[v[i]] = v[i], u[i]
    return graph, mate


def as_networkx(graph):
    plain = nx.Graph()
    plain.add_nodes_from(range(graph.num_vertices))
    plain.add_edges_from(zip(*(a.tolist() for a in graph.edges()[:2]), strict=True))
    return plain


@given(matched())
def test_maximal_matchings_are_certified(case):
    graph, mate = case
    certificate = certify_maximal(graph, mate)
    assert certificate.ok, str(certificate)
    u, v, w = graph.edges()
    taken = mate[u] == v
    assert certificate.figures["cardinality"] == taken.sum()
    assert certificate.figures["weight"] == pytest.approx(w[taken].astype(np.float64).sum())


@given(matched(max_vertices=12))
def test_the_bound_holds_for_every_matching(case):
    graph, mate = case
    figures = certify_maximal(graph, mate).figures
    best = len(nx.max_weight_matching(as_networkx(graph), maxcardinality=True))
    assert figures["cardinality"] <= best <= figures["largest"] <= 2 * figures["cardinality"]
    assert 0.5 <= figures["ratio"] <= 1


@given(matched(), st.data())
def test_any_choice_of_pairs_is_judged_as_networkx_does(case, data):
    graph, mate = case
    ends = np.flatnonzero(mate > np.arange(mate.size)).tolist()
    dropped = data.draw(st.lists(st.sampled_from(ends), unique=True)) if ends else []
    mate[mate[dropped]] = -1
    mate[dropped] = -1
    left = {(u, int(mate[u])) for u in np.flatnonzero(mate > np.arange(mate.size)).tolist()}
    certificate = certify_maximal(graph, mate)
    assert certificate.ok == nx.is_maximal_matching(as_networkx(graph), left)
    assert certificate.ok == (not dropped)
    assert certificate.ok or certificate.failure.name == "maximal"


@given(matched(), st.data())
def test_one_wrong_entry_is_always_found(case, data):
    graph, mate = case
    n = graph.num_vertices
    assume(n > 0)
    at, value = data.draw(st.integers(0, n - 1)), data.draw(st.integers(-3, n + 3))
    assume(value != mate[at])
    mate[at] = value
    assert failing(graph, mate).name in ("well formed", "symmetric")


@given(matched(), st.data())
def test_swapped_partners_are_found_where_they_are_no_edges(case, data):
    graph, mate = case
    first = np.flatnonzero(mate > np.arange(mate.size))
    assume(first.size >= 2)
    a, b = data.draw(st.lists(st.sampled_from(first.tolist()), min_size=2, max_size=2, unique=True))
    c, d = mate[a], mate[b]
    mate[[a, b, c, d]] = d, c, b, a
    edges = as_networkx(graph)
    certificate = certify_maximal(graph, mate)
    assert certificate.ok == (edges.has_edge(a, d) and edges.has_edge(b, c))
    assert certificate.ok or certificate.failure.name == "pairs are edges"


@pytest.mark.parametrize(
    ("mate", "check", "named"),
    [
        ([1, 0, 3], "well formed", "(3,)"),
        ([[1, 0, 3, 2, -1]], "well formed", "(1, 5)"),
        ([1.0, 0.0, 3.0, 2.0, -1.0], "well formed", "float64"),
        ([1, 0, 5, 2, -1], "well formed", "mate[2] = 5"),
        ([1, 0, -2, 2, -1], "well formed", "mate[2] = -2"),
        ([0, 2, 1, 4, 3], "well formed", "matched to itself: mate[0] = 0"),
        ([1, 2, 1, -1, -1], "symmetric", "mate[0] = 1 but mate[1] = 2"),
        ([3, 2, 1, 0, -1], "pairs are edges", "mate[0] = 3"),
        ([1, 0, -1, -1, -1], "maximal", "2 edges with both ends free: (2, 3), (3, 4)"),
        ([-1, 2, 1, -1, -1], "maximal", "1 edge with both ends free: (3, 4)"),
    ],
)
def test_the_failing_check_names_the_offenders(mate, check, named):
    failure = failing(PATH, np.array(mate))
    assert failure.name == check
    assert named in failure.detail


def test_many_offenders_are_counted():
    failure = failing(random_graph(60, 200, 2), np.full(60, -1))
    assert failure.detail.count("(") == pairs.NAMED
    assert " more" in failure.detail


def test_edges_of_any_weight_count_but_loops_do_not():
    graph = Graph.from_edges(6, [0, 0, 2, 4, 5], [0, 1, 3, 4, 5], [9, 1, 0, -1, 2])
    assert certify_maximal(graph, np.array([1, 0, 3, 2, -1, -1])).ok
    assert "(2, 3)" in failing(graph, np.array([1, 0, -1, -1, -1, -1])).detail


@pytest.mark.parametrize("n", [0, 1, 5])
def test_nothing_to_match(n):
    certificate = certify_maximal(graph_of(n, [], []), np.full(n, -1))
    assert certificate.ok
    assert certificate.figures == {"weight": 0.0, "cardinality": 0, "largest": 0, "ratio": 1.0}


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64])
def test_blocks_may_end_at_any_row(monkeypatch, block):
    monkeypatch.setattr(work, "BLOCK", block)
    assert certify_maximal(PATH, np.array([-1, 2, 1, 4, 3])).figures["weight"] == 4.0
    assert "(2, 3), (3, 4)" in failing(PATH, np.array([1, 0, -1, -1, -1])).detail
