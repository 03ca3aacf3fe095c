"""One marriage for an instance: by every variant, on every device, under every schedule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.datasets import names as dataset_names
from gpucore.device import get_device
from gpucore.families.marriage import search as _marriage_search
from gpucore.families.marriage.certificate import certify_result
from gpucore.family import get_runner
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.preferences.generate import easy, hard
from gpucore.problems.preferences.preferences import Preferences
from support.devices import random_schedule
from support.matching_cases import graphs, greedy_mates, random_graph
from support.running import uncertified

from .runs import (
    EVERYTHING,
    NAMES,
    PROPOSERS,
    assignments,
    find,
    instance,
    instances,
    pairs_in,
    run,
    shared,
    textbook,
)

VARIANTS = get_runner("marriage").variant_names

quick = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

#: Lists that are short and long, wanted and unwanted people, more of one side.
INSTANCES = {
    "short lists": instance(np.random.default_rng(1), 900, 900, 0.01),
    "complete": instance(np.random.default_rng(2), 120, 120, 1.0),
    "more men": instance(np.random.default_rng(3), 300, 100, 0.2),
    "more women": instance(np.random.default_rng(4), 100, 300, 0.2),
    "common lists": shared(np.random.default_rng(5), 400, 400),
    "common lists, more women": shared(np.random.default_rng(6), 50, 2500),
}


@pytest.mark.parametrize("variant", VARIANTS)
@given(problem=instances(), schedule=st.integers(0, 2**32), who=st.sampled_from(["men", "women"]))
@quick
def test_any_instance_any_schedule(variant, problem, schedule, who):
    result = find(problem, variant, random_schedule(schedule), proposers=who)
    pairs, read = textbook(problem, who)
    assert pairs_in(result) == pairs
    assert result.figures["considered"] == read


@given(problem=assignments(), schedule=st.integers(0, 2**32), who=st.sampled_from(["men", "women"]))
@quick
def test_any_capacities_any_schedule(problem, schedule, who):
    result = find(problem, "fast", random_schedule(schedule), proposers=who)
    assert pairs_in(result) == textbook(problem, who)[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_hundred_schedules(variant):
    """Few women and many men: all men propose to the same women."""
    problem = instance(np.random.default_rng(8), 60, 20, 0.9)
    expected, _ = textbook(problem)
    for seed in range(200):
        assert pairs_in(run(problem, variant, random_schedule(seed))) == expected, seed


def test_two_hundred_schedules_with_seats():
    rng = np.random.default_rng(9)
    capacities = {"man_capacity": rng.integers(1, 4, 40), "woman_capacity": rng.integers(1, 9, 8)}
    problem = instance(rng, 40, 8, 0.9, **capacities)
    expected, _ = textbook(problem)
    for seed in range(200):
        assert pairs_in(run(problem, "fast", random_schedule(seed))) == expected, seed


@pytest.mark.parametrize("problem", INSTANCES.values(), ids=INSTANCES)
@pytest.mark.parametrize("who", ["men", "women"])
def test_devices_and_variants_agree(each_device, problem, who):
    expected, read = textbook(problem, who)
    for variant in VARIANTS:
        result = find(problem, variant, each_device, proposers=who)
        assert pairs_in(result) == expected
        assert result.figures["considered"] == read


@pytest.mark.parametrize("who", ["men", "women"])
def test_devices_agree_on_seats(each_device, who):
    rng = np.random.default_rng(10)
    capacities = {
        "man_capacity": rng.integers(1, 9, 200),
        "woman_capacity": rng.integers(1, 99, 30),
    }
    problem = instance(rng, 200, 30, 0.4, **capacities)
    result = find(problem, "fast", each_device, proposers=who)
    assert pairs_in(result) == textbook(problem, who)[0]


def test_common_lists_with_capacities(each_device):
    rng = np.random.default_rng(11)
    problem = Preferences.shared(
        rng.permutation(40), rng.permutation(90) + 1, woman_capacity=rng.integers(1, 4, 40)
    )
    assert pairs_in(find(problem, "fast", each_device)) == textbook(problem)[0]


@pytest.mark.parametrize("dataset", dataset_names("graph"))
def test_real_graphs_marry_as_greedy_matches(each_device, dataset):
    """Lemma 3.1: the instance that a weighted graph makes has one stable marriage, its matching."""
    graph = for_matching(gpucore.load(dataset))
    expected = gpucore.run("suitor", graph, device=each_device, certify=False).mate
    problem = Preferences.from_graph(graph)
    for variant, who in EVERYTHING:
        result = find(problem, variant, each_device, proposers=who)
        np.testing.assert_array_equal(result.wife, expected)
        np.testing.assert_array_equal(result.husband, expected)


@given(graph=graphs(max_vertices=40), schedule=st.integers(0, 2**32))
@quick
def test_lemma_3_1(graph, schedule):
    problem = Preferences.from_graph(graph)
    for variant in VARIANTS:
        result = run(problem, variant, random_schedule(schedule))
        np.testing.assert_array_equal(result.wife, greedy_mates(graph))


def test_greedy_b_matching_is_a_stable_assignment(each_device):
    """Section 3: the same with b partners each."""
    graph = random_graph(120, 900, 12)
    b = np.random.default_rng(13).integers(1, 5, 120)
    lists = Preferences.from_graph(graph).lists()
    problem = Preferences.from_lists(*lists, man_capacity=b, woman_capacity=b)
    u, v, w = graph.edges()
    left, pairs = b.copy(), []
    for e in np.lexsort((u, v, w))[::-1]:
        if left[u[e]] and left[v[e]]:
            left[[u[e], v[e]]] -= 1
            pairs += [(u[e], v[e]), (v[e], u[e])]
    assert pairs_in(find(problem, "fast", each_device)) == sorted(pairs)


def test_threads_of_the_host_do_not_matter():
    device = get_device("host", threads=4)
    for problem in INSTANCES.values():
        expected, _ = textbook(problem)
        for variant in VARIANTS:
            assert pairs_in(run(problem, variant, device)) == expected


@pytest.mark.parametrize("generate", [easy, hard], ids=["own lists", "common lists"])
def test_more_people_than_lanes(each_device, generate):
    """Warps return to the pool; on shared lists they start where they started the last time."""
    problem = generate(60_000 if each_device == "cuda" else 6_000)
    expected = uncertified("mcvitie_wilson", problem)
    for who in PROPOSERS:
        result = run(problem, "fast", each_device, proposers=who)
        if who == "men":
            np.testing.assert_array_equal(result.mate, expected.mate)
            assert result.figures["considered"] == expected.figures["considered"]
        assert certify_result(problem, result).ok


def test_places_that_do_not_fit_into_a_word(each_device, monkeypatch):
    """Where bits are short groups are small, then places are rounded down: women are met twice."""
    problem = INSTANCES["complete"]
    expected, read = textbook(problem)
    needed = 7 + 7 + 7  # man, place, rank: 120 of each
    for bits in (needed + 3, needed, needed - 1, needed - 4, needed - 6):
        monkeypatch.setattr(_marriage_search, "WORD_BITS", bits)
        result = find(problem, "fast", each_device)
        assert pairs_in(result) == expected
        assert result.figures["considered"] == read


def test_a_woman_whom_nearly_all_list(each_device):
    rng = np.random.default_rng(14)
    men = [
        [0, 1 + int(w)] if rng.random() < 0.9 else [1 + int(w)] for w in rng.integers(0, 50, 1000)
    ]
    women = [rng.permutation([m for m, row in enumerate(men) if w in row]) for w in range(51)]
    problem = Preferences.from_lists(men, [row.tolist() for row in women])
    assert pairs_in(find(problem, "fast", each_device)) == textbook(problem)[0]


@pytest.mark.parametrize(("variant", "who"), EVERYTHING, ids=NAMES)
def test_instances_without_pairs(each_device, variant, who):
    for men, women in (([], []), ([[]], []), ([], [[], []]), ([[], []], [[]])):
        problem = Preferences.from_lists(men, women)
        result = find(problem, variant, each_device, proposers=who, record="counters")
        assert result.cardinality == result.figures["considered"] == 0
        assert (result.mate == -1).all()


def test_men_fare_best_where_they_propose(each_device):
    problem = INSTANCES["complete"]
    men, women = (find(problem, "fast", each_device, proposers=who) for who in ("men", "women"))
    assert men.figures["men_mean_rank"] < women.figures["men_mean_rank"]
    assert men.figures["women_mean_rank"] > women.figures["women_mean_rank"]
