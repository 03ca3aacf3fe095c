"""Offers change hands without locks: nothing races, whatever lanes do, and nothing changes."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore import native
from gpucore.errors import DeviceError
from gpucore.family import get_runner
from support.devices import observed_schedule, race_detector

from .runs import instance, pairs_in, run, shared, textbook

VARIANTS = get_runner("marriage").variant_names

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

PROBLEMS = {
    "short lists": instance(np.random.default_rng(1), 150, 150, 0.05),
    "few women": instance(np.random.default_rng(2), 90, 12, 0.9),
    "common lists": shared(np.random.default_rng(3), 60, 1100),
}
SEATS = instance(np.random.default_rng(4), 60, 8, 0.9, man_capacity=2, woman_capacity=5)
HOSPITALS = instance(np.random.default_rng(6), 170, 3, 0.95, man_capacity=1, woman_capacity=43)


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_there_are_no_races(variant, problem):
    for record in ("off", "events"):
        device = race_detector()
        result = run(problem, variant, device, record=record)
        assert device.profile().races == ()
        assert pairs_in(result) == textbook(problem)[0]


@pytest.mark.parametrize("problem", [SEATS, HOSPITALS], ids=["few seats", "many seats"])
def test_there_are_no_races_for_seats(problem):
    for record in ("off", "counters"):
        device = race_detector()
        assert pairs_in(run(problem, "fast", device, record=record)) == textbook(problem)[0]
        assert device.profile().races == ()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_hundred_schedules_with_lanes_that_part_anywhere(variant):
    problem = instance(np.random.default_rng(5), 40, 12, 0.9)
    expected, _ = textbook(problem)
    for seed in range(100):
        assert pairs_in(run(problem, variant, observed_schedule(seed))) == expected, seed


def test_a_hundred_schedules_of_seats():
    expected, _ = textbook(SEATS)
    for seed in range(100):
        assert pairs_in(run(SEATS, "fast", observed_schedule(seed))) == expected, seed


def test_two_hundred_schedules_of_seats_that_a_warp_reads_together():
    expected, _ = textbook(HOSPITALS)
    for seed in range(200):
        assert pairs_in(run(HOSPITALS, "fast", observed_schedule(seed))) == expected, seed
