"""A record of the matching family replays to the kernels' result, or reports why it does not."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.errors import RecordError
from gpucore.families.matching.order import Kind
from gpucore.families.matching.record import matching_timeline
from gpucore.record import Player
from gpucore.record.words import describe
from support.strategies import weighted_graphs
from support.suitor_simulation import greedy, record_of, simulate

PATH = (5, [(0, 1, 1.0), (1, 2, 2.0), (2, 3, 3.0), (3, 4, 4.0)])


def same(one, other):
    return all(np.array_equal(one[name], other[name]) for name in one) and set(one) == set(other)


@settings(max_examples=100, deadline=None)
@given(weighted_graphs(), st.integers(1, 5), st.integers(0, 2**32), st.sampled_from([0, 0.6, 0.95]))
def test_the_end_of_the_replay_is_the_end_of_the_run(graph, warps, seed, stickiness):
    record = record_of(*graph, warps=warps, seed=seed, stickiness=stickiness)
    timeline = matching_timeline(record)
    assert timeline.exact
    end = timeline.state(len(timeline))
    assert np.array_equal(end["suitor"], record.final["suitor"])
    assert np.array_equal(end["bid"], record.final["bid"])
    assert np.array_equal(end["suitor"], greedy(*graph))
    assert np.array_equal(end["target"], end["suitor"])
    assert np.array_equal(end["exhausted"] == 1, end["suitor"] < 0)


@settings(max_examples=40, deadline=None)
@given(weighted_graphs(), st.integers(0, 2**32), st.data())
def test_every_way_to_a_step_leads_to_the_same_state(graph, seed, data):
    timeline = matching_timeline(record_of(*graph, seed=seed))
    steps = st.integers(0, len(timeline))
    straight = [timeline.state(time) for time in range(len(timeline) + 1)]
    player = Player(timeline)
    for time in data.draw(st.lists(steps, max_size=12)):
        assert same(player.seek(time), straight[time])
    backwards = Player(timeline)
    for time in reversed(range(len(timeline) + 1)):
        assert same(backwards.seek(time), straight[time])


@settings(max_examples=40, deadline=None)
@given(weighted_graphs(), st.integers(1, 5), st.integers(0, 2**32))
def test_steps_agree_with_the_events(graph, warps, seed):
    record = record_of(*graph, warps=warps, seed=seed)
    kind, iteration = record.events["kind"], record.events["iteration"]
    for column, kinds in {
        "proposals": (Kind.PROPOSE_FREE, Kind.DISPLACE, Kind.OUTBID),
        "accepted": (Kind.PROPOSE_FREE, Kind.DISPLACE),
        "displaced": (Kind.DISPLACE,),
        "exhausted": (Kind.EXHAUSTED,),
        "active": tuple(k for k in Kind if k <= Kind.EXHAUSTED),
    }.items():
        counted = np.bincount(iteration[np.isin(kind, kinds)], minlength=record.num_steps)
        assert np.array_equal(record.steps[column], counted), column
    bids = record.final["bid"].sum(dtype=np.float64)
    assert record.steps["objective"][-1] == pytest.approx(bids / 2)
    assert not np.any(record.warps["active"] == 0)


def test_lost_events_make_a_replay_inexact_and_say_so():
    record = record_of(*PATH, warps=2, seed=1, capacity=3)
    timeline = matching_timeline(record)
    assert record.lost_events > 0
    assert not timeline.exact
    assert "did not fit" in timeline.doubt
    assert "budget" in timeline.doubt
    assert len(timeline) == 3


@pytest.mark.parametrize(
    ("change", "doubt"),
    [
        ({"header": {"consistent": False}}, "contradict"),
        ({"header": {"level": "counters"}}, "without events"),
        ({"final": {"suitor": np.full(5, -1, np.int32)}}, "do not lead"),
    ],
)
def test_doubts_are_named(change, doubt):
    record = record_of(*PATH)
    changes = {part: {**getattr(record, part), **values} for part, values in change.items()}
    timeline = matching_timeline(dataclasses.replace(record, **changes))
    assert doubt in timeline.doubt


def test_a_wrong_displacement_is_noticed():
    record = record_of(*PATH, warps=1)
    events = {name: column.copy() for name, column in record.events.items()}
    first = np.flatnonzero(events["kind"] == Kind.DISPLACE)[0]
    events["c"][first] = 4
    timeline = matching_timeline(dataclasses.replace(record, events=events))
    assert "another suitor" in timeline.doubt


@pytest.mark.parametrize(
    ("part", "values", "message"),
    [
        ("header", {"family": "colouring"}, "family 'colouring'"),
        ("events", {"a": np.full(9, 77, np.int32)}, "names vertex 77"),
        ("events", {"a": np.zeros(9, np.float64)}, "no column 'a'"),
        ("final", {"bid": np.zeros(4, np.float32)}, "should be 5 values"),
    ],
)
def test_damaged_records_are_refused(part, values, message):
    record = record_of(*PATH, warps=1)
    length = record.num_events
    values = {
        name: np.resize(value, length) if part == "events" else value
        for name, value in values.items()
    }
    damaged = dataclasses.replace(record, **{part: {**getattr(record, part), **values}})
    with pytest.raises(RecordError, match=message):
        matching_timeline(damaged)


def test_there_is_no_step_outside():
    timeline = matching_timeline(record_of(*PATH))
    with pytest.raises(RecordError, match="steps 0 to"):
        timeline.state(len(timeline) + 1)
    with pytest.raises(RecordError, match="no step -1"):
        timeline.state(-1)


def test_a_graph_without_edges():
    timeline = matching_timeline(record_of(4, []))
    assert timeline.exact
    assert timeline.state(4)["exhausted"].tolist() == [1, 1, 1, 1]


def test_events_in_words():
    record = record_of(*PATH, warps=1)
    sentences = [describe(record, i) for i in range(record.num_events)]
    assert sentences[0] == "vertex 0 proposes to 1 with 1, and 1 had no suitor"
    assert any("and displaces" in sentence for sentence in sentences)
    assert sentences[-1].endswith("stays alone")
    names = ["Ada", "Bob", "Cy", "Di", "Eve"]
    assert describe(record, 0, names) == "Ada proposes to Bob with 1, and Bob had no suitor"
    with pytest.raises(RecordError, match="no event 99"):
        describe(record, 99)


def test_a_machine_that_agrees_with_greedy_is_no_accident():
    """Guards the tests above: simulated runs must displace and outbid."""
    n = 40
    edges = [(u, v, (u * 7 + v * 3) % 11 + 1) for u in range(n) for v in range(u)]
    kinds = {event[2] for event in simulate(n, edges, 6, 2, 0.2).happened}
    assert {Kind.PROPOSE_FREE, Kind.DISPLACE, Kind.OUTBID} <= kinds
