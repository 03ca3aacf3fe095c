"""Hubs after the first round: searched by a warp in a lane's chain, by a block if they wait."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore import native
from gpucore.errors import DeviceError
from gpucore.problems.graph.generate.random import rmat
from gpucore.record.replay import timeline_of
from support.deliveries import deliveries
from support.devices import observed_schedule, race_detector, random_schedule
from support.hub_chains import hubs_in_chains, hubs_that_wait
from support.running import uncertified

EVERYTHING = [("suitor", {}), ("bmatching", {"b": 1}), ("bmatching", {"b": 3})]
NAMES = ["suitor", "b = 1", "b = 3"]


def right_mates(name, graph, given):
    """Return the mates that the methods on the processor find."""
    if name == "suitor":
        return uncertified("suitor_serial", graph).mate
    return uncertified("bsuitor_serial", graph, **given).mates


def mates_of(result):
    return result.mate if hasattr(result, "mate") else result.mates


def turns(record, vertices):
    """Return which events after the first round are turns of these vertices."""
    events = record.events
    return (events["iteration"] > 0) & np.isin(events["a"], list(vertices))


def certified(name, graph, given, **options):
    """Run with events; the result is right, its certificate valid, and its record exact."""
    result = gpucore.run(name, graph, record="events", **options, **given)
    np.testing.assert_array_equal(mates_of(result), right_mates(name, graph, given))
    assert result.certificate.ok, str(result.certificate)
    timeline = timeline_of(result.record)
    assert timeline.exact, timeline.doubt
    return result


@pytest.mark.parametrize("hubs", [1, 40])
@pytest.mark.parametrize(("name", "given"), EVERYTHING, ids=NAMES)
def test_hubs_in_chains(each_device, name, given, hubs):
    """The second warp lists the rivals; the lane of a rival goes on with the rival's hub."""
    graph, centres, rivals = hubs_in_chains(hubs, given.get("b", 1))
    events = certified(name, graph, given, device=each_device).record.events
    after = events["iteration"] > 0
    lanes = {u: set(events["lane"][after & (events["a"] == u)]) for u in [*centres, *rivals]}
    assert all(lanes[u] == lanes[v] != set() for u, v in zip(centres, rivals, strict=True))
    of_both = after & np.isin(events["a"], [*centres, *rivals])
    assert (events["warp"][of_both] == 1).all()


@pytest.mark.parametrize("hubs", [1, 40])
@pytest.mark.parametrize(("name", "given"), EVERYTHING, ids=NAMES)
def test_hubs_that_wait(each_device, name, given, hubs):
    """The first thread of a block proposes; whom a hub displaces goes on in its row."""
    graph, centres = hubs_that_wait(hubs, given.get("b", 1))
    record = certified(name, graph, given, device=each_device).record
    of_hubs = turns(record, centres)
    events_each = (
        2 * given["b"] if given else 1
    )  # b-Suitor's proposal and what it displaces are two
    _, counts = np.unique(record.events["a"][of_hubs], return_counts=True)
    assert counts.tolist() == [events_each] * hubs
    rows = set(record.events["warp"][of_hubs])
    assert min(rows) >= -(-graph.num_vertices // 64)
    assert (record.events["lane"][of_hubs] == 0).all()


@pytest.mark.parametrize(("name", "given"), EVERYTHING, ids=NAMES)
def test_a_search_is_in_the_row_of_its_warp(name, given):
    graph, centres, _ = hubs_in_chains(1, given.get("b", 1), leaves=1100)
    result = gpucore.run(name, graph, device="host", record="events", **given)
    record, steps = result.record, result.record.steps
    (event,) = np.flatnonzero(turns(record, centres))
    row = np.flatnonzero(steps["iteration"] == record.events["iteration"][event])
    degree = int(np.diff(graph.indptr)[centres[0]])
    assert steps["edges"][row] >= degree
    assert steps["lane_slots"][row] >= -(-degree // 32) * 32
    held = np.count_nonzero(mates_of(result) >= 0)
    assert steps["accepted"].sum() - steps["displaced"].sum() == held


SKEWED = rmat(12, 48)
GRAPHS = {b: [hubs_in_chains(3, b)[0], hubs_that_wait(3, b)[0], SKEWED] for b in (1, 3)}


@pytest.mark.parametrize(("name", "given"), EVERYTHING, ids=NAMES)
def test_schedules(name, given):
    for graph in GRAPHS[given.get("b", 1)]:
        right, large = right_mates(name, graph, given), graph is SKEWED
        for seed in range(4 if large else 12):
            device = random_schedule(seed) if large or seed % 3 else observed_schedule(seed)
            if device is None:
                continue
            result = gpucore.run(name, graph, device=device, certify=False, **given)
            np.testing.assert_array_equal(mates_of(result), right, f"schedule {seed}")


@pytest.mark.parametrize("record", ["off", "events"])
@pytest.mark.parametrize(("name", "given"), EVERYTHING, ids=NAMES)
def test_ranks(name, given, record):
    for graph in GRAPHS[given.get("b", 1)]:
        right = right_mates(name, graph, given)
        for ranks in (1, 2, 3):
            options = {"ranks": ranks, "transport": "peers", "device": random_schedule(ranks)}
            with deliveries(again=ranks > 2):
                result = gpucore.run(name, graph, record=record, **options, **given)
            np.testing.assert_array_equal(mates_of(result), right, f"{ranks} ranks")


def instrumented():
    try:
        native.library(instrumented=True)
    except DeviceError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(("name", "given"), EVERYTHING, ids=NAMES)
def test_there_are_no_races(name, given):
    instrumented()
    for graph in GRAPHS[given.get("b", 1)][:2]:
        device = race_detector()
        result = gpucore.run(name, graph, device=device, record="events", **given)
        assert device.profile().races == ()
        np.testing.assert_array_equal(mates_of(result), right_mates(name, graph, given))
