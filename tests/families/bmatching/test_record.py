"""Records of b-Suitor agree with its results; damaged ones are refused."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore.errors import RecordError
from gpucore.families.bmatching.order import Kind
from gpucore.record.record import Record
from gpucore.record.replay import timeline_of
from support.bmatching_cases import graphs_and_b
from support.devices import random_schedule
from support.matching_cases import random_graph, skewed_graph

from .runs import EVERYTHING, NAMES, find

quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def held_at_the_end(timeline, graph):
    """Return holders and proposers of the offers in a timeline's last state."""
    places = np.flatnonzero(timeline.state(len(timeline))["offer"])
    rows = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    return rows[places], graph.indices[places]


@pytest.mark.parametrize("params", EVERYTHING, ids=NAMES)
@given(case=graphs_and_b(max_vertices=30), seed=st.integers(0, 2**32))
@quick
def test_replay_ends_where_the_kernels_did(params, case, seed):
    graph, b = case
    result = find(graph, b, random_schedule(seed), params, record="events")
    timeline = timeline_of(result.record)
    assert timeline.exact, timeline.doubt
    holders, proposers = held_at_the_end(timeline, graph)
    np.testing.assert_array_equal(
        np.bincount(holders, minlength=len(graph.indptr) - 1), np.diff(result.starts)
    )
    np.testing.assert_array_equal(proposers, result.mates)
    assert not timeline.state(0)["offer"].any()


@pytest.mark.parametrize("b", [1, 3, 12])
@pytest.mark.parametrize("params", EVERYTHING, ids=NAMES)
def test_replay_on_devices(each_device, params, b):
    graph = skewed_graph(9, 4000, 1, levels=9)
    record = find(graph, b, each_device, params, record="events").record
    timeline = timeline_of(record)
    assert timeline.exact, timeline.doubt


@pytest.mark.parametrize("level", ["counters", "events"])
@pytest.mark.parametrize("params", EVERYTHING, ids=NAMES)
def test_rows_add_up(each_device, params, level):
    graph = random_graph(1500, 6000, 3)
    for b in (3, 10):
        result = find(graph, b, each_device, params, record=level)
        steps = result.record.steps
        assert steps["objective"][-1] == pytest.approx(result.weight, rel=1e-4)
        assert (steps["lane_slots"] >= steps["edges"]).all()
        assert (steps["lane_slots"] % 32 == 0).all()
        held = steps["accepted"].sum() - steps["displaced"].sum()
        assert held == 2 * result.cardinality


@pytest.mark.parametrize("params", EVERYTHING, ids=NAMES)
def test_events_add_up_to_the_rows(each_device, params):
    graph = random_graph(800, 3000, 4, levels=30)
    for b in (2, "degree/2"):
        record = find(graph, b, each_device, params, record="events").record
        kinds = np.bincount(record.events["kind"], minlength=5)
        steps = record.steps
        assert kinds[Kind.PROPOSE] == steps["accepted"].sum()
        assert kinds[Kind.PROPOSE] + kinds[Kind.OUTBID] == steps["proposals"].sum()
        assert kinds[Kind.DROP] == steps["displaced"].sum()
        assert kinds[Kind.EXHAUSTED] == steps["exhausted"].sum()


def test_a_vertex_never_holds_much_more_than_its_capacity():
    """Only offers whose words are under way are above it: at most one for each lane of a warp."""
    graph = skewed_graph(7, 900, 2)
    record = find(graph, 2, "host", {"variant": "eager"}, record="events").record
    kind, b = record.events["kind"], record.events["b"]
    step = np.where(kind == Kind.PROPOSE, 1, np.where(kind == Kind.DROP, -1, 0))
    for vertex in range(graph.num_vertices):
        held = np.cumsum(step[b == vertex])
        assert held.max(initial=0) <= 2 + 32
        assert held.min(initial=0) >= 0


@pytest.fixture
def record() -> Record:
    """Return a record with all kinds of events."""
    return find(skewed_graph(5, 90, 2), 2, "host", {"variant": "eager"}, record="events").record


def with_event(record, number, **values):
    """Return the record with values of one event changed."""
    events = {name: column.copy() for name, column in record.events.items()}
    for name, value in values.items():
        events[name][number] = value
    return dataclasses.replace(record, events=events)


def test_an_offer_that_was_never_taken_is_noticed(record):
    fall = np.flatnonzero(record.events["kind"] == Kind.DROP)[0]
    taken = (record.events["b"] == record.events["b"][fall]) & (
        record.events["a"] == record.events["c"][fall]
    )
    taking = np.flatnonzero(taken & (record.events["kind"] == Kind.PROPOSE))[0]
    assert "was not held" in timeline_of(with_event(record, taking, kind=Kind.OUTBID)).doubt


def test_a_lost_end_is_noticed(record):
    last = np.flatnonzero(record.events["kind"] == Kind.PROPOSE)[-1]
    assert "do not lead" in timeline_of(with_event(record, last, kind=Kind.OUTBID)).doubt


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"a": -1}, "names vertex -1, but the graph has 32 vertices"),
        ({"a": 32}, "names vertex 32"),
    ],
)
def test_damaged_events_are_refused(record, values, message):
    with pytest.raises(RecordError, match=message):
        timeline_of(with_event(record, 0, **values))


def test_an_edge_that_is_none_is_refused(record):
    first = np.flatnonzero(record.events["kind"] == Kind.PROPOSE)[0]
    own = int(record.events["b"][first])
    with pytest.raises(RecordError, match="which the graph does not have"):
        timeline_of(with_event(record, first, a=own))


@pytest.mark.parametrize("part", ["capacity", "indptr", "indices"])
def test_a_record_without_its_graph_is_refused(record, part):
    rest = {name: values for name, values in record.initial.items() if name != part}
    with pytest.raises(RecordError, match=f"lacks {part}"):
        timeline_of(dataclasses.replace(record, initial=rest))


def test_a_wrong_graph_is_refused(record):
    wrong = record.initial | {"indptr": record.initial["indptr"][::-1].copy()}
    with pytest.raises(RecordError, match="graph is damaged"):
        timeline_of(dataclasses.replace(record, initial=wrong))
