"""Irving and Scott's algorithm: a stable solution where there is one, else a proof of none."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.compare import compare
from gpucore.errors import Cancelled, GraphError, ParameterError
from gpucore.family import get_runner
from gpucore.problems.roommates.roommates import Roommates
from support.cancelling import Stop
from support.matching_cases import graphs, random_graph
from support.running import uncertified

from .cases import SOLVABLE, UNSOLVABLE, fixtures, roommates, stable_fixtures


def solve(problem, b=2):
    """Run the method; its certificate has to hold."""
    runner = get_runner("irving_scott")
    result = uncertified(runner.name, problem, b=b)
    certificate = runner.certify(problem, result)
    assert certificate.ok, str(certificate)
    return result


def pairs_of(result):
    """Return the pairs of a solution, each once."""
    return frozenset((p, q) for p, row in enumerate(result.lists()) for q in row if p < q)


@given(fixtures(most=6))
@settings(deadline=None, max_examples=300)
def test_as_brute_force_says(case):
    problem, room = case
    result = solve(problem, room)
    stable = stable_fixtures(problem, room)
    assert result.solvable == bool(stable)
    if stable:
        assert pairs_of(result) in stable
        # All stable solutions give each person as many mates (Irving and Scott).
        sizes = {tuple(sum(p in pair for pair in one) for p in range(len(room))) for one in stable}
        assert sizes == {tuple(np.diff(result.starts).tolist())}


@given(roommates(most=9))
@settings(deadline=None, max_examples=150)
def test_with_one_mate_each_it_is_irvings(problem):
    ours, theirs = solve(problem, 1), uncertified("irving", problem)
    assert ours.solvable == theirs.solvable
    for figure in ("parties", "undecided", "cardinality"):
        assert ours.figures[figure] == theirs.figures[figure]


@pytest.mark.parametrize("length", [None, 12, 20])
@pytest.mark.parametrize("most", [1, 3, 5])
def test_larger_instances_are_proved_either_way(length, most):
    answers, rotations = set(), 0
    for seed in range(40):
        problem = Roommates.random(61, length=length, seed=seed)
        room = np.random.default_rng(seed).integers(1, most + 1, 61)
        result = solve(problem, room)
        answers.add(result.solvable)
        rotations += result.figures["rotations"]
    assert answers == {True, False}
    assert rotations > 0


def test_many_rotations_and_a_long_walk():
    problem = Roommates.random(700, seed=5)
    for b in (2, 7, 699):
        result = solve(problem, b)
        assert (result.figures["rotations"] > 20) == (b < 699)
    assert result.cardinality == problem.num_pairs  # there is room for all pairs


def test_examples():
    six = Roommates.from_lists(SOLVABLE)
    assert solve(six, 1).lists() == [[5], [2], [1], [4], [3], [0]]
    four = Roommates.from_lists(UNSOLVABLE)
    assert solve(four, 1).successor.tolist() == [1, 2, 0, 3]
    assert solve(four, 2).lists() == [[1, 2], [0, 2], [0, 1], []]


@given(graphs(max_vertices=40), st.integers(1, 4))
@settings(deadline=None, max_examples=60)
def test_of_a_weighted_graph_the_first_phase_is_the_greedy_b_matching(graph, b):
    """Section 3 of "On stable marriages and greedy matchings": rotations have nothing to do."""
    result, greedy = solve(graph, b), uncertified("bgreedy", graph, b=b)
    assert result.figures["undecided"] == result.figures["rotations"] == 0
    np.testing.assert_array_equal(result.starts, greedy.starts)
    np.testing.assert_array_equal(result.mates, greedy.mates)


@pytest.mark.parametrize("lists", [[], [[]], [[], []], [[1], [0]]])
@pytest.mark.parametrize("b", [0, 1, 5])
def test_tiny_instances(lists, b):
    result = solve(Roommates.from_lists(lists), b)
    assert result.solvable
    assert result.cardinality == int(b > 0 and lists == [[1], [0]])
    json.dumps([result.summary(), result.params, result.device])


def test_it_is_a_runner_like_the_others():
    comparison = compare(random_graph(50, 100, 1), ["irving", "irving_scott"])
    assert comparison.certified
    assert comparison.family == "roommates"
    assert comparison.entries[1].differs > 0  # two mates each, not one
    six = Roommates.from_lists(SOLVABLE)
    irving, scott = uncertified("irving", six), uncertified("irving_scott", six, b=1)
    np.testing.assert_array_equal(irving.by_vertex()["mates"], scott.by_vertex()["mates"])


@pytest.mark.parametrize("b", [-1, 1.5, [1, 2], "two", 2**31, [1] * 49 + [-1]])
def test_wrong_capacities_are_refused(b):
    with pytest.raises(ParameterError, match="one for each of the 50 people"):
        uncertified("irving_scott", Roommates.random(50), b=b)


def test_what_it_refuses():
    with pytest.raises(Cancelled):
        uncertified("irving_scott", Roommates.random(50), cancel=Stop(before=True))
    with pytest.raises(GraphError, match="stable roommates, not list"):
        uncertified("irving_scott", [[1], [0]])
