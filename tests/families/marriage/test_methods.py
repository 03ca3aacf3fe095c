"""The CPU methods for stable marriage: one marriage for all, the textbook's, whatever the order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore.family import get_runner, methods
from gpucore.problems.preferences.generate import (
    classic,
    cycles,
    easy,
    hard,
    hospitals,
)
from gpucore.problems.preferences.preferences import Preferences
from support.matching_cases import graphs, greedy_mates
from support.running import uncertified

from .runs import assignments, find, instances, pairs_in, textbook

TEAMS = ["gale_shapley_omp", "mcvitie_wilson_omp"]
OURS = ["gale_shapley", "mcvitie_wilson", *TEAMS]
SIDES = ["men", "women"]
quick = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
sides = st.sampled_from(SIDES)


def solve(name, problem, **params):
    """Run a method; its certificate has to hold, and its places are proposals or passed by."""
    runner = get_runner(name)
    result = uncertified(runner.name, problem, **params)
    certificate = runner.certify(problem, result)
    assert certificate.ok, str(certificate)
    assert result.men.dtype == result.women.dtype == np.int32
    if name in OURS:
        figures = result.figures
        assert figures["proposals"] + figures["skipped"] == figures["considered"]
        assert figures["proposals"] >= result.cardinality
    return result


def solve_with_all(problem, proposers="men", threads=(1, 2, 4)):
    """Run every method that takes the problem, in all its orders."""
    yield solve("gale_shapley", problem, proposers=proposers)
    yield solve("gale_shapley", problem, proposers=proposers, order="rounds")
    yield solve("mcvitie_wilson", problem, proposers=proposers)
    if not problem.has_capacities:
        for name in TEAMS:
            for number in threads:
                yield solve(name, problem, proposers=proposers, threads=number)
    capacity = problem.man_capacity if proposers == "men" else problem.woman_capacity
    available = get_runner("matching_library").available() is None
    if available and capacity is None and problem.num_pairs <= 2000:
        yield solve("matching_library", problem, proposers=proposers)


def assert_same(results):
    first, *others = results
    for other in others:
        assert pairs_in(other) == pairs_in(first), other.algorithm
        for figure in ("considered", "men_mean_rank", "women_mean_rank"):
            assert other.figures[figure] == first.figures[figure]
    return first


def test_all_methods_are_found():
    found = [name for name, runner in methods().items() if runner.family == "marriage"]
    assert found == sorted([*OURS, "matching_library"])


@given(problem=instances(), proposers=sides)
@quick
def test_every_method_finds_the_textbook_s_marriage(problem, proposers):
    result = assert_same(solve_with_all(problem, proposers))
    assert (pairs_in(result), result.figures["considered"]) == textbook(problem, proposers)


@given(problem=assignments(), proposers=sides)
@quick
def test_with_capacities_too(problem, proposers):
    result = assert_same(solve_with_all(problem, proposers))
    assert (pairs_in(result), result.figures["considered"]) == textbook(problem, proposers)


@pytest.mark.parametrize("proposers", SIDES)
@pytest.mark.parametrize(
    "problem",
    [easy(3000), hard(500), classic(90), cycles(300, 7), cycles(60, 60), hospitals(400, 50)],
    ids=lambda p: p.name,
)
def test_the_generators_instances(problem, proposers):
    result = assert_same(solve_with_all(problem, proposers))
    if problem.name == "hard":
        assert result.figures["considered"] == 500 * 501 // 2
        place = np.argsort(problem.order)
        assert (place[result.wife] + 1 == problem.standing).all()
    if problem.name == "cycles":
        best = result.figures[f"{proposers}_mean_rank"]
        worst = result.figures[f"{SIDES[proposers == 'men']}_mean_rank"]
        assert best == 1
        assert worst > 6


@given(
    men=st.integers(1, 200),
    women=st.integers(1, 200),
    seed=st.integers(0, 1000),
    many=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_two_vectors_are_as_good_as_all_lists(men, women, seed, many):
    """Sizes beyond the blocks in which a shared list is looked at."""
    rng = np.random.default_rng(seed)
    more = {"man_capacity": rng.integers(1, 9, men), "woman_capacity": rng.integers(1, 9, women)}
    problem = Preferences.shared(
        rng.permutation(women), rng.permutation(men) + 1, **(more if many else {})
    )
    for proposers in SIDES:
        result = assert_same(solve_with_all(problem, proposers, threads=(3,)))
        whole = assert_same(solve_with_all(problem.expanded(), proposers, threads=(3,)))
        assert pairs_in(result) == pairs_in(whole)
        assert result.figures["considered"] == whole.figures["considered"]


@given(graph=graphs(max_vertices=40))
@quick
def test_lemma_31(graph):
    """Greedy matching is the only stable marriage of a man and a woman for every vertex."""
    problem, mates = Preferences.from_graph(graph), greedy_mates(graph)
    for proposers in SIDES:
        result = assert_same(solve_with_all(problem, proposers, threads=(2,)))
        np.testing.assert_array_equal(result.wife, mates)
        np.testing.assert_array_equal(result.husband, mates)


@given(graph=graphs(max_vertices=24), room=st.integers(1, 4))
@quick
def test_greedy_b_matching(graph, room):
    """With equal capacities the same holds for b-matching (section 3)."""
    n = graph.num_vertices
    problem = Preferences.from_graph(
        graph, man_capacity=np.full(n, room), woman_capacity=np.full(n, room)
    )
    edges = zip(*(ends.tolist() for ends in graph.edges()), strict=True)
    left, matched = [room] * n, []
    for _, v, u in sorted(((w, v, u) for u, v, w in edges if w > 0), reverse=True):
        if left[u] and left[v]:
            left[u], left[v] = left[u] - 1, left[v] - 1
            matched += [(u, v), (v, u)]
    for proposers in SIDES:
        assert pairs_in(assert_same(solve_with_all(problem, proposers))) == sorted(matched)


def proposals_in_rounds(problem):
    """Let all free men propose at once; returns the rounds and the proposals."""
    men, women = problem.lists()
    held, place = [None] * len(women), [0] * len(men)
    free, rounds, proposals = set(range(len(men))), 0, 0
    while True:
        asked = {}
        for man in free:
            hopes = [
                k
                for k in range(place[man], len(men[man]))
                if held[woman := men[man][k]] is None
                or women[woman].index(man) < women[woman].index(held[woman])
            ]
            if hopes:
                place[man] = hopes[0] + 1
                asked.setdefault(men[man][hopes[0]], []).append(man)
        if not asked:
            return rounds, proposals
        rounds, proposals = rounds + 1, proposals + sum(map(len, asked.values()))
        for woman, suitors in asked.items():
            before = [] if held[woman] is None else [held[woman]]
            held[woman] = min(suitors + before, key=women[woman].index)
        free = {m for m in range(len(men)) if m not in held}


@given(problem=instances(most=20))
@quick
def test_rounds_are_those_of_gale_and_shapley(problem):
    figures = solve("gale_shapley", problem, order="rounds").figures
    assert (figures["rounds"], figures["proposals"]) == proposals_in_rounds(problem)


def test_the_kernels_rounds_are_the_same():
    for problem in (easy(300), classic(40), hard(60)):
        ours = solve("gale_shapley", problem, order="rounds")
        kernels = find(problem, "gs")
        assert pairs_in(kernels) == pairs_in(ours)
        for figure in ("considered", "proposals", "rounds"):
            assert kernels.figures[figure] == ours.figures[figure]


def test_the_order_of_proposals_shows_in_the_figures():
    """Two men want the woman who prefers the second; the third wants her, too, but in vain."""
    problem = Preferences.from_lists([[0, 1], [0], [0, 2]], [[1, 0, 2], [0], [2]])
    figures = {}
    for order in ("queue", "rounds"):
        figures[order] = solve("gale_shapley", problem, order=order).figures
    assert [figures["queue"][k] for k in ("proposals", "skipped", "rounds")] == [4, 1, 2]
    assert [figures["rounds"][k] for k in ("proposals", "skipped", "rounds")] == [5, 0, 2]
    found = solve("mcvitie_wilson", problem).figures
    assert [found[k] for k in ("proposals", "skipped", "rounds")] == [4, 1, None]


@pytest.mark.parametrize("problem", [easy(60_000), hard(3000)], ids=lambda p: p.name)
def test_schedules_do_not_matter(problem):
    """Large enough for threads to meet."""
    first = solve("mcvitie_wilson", problem)
    for name in TEAMS:
        for threads in (1, 2, 3, 8):
            other = solve(name, problem, threads=threads)
            np.testing.assert_array_equal(other.wife, first.wife)
            assert other.figures["considered"] == first.figures["considered"]
            assert other.figures["retries"] >= 0


@pytest.mark.parametrize(
    ("men", "women"), [([], []), ([[]], [[], []]), ([[], [0]], [[1]]), ([[]] * 3, [])]
)
def test_people_without_lists(men, women):
    for proposers in SIDES:
        problem = Preferences.from_lists(men, women)
        result = assert_same(solve_with_all(problem, proposers, threads=(1, 64)))
        assert result.cardinality == problem.num_pairs
        assert (result.wife.size, result.husband.size) == (len(men), len(women))
