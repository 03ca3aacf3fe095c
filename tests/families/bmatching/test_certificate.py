"""The certificate accepts b-stable b-matchings and names the mistake in all others."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gpucore.certify import pairs
from gpucore.certify.stability import form
from gpucore.certify.stability.part import Part, Summary
from gpucore.certify.stability.parts import Outcome, away, combine, examine, finish, meet
from gpucore.errors import ParameterError
from gpucore.families.bmatching.capacity import capacities
from gpucore.families.bmatching.certificate import certify_bmatching, certify_result
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.families.matching.certificate import certify_matching
from gpucore.problems.graph.graph import Graph
from gpucore.result import from_pairs
from support.bmatching_cases import (
    graphs_and_b,
    greedy_b_mates,
    heaviest_b_weight,
    lists_to_arrays,
)
from support.matching_cases import graph_of, graphs, greedy_mates, random_graph


def lists_of(starts, mates):
    return [mates[a:b].tolist() for a, b in pairwise(starts.tolist())]


def pairs_of(graph, starts, mates):
    """Return the pairs of a b-matching as places in the graph's list of edges."""
    u, v, _ = graph.edges()
    chosen = {(x, y) for x, own in enumerate(lists_of(starts, mates)) for y in own}
    return [i for i, pair in enumerate(zip(u.tolist(), v.tolist(), strict=True)) if pair in chosen]


def of_edges(graph, places):
    u, v, _ = graph.edges()
    return from_pairs(graph.num_vertices, u[places], v[places])


def failing(graph, capacity, starts, mates, **options):
    certificate = certify_bmatching(graph, capacity, starts, mates, **options)
    assert not certificate.ok
    assert not certificate.checks[-1].ok  # checking ended there
    assert certificate.failure is certificate.checks[-1]
    return certificate.failure


def in_parts(graph, capacity, starts, mates, cuts, **options):
    """Certify as ranks do, that have the rows between the cuts."""
    bounds = [0, *sorted(cuts), graph.num_vertices]
    stability = {"stability": options["stability"]} if "stability" in options else {}
    parts = [Part.of(graph, capacity, starts, mates, rows) for rows in pairwise(bounds)]
    examined = [examine(part) for part in parts]
    summary = Summary.joined([one.summary for one in examined])
    sent = [away(part, one, 0, one.size) for part, one in zip(parts, examined, strict=True)]
    for part, one in zip(parts, examined, strict=True):
        meet(part, one, np.concatenate(sent))
    outcomes: list[Outcome] = [
        finish(part, one, summary, **stability) for part, one in zip(parts, examined, strict=True)
    ]
    return combine(outcomes, **options)


@given(graphs_and_b())
def test_greedy_is_certified(case):
    graph, b = case
    capacity = capacities(graph, b)
    starts, mates = greedy_b_mates(graph, capacity)
    certificate = certify_bmatching(graph, capacity, starts, mates)
    assert certificate.ok, str(certificate)
    assert certificate.figures["cardinality"] == mates.size // 2
    weights = graph.edges()[2][pairs_of(graph, starts, mates)]
    assert certificate.figures["weight"] == pytest.approx(weights.astype(np.float64).sum())


@given(graphs(max_vertices=9), st.integers(0, 3))
def test_the_bound_holds_for_every_b_matching(graph, b):
    assume(graph.num_edges <= 18)
    capacity = capacities(graph, b)
    figures = certify_bmatching(graph, capacity, *greedy_b_mates(graph, capacity)).figures
    best = heaviest_b_weight(graph, capacity)
    assert best <= figures["upper_bound"] * (1 + 1e-9)
    assert figures["weight"] <= best * (1 + 1e-9)
    assert figures["weight"] >= 0.5 * best * (1 - 1e-9)
    assert 0.5 * (1 - 1e-9) <= figures["ratio"] <= 1 + 1e-9


@given(graphs())
def test_with_one_mate_the_figures_are_those_of_a_matching(graph):
    mate = greedy_mates(graph)
    capacity = np.ones(graph.num_vertices, np.int32)
    ours = certify_bmatching(graph, capacity, *greedy_b_mates(graph, capacity)).figures
    assert dict(ours) == pytest.approx(dict(certify_matching(graph, mate).figures))


@given(graphs_and_b(), st.data())
def test_another_b_matching_is_never_taken_for_ours(case, data):
    """Only one b-matching is stable in the strict order, so every other one must fail."""
    graph, b = case
    capacity = capacities(graph, b)
    room = capacity.copy()
    u, v, _ = graph.edges()
    places = []
    for i in data.draw(st.permutations(range(u.size))):
        if room[u[i]] > 0 and room[v[i]] > 0:
            room[[u[i], v[i]]] -= 1
            places.append(i)
    found = of_edges(graph, places)
    certificate = certify_bmatching(graph, capacity, *found)
    ours = greedy_b_mates(graph, capacity)
    assert certificate.ok == all(map(np.array_equal, found, ours))
    assert certificate.ok or certificate.failure.name == "b-stable"
    assert certify_bmatching(graph, capacity, *found, stability="none").ok


