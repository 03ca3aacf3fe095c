"""The errors of the native certificate are those of array operations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.certify import work
from gpucore.certify.work import attended
from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.factors import Factors
from gpucore.families.sgd.native_proof import rmse
from gpucore.problems.ratings.ratings import Ratings


@given(
    st.integers(1, 9), st.integers(1, 9), st.integers(1, 20), st.integers(0, 60),
    st.booleans(), st.integers(0, 99), st.integers(1, 20), st.integers(1, 4),
)  # fmt: skip
@settings(deadline=None, max_examples=100)
def test_errors(users, items, width, count, biases, seed, block, threads):
    rng = np.random.default_rng(seed)

    def numbers(*shape):
        return rng.normal(size=shape).astype(np.float32)

    own = (numbers(users), numbers(items)) if biases else (None, None)
    factors = Factors(numbers(users, width), numbers(items, width), 3.5, *own)
    ratings = rng.integers(0, users, count), rng.integers(0, items, count), numbers(count)
    with pytest.MonkeyPatch.context() as patch, attended(threads=threads):
        patch.setattr(work, "BLOCK", block)
        found = rmse(factors, *ratings)
    assert found == pytest.approx(factors.rmse(*ratings), rel=1e-12, nan_ok=True)


@pytest.mark.parametrize(("value", "rate"), [(3.3, 0.2), (-7.7, 0.2), (1000.1, 1e-3)])
def test_a_fit_as_exact_as_single_precision_is_certified(value, rate):
    """The error that is left is rounding, another one in double precision."""
    ratings = Ratings.from_entries([0, 1], [0, 1], [value, 2 * value], (2, 2))
    options = {"k": 31, "sweeps": 60, "rate": rate, "schedule": "constant", "reg": 0.0, "test": 0.0}
    result = gpucore.run("sgd_serial", ratings, **options)
    assert result.rmse < 1e-6 * abs(value)
    assert result.certificate.ok
    wrong = replace(result, figures={**result.figures, "rmse": result.rmse + 1e-5 * abs(value)})
    assert not certify(ratings, wrong).ok


@pytest.mark.parametrize("largest", [0.01, 5.0, 100.0, 1e6])
@pytest.mark.parametrize("positive", [False, True])
def test_vectors_without_a_rating_stay_as_fixed_point_has_them(largest, positive):
    """Item 1 has no rating: its components are rounded, the more the larger all are."""
    ratings = Ratings.from_entries([0, 1, 2], [0, 0, 2], [0.0, largest / 2, largest], (3, 3))
    options = {"k": 8, "sweeps": 1, "rate": 1e-3 / max(1.0, largest), "test": 0.0}
    options |= {"variant": "fast", "positive": positive}
    result = gpucore.run("sgd", ratings, device="host", **options)
    assert result.certificate.ok
    items = result.factors.items.copy()
    items[1, 0] += 3e-6 * abs(items).max()
    wrong = replace(result, items=items)
    assert certify(ratings, wrong).failure.name == "others untouched"


def biases(change):
    """Return a change of a result whose user 3 and item 2 have no ratings."""

    def of_result(result):
        found = change(result.biases.copy())
        return replace(result, biases=found)

    return of_result


def raised(at):
    def change(found):
        found[at] += 1
        return found

    return biases(change)


@pytest.mark.parametrize("record", ["off", "events"])
@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("others untouched", raised(3)),
        ("others untouched", raised(4 + 2)),
        ("one vector each", biases(lambda found: found[:-1])),
        ("one vector each", biases(lambda found: np.append(found, np.float32(0)))),
        ("one vector each", biases(lambda found: found[:0])),
        ("one vector each", biases(lambda found: found.reshape(1, -1))),
        ("one vector each", lambda result: replace(result, users=result.users[:, 0])),
        ("finite", biases(lambda found: found * np.float32("nan"))),
    ],
)
def test_wrong_biases_are_refused(part, change, record):
    ratings = Ratings.from_entries([0, 1, 2], [0, 1, 0], [3.0, 4.0, 5.0], shape=(4, 3))
    given = {"variant": "el", "sweeps": 2, "test": 0, "device": "host", "record": record}
    result = gpucore.run("sgd", ratings, certify=False, biases=True, **given)
    assert certify(ratings, result).ok
    assert certify(ratings, change(result)).failure.name == part
    without = gpucore.run("sgd", ratings, certify=False, **given)
    added = replace(without, biases=np.zeros(7, np.float32))
    assert certify(ratings, added).failure.name == "one vector each"
