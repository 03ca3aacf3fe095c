"""Records of communities: every replay goes through real states and ends where the run ended."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import gpucore
from gpucore.device import get_device
from gpucore.errors import RecordError
from gpucore.families.communities import timeline as module
from gpucore.families.communities.certificate import certify_communities
from gpucore.families.communities.hierarchy import Kind, by_smallest_member, inner_weight
from gpucore.families.communities.record import RECORD, communities_timeline
from gpucore.families.communities.timeline import is_refined, partition_at
from gpucore.family import get_runner
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.record import Player, Record
from gpucore.record.words import describe
from support.strategies import weighted_graphs

from .runs import once

VARIANTS = get_runner("louvain").variant_names

GRAPHS = ("karate", "lesmis", "football", "gnp:n=100,p=0.4,seed=3", "rmat:scale=8,edge_factor=4")


def run(graph, variant="buckets", device="host", record="events", **more):
    return gpucore.run("louvain", graph, device=device, record=record, variant=variant, **more)


@pytest.fixture(scope="module")
def graphs():
    return {name: load(name) for name in GRAPHS}


def assert_exact(graph, result):
    record = result.record
    timeline = communities_timeline(record)
    assert timeline.doubt == ""
    end = timeline.state(len(timeline))
    wanted = by_smallest_member(result.community)
    assert np.array_equal(by_smallest_member(end["community"]), wanted)
    whole = np.arange(graph.num_vertices) if is_refined(record) else wanted
    assert np.array_equal(end["group"], whole)
    assert timeline.modularity[-1] == pytest.approx(result.modularity, abs=1e-9)
    assert record.num_steps == 0 or record.steps["objective"][-1] == timeline.modularity[-1]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", GRAPHS)
def test_replays_end_where_runs_end(each_device, graphs, name, variant):
    starts = {} if name == "karate" else once(variant)
    assert_exact(graphs[name], run(graphs[name], variant, each_device, **starts))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_replays_are_exact_under_any_schedule(graphs, variant, seed):
    free = {"policy": "random", "seed": seed, "resident": 8, "yield_atomic": 0.7}
    device, graph = get_device("host", **free), graphs["lesmis"]
    assert_exact(graph, run(graph, variant, device, **once(variant)))


@given(weighted_graphs())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_replays_of_small_graphs_are_exact(problem):
    n, edges = problem
    loops = [(v, v, 0.5) for v in range(0, n, 3)]
    u, v, w = (list(column) for column in zip(*edges, *loops, strict=True))
    graph = Graph.from_edges(n, [*u], [*v], [*w])
    for variant in VARIANTS:
        assert_exact(graph, run(graph, variant, **once(variant)))


def test_going_back_finds_the_same_states(graphs):
    timeline = communities_timeline(run(graphs["football"]).record)
    player = Player(timeline)
    times = range(0, len(timeline) + 1, 7)
    states = [(t, {k: v.copy() for k, v in player.seek(t).items()}) for t in times]
    for time, state in reversed(states):
        found = player.seek(time)
        assert all(np.array_equal(found[name], values) for name, values in state.items())


def test_the_modularity_of_every_state_is_known(graphs):
    graph = graphs["lesmis"]
    timeline = communities_timeline(run(graph, resolution=0.7).record)
    for time in range(0, len(timeline) + 1, 17):
        _, labels = np.unique(timeline.state(time)["community"], return_inverse=True)
        labels = labels.astype(np.int32)
        value = float(timeline.modularity[time])
        certificate = certify_communities(graph, labels, (labels,), resolution=0.7)
        assert certificate.ok, certificate
        assert abs(certificate.figures["modularity"] - value) <= 1e-9


def test_groups_are_contracted_one_level_after_the_other(graphs):
    result = run(graphs["football"])
    record = result.record
    timeline = communities_timeline(record)
    levels = [by_smallest_member(result.at_level(i)) for i in range(len(result.levels) + 1)]
    kinds = record.events["kind"]
    ends = np.flatnonzero(np.diff(np.append(kinds == Kind.MERGE, False).astype(int)) < 0) + 1
    assert len(ends) == len(result.levels)
    for level, end in enumerate(ends, start=1):
        assert np.array_equal(timeline.state(int(end))["group"], levels[level])
        assert np.array_equal(partition_at(record, level), levels[level])


def test_a_contraction_has_members_and_weight(graphs):
    graph = graphs["lesmis"]
    result = run(graph)
    events = result.record.events
    label = result.at_level(1)
    first = {int(np.flatnonzero(label == c)[0]): c for c in np.unique(label)}
    weight = inner_weight(graph, label)
    merges = np.flatnonzero(events["kind"] == Kind.MERGE)
    stage = result.record.steps["stage"][events["iteration"][merges]]
    for i in merges[stage == 0]:
        community = first[int(events["a"][i])]
        assert events["c"][i] == np.count_nonzero(label == community)
        assert events["value"][i] == pytest.approx(weight[community])


def test_sweeps_that_lose_are_taken_back(graphs):
    graph = graphs["gnp:n=100,p=0.4,seed=3"]
    for variant in ("relaxed", "node_centred"):
        record = run(graph, variant, rule="ours").record
        events, steps = record.events, record.steps
        back = events["kind"] == Kind.TAKE_BACK
        lost = steps["taken_back"].astype(bool)
        moved = np.isin(events["iteration"], np.flatnonzero(lost)) & (events["kind"] == Kind.MOVE)
        assert back.sum() == moved.sum() > 0
        assert set(events["a"][back]) <= set(events["a"][moved])


def test_counters_are_those_of_the_run(graphs):
    result = run(graphs["lesmis"], record="counters")
    record = result.record
    assert not record.num_events
    assert "without events" in communities_timeline(record).doubt
    assert record.warps["edges"].sum() == record.steps["edges"].sum()
    assert record.warps["moves"].sum() == record.steps["moves"].sum()
    assert (record.steps["edges"] <= record.steps["lane_slots"]).all()
    assert (record.steps["occupied"] <= record.steps["slots"]).all()
    assert run(graphs["lesmis"], record="off").record is None


def test_a_watched_vertex_shows_its_hash_table(graphs):
    graph = graphs["lesmis"]
    record = run(graph, watch_vertex=11).record
    events = record.events
    first = (events["kind"] == Kind.HASH) & (record.steps["stage"][events["iteration"]] == 0)
    assert set(events["a"][first]) == {11}
    sweeps = len(np.unique(events["iteration"][first]))
    assert first.sum() == sweeps * graph.degrees[11]
    assert (events["value"][first] >= 1).all()
    assert communities_timeline(record).exact


def test_events_that_did_not_fit_are_reported(graphs):
    record = run(graphs["football"], record_budget=80_000, watch_vertex=-2).record
    assert record.lost_events
    assert "larger record budget" in communities_timeline(record).doubt


def test_a_bound_on_changes_is_reported(graphs, monkeypatch):
    monkeypatch.setattr(module, "MAX_CHANGES", 100)
    timeline = communities_timeline(run(graphs["football"]).record)
    assert "the replay stops after" in timeline.doubt
    assert len(timeline.new) <= 100


@pytest.mark.parametrize("graph", [Graph.from_edges(0, [], []), Graph.from_edges(4, [], [])])
def test_graphs_without_edges_have_empty_records(graph):
    record = run(graph).record
    timeline = communities_timeline(record)
    assert len(timeline) == 0
    assert timeline.exact
    assert timeline.modularity.tolist() == [0.0]


def test_a_saved_record_plays_alike(graphs, tmp_path):
    record = run(graphs["karate"]).record
    record.save(tmp_path / "run.npz")
    again = communities_timeline(Record.load(tmp_path / "run.npz"))
    timeline = communities_timeline(record)
    assert again.exact
    for name in ("offsets", "index", "old", "new", "modularity"):
        assert np.array_equal(getattr(again, name), getattr(timeline, name))


def test_every_kind_has_words(graphs):
    assert set(RECORD.sentences) == set(Kind)
    record = run(graphs["lesmis"], watch_vertex=11).record
    by_kind = {kind: i for i, kind in enumerate(record.events["kind"])}
    for event in by_kind.values():
        assert "{" not in describe(record, event, graphs["lesmis"].names)


DAMAGES = {
    "family": lambda r: {"header": {**r.header, "family": "matching"}},
    "stages": lambda r: {"header": {**r.header, "stages": r.header["stages"][:1]}},
    "levels": lambda r: {"header": {**r.header, "levels": 7}},
    "vertex": lambda r: {"events": {**r.events, "a": r.events["a"] + np.int32(30)}},
    "step": lambda r: {"events": {**r.events, "iteration": r.events["iteration"] + np.int32(99)}},
    "end": lambda r: {"final": {**r.final, "community": r.final["community"][::-1].copy()}},
    "column": lambda r: {"events": {k: v for k, v in r.events.items() if k != "c"}},
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_records_are_refused(graphs, damage):
    record = run(graphs["karate"]).record
    with pytest.raises(RecordError):
        communities_timeline(dataclasses.replace(record, **damage(record)))


def test_moves_out_of_nowhere_are_doubted(graphs):
    record = run(graphs["karate"]).record
    events = {**record.events, "b": np.roll(record.events["b"], 1)}
    assert communities_timeline(dataclasses.replace(record, events=events)).doubt
