"""Generated preferences: the paper's properties, planted marriages, memory, seeds."""

import math
import tracemalloc
from itertools import product

import numpy as np
import pytest

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problems.preferences.generate import (
    PREFERENCE_GENERATORS,
    classic,
    cycles,
    easy,
    hard,
    hospitals,
)
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.preferences.random_lists import draw_lists
from gpucore.specification import generate

from .strategies import wives

SPECS = (
    "easy:n=100,seed=3",
    "hard:n=20,seed=3",
    "classic:n=20,seed=3",
    "cycles:n=11,length=4,seed=3",
    "hospitals:residents=30,hospitals=7,capacity=2,length=5,seed=3",
)


def made(spec):
    kind, _, text = spec.partition(":")
    return generate(PREFERENCE_GENERATORS, kind, text, None)


def checked(preferences):
    """Return the instance rebuilt from its lists by the constructor that checks everything."""
    capacities = (preferences.man_capacity, preferences.woman_capacity)
    explicit = preferences.expanded()
    return Preferences.from_lists(
        *explicit.lists(), man_capacity=capacities[0], woman_capacity=capacities[1]
    )


def test_every_generator_has_an_example():
    assert {spec.split(":")[0] for spec in SPECS} == set(PREFERENCE_GENERATORS)


@pytest.mark.parametrize("spec", SPECS)
def test_instances_are_correct_and_made_again_from_their_source(spec):
    preferences = made(spec)
    again = checked(preferences)
    assert again == preferences.expanded()
    assert again.source["purged"] == 0
    assert preferences.source == {"kind": "generator", "spec": spec}
    assert made(spec) == preferences
    assert made(spec.replace("seed=3", "seed=4")) != preferences


def test_easy_is_as_the_paper_says():
    n = 3000
    preferences = easy(n, seed=2)
    lengths = np.diff(preferences.indptr)
    assert lengths.min() >= round(math.log(n)) == 8
    assert lengths.max() <= round(2 * math.log(n)) == 16
    assert preferences.num_pairs == pytest.approx(1.5 * n * math.log(n), rel=0.02)
    # Every woman is as likely as any other, at every place; her men stand in random order.
    counts = np.bincount(preferences.women, minlength=n)
    assert counts.var() == pytest.approx(counts.mean(), rel=0.2)
    first = preferences.women[preferences.indptr[:-1]]
    assert first.mean() == pytest.approx(n / 2, rel=0.05)
    relative = preferences.her_rank / (counts[preferences.women] + 1)
    assert relative.mean() == pytest.approx(0.5, rel=0.01)
    men = np.repeat(np.arange(n), lengths)
    assert abs(np.corrcoef(men, relative)[0, 1]) < 0.03
    assert abs(np.corrcoef(preferences.women, relative)[0, 1]) < 0.03


def test_easy_marries_nearly_all_within_n_ln_n_proposals_or_so():
    n = 2000
    married, proposals = wives(easy(n, seed=1))
    assert n - married.count(-1) > 0.95 * n
    assert 0.25 * n * math.log(n) < proposals < 2 * n * math.log(n)


def test_hard_marries_all_in_the_order_of_the_two_vectors():
    preferences = hard(60)
    married, _ = wives(preferences)
    expected = preferences.order[preferences.standing - 1]
    assert married == expected.tolist()


@pytest.mark.parametrize(("length", "women"), [(9, 40), (30, 40), (70, 900)])
def test_lists_are_the_same_for_any_number_of_threads(length, women):
    lengths = np.full(500, length)
    rows = [draw_lists(lengths, women, 2**63 + 5, threads=threads) for threads in (1, 2, 5)]
    for other in rows[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(rows[0], other, strict=True))
    lists = np.sort(rows[0].women.reshape(500, length), axis=1)
    assert (lists[:, 1:] > lists[:, :-1]).all()
    assert np.bincount(rows[0].women, minlength=women).min() > 0


