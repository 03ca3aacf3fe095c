"""The result of "fast" is that of its schedule, bit by bit, computed without its kernel."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.families.sgd.factors import first_factors
from gpucore.families.sgd.fast import Plan
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.work import Work
from gpucore.loading import load
from gpucore.problems.ratings.split import split
from gpucore.record import Recorder
from support.devices import random_schedule

from .cases import random_ratings
from .stripes_replay import TOGETHER, Replay, fma

#: Few users, who are split, and few items, which many workers have at a time.
FEW_USERS, FEW_ITEMS = random_ratings(2, 60, 400, seed=4), random_ratings(60, 4, 400, seed=5)
RATINGS = {"sparse": random_ratings(), "few users": FEW_USERS, "few items": FEW_ITEMS}
MODELS = {
    "plain": {},
    "biases": {"biases": True, "k": 24},
    "positive": {"positive": True, "k": 8},
    "half": {"half": True},
    "wide half": {"half": True, "k": 128, "biases": True},
    "wide": {"k": 100},
    "one stripe": {"stripes": 1},
    "three stripes": {"stripes": 3, "threads": 8, "half": True, "positive": True},
}


def prepared(ratings, params, device="host"):
    """Return the training ratings, the first vectors, and the plan of a run on a device."""
    device = get_device(device)
    train = split(ratings, params.test, params.split_seed).train
    first = first_factors(train, params)
    recorder = Recorder(device, "off", warps=1)
    return train, first, Plan(Work.on(device, recorder, params, train, first))


def replayed(ratings, params, device="host"):
    """Return a replay after all sweeps."""
    train, first, plan = prepared(ratings, params, device)
    replay = Replay(plan, train, first, params)
    for number in range(params.sweeps):
        replay.sweep(number)
    return replay


def assert_same_bits(result, replay):
    np.testing.assert_array_equal(result.users, replay.users)
    np.testing.assert_array_equal(result.items, replay.items)
    if replay.biased:
        biases = np.concatenate((replay.user_bias, replay.item_bias))
        np.testing.assert_array_equal(result.biases, biases)


@pytest.mark.parametrize("more", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("ratings", RATINGS.values(), ids=RATINGS)
def test_small_runs_have_the_bits_of_their_schedule(ratings, more):
    params = SgdParams(variant="fast", sweeps=3, rate=0.05, **more)
    given = {"variant": "fast", "sweeps": 3, "rate": 0.05, **more}
    result = gpucore.run("sgd", ratings, device=random_schedule(7), **given)
    assert_same_bits(result, replayed(ratings, params))


def test_users_are_split_and_items_shared_by_more_than_move_them_by_their_sum():
    """Else the rules for them would not be compared."""
    params = SgdParams(variant="fast")
    assert prepared(FEW_USERS, params)[2].stripes.split_parts.max() > TOGETHER
    assert (prepared(FEW_ITEMS, params)[2].stripes.entries[:, 1] >> 16 & 0xFF).max() > TOGETHER


@pytest.mark.parametrize(
    "more", [{}, {"half": True, "biases": True}], ids=["plain", "half, biases"]
)
def test_a_medium_run_has_the_bits_of_its_schedule(more):
    ratings = load("scale_free:users=3000,items=400,ratings=30000", "ratings")
    params = SgdParams(variant="fast", sweeps=2, **more)
    result = gpucore.run("sgd", ratings, device="host", variant="fast", sweeps=2, **more)
    assert result.certificate.ok
    assert_same_bits(result, replayed(ratings, params))


@pytest.mark.gpu
@pytest.mark.parametrize("more", MODELS.values(), ids=MODELS)
def test_a_run_on_the_gpu_has_the_bits_of_its_schedule(more):
    ratings = load("scale_free:users=3000,items=400,ratings=30000", "ratings")
    result = gpucore.run("sgd", ratings, device="cuda", variant="fast", sweeps=2, **more)
    params = SgdParams(variant="fast", sweeps=2, **more)
    assert_same_bits(result, replayed(ratings, params, "cuda"))


def test_fused_multiply_adds_are_rounded_once():
    """Against exact arithmetic, with sums near the middle of two single numbers."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 4000)).astype(np.float32)
    c = (rng.normal(size=4000) * 10.0 ** rng.integers(-9, 9, 4000)).astype(np.float32)
    # Sums in the middle of two numbers, or a tiny part beside it.
    a[:3], b[:3] = 1 + 2.0**-12, np.float32([1 - 2.0**-12, 1 - 2.0**-12, 2.0**-40])
    c[:3] = [2.0**-23, -(2.0**-23), 1 + 2.0**-23]
    found = fma(a, b, c)
    for x, y, z, got in zip(a, b, c, found, strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        error = abs(Fraction(float(got)) - exact)
        for side in (-np.inf, np.inf):
            other = np.nextafter(got, np.float32(side))
            assert error <= abs(Fraction(float(other)) - exact)
