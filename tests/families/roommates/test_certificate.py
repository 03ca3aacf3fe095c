"""The certificate accepts stable matchings and proofs of none, and names other defects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gpucore.families.roommates.certificate import certify_result, certify_roommates
from gpucore.problems.roommates.roommates import Roommates
from support.running import uncertified

from .cases import SOLVABLE, UNSOLVABLE, blocking, every_matching, roommates

SIX, FOUR = Roommates.from_lists(SOLVABLE), Roommates.from_lists(UNSOLVABLE)


def partition_of(mate):
    mate = np.asarray(mate, int)
    return np.where(mate < 0, np.arange(mate.size), mate)


def failing(problem, mate, successor):
    found = certify_roommates(problem, np.asarray(mate), np.asarray(successor))
    assert not found.ok
    assert found.failure is found.checks[-1]
    return found.failure


@given(roommates(most=5))
@settings(deadline=None, max_examples=40)
def test_of_all_matchings_the_stable_ones_are_certified(problem):
    lists = problem.lists()
    pairs = {(p, q) for p, row in enumerate(lists) for q in row}
    for mate in every_matching(problem.num_vertices, pairs):
        found = certify_roommates(problem, np.array(mate, int), partition_of(mate))
        blocks = blocking(lists, mate)
        assert found.ok == (not blocks)
        if blocks:
            assert found.failure.name == "no blocking pair"
            assert sum(f"{pair}:" in found.failure.detail for pair in blocks) == min(len(blocks), 5)
            assert found.failure.detail.startswith(f"{len(blocks)} blocking pair")


@given(roommates(), st.data())
@settings(deadline=None)
def test_one_wrong_entry_is_always_found(problem, data):
    result = uncertified("irving", problem)
    n = problem.num_vertices
    assume(n)
    arrays = [result.mate.copy(), result.successor.copy()]
    array = arrays[data.draw(st.integers(0, 1))]
    at, value = data.draw(st.integers(0, n - 1)), data.draw(st.integers(-2, n))
    assume(array[at] != value)
    array[at] = value
    failing(problem, *arrays)


@given(roommates(), st.data())
@settings(deadline=None)
def test_partitions_of_every_kind_prove_only_what_is_so(problem, data):
    """If a permutation is certified, Irving's algorithm gives the same answer."""
    n = problem.num_vertices
    successor = np.array(data.draw(st.permutations(range(n))), int)
    mate = np.full(n, -1)
    found = certify_roommates(problem, mate, successor)
    if found.ok:
        assert uncertified("irving", problem).solvable == (found.figures["parties"] == 0)


@pytest.mark.parametrize(
    ("mate", "successor", "check", "named"),
    [  # of the stable pairs 0-5, 1-2, 3-4
        ([5, 2, 1], [5, 2, 1], "well formed", "mate has the shape (3,), 6 people need (6,)"),
        ([5.0, 2, 1, 4, 3, 0], [5, 2, 1, 4, 3, 0], "well formed", "mate has the dtype float64"),
        ([5, 2, 1, 4, 3, 6], [5, 2, 1, 4, 3, 0], "well formed", "outside -1..5: mate[5] = 6"),
        ([5, 2, 1, 4, 3, 0], [5, 2, 1, 4, 3, -1], "well formed", "outside 0..5: successor[5] = -1"),
        ([5, 2, 1, 4, 3, 0], [5, 2, 1, 4, 3, 5], "cycles", "person 5 follows both 0 and 5"),
        ([4, 2, 1, 5, 0, 3], [5, 2, 1, 4, 3, 0], "answer follows", "mate[0] = 4 but successor"),
        ([1, 2, 3, 0, 5, 4], [1, 2, 3, 0, 5, 4], "answer follows", "mate[0] = 1 but mate[1] = 2"),
        ([1, 0, 3, 2, 5, 4], [1, 0, 3, 2, 5, 4], "no blocking pair", "(1, 4): 1 ranks 4 3 but has"),
        ([-1] * 6, [1, 2, 0, 4, 5, 3], "forward preferred", "prefers"),
        ([-1] * 6, [0, 1, 2, 3, 4, 5], "no blocking pair", "15 blocking pairs: (0, 3): 0 "),
    ],
)  # fmt: skip
def test_the_failing_check_names_the_offenders(mate, successor, check, named):
    failure = failing(SIX, mate, successor)
    assert failure.name == check
    assert named in failure.detail


def test_a_pair_that_does_not_list_each_other_is_named():
    problem = Roommates.from_lists([[1], [0], []])
    failure = failing(problem, [2, -1, 0], [2, 1, 0])
    assert (failure.name, failure.detail) == (
        "mutually listed",
        "not in each other's lists: (0, 2), (2, 0)",
    )


def test_there_is_no_matching_beside_an_odd_party():
    result = uncertified("irving", FOUR)
    assert certify_result(FOUR, result).ok
    failure = failing(FOUR, [1, 0, -1, -1], result.successor)
    assert failure.detail == "1 odd party: no matching is stable, yet mate[0] = 1, mate[1] = 0"
    assert failing(FOUR, [-1] * 4, [2, 0, 1, 3]).name == "forward preferred"
    assert failing(FOUR, [-1] * 4, [0, 1, 2, 3]).name == "no blocking pair"
