"""Records of the matching kernels agree with their results."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gpucore
from gpucore.families.matching.order import Kind
from gpucore.record.replay import timeline_of
from support.devices import random_schedule
from support.matching_cases import graph_of, graphs, random_graph, skewed_graph

from .runs import EVERYTHING, NAMES

quick = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(("name", "params"), EVERYTHING, ids=NAMES)
@given(graph=graphs(max_vertices=30), seed=st.integers(0, 2**32))
@quick
def test_replay_ends_where_the_kernel_did(name, params, graph, seed):
    result = gpucore.run(name, graph, device=random_schedule(seed), record="events", **params)
    timeline = timeline_of(result.record)
    assert timeline.exact, timeline.doubt
    end = timeline.state(len(timeline))
    np.testing.assert_array_equal(end["suitor"], result.mate)
    start = timeline.state(0)
    assert (start["suitor"] == -1).all()


@pytest.mark.parametrize(("name", "params"), EVERYTHING, ids=NAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_replay_on_devices(each_device, name, params, seed):
    graph = skewed_graph(10, 8000, seed, levels=9)
    result = gpucore.run(name, graph, device=each_device, record="events", **params)
    timeline = timeline_of(result.record)
    assert timeline.exact, timeline.doubt
    np.testing.assert_array_equal(timeline.state(len(timeline))["suitor"], result.mate)


@pytest.mark.parametrize(("name", "params"), EVERYTHING, ids=NAMES)
@pytest.mark.parametrize("level", ["counters", "events"])
def test_rows_add_up(each_device, name, params, level):
    graph = random_graph(1500, 6000, 3)
    result = gpucore.run(name, graph, device=each_device, record=level, **params)
    steps = result.record.steps
    assert steps["active"][0] == graph.num_vertices
    assert steps["objective"][-1] == pytest.approx(result.weight, rel=1e-4)
    assert (steps["lane_slots"] >= steps["edges"]).all()
    assert (steps["lane_slots"] % 32 == 0).all()
    accepted = steps["accepted"].sum() - steps["displaced"].sum()
    assert accepted == result.cardinality * (2 if name == "suitor" else 1)


@pytest.mark.parametrize(("name", "params"), EVERYTHING, ids=NAMES)
def test_events_add_up_to_the_rows(each_device, name, params):
    graph = random_graph(800, 3000, 4, levels=30)
    record = gpucore.run(name, graph, device=each_device, record="events", **params).record
    kinds = np.bincount(record.events["kind"], minlength=8)
    steps = record.steps
    if name == "suitor":
        accepted = kinds[Kind.PROPOSE_FREE] + kinds[Kind.DISPLACE]
        assert accepted == steps["accepted"].sum()
        assert accepted + kinds[Kind.OUTBID] == steps["proposals"].sum()
        assert kinds[Kind.DISPLACE] == steps["displaced"].sum()
        assert kinds[Kind.EXHAUSTED] == steps["exhausted"].sum()
    else:
        assert kinds[Kind.MATCH] == steps["accepted"].sum()
        assert kinds[Kind.POINT] + kinds[Kind.EXHAUSTED] == steps["active"].sum()


def test_levelling_moves_vertices(each_device):
    """All vertices of one warp want the same neighbour; those of other warps do not compete."""
    pairs = [(v, 127) for v in range(31)] + [(v, v + 1) for v in range(32, 126, 2)]
    weights = np.arange(1, len(pairs) + 1)
    graph = graph_of(128, pairs, weights)
    record = gpucore.run(
        "suitor",
        graph,
        device=each_device,
        record="events",
        variant="sync_lb",
        lb_iterations=5,
    ).record
    moves = record.events["kind"] == Kind.MOVE
    assert moves.any()
    assert (record.events["b"][moves] != record.events["c"][moves]).all()
    assert timeline_exact(record)


def timeline_exact(record):
    return timeline_of(record).exact


def test_what_does_not_fit_is_counted(each_device):
    graph = random_graph(3000, 12_000, 8)
    result = gpucore.run(
        "suitor", graph, device=each_device, record="events", record_budget=64 << 10
    )
    record = result.record
    assert record.lost_events > 0
    assert record.num_events > 0
    timeline = timeline_of(result.record)
    assert not timeline.exact
    assert "did not fit" in timeline.doubt
    assert result.certificate.ok


def test_late_iterations_are_merged(each_device):
    """A path whose weights grow makes one long chain; the rows keep only its beginning."""
    n = 600
    graph = graph_of(n, [(v, v + 1) for v in range(n - 1)], np.arange(1, n))
    whole = gpucore.run("ld", graph, device=each_device, record="counters")
    short = gpucore.run("ld", graph, device=each_device, record="counters", record_budget=8 << 10)
    assert short.record.header["lost"]["rows"] > 0
    assert len(short.record.steps["edges"]) < len(whole.record.steps["edges"])
    assert short.record.steps["edges"].sum() == whole.record.steps["edges"].sum()
