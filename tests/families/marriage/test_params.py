"""Stable marriage: refused parameters, cancelling, records."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import gpucore
from gpucore.errors import Cancelled, DeviceError, GraphError, ParameterError
from gpucore.families.marriage import search as _marriage_search
from gpucore.families.marriage.order import Kind
from gpucore.family import get_runner
from gpucore.record.replay import timeline_of
from support.cancelling import Later
from support.devices import SmallDevice

from .runs import EVERYTHING, NAMES, find, instance, pairs_in, run, shared

VARIANTS = get_runner("marriage").variant_names

PROBLEM = instance(np.random.default_rng(1), 200, 180, 0.1)
COMMON = shared(np.random.default_rng(2), 70, 60)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"variant": "slow"}, "no variant 'slow'; it has fast, mw, gs"),
        ({"proposers": "all"}, "proposers are 'all'; use men or women"),
        ({"threads_per_block": 31}, "threads_per_block is 31"),
        ({"seed": 3}, "marriage has no parameter 'seed'"),
    ],
)
def test_wrong_parameters(params, message):
    with pytest.raises(ParameterError, match=message):
        gpucore.run("marriage", PROBLEM, device="host", **params)


def test_what_is_no_instance():
    with pytest.raises(GraphError, match="preference"):
        gpucore.run("marriage", gpucore.load("karate"), device="host")


def test_rounds_have_no_capacities():
    problem = instance(np.random.default_rng(3), 9, 4, 1.0, woman_capacity=2)
    assert pairs_in(find(problem, "mw")) == pairs_in(find(problem, "fast"))
    with pytest.raises(ParameterError, match="gs gives everybody one partner; with capacities use"):
        run(problem, "gs")


def test_seats_beyond_number():
    problem = instance(np.random.default_rng(4), 50, 40, 1.0, woman_capacity=2**31 - 1)
    assert find(problem).cardinality == 50


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_instance_that_does_not_fit(variant):
    large = instance(np.random.default_rng(5), 3000, 3000, 0.01)
    with pytest.raises(DeviceError, match=r"needs [\d.]+ [KM]iB, but device 'host' has only"):
        run(large, variant, SmallDevice())


@pytest.mark.parametrize("variant", VARIANTS)
def test_cancel(each_device, variant, monkeypatch):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        run(PROBLEM, variant, each_device, cancel=cancel)
    monkeypatch.setattr(_marriage_search, "STEPS", 4)
    monkeypatch.setattr(_marriage_search, "ROUNDS", {"cuda": 1, "host": 1})
    with pytest.raises(Cancelled):
        run(COMMON, variant, each_device, cancel=Later(2))
    find(PROBLEM, variant, each_device)


@pytest.mark.parametrize("problem", [PROBLEM, COMMON], ids=["own lists", "common lists"])
@pytest.mark.parametrize(("variant", "who"), EVERYTHING, ids=NAMES)
def test_many_short_launches_do_the_same(each_device, problem, variant, who, monkeypatch):
    expected = find(problem, variant, each_device, proposers=who, record="events")
    monkeypatch.setattr(_marriage_search, "STEPS", 4)
    monkeypatch.setattr(_marriage_search, "ROUNDS", {"cuda": 2, "host": 2})
    result = find(problem, variant, each_device, proposers=who, record="events")
    assert pairs_in(result) == pairs_in(expected)
    assert result.figures["considered"] == expected.figures["considered"]
    assert timeline_of(result.record).exact


def test_many_short_launches_with_seats(each_device, monkeypatch):
    problem = instance(np.random.default_rng(6), 90, 9, 1.0, woman_capacity=9, man_capacity=2)
    expected = find(problem, device=each_device)
    monkeypatch.setattr(_marriage_search, "STEPS", 3)
    from gpucore.families.marriage import seats as _marriage_seats

    monkeypatch.setattr(_marriage_seats, "STEPS", 3)
    assert pairs_in(find(problem, device=each_device)) == pairs_in(expected)


@pytest.mark.parametrize("problem", [PROBLEM, COMMON], ids=["own lists", "common lists"])
@pytest.mark.parametrize(("variant", "who"), EVERYTHING, ids=NAMES)
def test_record_levels_do_not_matter(each_device, problem, variant, who):
    graph = problem.graph()
    off, counters, events = (
        find(graph, variant, each_device, proposers=who, record=level)
        for level in ("off", "counters", "events")
    )
    assert off.record is None
    for result in (counters, events):
        assert pairs_in(result) == pairs_in(off)
        assert result.figures["considered"] == off.figures["considered"]
    timeline = timeline_of(events.record)
    assert events.record.lost_events == 0
    assert timeline.exact, timeline.doubt
    end = timeline.state(len(timeline))
    np.testing.assert_array_equal(end["mate"], off.mate)


@pytest.mark.parametrize("problem", [PROBLEM, COMMON], ids=["own lists", "common lists"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_add_up(each_device, problem, variant):
    result = find(problem.graph(), variant, each_device, record="events")
    steps, kinds = result.record.steps, result.record.events["kind"]
    count = {kind: int((kinds == kind).sum()) for kind in Kind}
    assert steps["engaged"].sum() == count[Kind.ENGAGE]
    assert steps["refused"].sum() == count[Kind.REFUSE]
    assert steps["skipped"].sum() == count[Kind.SKIP]
    assert steps["failed"].sum() == count[Kind.FAILED]
    assert result.figures["proposals"] == count[Kind.ENGAGE] + count[Kind.REFUSE]
    engaged = count[Kind.ENGAGE] - int(steps["displaced"].sum())
    assert engaged == result.cardinality
    assert count[Kind.ALONE] == problem.num_men - result.cardinality
    if variant == "gs":
        assert sum(result.figures["proposed"]) == count[Kind.PROPOSE]
        assert result.figures["rounds"] == len(result.figures["free"])
    else:
        assert steps["considered"].sum() == result.figures["considered"]


@pytest.mark.parametrize("problem", [PROBLEM, COMMON], ids=["own lists", "common lists"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_warp_that_acts_has_rows_of_its_own(each_device, problem, variant):
    record = find(problem.graph(), variant, each_device, record="events").record
    assert set(record.events["warp"].tolist()) <= set(record.warps["warp"].tolist())


def test_rounds_are_those_of_gale_and_shapley(each_device):
    """Common lists: one man is served each round, and all others come again."""
    problem = shared(np.random.default_rng(7), 30, 30)
    result = find(problem, "gs", each_device)
    assert result.figures["rounds"] == 30
    assert result.figures["free"] == list(range(30, 0, -1))


@pytest.mark.parametrize("variant", VARIANTS)
def test_progress_is_reported(each_device, variant):
    seen = []
    find(PROBLEM, variant, each_device, progress=lambda *step: seen.append(step))
    assert seen[0] == ("proposing", 0, 0)
    assert seen[-1][0] == "certifying"
