"""Records of bipartite matchings replay to the state of memory, under any interleaving."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import maximum_bipartite_matching

from gpucore.errors import RecordError
from gpucore.families.bipartite.record import (
    RECORD,
    STEP_KINDS,
    Kind,
    bipartite_timeline,
    mates,
)
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.record import Player, Record
from gpucore.record.record import event_columns
from gpucore.record.wire import decode, encode
from gpucore.record.words import describe, naming
from support.simulation import raw_record
from support.strategies import bipartite_graphs

from .simulation import L0, record_of, simulate

#: Row 0 and column 1 are matched; rows 1 and 2 end two paths from column 0 (the paper's figure 1).
FIGURE_1 = BipartiteGraph.from_entries([0, 0, 1, 2], [0, 1, 1, 1], shape=(3, 2))
DENSE = BipartiteGraph.from_matrix(np.ones((6, 7)))
CIRCLES = BipartiteGraph.from_entries(
    [*range(8), *range(8), *range(8)],
    [*range(8), *((i + 1) % 8 for i in range(8)), *((i + 3) % 8 for i in range(8))],
    shape=(8, 8),
)

variants = st.fixed_dictionaries(
    {
        "shortest": st.booleans(),
        "roots": st.booleans(),
        "initial": st.sampled_from(["cheap", "none", "given"]),
        "threads": st.sampled_from([0, 2]),
        "seed": st.integers(0, 2**32),
        "stickiness": st.sampled_from([0, 0.3, 0.9]),
    }
)
often = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seldom = settings(often, max_examples=25)


def pairs_of(mate):
    """Return the number of pairs that name each other, counted one by one."""
    return sum(mate[v] >= 0 and mate[mate[v]] == v for v in range(len(mate))) // 2


def ends_of_steps(record):
    iteration = record.events["iteration"]
    return np.searchsorted(iteration, np.arange(record.num_steps), side="right").tolist()


@often
@given(bipartite_graphs(), variants)
def test_the_end_of_the_replay_is_the_end_of_the_run(graph, options):
    machine = simulate(graph, **options)
    record = record_of(machine)
    timeline = bipartite_timeline(record)
    assert timeline.doubt == ""
    end = timeline.state(len(timeline))["mate"]
    assert np.array_equal(end, mates(np.array(machine.rmatch), np.array(machine.cmatch)))
    best = np.count_nonzero(maximum_bipartite_matching(graph.to_matrix()) >= 0)
    assert timeline.cardinality[-1] == best == record.steps["objective"][-1]


@often
@given(bipartite_graphs(), variants, st.booleans())
def test_after_every_launch_the_replay_has_what_lies_in_memory(graph, options, check):
    machine = simulate(graph, check=check, **options)
    record = record_of(machine)
    timeline = bipartite_timeline(record)
    assert timeline.doubt == ""
    player, rows = Player(timeline), graph.num_rows
    for end, step, memory in zip(
        ends_of_steps(record), machine.steps, machine.snapshots, strict=True
    ):
        rmatch, cmatch, bfs, _ = (np.array(values) for values in memory)
        state = player.seek(end)
        assert np.array_equal(state["mate"], mates(rmatch, cmatch))
        assert timeline.cardinality[end] == step["cardinality"] == pairs_of(state["mate"])
        if step["kind"] == "top_down":
            # Where a path was found, the array of the paper no longer holds the root's level.
            expected = np.where(bfs < L0 - 1, 1, bfs - L0 + 1)
            assert np.array_equal(state["wave"][rows:], expected)


@often
@given(bipartite_graphs(), variants)
def test_every_phase_ends_with_a_matching(graph, options):
    machine = simulate(graph, **options)
    record = record_of(machine)
    timeline = bipartite_timeline(record)
    ends = dict(zip(record.steps["phase"].tolist(), ends_of_steps(record), strict=True))
    for number, phase in enumerate(machine.phases, start=1):
        mate = timeline.state(ends[number])["mate"]
        matched = np.flatnonzero(mate >= 0)
        assert np.array_equal(mate[mate[matched]], matched)
        assert len(matched) == 2 * phase["cardinality"]


@often
@given(bipartite_graphs(), variants)
def test_walks_find_the_parents_that_the_replay_shows(graph, options):
    machine = simulate(graph, **options)
    record = record_of(machine)
    events, player = record.events, Player(bipartite_timeline(record))
    entries = set(zip(*(side.tolist() for side in graph.entries()), strict=True))
    for time in range(record.num_events):
        kind, a, b = (int(events[name][time]) for name in ("kind", "a", "b"))
        parent, wave = player.seek(time)["parent"], player.state["wave"]
        for row in np.flatnonzero(parent[: graph.num_rows] >= 0).tolist():
            assert (row, int(parent[row]) - graph.num_rows) in entries
            assert wave[row] == wave[parent[row]] + 1
        if kind == Kind.FLIP:
            assert parent[b] == a
        elif kind == Kind.STOP:
            assert parent[a] == b


@seldom
@given(bipartite_graphs(), variants, st.data())
def test_every_way_to_a_step_leads_to_the_same_state(graph, options, data):
    timeline = bipartite_timeline(record_of(simulate(graph, **options)))
    straight = [timeline.state(time) for time in range(len(timeline) + 1)]
    player = Player(timeline)
    jumps = data.draw(st.lists(st.integers(0, len(timeline)), max_size=12))
    for time in [*jumps, *reversed(range(len(timeline) + 1))]:
        state = player.seek(time)
        assert all(np.array_equal(state[name], straight[time][name]) for name in state)
    cardinality = [pairs_of(state["mate"]) for state in straight]
    assert timeline.cardinality.tolist() == cardinality


def as_logged(machine):
    """Return the record of a run with its events in the order of their slots."""
    record = record_of(machine)
    events = event_columns(raw_record(machine))
    return dataclasses.replace(record, events={**events, "time": record.events["time"]})


def test_races_do_happen_in_the_simulation():
    """Guards the tests above: rows are reached twice, columns are given twice, walks stop."""
    found = set()
    misled = 0
    for seed in range(40):
        machine = simulate(CIRCLES, roots=False, initial="given", seed=seed)
        record = record_of(machine)
        kind, iteration, a, b = (record.events[name] for name in ("kind", "iteration", "a", "b"))
        found |= set(kind.tolist())
        for which, place in ((Kind.REACH, b), (Kind.PATH, b), (Kind.FLIP, a)):
            launches = list(zip(iteration[kind == which], place[kind == which], strict=True))
            found |= {(which, "twice")} if len(set(launches)) < len(launches) else set()
        misled += not bipartite_timeline(as_logged(machine)).exact
    assert {Kind.STOP, Kind.FIX} < found
    assert {(which, "twice") for which in (Kind.REACH, Kind.PATH, Kind.FLIP)} < found
    assert misled > 0


def test_without_the_predecessor_check_walks_go_round_and_the_replay_shows_it():
    """Figure 1: the second walk finds its own row as the mate of its column."""
    run_away = 0
    for seed in range(20):
        machine = simulate(FIGURE_1, roots=False, initial="none", check=False, seed=seed)
        record = record_of(machine)
        assert bipartite_timeline(record).doubt == ""
        run_away += np.count_nonzero(record.events["kind"] == Kind.RUNAWAY)
    assert run_away > 0


def test_a_record_without_events_has_the_initial_matching_and_the_counters():
    machine = simulate(DENSE, seed=3)
    record = record_of(machine, level="counters")
    timeline = bipartite_timeline(record)
    assert len(timeline) == 0
    assert "without events" in timeline.doubt
    assert timeline.cardinality.tolist() == [record.header["initial_cardinality"]]
    full = record_of(machine)
    for name in record.steps:
        if name != "objective":
            assert np.array_equal(record.steps[name], full.steps[name]), name
    of_kind = [STEP_KINDS[code] for code in record.steps["kind"]]
    assert of_kind == [step["kind"] for step in machine.steps]


def test_rows_agree_with_the_events():
    record = record_of(simulate(CIRCLES, roots=False, initial="given", seed=1))
    kind, iteration = record.events["kind"], record.events["iteration"]
    for name, which in {"reached": Kind.REACH, "paths": Kind.PATH, "flips": Kind.FLIP}.items():
        counted = np.bincount(iteration[kind == which], minlength=record.num_steps)
        assert np.array_equal(record.steps[name], counted), name


def test_a_run_that_is_not_recorded_has_no_record():
    with pytest.raises(AssertionError):
        record_of(simulate(DENSE), level="off")


@seldom
@given(bipartite_graphs(), variants, st.integers(0, 30))
def test_lost_events_make_a_replay_inexact_and_say_so(graph, options, capacity):
    record = record_of(simulate(graph, **options), capacity=capacity)
    timeline = bipartite_timeline(record)
    assert len(timeline) == record.num_events <= capacity
    assert timeline.exact == (record.lost_events == 0)
    assert timeline.exact or "did not fit" in timeline.doubt


def test_a_saved_record_plays_alike(tmp_path):
    record = record_of(simulate(CIRCLES, initial="given", seed=5))
    record.save(tmp_path / "run.npz")
    again = Record.load(tmp_path / "run.npz")
    assert again.header == record.header
    played, other = bipartite_timeline(again), bipartite_timeline(record)
    assert played.exact
    for name in ("offsets", "field", "index", "old", "new", "cardinality"):
        assert np.array_equal(getattr(played, name), getattr(other, name))


def test_a_browser_gets_the_same():
    record = record_of(simulate(DENSE, seed=5))
    timeline = bipartite_timeline(record)
    arrays = {name: getattr(timeline, name) for name in ("field", "index", "old", "new")}
    arrays |= {"objective": timeline.cardinality.astype(np.float32), **timeline.fields}
    meta, again = decode(encode({**naming(record), "doubt": timeline.doubt}, arrays))
    assert (meta["rows"], meta["names"], meta["family"]) == (6, None, "bipartite")
    assert meta["sentences"]["4"] == RECORD.sentences[Kind.FLIP]
    assert all(np.array_equal(again[name], values) for name, values in arrays.items())


def test_every_kind_has_words():
    assert set(RECORD.sentences) == set(Kind)
    record = record_of(simulate(FIGURE_1, roots=False, initial="given", seed=0))
    texts = [describe(record, event) for event in range(record.num_events)]
    assert texts[0].startswith("phase 1 begins, unmatched columns: ")
    assert any(text.startswith("column c0 reaches row r0, whose column c1 joins") for text in texts)
    assert not any(sign in text for text in texts for sign in "{}[|]")
    named = [describe(record, i, ["Ada", "Bob", "Cy", "x", "y"]) for i in range(len(texts))]
    assert any(text.startswith("column x reaches row Ada, whose column y joins") for text in named)


def change(part, **values):
    return lambda record: {part: {**getattr(record, part), **values}}


def given_up(events, kind, row):
    return np.where(events["kind"] == kind, row, events["c"]).astype(np.int32)


DOUBTS = {
    "contradict": change("header", consistent=False),
    "do not lead": change("final", mate=np.full(13, -1, np.int32)),
    "another mate": lambda r: {"events": {**r.events, "c": given_up(r.events, Kind.FLIP, 5)}},
}
DAMAGES = {
    "not of a bipartite": change("header", family="matching"),
    "lacks rows and columns": change("header", parts=[{"size": 3}]),
    "values of int32": change("final", mate=np.zeros(4, np.int32)),
    "outside of its": change("final", mate=np.full(13, 13, np.int32)),
    "final mates": lambda r: {"final": {}},
    "unknown kind": lambda r: {"events": {**r.events, "kind": r.events["kind"] + np.uint8(99)}},
    "out of its place": lambda r: {"events": {**r.events, "a": r.events["a"] * 0}},
    "iterations go back": lambda r: {"events": {**r.events, "iteration": -r.events["iteration"]}},
    "a level is none": lambda r: {"events": {**r.events, "value": r.events["value"] * np.nan}},
    "no column 'c'": lambda r: {"events": {k: v for k, v in r.events.items() if k != "c"}},
}


@pytest.mark.parametrize("why", DOUBTS)
def test_doubts_are_named(why):
    record = record_of(simulate(DENSE, initial="none", seed=1))
    assert why in bipartite_timeline(dataclasses.replace(record, **DOUBTS[why](record))).doubt


@pytest.mark.parametrize("why", DAMAGES)
def test_damaged_records_are_refused(why):
    record = record_of(simulate(DENSE, initial="none", seed=1))
    with pytest.raises(RecordError, match=why):
        bipartite_timeline(dataclasses.replace(record, **DAMAGES[why](record)))
