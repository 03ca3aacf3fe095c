"""Mistakes planted in the kernels are found: by the race detector, schedules or the certificate."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore import native
from gpucore.device.host import HostDevice
from gpucore.device.source import folders, source_path
from gpucore.errors import DeviceError, KernelError, ParameterError
from support.planting import Planted, build
from support.planting.apart import in_a_copy

from .cases import random_ratings
from .mistakes import ERROR, MISTAKES, OTHER, RACE

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

BUILD = Path(__file__).parents[3] / "build" / "sgd-planted-tests"
#: Schedules that may be needed to show a mistake, and schedules that show none without one.
MOST_SCHEDULES, CLEAN_SCHEDULES = 200, 25
#: Few users and items, so that workers meet at them.
RATINGS = random_ratings(8, 4, 40, seed=2)
GIVEN = {
    "sweeps": 1,
    "rate": 0.03,
    "threads": 8,
    "test": 0.0,
    "tile_items": 1,
    "tile_users": 2,
    "stripes": 2,
}
CASES = [(mistake, variant, by) for mistake, variants, by in MISTAKES for variant in variants]
IDS = [f"{mistake.name}-{variant}" for mistake, variant, _ in CASES]


@pytest.fixture(scope="module")
def library():
    """Return the library of the kernels with mistakes, which records events."""
    headers = [path for folder in folders() for path in folder.glob("*.cuh")]
    mistakes = [mistake for mistake, *_ in MISTAKES if can_be_planted(mistake)]
    sources = {source_path(mistake.source) for mistake in mistakes}
    return build(BUILD, [*headers, *sources], mistakes, levels="2")


def can_be_planted(mistake):
    """Return whether the kernels still have the text; else only the tests of this mistake fail."""
    try:
        return bool(mistake.apply(source_path(mistake.source).read_text()))
    except LookupError:
        return False


def factor(variant, device):
    """Factor the ratings; return what is wrong: an error, checks of the certificate, the vectors.

    A worker is a warp, so that nothing keeps workers in step; in "nl_batched" it always is one.
    """
    k = 8 if variant == "nl_batched" else 64
    try:
        result = gpucore.run(
            "sgd", RATINGS, device=device, variant=variant, record="events", k=k, **GIVEN
        )
    except (KernelError, ParameterError):  # the latter: numbers that are none
        return {ERROR}
    wrong = {check.name for check in result.certificate.checks if not check.ok}
    if variant == "fast" and not np.array_equal(result.items, right_items()):
        wrong.add(OTHER)
    return wrong


@cache
def right_items():
    """Return the items' vectors of "fast", which are the same under all schedules."""
    return gpucore.run("sgd", RATINGS, device="host", variant="fast", k=64, **GIVEN).items


def schedule(seed):
    """Return options of a device on which lanes may give way at every access."""
    return {
        "policy": "random",
        "seed": seed,
        "resident": 1 + seed % 4,
        "yield_access": (0.05, 0.3)[seed % 2],
        "yield_atomic": 0.5,
        "poison": True,
    }


@pytest.mark.parametrize("variant", sorted({variant for _, variant, _ in CASES}))
def test_without_a_mistake_nothing_is_found(variant):
    for seed in range(CLEAN_SCHEDULES):
        device = HostDevice(instrumented=True, observe="races", **schedule(seed))
        assert factor(variant, device) == set(), f"schedule {seed}"
        assert device.profile().races == ()


@pytest.mark.parametrize(("mistake", "variant", "by"), CASES, ids=IDS)
@in_a_copy
def test_a_mistake_is_found(library, mistake, variant, by):
    assert can_be_planted(mistake), f"{mistake.source}.cu has another text now"
    if RACE in by:
        device = Planted(library, mistake, observe="races", **schedule(5))
        factor(variant, device)
        assert device.profile().races
        lines = {race.first.file for race in device.profile().races}
        assert lines <= {f"{mistake.changed_source}.cu", "sgd.cuh", f"{mistake.source}.cuh"}
    for seed in range(MOST_SCHEDULES if by - {RACE} else 0):
        found = factor(variant, Planted(library, mistake, observe="nothing", **schedule(seed)))
        if found:
            assert found <= by
            return
    assert by == {RACE}, f"{MOST_SCHEDULES} schedules, and the result was always right"
