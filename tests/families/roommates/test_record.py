"""Records of Irving's algorithms: the replay ends in the result, and every event fits."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings

from gpucore.errors import RecordError
from gpucore.families.roommates.timeline import Kind
from gpucore.problems.roommates.roommates import Roommates
from gpucore.record import Record
from gpucore.record.replay import timeline_of
from gpucore.record.words import describe, naming
from support.captions import wrong_sentences
from support.running import uncertified

from .cases import SOLVABLE, UNSOLVABLE, fixtures, roommates


def record(name, problem, level="events", **params):
    return uncertified(name, problem, record=level, **params)


def replayed(result):
    """Return the state at the end of a record, which has to be exact."""
    timeline = timeline_of(result.record)
    assert timeline.exact, timeline.doubt
    return timeline.state(len(timeline))


def bids_of(problem, bid):
    """Return the people to whom each person's proposals stand."""
    rows = np.repeat(np.arange(problem.num_vertices), np.diff(problem.indptr))
    return [problem.others[(rows == p) & (bid != 0)].tolist() for p in range(problem.num_vertices)]


@given(roommates(most=12))
@settings(deadline=None, max_examples=300)
def test_the_replay_of_irvings_is_its_partition(problem):
    result = record("irving", problem)
    state, plain = replayed(result), uncertified("irving", problem)
    np.testing.assert_array_equal(result.successor, plain.successor)
    bids = bids_of(problem, state["bid"])
    assert [row[0] if row else p for p, row in enumerate(bids)] == plain.successor.tolist()
    assert all(len(row) <= 1 for row in bids)
    assert bool(np.any(state["party"] >= 0)) == (not plain.solvable)


@given(fixtures(most=12))
@settings(deadline=None, max_examples=300)
def test_the_replay_of_irving_and_scotts_is_its_solution(case):
    problem, room = case
    result = record("irving_scott", problem, b=np.array(room, np.int64))
    state, plain = replayed(result), uncertified("irving_scott", problem, b=np.array(room, int))
    bids = [set(row) for row in bids_of(problem, state["bid"])]
    mutual = [sorted(q for q in row if p in bids[q]) for p, row in enumerate(bids)]
    assert mutual == plain.lists()
    follows = np.where(state["party"] < 0, np.arange(len(room)), state["party"])
    np.testing.assert_array_equal(follows, plain.successor)


@given(fixtures(most=9))
@settings(deadline=None, max_examples=60)
def test_every_sentence_holds(case):
    problem, room = case
    graph = problem.graph()
    for name, params in (("irving", {}), ("irving_scott", {"b": np.array(room, int)})):
        assert list(wrong_sentences(record(name, graph, **params).record, graph)) == []


def test_a_sentence_that_does_not_hold_is_found():
    graph = Roommates.from_lists(SOLVABLE).graph()
    kept = record("irving", graph).record
    for kind, column in ((Kind.PROPOSE, "batch"), (Kind.CUT, "value"), (Kind.FIND, "c")):
        event = int(np.flatnonzero(kept.events["kind"] == kind)[0])
        wrong = changed(kept, event, **{column: kept.events[column][event] + 1})
        assert any(f"step {event + 1}:" in text for text in wrong_sentences(wrong, graph))


def kinds(result):
    return [Kind(kind).name for kind in result.record.events["kind"]]


def test_the_published_examples_have_a_rotation_and_an_odd_party():
    solvable = record("irving", Roommates.from_lists(SOLVABLE))
    assert (kinds(solvable).count("MOVE"), kinds(solvable).count("PARTY")) == (2, 0)
    unsolvable = record("irving", Roommates.from_lists(UNSOLVABLE))
    assert (kinds(unsolvable).count("MOVE"), kinds(unsolvable).count("PARTY")) == (0, 3)
    assert "ALONE" in kinds(unsolvable)


@pytest.mark.parametrize("name", ["irving", "irving_scott"])
def test_what_does_not_fit_is_counted(name):
    problem = Roommates.random(60, seed=2)
    whole = record(name, problem).record
    part = record(name, problem, record_budget=3000).record
    assert part.lost_events == whole.num_events - part.num_events > 0
    assert "did not fit" in timeline_of(part).doubt
    assert record(name, problem, "off").record is None
    counted = record(name, problem, "counters").record
    assert (counted.num_events, counted.initial) == (0, {})
    assert "without events" in timeline_of(counted).doubt
    for word, kind in (("proposals", "PROPOSE"), ("moved", "MOVE"), ("passed", "PASS")):
        number = np.count_nonzero(whole.events["kind"] == Kind[kind])
        assert whole.warps[word].sum() == counted.warps[word].sum() == number


def test_a_record_keeps_its_lists_in_a_file(tmp_path):
    problem = Roommates.random(30, length=6, seed=4)
    result = record("irving", problem)
    result.record.save(tmp_path / "run.npz")
    kept = Record.load(tmp_path / "run.npz")
    assert kept.header["graph"]["fingerprint"] == problem.fingerprint
    assert timeline_of(kept).exact
    np.testing.assert_array_equal(kept.initial["others"], problem.others)


def changed(kept, index, **columns):
    events = {name: values.copy() for name, values in kept.events.items()}
    for name, value in columns.items():
        events[name][index] = value
    return dataclasses.replace(kept, events=events)


def test_events_that_contradict_each_other_are_found():
    kept = record("irving", Roommates.from_lists(SOLVABLE)).record
    of = {
        kind: int(np.flatnonzero(kept.events["kind"] == kind)[0])
        for kind in (Kind.PROPOSE, Kind.CUT, Kind.MOVE)
    }
    for wrong in (
        changed(kept, of[Kind.PROPOSE], value=5),
        changed(kept, of[Kind.PROPOSE], batch=2 + kept.events["batch"][of[Kind.PROPOSE]]),
        changed(kept, of[Kind.CUT], value=9),
        changed(kept, of[Kind.MOVE], kind=Kind.PROPOSE, c=-1),
        changed(kept, of[Kind.MOVE], kind=Kind.PASS),
    ):
        assert not timeline_of(wrong).exact
    for damage in ({"a": 6}, {"kind": 9}, {"b": kept.events["a"][0]}):
        with pytest.raises(RecordError, match="damaged"):
            timeline_of(changed(kept, 0, **damage))
    with pytest.raises(RecordError, match="lacks the lists"):
        timeline_of(dataclasses.replace(kept, initial={}))


def test_persons_without_names_are_persons():
    found = record("irving", Roommates.from_lists(SOLVABLE).graph()).record
    event = int(np.flatnonzero(found.events["kind"] == Kind.PROPOSE)[0])
    assert describe(found, event).startswith("person ")
    assert naming(found)["noun"] == "person"
