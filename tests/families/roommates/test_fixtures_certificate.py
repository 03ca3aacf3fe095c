"""The certificate of stable fixtures accepts proofs of either answer, and names other defects."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gpucore.families.roommates.fixtures_certificate import certify_fixtures
from gpucore.problems.roommates.roommates import Roommates
from support.running import uncertified

from .cases import SOLVABLE, UNSOLVABLE, fixtures, stable_fixtures

SIX, FOUR = Roommates.from_lists(SOLVABLE), Roommates.from_lists(UNSOLVABLE)


def rows_of(n, pairs):
    """Return starts and mates of a set of pairs."""
    lists = [sorted(q for pair in pairs if p in pair for q in pair if q != p) for p in range(n)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in lists])]).astype(int)
    return starts, np.array([q for row in lists for q in row], int)


def failing(problem, room, starts, mates, successor):
    arrays = (np.asarray(array) for array in (room, starts, mates, successor))
    found = certify_fixtures(problem, *arrays)
    assert not found.ok
    assert found.failure is found.checks[-1]
    return found.failure


def every_set(pairs):
    """Yield all sets of pairs."""
    for chosen in product([False, True], repeat=len(pairs)):
        yield frozenset(pair for pair, taken in zip(pairs, chosen, strict=True) if taken)


@given(fixtures(most=4))
@settings(deadline=None, max_examples=60)
def test_of_all_solutions_the_stable_ones_are_certified(case):
    problem, room = case
    n = problem.num_vertices
    pairs = [(p, q) for p, row in enumerate(problem.lists()) for q in row if p < q]
    stable = stable_fixtures(problem, room)
    for chosen in every_set(pairs):
        found = certify_fixtures(problem, np.array(room, int), *rows_of(n, chosen), np.arange(n))
        assert found.ok == (chosen in stable)


@given(fixtures(most=5), st.data())
@settings(deadline=None, max_examples=80)
def test_proofs_of_none_prove_only_what_is_so(case, data):
    """All sets of whole pairs beside a party of any three people: none is certified wrongly."""
    problem, room = case
    n = problem.num_vertices
    assume(n >= 3)
    party = data.draw(st.permutations(range(n)))[:3]
    successor = np.arange(n)
    successor[party] = np.roll(party, 1)
    pairs = [(p, q) for p, row in enumerate(problem.lists()) for q in row if p < q]
    ok = [
        certify_fixtures(problem, np.array(room), *rows_of(n, chosen), successor).ok
        for chosen in every_set([pair for pair in pairs if not set(pair) <= set(party)])
    ]
    if any(ok):
        assert not stable_fixtures(problem, room)
        assert not uncertified("irving_scott", problem, b=room).solvable


def test_a_proof_of_none_by_hand():
    """Three who want each other in a circle, each with a friend who comes first."""
    lists = [[3, 1, 2], [4, 2, 0], [5, 0, 1], [0], [1], [2]]
    circle = Roommates.from_lists(lists)
    room = np.array([2, 2, 2, 1, 1, 1])
    starts, mates = rows_of(6, {(0, 3), (1, 4), (2, 5)})
    found = certify_fixtures(circle, room, starts, mates, np.array([1, 2, 0, 3, 4, 5]))
    assert found.ok
    assert found.figures == {"cardinality": 0, "full": 6, "parties": 1}
    assert not stable_fixtures(circle, room)
    assert uncertified("irving_scott", circle, b=room).lists() == [[3], [4], [5], [0], [1], [2]]
    assert uncertified("irving_scott", circle, b=[3, 2, 2, 1, 1, 1]).solvable


@given(fixtures(most=7), st.data())
@settings(deadline=None)
def test_one_wrong_entry_is_always_found(case, data):
    problem, room = case
    result = uncertified("irving_scott", problem, b=room)
    arrays = [result.starts.copy(), result.mates.copy(), result.successor.copy()]
    array = arrays[data.draw(st.integers(0, 2))]
    assume(array.size)
    at = data.draw(st.integers(0, array.size - 1))
    value = data.draw(st.integers(-2, problem.num_vertices))
    assume(array[at] != value)
    array[at] = value
    failing(problem, room, *arrays)


STABLE = rows_of(6, {(0, 5), (1, 2), (3, 4)})


@pytest.mark.parametrize(
    ("change", "check", "named"),
    [
        ({"room": [1]}, "well formed", "capacity has the shape (1,), 6 people need (6,)"),
        ({"room": [1.0] * 6}, "well formed", "capacity has the dtype float64"),
        ({"starts": [0, 1, 2, 3, 5, 4, 6]}, "well formed", "starts do not rise"),
        ({"mates": [6, 2, 1, 4, 3, 0]}, "well formed", "outside 0..5: mates[0] = 6"),
        ({"successor": [0, 1, 2, 3, 4, 4]}, "odd parties", "person 4 follows both 4 and 5"),
        ({"successor": [1, 0, 2, 3, 4, 5]}, "odd parties", "a cycle of 2, which is even"),
        ({"mates": [5, 2, 1, 4, 3, 1]}, "mutually listed", "at one end only: (0, 5), (5, 1)"),
        ({"successor": [1, 5, 2, 3, 4, 0]}, "mutually listed", "more than once: (0, 5), (5, 0)"),
        ({"room": [0, 1, 1, 1, 1, 1]}, "capacities", "person 0 has 1 mates, room for 0"),
        ({"successor": [1, 2, 0, 3, 4, 5]}, "mutually listed", "given more than once: (1, 2)"),
        ({"room": [2, 1, 1, 1, 1, 1]}, "no blocking pair", "blocking pair"),
    ],
)  # fmt: skip
def test_the_failing_check_names_the_offenders(change, check, named):
    """Of the stable pairs 0-5, 1-2, 3-4, where each person has one mate."""
    right = {"room": [1] * 6, "starts": STABLE[0], "mates": STABLE[1], "successor": range(6)}
    failure = failing(SIX, **right | change)
    assert failure.name == check
    assert named in failure.detail


def test_persons_who_do_not_list_each_other_are_named():
    problem = Roommates.from_lists([[1], [0], []])
    failure = failing(problem, [1] * 3, *rows_of(3, {(0, 2)}), range(3))
    assert failure.detail == "not in each other's lists: (0, 2), (2, 0)"
