"""Every schedule: each rating once a sweep, no conflicts, the same as one worker in some order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpucore
from gpucore import native
from gpucore.errors import DeviceError, ParameterError
from gpucore.families.sgd import offline
from gpucore.families.sgd.offline import Entries
from gpucore.families.sgd.record import Kind
from gpucore.families.sgd.structure import Structure
from gpucore.family import get_runner
from gpucore.problems.ratings.load import load_ratings
from gpucore.problems.ratings.ratings import Ratings
from support.devices import race_detector, random_schedule

from .cases import OFFLINE, SERIALISABLE, factor, letters, random_ratings, schedule_of

VARIANTS = get_runner("sgd").variant_names

RATINGS = random_ratings()
CHECKED = "serialisable"


def names_of_checks(result):
    return [check.name for check in result.certificate.checks]


@pytest.mark.parametrize("variant", SERIALISABLE)
@pytest.mark.parametrize(
    "more",
    [{}, {"k": 24, "biases": True}, {"k": 8, "positive": True}, {"k": 128}, {"threads": 1}],
    ids=["plain", "biases", "positive", "wide", "one worker"],
)
def test_a_run_equals_one_worker_in_the_recorded_order(variant, more):
    result = factor(RATINGS, variant, record="events", **more)
    assert CHECKED in names_of_checks(result)
    assert result.rmse < result.figures["rmse_by_sweep"][0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_sixty_schedules(variant):
    """Planted mistakes show within 30 schedules; see test_planted.py."""
    small = random_ratings(12, 6, 40, seed=2)
    for seed in range(60):
        # A worker has 4, 8 or 32 lanes, so that 8 workers are 1, 2 or 8 warps.
        k = (8, 16, 64)[seed % 3]
        result = factor(small, variant, random_schedule(seed), record="events", k=k, test=0.0)
        assert (variant in SERIALISABLE) == (CHECKED in names_of_checks(result)), seed


@pytest.mark.parametrize("variant", [*OFFLINE, "fast"])
def test_offline_schedules_give_the_same_bits_under_all_schedules(variant):
    expected = factor(RATINGS, variant)
    for seed in range(100 if variant == "fast" else 5):
        found = factor(RATINGS, variant, random_schedule(seed))
        np.testing.assert_array_equal(found.users, expected.users)
        np.testing.assert_array_equal(found.items, expected.items)


@pytest.mark.parametrize("variant", VARIANTS)
def test_there_are_no_races(variant):
    try:
        native.library(instrumented=True)
    except DeviceError as error:
        pytest.skip(str(error))
    # Their matchings are found by other kernels, which have tests of their own.
    few = random_ratings(10, 5, 20, seed=3) if "m" in variant else random_ratings(20, 8, 60, seed=3)
    for record in ("off", "events"):
        device = race_detector()
        factor(few, variant, device, record=record, sweeps=1)
        assert device.profile().races == ()


@pytest.mark.parametrize("variant", OFFLINE)
def test_no_two_ratings_of_a_step_conflict(variant):
    result = factor(RATINGS, variant, record="events", tile_items=4, tile_users=4)
    events = result.record.events
    key = np.stack([events[name] for name in ("iteration", "batch", "a")])
    assert np.unique(key, axis=1).shape[1] == key.shape[1]
    key[2] = events["b"]
    assert np.unique(key, axis=1).shape[1] == key.shape[1]


def test_lost_updates_of_hogwild_are_not_called_serialisable():
    result = factor(RATINGS, "hogwild", record="events")
    assert CHECKED not in names_of_checks(result)
    assert "every rating once a sweep" in names_of_checks(result)


# The paper's sample graph, figures 3 to 6, on two workers


SAMPLE = gpucore.load("sample_ratings", "ratings")


def on_two(variant, **more):
    """Return what two workers do in a sweep over the sample graph."""
    result = factor(SAMPLE, variant, threads=2, sweeps=1, test=0.0, record="events", **more)
    return schedule_of(result)[0]


def rows(events):
    """Return the ratings of each step, deferred ones as capitals."""
    found = {}
    for iteration, step, rating, kind in events:
        name = letters([rating])
        found.setdefault((iteration, step), []).append(
            name if kind == Kind.UPDATE else name.upper()
        )
    return ["".join(sorted(names, key=str.lower)) for names in found.values()]


def test_edge_locked_is_that_of_figure_6a():
    steps = rows(on_two("el"))
    # Of two ratings of a movie one is deferred; which one is up to the locks.
    assert [step.lower() for step in steps[:6]] == ["ab", "cd", "ef", "gh", "ij", "kl"]
    assert [sum(name.isupper() for name in step) for step in steps[:6]] == [1, 1, 0, 1, 1, 1]
    deferred = [name for step in steps[:6] for name in step if name.isupper()]
    again = [name for step in steps[6:] for name in step if name.islower()]
    assert sorted(again) == [name.lower() for name in deferred]


def test_node_locked_is_that_of_figure_6c():
    steps = rows(on_two("nl"))
    assert [step.lower() for step in steps[:3]] == ["af", "bg", "ch"]
    # m0 and m1 rate in turn: two ratings are deferred, and no others.
    assert sum(name.isupper() for step in steps for name in step) == 2
    assert sum(name.isupper() for name in "".join(steps[:2])) == 2


def test_diagonals_are_those_of_figure_5():
    indptr, users, _ = SAMPLE.by_item()
    items = np.repeat(np.arange(4, dtype=np.int32), np.diff(indptr))
    entries = Entries(users, items, 6, 4)
    sets = offline.diagonals(entries)
    # The figure lists nine; the last, of the first item and the last user, has no rating.
    assert len(sets) == 8
    main = sets.order[sets.starts[3] : sets.starts[4]]
    assert letters(main) == "ag"
    tiles = offline.tiles(entries, 2, 2)
    assert len(tiles.diagonals) - 1 == 4
    assert np.diff(tiles.starts).max() <= 4


def test_a_diagonal_without_ratings_is_no_set():
    roads = load_ratings("road:rows=20,columns=20")
    indptr, users, _ = roads.by_item()
    items = np.repeat(np.arange(roads.num_items, dtype=np.int32), np.diff(indptr))
    entries = Entries(np.array(users), items, roads.num_users, roads.num_items)
    sets = offline.diagonals(entries)
    assert len(sets) == len(np.unique(users - items)) < 20
    assert np.diff(sets.starts).min() > 0
    assert sorted(sets.order) == list(range(roads.num_ratings))
    tiles = offline.tiles(entries, 4, 8)
    assert len(tiles.diagonals) - 1 == len(np.unique(users // 8 - items // 4))
    assert np.diff(tiles.diagonals).min() > 0
    assert tiles.diagonals[-1] == len(tiles.starts) - 1
    found = Structure.of(roads, 8, tile_items=4, tile_users=8).loads
    assert found["diag"].barriers == len(sets)
    assert found["blkdiag"].barriers == len(tiles.diagonals) - 1


def test_matchings_cover_the_sample_graph():
    steps = rows(on_two("agm_e"))
    assert sorted("".join(steps)) == list("abcdefghijkl")
    # m0 has five ratings, so there are five matchings at least, on two workers.
    assert 6 <= len(steps) <= 9


# Matchings


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 12), st.integers(1, 8), st.integers(1, 40))
def test_matchings_are_maximal_and_cover_all(seed, users, items, count):
    ratings = random_ratings(users, items, count, seed)
    indptr, u, _ = ratings.by_item()
    i = np.repeat(np.arange(items, dtype=np.int32), np.diff(indptr))
    entries = Entries(u, i, users, items)
    device = gpucore.device.get_device("host")
    found = offline.maximal_matchings(entries, device, seed)
    assert found.min() == 0
    assert found.max() + 1 >= entries.largest_degree()
    for number in range(found.max() + 1):
        mine = found == number
        assert len(set(u[mine])) == len(set(i[mine])) == mine.sum() > 0
        for e in np.flatnonzero(found > number):  # each later one meets one of this matching
            assert u[e] in u[mine] or i[e] in i[mine]


# Parameters


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": 4}, "k"),
        ({"k": 129}, "k"),
        ({"rate": 0}, "nothing would be learned"),
        ({"rate": float("nan")}, "rate is nan"),
        ({"reg": -1}, "reg is -1"),
        ({"test": 0.9}, "test is 0.9"),
        ({"positive": True, "biases": True}, "no biases"),
        ({"schedule": "none"}, "schedule"),
        ({"tile_items": 0}, "tile_items"),
    ],
)
def test_wrong_parameters_are_refused(wrong, message):
    with pytest.raises(ParameterError, match=message):
        factor(RATINGS, "el", **wrong)


def test_one_rating_is_enough():
    ratings = Ratings.from_entries([0], [0], [4.0])
    for variant in VARIANTS:
        assert factor(ratings, variant, record="events").test_rmse is None


@pytest.mark.gpu
@pytest.mark.parametrize("variant", SERIALISABLE)
def test_a_run_on_the_gpu_equals_one_worker_in_the_recorded_order(variant):
    ratings = random_ratings(800, 200, 12_000, seed=5)
    result = factor(ratings, variant, "cuda", record="events", threads=0, biases=True)
    assert CHECKED in names_of_checks(result)


@pytest.mark.gpu
@pytest.mark.parametrize("variant", OFFLINE)
def test_offline_schedules_give_the_same_bits_on_both_devices(variant):
    here = factor(RATINGS, variant, "host")
    there = factor(RATINGS, variant, "cuda")
    np.testing.assert_array_equal(here.users, there.users)
    np.testing.assert_array_equal(here.items, there.items)


@pytest.mark.gpu
@pytest.mark.parametrize("more", [{}, {"biases": True}, {"half": True}, {"k": 128, "half": True}])
def test_fast_gives_the_same_bits_on_both_devices(more):
    # The schedule depends on the numbers of blocks and workers, which are those of the device.
    given = {"stripes": 3, "threads": 32, **more}
    here, there = (factor(RATINGS, "fast", device, **given) for device in ("host", "cuda"))
    for name in ("users", "items", "biases"):
        np.testing.assert_array_equal(getattr(here, name), getattr(there, name))


@pytest.mark.gpu
def test_hogwild_on_the_gpu_learns():
    # So many workers lose many updates of so few ratings; what is left goes the right way.
    result = factor(random_ratings(2000, 500, 60_000, seed=6), "hogwild", "cuda", threads=0)
    assert result.rmse < result.figures["rmse_by_sweep"][0]
