"""Small records of marriages: counters only, several partners, no people."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gpucore.families.marriage.record import marriage_record
from gpucore.families.marriage.timeline import marriage_timeline
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record import RawRecord
from support.simulation import raw_record

from .simulation import record_of, simulate

SHARED = Preferences.shared([2, 0, 1, 3], [3, 1, 5, 2, 4])


def made(raw, problem, **more):
    named = {"algorithm": "marriage", "params": {"variant": "fast"}, "device": {}, "rounds": ()}
    return marriage_record(raw, problem, **(named | more))


def test_partners_of_many_are_kept_without_a_timeline():
    nothing = np.zeros((0, 8), np.uint32)
    rows, never = np.ones((2, 1, 8), np.uint32), np.zeros(0, np.uint64)
    raw = RawRecord("counters", rows, np.array([2]), nothing, 0, 0, never, "steps")
    record = made(raw, SHARED, wife=None, pairs=(np.array([0, 1]), np.array([0, 0])))
    assert record.final["women"].tolist() == [0, 0]
    assert np.all(record.final["mate"] == -1)
    assert "without events" in marriage_timeline(record).doubt


def test_nothing_recorded_is_no_record():
    raw = raw_record(simulate(SHARED.expanded()))
    assert made(dataclasses.replace(raw, level="off"), SHARED, wife=None) is None


@pytest.mark.parametrize(("men", "women"), [(0, 0), (0, 3), (3, 0)])
@pytest.mark.parametrize("variant", ["mw", "fast", "gs"])
def test_sides_without_people(men, women, variant):
    problem = Preferences.from_lists([[]] * men, [[]] * women)
    timeline = marriage_timeline(record_of(problem, variant))
    assert timeline.exact
    assert timeline.state(len(timeline))["alone"].sum() == men
