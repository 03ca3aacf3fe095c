"""Records of bipartite matchings by the real kernels, under schedules that let them race."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.csgraph import maximum_bipartite_matching

import gpucore
from gpucore.device import get_device
from gpucore.families.bipartite.fast import SPARE
from gpucore.families.bipartite.record import STEP_KINDS, Kind, bipartite_timeline
from gpucore.family import get_runner
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.record import Player, Record
from gpucore.record.recorder import EVENT_BYTES
from gpucore.record.words import describe

VARIANTS = get_runner("bipartite").variant_names


def uniform(rows, columns, entries, seed=5):
    rng = np.random.default_rng(seed)
    places = rng.integers(0, rows, entries), rng.integers(0, columns, entries)
    return BipartiteGraph.from_entries(*places, shape=(rows, columns))


def chain(n):
    """A matrix of two diagonals: from a bad beginning, one long path."""
    places = [*range(n), *range(1, n)], [*range(n), *range(n - 1)]
    return BipartiteGraph.from_entries(*places, shape=(n, n))


GRAPHS = {
    "dense": BipartiteGraph.from_matrix(np.ones((6, 7))),
    "sparse": uniform(100, 110, 240),
    "wide": uniform(30, 200, 500),
    "chain": chain(40),
    "empty": BipartiteGraph.from_entries([], [], shape=(3, 2)),
}
#: Lanes let others go between any two accesses, so rows are reached twice and walks cross.
RACY = {"policy": "random", "resident": 8, "instrumented": True, "observe": "nothing"}
SCHEDULES = [
    {**RACY, "seed": 1, "yield_access": 0.9},
    {**RACY, "seed": 2, "yield_access": 0.3},
    {"threads": 2},
]


def run(graph, variant, device="host", record="events", **more):
    return gpucore.run("bipartite", graph, device=device, record=record, variant=variant, **more)


def assert_exact(graph, result):
    record = result.record
    timeline = bipartite_timeline(record)
    assert timeline.doubt == ""
    mate = timeline.state(len(timeline))["mate"]
    assert np.array_equal(mate, result.mate)
    best = np.count_nonzero(maximum_bipartite_matching(graph.to_matrix()) >= 0)
    assert result.cardinality == timeline.cardinality[-1] == best
    assert record.steps["objective"][-1] == best
    assert all(p["cardinality"] <= best for p in record.header["phases"])
    return timeline


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_replays_end_where_kernels_end(each_device, name, variant):
    graph = GRAPHS[name]
    for initial in ("cheap", "none", "short_first", "karp_sipser"):
        assert_exact(graph, run(graph, variant, each_device, initial=initial))


@pytest.mark.parametrize("options", SCHEDULES, ids=lambda options: str(options.get("seed", 2)))
@pytest.mark.parametrize("variant", VARIANTS)
def test_replays_are_exact_under_any_schedule(variant, options):
    for name in ("dense", "sparse"):
        device = get_device("host", **options)
        timeline = assert_exact(GRAPHS[name], run(GRAPHS[name], variant, device, initial="none"))
        player, end = Player(timeline), timeline.state(len(timeline))
        player.seek(len(timeline))
        player.seek(0)
        assert np.all(player.state["mate"] == -1)
        found = player.seek(len(timeline))
        assert all(np.array_equal(found[field], values) for field, values in end.items())


@pytest.mark.parametrize("variant", [v for v in VARIANTS if v != "fast" and v.endswith("ct")])
def test_every_phase_ends_with_a_matching(variant):
    record = run(GRAPHS["sparse"], variant, get_device("host", **SCHEDULES[0])).record
    timeline = bipartite_timeline(record)
    ends = np.searchsorted(record.events["iteration"], record.steps["iteration"], side="right")
    last = dict(zip(record.steps["phase"].tolist(), ends.tolist(), strict=True))
    for number, phase in enumerate(record.header["phases"], start=1):
        mate = timeline.state(last[number])["mate"]
        matched = np.flatnonzero(mate >= 0)
        assert np.array_equal(mate[mate[matched]], matched)
        assert len(matched) == 2 * phase["cardinality"] == 2 * timeline.cardinality[last[number]]


def test_the_kernels_do_race():
    """Guards the tests above: rows are reached twice and columns given twice in one launch."""
    twice = {Kind.REACH: 0, Kind.PATH: 0, Kind.FLIP: 0}
    for seed in range(3):
        device = get_device("host", **{**RACY, "seed": seed, "yield_access": 0.5})
        record = run(GRAPHS["sparse"], "apfb_gpubfs_ct", device, initial="none").record
        for kind in twice:
            mine = record.events["kind"] == kind
            place = record.events["a" if kind == Kind.FLIP else "b"][mine]
            launches = np.stack([record.events["iteration"][mine], place], axis=1)
            twice[kind] += len(launches) - len(np.unique(launches, axis=0))
    assert all(twice.values())


@pytest.mark.parametrize("variant", ["apfb_gpubfs_ct", "apsb_gpubfs_wr_mt"])
def test_without_the_predecessor_check_the_replay_is_exact_too(variant):
    for seed in range(3):
        device = get_device("host", **{**RACY, "seed": seed, "yield_access": 0.5})
        graph = GRAPHS["dense"]
        record = run(graph, variant, device, initial="none", predecessor_check=False).record
        assert bipartite_timeline(record).doubt == ""


@pytest.mark.parametrize("variant", ["fast", "apfb_gpubfs_wr_ct"])
def test_a_given_matching_is_where_the_replay_begins(variant):
    given = np.full(100, -1)
    first = run(GRAPHS["sparse"], variant, record="off").row_match
    given[:50] = first[:50]
    record = run(GRAPHS["sparse"], variant, initial=given).record
    timeline = bipartite_timeline(record)
    assert timeline.exact
    assert np.array_equal(timeline.state(0)["mate"][:50] >= 0, given[:50] >= 0)
    assert timeline.cardinality[0] == np.count_nonzero(given >= 0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_agree_with_the_events(variant):
    record = run(GRAPHS["sparse"], variant, initial="none").record
    kind, iteration = record.events["kind"], record.events["iteration"]
    ends = (kind == Kind.PATH) | (kind == Kind.GRAFT) & (record.events["c"] < 0)
    joins = (kind == Kind.REACH) | (kind == Kind.GRAFT) & (record.events["c"] >= 0)
    for name, which in {"reached": joins, "paths": ends, "flips": kind == Kind.FLIP}.items():
        counted = np.bincount(iteration[which], minlength=record.num_steps)
        assert np.array_equal(record.steps[name], counted), name
    kinds = {STEP_KINDS[code] for code in record.steps["kind"]}
    assert {"initial", "begin", "top_down", "alternate"} <= kinds
    assert record.steps["edges"].sum() <= record.steps["lane_slots"].sum() * 32


def test_waves_are_depths_where_every_phase_starts_again():
    record = run(GRAPHS["chain"], "apfb_gpubfs_ct", initial="none").record
    timeline = bipartite_timeline(record)
    rows = GRAPHS["chain"].num_rows
    for time in range(0, len(timeline) + 1, 7):
        state = timeline.state(time)
        for row in np.flatnonzero(state["parent"][:rows] >= 0).tolist():
            assert state["wave"][row] == state["wave"][state["parent"][row]] + 1


@pytest.mark.parametrize("variant", ["fast", "apsb_gpubfs_wr_ct"])
def test_a_small_budget_loses_events_and_says_how_many(variant):
    graph = GRAPHS["sparse"]
    whole = run(graph, variant, initial="none").record
    part = run(graph, variant, initial="none", record_budget=200 * EVENT_BYTES).record
    assert 0 < part.num_events < whole.num_events
    assert part.lost_events > 0
    assert "did not fit" in bipartite_timeline(part).doubt


@pytest.mark.parametrize("variant", VARIANTS)
def test_counters_alone_give_the_cardinality_of_every_phase(variant):
    graph = GRAPHS["sparse"]
    result = run(graph, variant, record="counters", initial="none")
    record = result.record
    assert record.num_events == 0
    assert len(bipartite_timeline(record)) == 0
    assert record.steps["objective"][-1] == result.cardinality
    if variant != "fast":  # its trees race for rows, and recording events is part of the schedule
        full = run(graph, variant, initial="none").record
        assert np.array_equal(record.steps["edges"], full.steps["edges"])


@pytest.mark.parametrize("variant", ["fast", "apfb_gpubfs_wr_mt"])
def test_records_survive_their_files_and_every_event_has_a_sentence(tmp_path, variant):
    result = run(GRAPHS["dense"], variant, initial="none")
    result.record.save(tmp_path / "run.npz")
    again = Record.load(tmp_path / "run.npz")
    assert again.header == result.record.header
    assert bipartite_timeline(again).exact
    sentences = [describe(again, event) for event in range(again.num_events)]
    assert sentences[0].startswith("phase 1 begins, unmatched columns: 7; ")
    assert not any(sign in text for text in sentences for sign in "{}[|]")


def test_a_phase_need_not_be_complete():
    """With a path found, it ends 32 levels later, also if other trees could still grow."""
    graph = gpucore.load("grid_rows:rows=150,columns=150", kind="bipartite")
    result = run(graph, "fast", record="counters", certify=False)
    assert result.cardinality == graph.num_rows
    steps = result.record.steps
    searches = np.isin(steps["kind"], [STEP_KINDS.index(k) for k in ("top_down", "bottom_up")])
    few = steps["frontier"] <= SPARE
    later = []
    for phase in range(1, result.figures["phases"] + 1):
        levels = np.flatnonzero(searches & (steps["phase"] == phase))
        paths = levels[steps["paths"][levels] > 0]
        if len(paths):
            later.append(np.count_nonzero(few[levels[levels > paths[0]]]))
    assert max(later) == 32
