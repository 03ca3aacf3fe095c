"""Irving's algorithm: a stable matching where there is one, else the proof that there is none."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings

from gpucore.compare import compare
from gpucore.errors import Cancelled, GraphError
from gpucore.family import get_runner
from gpucore.problems.roommates.roommates import Roommates
from support.cancelling import Stop
from support.matching_cases import graphs, random_graph
from support.running import uncertified

from .cases import SOLVABLE, UNSOLVABLE, numbered_from_1, roommates, stable_matchings

#: Six people whose second phase has three rotations.
THREE_ROTATIONS = numbered_from_1(
    "3 4 2 6 5", "6 5 4 1 3", "2 4 5 1 6", "5 2 3 6 1", "3 1 2 4 6", "5 1 3 4 2"
)


def solve(problem):
    """Run the method; its certificate has to hold."""
    runner = get_runner("irving")
    result = uncertified(runner.name, problem)
    certificate = runner.certify(problem, result)
    assert certificate.ok, str(certificate)
    return result


@pytest.mark.parametrize(
    ("lists", "mates", "rotations"),
    [(SOLVABLE, [6, 3, 2, 5, 4, 1], 1), (THREE_ROTATIONS, [6, 4, 5, 2, 3, 1], 3)],
)
def test_published_examples_with_a_stable_matching(lists, mates, rotations):
    result = solve(Roommates.from_lists(lists))
    assert (result.mate + 1).tolist() == mates
    assert result.figures["rotations"] == rotations
    assert result.solvable
    assert result.cardinality == 3


def test_the_published_example_without_one():
    result = solve(Roommates.from_lists(UNSOLVABLE))
    assert not result.solvable
    assert result.mate.tolist() == [-1] * 4
    assert result.successor.tolist() == [1, 2, 0, 3]
    assert result.figures["parties"] == 1


@given(roommates(most=8))
@settings(deadline=None, max_examples=150)
def test_as_brute_force_says(problem):
    result = solve(problem)
    stable = stable_matchings(problem)
    assert result.solvable == bool(stable)
    if stable:
        assert tuple(result.mate.tolist()) in stable


@pytest.mark.parametrize("length", [None, 6, 20])
def test_larger_instances_are_proved_either_way(length):
    answers = set()
    for seed in range(40):
        result = solve(Roommates.random(60, length=length, seed=seed))
        answers.add(result.solvable)
    assert answers == {True, False}


def test_many_rotations_and_a_long_walk():
    result = solve(Roommates.random(700, seed=5))
    assert result.figures["rotations"] > 20


@given(graphs(max_vertices=40))
@settings(deadline=None, max_examples=60)
def test_of_a_weighted_graph_the_first_phase_is_the_greedy_matching(graph):
    """Section 3.1 of the paper: the second phase has nothing to do."""
    result = solve(graph)
    assert result.figures["undecided"] == 0
    assert result.figures["rotations"] == 0
    np.testing.assert_array_equal(result.mate, uncertified("greedy", graph).mate)


def test_of_a_weighted_graph_of_some_size():
    graph = random_graph(3000, 20_000, 3, levels=5)
    np.testing.assert_array_equal(solve(graph).mate, uncertified("suitor_serial", graph).mate)


@pytest.mark.parametrize("lists", [[], [[]], [[], []], [[1], [0]]])
def test_tiny_instances(lists):
    result = solve(Roommates.from_lists(lists))
    assert result.solvable
    json.dumps([result.summary(), result.params, result.device])


def test_it_is_a_runner_like_the_others():
    comparison = compare(random_graph(50, 100, 1), ["irving"])
    assert comparison.certified
    assert comparison.family == "roommates"


def test_what_it_refuses():
    with pytest.raises(Cancelled):
        uncertified("irving", Roommates.random(50), cancel=Stop(before=True))
    with pytest.raises(GraphError, match="stable roommates, not list"):
        uncertified("irving", [[1], [0]])