def test_empty_lists_and_empty_sides_are_drawn():
    rows = draw_lists(np.array([0, 2, 0]), 2, 1)
    assert rows.indptr.tolist() == [0, 0, 2, 2]
    assert draw_lists(np.empty(0, np.int64), 0, 1).women.size == 0
    assert easy(1).num_pairs == 0


def test_hard_keeps_two_vectors():
    tracemalloc.start()
    preferences = hard(100_000)
    preferences.fingerprint  # noqa: B018 - made here
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert preferences.num_pairs == 10**10
    assert preferences.nbytes == 800_000
    assert peak < 8_000_000


def test_classic_lists_are_complete():
    preferences = classic(30)
    assert (np.diff(preferences.indptr) == 30).all()
    men, women = preferences.lists()
    assert len({tuple(row) for row in men}) == len({tuple(row) for row in women}) == 30


def stable(preferences, wives):
    """Return whether no pair blocks, by trying all pairs."""
    husbands = {w: m for m, w in enumerate(wives)}
    ranks = {pair: preferences.rank(*pair) for pair in product(range(len(wives)), repeat=2)}
    return not any(
        pair is not None and pair[0] < ranks[m, wives[m]][0] and pair[1] < ranks[husbands[w], w][1]
        for (m, w), pair in ranks.items()
    )


def test_cycles_have_a_stable_marriage_for_every_shift():
    preferences = cycles(12, 4, seed=5)
    men = preferences.lists()[0]
    for choice in range(4):
        wives = [row[choice] for row in men]
        assert sorted(wives) == list(range(12))
        assert stable(preferences, wives)
        assert all(preferences.rank(m, w) == (choice + 1, 4 - choice) for m, w in enumerate(wives))


def test_cycles_part_men_and_women_as_far_as_their_lists_reach():
    preferences = cycles(12, 4)
    best, _ = wives(preferences)
    husbands, _ = wives(preferences.swapped())
    assert [preferences.rank(m, w) for m, w in enumerate(best)] == [(1, 4)] * 12
    assert [preferences.rank(m, w) for w, m in enumerate(husbands)] == [(4, 1)] * 12


def test_hospitals_take_several_residents():
    preferences = hospitals(40, 8, capacity=4, length=3)
    assert preferences.woman_capacity.tolist() == [4] * 8
    assert preferences.man_capacity is None
    assert (np.diff(preferences.indptr) == 3).all()


@pytest.mark.parametrize(
    ("spec", "cause"),
    [
        ("easy:n=0", "n must be between 1"),
        ("easy:n=5,seed=-1", "seed must be a whole number of at least 0"),
        ("easy:seed=1", "generator easy needs n"),
        ("cycles:n=3,length=4", "length must be between 1 and 3, not 4"),
        ("hospitals:residents=3,hospitals=2,length=3", "between 1 and the 2 hospitals"),
        ("hospitals:residents=3,hospitals=8,capacity=0", "capacity must be between 1"),
        ("classic:size=3", "generator classic has no parameter 'size'"),
    ],
)
def test_bad_parameters_are_named(spec, cause):
    with pytest.raises(GraphError, match=cause):
        made(spec)


@pytest.mark.parametrize(
    ("make", "size"),
    [(easy, 10**6), (classic, 10**5), (cycles, 10**8), (hard, 10**9)],
)
def test_too_large_ones_are_refused_before_anything_is_allocated(make, size):
    with pytest.raises(GraphError, match="of memory, more than the"):
        make(size, limits=Limits(max_bytes=10**7, max_entries=10**12))


def test_memory_alone_bounds_the_pairs(monkeypatch):
    """125 million men, the paper's largest, have 3.5 thousand million pairs: over 2**31."""
    monkeypatch.setattr("gpucore.limits.available_memory", lambda: 8 << 30)
    with pytest.raises(GraphError, match=r"3495717056 entries needs about 61 GiB"):
        easy(125_000_000)
