"""Records of red/blue matching replay to the state of memory, forwards and backwards."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore.errors import RecordError
from gpucore.families.redblue.record import RECORD
from gpucore.families.redblue.timeline import Colour, Kind, redblue_timeline
from gpucore.problems.graph.graph import Graph
from gpucore.record import Player, Record
from gpucore.record.wire import decode, encode
from gpucore.record.words import describe, naming
from support.strategies import weighted_graphs

from .simulation import record_of, simulate


def graph_of(n, edges):
    u, v, w = zip(*edges, strict=True) if edges else ((), (), ())
    return Graph.from_edges(n, u, v, w)


COMPLETE = graph_of(7, [(u, v, 1 + (u * v) % 5) for u in range(7) for v in range(u)])
STAR = graph_of(6, [(0, v, v) for v in range(1, 6)])

chances = st.sampled_from([0.1, 0.53406, 0.9])
often = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@often
@given(weighted_graphs(), chances, st.integers(0, 2**32))
def test_after_every_sub_step_the_replay_has_what_lies_in_memory(problem, p, seed):
    machine = simulate(graph_of(*problem), p=p, seed=seed)
    record = record_of(machine)
    timeline = redblue_timeline(record)
    assert timeline.doubt == ""
    iteration = record.events["iteration"]
    ends = np.searchsorted(iteration, np.arange(record.num_steps), side="right").tolist()
    player = Player(timeline)
    for end, (colour, sigma, mate) in zip(ends, machine.snapshots, strict=True):
        state = player.seek(end)
        assert state["colour"].tolist() == colour
        assert state["mate"].tolist() == mate
        live = state["colour"] <= Colour.RED
        assert np.array_equal(state["proposal"], np.where(live, sigma, -1))
    assert state["mate"].tolist() == machine.mate
    assert not np.any(state["colour"] <= Colour.RED)
    weight = sum(machine.weight) / 2
    assert timeline.weight[-1] == pytest.approx(weight)
    assert record.steps["objective"][-1:].sum() == pytest.approx(weight)


@often
@given(weighted_graphs(max_vertices=9), chances, st.integers(0, 2**32), st.data())
def test_every_way_to_an_event_leads_to_the_same_state(problem, p, seed, data):
    timeline = redblue_timeline(record_of(simulate(graph_of(*problem), p=p, seed=seed)))
    straight = [timeline.state(time) for time in range(len(timeline) + 1)]
    player = Player(timeline)
    jumps = data.draw(st.lists(st.integers(0, len(timeline)), max_size=12))
    for time in [*jumps, *reversed(range(len(timeline) + 1))]:
        state = player.seek(time)
        assert all(np.array_equal(state[name], straight[time][name]) for name in state)


def test_rows_agree_with_the_events():
    record = record_of(simulate(COMPLETE, seed=1))
    kind, iteration = record.events["kind"], record.events["iteration"]
    for name, which in {"proposals": Kind.PROPOSE, "responses": Kind.RESPOND}.items():
        counted = np.bincount(iteration[kind == which], minlength=record.num_steps)
        assert np.array_equal(record.steps[name], counted), name
    pairs = np.bincount(iteration[kind == Kind.MATCH], minlength=record.num_steps)
    assert np.array_equal(record.steps["matched"][3::4], 2 * pairs[3::4])
    assert record.steps["live"][0] == 7


def test_a_record_without_events_has_the_counters_and_the_weight():
    machine = simulate(COMPLETE, seed=3)
    record, full = record_of(machine, level="counters"), record_of(machine)
    timeline = redblue_timeline(record)
    assert len(timeline) == 0
    assert "without events" in timeline.doubt
    for name in record.steps:
        assert np.allclose(record.steps[name], full.steps[name]), name


@pytest.mark.parametrize("capacity", [0, 5, 20])
def test_lost_events_make_a_replay_inexact_and_say_so(capacity):
    timeline = redblue_timeline(record_of(simulate(COMPLETE, seed=3), capacity=capacity))
    assert len(timeline) == capacity
    assert "did not fit" in timeline.doubt


def test_a_saved_record_plays_alike(tmp_path):
    record = record_of(simulate(STAR, seed=5))
    record.save(tmp_path / "run.npz")
    again = Record.load(tmp_path / "run.npz")
    assert again.header == record.header
    played, other = redblue_timeline(again), redblue_timeline(record)
    assert played.exact
    for name in ("offsets", "field", "index", "old", "new", "weight"):
        assert np.array_equal(getattr(played, name), getattr(other, name))


def test_a_browser_gets_the_same():
    record = record_of(simulate(STAR, seed=5))
    timeline = redblue_timeline(record)
    arrays = {name: getattr(timeline, name) for name in ("field", "index", "old", "new")}
    meta, again = decode(encode({**naming(record)}, {**arrays, **timeline.fields}))
    assert meta["family"] == "redblue"
    assert meta["sentences"]["4"] == RECORD.sentences[Kind.MATCH]
    assert all(np.array_equal(again[name], values) for name, values in arrays.items())


def test_every_kind_has_words():
    assert set(RECORD.sentences) == set(Kind)
    record = record_of(simulate(STAR, seed=0))
    assert set(record.events["kind"].tolist()) == set(Kind) - {Kind.TAKE}
    texts = [describe(record, event) for event in range(record.num_events)]
    assert not any(sign in text for text in texts for sign in "{}[|]")
    names = ["Ada", "Bob", "Cy", "Di", "Eve", "Flo"]
    named = [describe(record, event, names) for event in range(record.num_events)]
    assert any(text.startswith("Ada is coloured ") for text in named)
    assert any("has no live neighbour left" in text for text in named)


def change(part, **values):
    return lambda record: {part: {**getattr(record, part), **values}}


def swap(kind, column, value):
    def changed(record):
        events = record.events
        new = np.where(events["kind"] == kind, value, events[column])
        return {"events": {**events, column: new.astype(events[column].dtype)}}

    return changed


DOUBTS = {
    "contradict": swap(Kind.COLOUR, "b", 0),
    "cannot follow": swap(Kind.RESPOND, "kind", Kind.PROPOSE),
    "do not lead": change("final", mate=np.full(7, -1, np.int32)),
}
DAMAGES = {
    "not of a red/blue": change("header", family="matching"),
    "final mates": lambda r: {"final": {}},
    "outside of its 7": change("final", mate=np.full(7, 7, np.int32)),
    "unknown kind": lambda r: {"events": {**r.events, "kind": r.events["kind"] + np.uint8(9)}},
    "names a vertex": swap(Kind.MATCH, "b", 7),
    "iterations go back": lambda r: {"events": {**r.events, "iteration": -r.events["iteration"]}},
    "with itself": lambda r: {"events": {**r.events, "b": r.events["a"]}},
    "neither blue": swap(Kind.COLOUR, "b", 2),
    "no column 'c'": lambda r: {"events": {k: v for k, v in r.events.items() if k != "c"}},
}


@pytest.mark.parametrize("why", DOUBTS)
def test_doubts_are_named(why):
    record = record_of(simulate(COMPLETE, seed=1))
    assert why in redblue_timeline(dataclasses.replace(record, **DOUBTS[why](record))).doubt


@pytest.mark.parametrize("why", DAMAGES)
def test_damaged_records_are_refused(why):
    record = record_of(simulate(COMPLETE, seed=1))
    with pytest.raises(RecordError, match=why):
        redblue_timeline(dataclasses.replace(record, **DAMAGES[why](record)))