@given(graphs_and_b(), st.data())
def test_a_pair_left_out_is_found(case, data):
    graph, b = case
    capacity = capacities(graph, b)
    places = pairs_of(graph, *greedy_b_mates(graph, capacity))
    assume(places)
    places.remove(data.draw(st.sampled_from(places)))
    assert failing(graph, capacity, *of_edges(graph, places)).name == "b-stable"


@given(graphs_and_b(), st.data())
def test_one_wrong_entry_is_always_found(case, data):
    graph, b = case
    capacity = capacities(graph, b)
    starts, mates = greedy_b_mates(graph, capacity)
    assume(mates.size)
    at = data.draw(st.integers(0, mates.size - 1))
    value = data.draw(st.integers(-2, graph.num_vertices + 2))
    assume(value != mates[at])
    mates[at] = value
    names = ("well formed", "no mate twice", "symmetric")
    assert failing(graph, capacity, starts, mates).name in names


#: Path of three edges 2, 3, 2 and a fourth vertex's edge of weight 0 to vertex 0; b = 1, 2, 1, 1.
PATH = Graph.from_edges(4, [0, 1, 2, 0], [1, 2, 3, 3], [2.0, 3.0, 2.0, 0.0])
B = [1, 2, 1, 1]
RIGHT = [[1], [0, 2], [1], []]


def test_the_example_is_certified():
    assert certify_bmatching(PATH, np.array(B), *lists_to_arrays(RIGHT)).ok


@pytest.mark.parametrize(
    ("lists", "check", "named"),
    [
        ([[1], [0, 4], [1], []], "well formed", "vertex 1 has the mate 4"),
        ([[-1], [0, 2], [1], []], "well formed", "vertex 0 has the mate -1"),
        ([[0], [2], [1], []], "well formed", "vertex 0 has the mate 0"),
        ([[1], [0, 0], [], []], "no mate twice", "vertex 1 has 0 before 0"),
        ([[], [], [1, 3], [2]], "capacities kept", "vertex 2 has 2 and may have 1"),
        ([[1], [0, 2], [], []], "symmetric", "mate 2 of 1"),
        ([[2], [], [0], []], "pairs are edges", "mate 2 of 0"),
        ([[3], [], [], [0]], "pairs gain", "mate 3 of 0"),
        ([[1], [0], [3], [2]], "b-stable", "(1, 2) of weight 3 while 1 has room"),
        ([[], [], [], []], "b-stable", "and 3 has room"),
    ],
)
def test_each_kind_of_mistake_is_named(lists, check, named):
    failure = failing(PATH, np.array(B), *lists_to_arrays(lists))
    assert failure.name == check
    assert named in failure.detail


@pytest.mark.parametrize(
    ("capacity", "starts", "mates", "named"),
    [
        (B[:3], [0, 1, 3, 4, 4], [1, 0, 2, 1], "capacity is (3,)"),
        (B, [0, 1, 3, 4], [1, 0, 2, 1], "starts is (4,)"),
        (B, [0, 1, 3, 4, 4], [[1, 0, 2, 1]], "mates is (1, 4)"),
        (np.ones(4), [0, 1, 3, 4, 4], [1, 0, 2, 1], "capacity is float64"),
        (B, [0.0, 1.0, 3.0, 4.0, 4.0], [1, 0, 2, 1], "starts is float64"),
        (B, [0, 1, 3, 4, 4], [1.0, 0.0, 2.0, 1.0], "mates is float64"),
        ([1, -1, 1, 1], [0, 1, 3, 4, 4], [1, 0, 2, 1], "capacity[1] = -1"),
        (B, [0, 3, 1, 4, 4], [1, 0, 2, 1], "starts do not ascend"),
        (B, [1, 1, 3, 4, 4], [1, 0, 2, 1], "starts do not ascend"),
        (B, [0, 1, 3, 4, 5], [1, 0, 2, 1], "starts do not ascend"),
        (B, np.array([0, 2**63, 3, 4, 4], np.uint64), [1, 0, 2, 1], "starts do not ascend"),
    ],
)
def test_wrong_arrays_are_no_error(capacity, starts, mates, named):
    failure = failing(PATH, np.array(capacity), np.array(starts), np.array(mates))
    assert failure.name == "well formed"
    assert named in failure.detail


