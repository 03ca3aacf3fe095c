"""The certificate accepts valid matchings and names the mistake in all others."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gpucore.certify import work
from gpucore.errors import ParameterError
from gpucore.families.matching.certificate import certify_matching
from gpucore.problems.graph.graph import Graph
from support.matching_cases import graph_of, graphs, greedy_mates, heaviest_weight, random_graph


def failing(graph, mate, **options):
    certificate = certify_matching(graph, mate, **options)
    assert not certificate.ok
    assert not certificate.checks[-1].ok  # checking ended there
    assert certificate.failure is certificate.checks[-1]
    return certificate.failure


@given(graphs())
def test_greedy_is_certified(graph):
    mate = greedy_mates(graph)
    certificate = certify_matching(graph, mate)
    assert certificate.ok, str(certificate)
    assert certificate.figures["cardinality"] == np.count_nonzero(mate >= 0) // 2
    u, v, w = graph.edges()
    assert certificate.figures["weight"] == pytest.approx(w[mate[u] == v].astype(np.float64).sum())


@given(graphs(max_vertices=9))
def test_the_bound_holds_for_every_matching(graph):
    figures = certify_matching(graph, greedy_mates(graph)).figures
    best = heaviest_weight(graph)
    assert best <= figures["upper_bound"] * (1 + 1e-9)
    assert figures["weight"] <= best * (1 + 1e-9)
    assert figures["weight"] >= 0.5 * best * (1 - 1e-9)
    assert 0.5 * (1 - 1e-9) <= figures["ratio"] <= 1 + 1e-9


@given(graphs(), st.data())
def test_unmatching_a_pair_is_found(graph, data):
    mate = greedy_mates(graph)
    assume((mate >= 0).any())
    u = data.draw(st.sampled_from(np.flatnonzero(mate >= 0).tolist()))
    v = int(mate[u])
    mate[[u, v]] = -1
    failure = failing(graph, mate)
    assert failure.name == "locally dominant"
    assert f"{u} is unmatched" in failure.detail or f"{v} is unmatched" in failure.detail


@given(graphs(), st.data())
def test_another_matching_is_never_taken_for_ours(graph, data):
    """Only one matching is dominant in the strict order, so every other one must fail."""
    mate = np.full(graph.num_vertices, -1, np.int32)
    u, v, _ = graph.edges()
    for i in data.draw(st.permutations(range(u.size))):
        if mate[u[i]] < 0 and mate[v[i]] < 0:
            mate[u[i]], mate[v[i]] = v[i], u[i]
    certificate = certify_matching(graph, mate)
    assert certificate.ok == np.array_equal(mate, greedy_mates(graph))
    assert certificate.ok or certificate.failure.name == "locally dominant"
    assert certify_matching(graph, mate, dominance="none").ok


@given(graphs(), st.data())
def test_one_wrong_entry_is_always_found(graph, data):
    mate = greedy_mates(graph)
    n = graph.num_vertices
    assume(n > 0)
    at = data.draw(st.integers(0, n - 1))
    value = data.draw(st.integers(-3, n + 3))
    assume(value != mate[at])
    mate[at] = value
    assert failing(graph, mate).name in ("well formed", "symmetric")


@given(graphs(), st.data())
def test_swapped_partners_are_found(graph, data):
    mate = greedy_mates(graph)
    pairs = np.flatnonzero(mate > np.arange(mate.size))
    assume(pairs.size >= 2)
    a, b = data.draw(st.lists(st.sampled_from(pairs.tolist()), min_size=2, max_size=2, unique=True))
    c, d = mate[a], mate[b]
    mate[[a, b, c, d]] = d, c, b, a
    assert failing(graph, mate).name in ("pairs are edges", "locally dominant")


@pytest.mark.parametrize(
    ("mate", "check", "named"),
    [
        ([1, 0, 3], "well formed", "(3,)"),
        ([[1, 0, 3, 2]], "well formed", "(1, 4)"),
        ([1.0, 0.0, 3.0, 2.0], "well formed", "float64"),
        ([True, False, True, True], "well formed", "bool"),
        ([1, 0, 4, 2], "well formed", "mate[2] = 4"),
        ([1, 0, -2, 2], "well formed", "mate[2] = -2"),
        ([0, -1, 3, 2], "well formed", "mate[0] = 0"),
        ([1, 2, 1, -1], "symmetric", "mate[0] = 1 but mate[1] = 2"),
        ([3, 2, 1, 0], "pairs are edges", "mate[0] = 3"),
        ([1, 0, 3, 2], "locally dominant", "(1, 2) of weight 3"),
        ([-1, -1, -1, -1], "locally dominant", "3 blocking edges"),
        (np.array([1, 0, 3, 2], np.uint8), "locally dominant", "(1, 2)"),
    ],
)
def test_the_failing_check_names_the_offenders(mate, check, named):
    path = graph_of(4, [(0, 1), (1, 2), (2, 3)], [2, 3, 2])
    failure = failing(path, np.array(mate))
    assert failure.name == check
    assert named in failure.detail


def test_a_lighter_edge_is_found():
    triangle = graph_of(3, [(0, 1), (0, 2), (1, 2)], [1, 2, 3])
    failure = failing(triangle, np.array([2, -1, 0]))
    assert "(1, 2) of weight 3 while 1 is unmatched and 2 has 0 by 2" in failure.detail


def test_ties_go_to_the_larger_vertex_unless_weak():
    triangle = graph_of(3, [(0, 1), (0, 2), (1, 2)], [1, 1, 1])
    assert certify_matching(triangle, np.array([-1, 2, 1])).ok
    for other in ([1, 0, -1], [2, -1, 0]):
        assert failing(triangle, np.array(other)).name == "locally dominant"
        assert certify_matching(triangle, np.array(other), dominance="weak").ok
    assert not certify_matching(triangle, np.array([-1, -1, -1]), dominance="weak").ok


def test_without_dominance_any_matching_passes_with_its_bound():
    path = graph_of(4, [(0, 1), (1, 2), (2, 3)], [2, 3, 2])
    certificate = certify_matching(path, np.array([1, 0, 3, 2]), dominance="none")
    assert certificate.ok
    assert certificate.figures == {
        "weight": 4.0,
        "cardinality": 2,
        "upper_bound": 5.0,
        "ratio": 0.8,
    }
    assert failing(path, np.array([3, 2, 1, 0]), dominance="none").name == "pairs are edges"


def test_an_unknown_dominance_is_refused():
    with pytest.raises(ParameterError, match="strict, weak, none"):
        certify_matching(graph_of(2, [(0, 1)], [1]), np.array([1, 0]), dominance="some")


def test_loops_and_weights_below_zero_do_not_count():
    graph = Graph.from_edges(4, [0, 0, 1, 2], [0, 1, 2, 3], [9, 1, 0, -1])
    assert certify_matching(graph, np.array([1, 0, -1, -1])).ok
    assert failing(graph, np.array([1, 0, 3, 2])).name == "pairs gain"
    assert failing(graph, np.array([0, -1, -1, -1])).name == "well formed"


@pytest.mark.parametrize("n", [0, 1, 5])
def test_nothing_to_match(n):
    certificate = certify_matching(graph_of(n, [], []), np.full(n, -1))
    assert certificate.ok
    assert certificate.figures["ratio"] == 1.0


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64])
def test_blocks_may_end_at_any_row(monkeypatch, block):
    graph = random_graph(40, 60, 3, levels=3)
    mate = greedy_mates(graph)
    whole = certify_matching(graph, mate)
    monkeypatch.setattr(work, "BLOCK", block)
    assert certify_matching(graph, mate) == whole
    mate[[np.argmax(mate >= 0), mate[np.argmax(mate >= 0)]]] = -1
    assert failing(graph, mate).name == "locally dominant"


def test_a_certificate_reads_well_and_travels_as_json():
    path = graph_of(3, [(0, 1), (1, 2)], [1, 2])
    good = certify_matching(path, np.array([-1, 2, 1]))
    bad = certify_matching(path, np.array([1, 0, -1]))
    assert str(good).startswith("certified\n  ok   well formed")
    assert "FAIL locally dominant: 1 blocking edge" in str(bad)
    as_json = json.loads(json.dumps(bad.as_dict()))
    assert as_json["ok"] is False
    assert as_json["checks"][-1]["name"] == "locally dominant"
    assert as_json["figures"] == {"weight": 1.0, "cardinality": 1}


def test_offenders_are_counted_beyond_the_first_few():
    graph = random_graph(100, 400, 5)
    assert "and 95 more" in failing(graph, np.full(100, 100)).detail