def test_capacities_that_are_not_those_of_b_are_found():
    starts, mates = lists_to_arrays(RIGHT)
    figures = {"weight": 5.0, "cardinality": 2}

    def result(b):
        return BMatchingResult(
            "by hand", {}, 0.0, figures, {"b": b}, capacity=np.array(B), starts=starts, mates=mates
        )

    assert certify_result(PATH, result("given")).ok
    failure = certify_result(PATH, result("degree/2")).failure
    assert failure.name == "capacities as asked"
    assert "vertex 1 has the capacity 2, b = degree/2 means 1" in failure.detail


def test_ties_count_in_the_strict_order_only():
    square = Graph.from_edges(4, [0, 1, 2, 3], [1, 2, 3, 0], [1.0] * 4)
    other = lists_to_arrays([[1], [0], [3], [2]])
    capacity = np.ones(4, np.int32)
    strict = certify_bmatching(square, capacity, *other)
    assert strict.ok == all(map(np.array_equal, other, greedy_b_mates(square, capacity)))
    one_of_two = [
        certify_bmatching(square, capacity, *lists_to_arrays(lists)).ok
        for lists in ([[1], [0], [3], [2]], [[3], [2], [1], [0]])
    ]
    assert sorted(one_of_two) == [False, True]
    assert certify_bmatching(square, capacity, *other, stability="weak").ok


def test_an_unknown_stability_is_an_error():
    with pytest.raises(ParameterError, match="strict, weak, none"):
        certify_bmatching(PATH, np.array(B), *lists_to_arrays(RIGHT), stability="no")


@given(graphs_and_b(weights=("few", "equal")), st.data())
def test_parts_give_the_same_certificate(case, data):
    """Also of wrong b-matchings: some entries are changed, dropped or moved."""
    graph, b = case
    n = graph.num_vertices
    capacity = capacities(graph, b)
    lists = lists_of(*greedy_b_mates(graph, capacity))
    for _ in range(data.draw(st.integers(0, 2)) if n else 0):
        own = lists[data.draw(st.integers(0, n - 1))]
        if own and data.draw(st.booleans()):
            own.pop(data.draw(st.integers(0, len(own) - 1)))
        else:
            own.append(data.draw(st.integers(0, n - 1)))
    starts, mates = lists_to_arrays(lists)
    cuts = data.draw(st.lists(st.integers(0, n), max_size=3))
    options = {"stability": data.draw(st.sampled_from(["strict", "weak", "none"]))}
    whole = certify_bmatching(graph, capacity, starts, mates, **options)
    assert in_parts(graph, capacity, starts, mates, cuts, **options) == whole


def test_parts_of_a_large_graph(monkeypatch):
    """Rows that are longer than a chunk, chunks that end within a row, and real weights."""
    graph = random_graph(3000, 30_000, 5)
    capacity = capacities(graph, "degree/2")
    right = greedy_b_mates(graph, capacity)
    whole = certify_bmatching(graph, capacity, *right)
    assert whole.ok
    monkeypatch.setattr(pairs, "CHUNK", 17)
    monkeypatch.setattr(form, "BLOCK", 19)
    parts = in_parts(graph, capacity, *right, [10, 11, 2000])
    assert parts.ok
    assert [c.name for c in parts.checks] == [c.name for c in whole.checks]
    assert dict(parts.figures) == pytest.approx(dict(whole.figures), rel=1e-12)


def test_the_outcomes_of_parts_are_small():
    """Ranks send them to each other; all arrays are in the summary."""
    part = Part.of(PATH, np.array(B), *lists_to_arrays(RIGHT))
    examined = examine(part)
    outcome = finish(part, examined, examined.summary)
    sent = [getattr(outcome, name) for name in vars(outcome)]
    assert not any(isinstance(value, np.ndarray) for value in sent)


def test_certificates_are_json():
    certificate = certify_bmatching(PATH, np.array(B), *lists_to_arrays(RIGHT))
    assert json.loads(json.dumps(certificate.as_dict()))["figures"]["weight"] == 5.0


def test_loops_and_useless_edges_do_not_count():
    graph = Graph.from_edges(3, [0, 0, 1], [0, 1, 2], [9.0, -1.0, 2.0])
    certificate = certify_bmatching(graph, np.full(3, 5), *lists_to_arrays([[], [2], [1]]))
    assert certificate.ok
    assert certificate.figures["upper_bound"] == 2.0


def test_no_vertex_at_all():
    certificate = certify_bmatching(
        graph_of(0, [], []), np.empty(0, np.int32), *lists_to_arrays([])
    )
    assert certificate.ok
    assert certificate.figures["ratio"] == 1.0
