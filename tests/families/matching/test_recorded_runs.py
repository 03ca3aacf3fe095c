"""Records of matchings by the real kernels, on every device and under many schedules."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.families.matching.record import matching_timeline
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from gpucore.record import Record
from gpucore.record.recorder import EVENT_BYTES

VARIANTS = [
    *(("suitor", variant) for variant in ("nosync", "sync_lb", "sync_nolb", "hybrid", "fast")),
    ("ld", "ld"),
]
GRAPHS = ("karate", "gnp:n=100,p=0.05,seed=3", "rmat:scale=9,edge_factor=8,seed=1")
#: Free interleavings at every atomic, several blocks at a time.
SCHEDULES = [
    {"policy": "random", "seed": seed, "resident": 8, "yield_atomic": 0.7} for seed in (1, 2)
]


@pytest.fixture(scope="module", params=GRAPHS)
def graph(request):
    return for_matching(load(request.param), seed=0)


def assert_exact(result):
    record = result.record
    timeline = matching_timeline(record)
    assert timeline.doubt == ""
    end = timeline.state(len(timeline))
    assert np.array_equal(end["suitor"], result.mate)
    assert record.steps["objective"][-1] == pytest.approx(result.weight, rel=1e-5)
    assert timeline.state(0)["suitor"].max() == -1


@pytest.mark.parametrize(("algorithm", "variant"), VARIANTS)
def test_replays_end_where_kernels_end(each_device, graph, algorithm, variant):
    result = gpucore.run(algorithm, graph, device=each_device, record="events", variant=variant)
    assert_exact(result)


@pytest.mark.parametrize("options", [*SCHEDULES, {"threads": 2}], ids=str)
@pytest.mark.parametrize(("algorithm", "variant"), VARIANTS)
def test_replays_are_exact_under_any_schedule(graph, algorithm, variant, options):
    device = get_device("host", **options)
    result = gpucore.run(algorithm, graph, device=device, record="events", variant=variant)
    assert_exact(result)


@pytest.mark.parametrize("level", ["counters", "events"])
@pytest.mark.parametrize(("algorithm", "variant"), VARIANTS)
def test_counters_add_up_to_the_result(each_device, graph, algorithm, variant, level):
    result = gpucore.run(algorithm, graph, device=each_device, record=level, variant=variant)
    steps = {name: column.sum() for name, column in result.record.steps.items()}
    matched = np.count_nonzero(result.mate >= 0)
    if algorithm == "suitor":
        assert steps["accepted"] - steps["displaced"] == matched
        assert steps["exhausted"] == graph.num_vertices - matched
    else:
        assert steps["accepted"] == matched / 2
    assert steps["edges"] <= steps["lane_slots"]
    assert result.record.steps["objective"][-1] == pytest.approx(result.weight, rel=1e-5)
    assert bool(result.record.num_events) == (level == "events")


@pytest.mark.parametrize(("algorithm", "variant"), VARIANTS)
def test_rows_agree_with_the_events(graph, algorithm, variant):
    record = gpucore.run(algorithm, graph, device="host", record="events", variant=variant).record
    kind, iteration = record.events["kind"], record.events["iteration"]
    for name, kinds in {"accepted": (1, 2, 7), "displaced": (2,)}.items():
        counted = np.bincount(iteration[np.isin(kind, kinds)], minlength=record.num_steps)
        assert np.array_equal(record.steps[name], counted), name


def test_a_run_that_is_not_recorded_has_no_record(graph):
    assert gpucore.run("suitor", graph, device="host").record is None


def test_a_small_budget_loses_events_and_says_how_many(graph):
    run = lambda budget: gpucore.run(  # noqa: E731
        "suitor", graph, device="host", record="events", variant="nosync", record_budget=budget
    )
    whole, part = run(64 << 20).record, run(100 * EVENT_BYTES + 2000).record
    kept = part.num_events
    assert 0 < kept <= whole.num_events
    assert kept + part.lost_events == whole.num_events
    assert bool(part.lost_events) != matching_timeline(part).exact


def test_iterations_past_the_buffer_are_added_up():
    graph = for_matching(load("rmat:scale=9,edge_factor=8,seed=1"), seed=0)
    run = lambda budget: gpucore.run(  # noqa: E731
        "suitor", graph, device="host", record="counters", variant="nosync", record_budget=budget
    )
    whole = run(64 << 20).record
    warps = int(whole.warps["warp"].max()) + 1
    small = run(2 * 32 * warps + 4 * warps + 200).record
    assert small.num_steps == 2 < whole.num_steps
    assert small.header["lost"]["rows"] > 0
    for name in ("active", "edges", "proposals", "accepted", "displaced", "exhausted"):
        assert small.steps[name].sum() == whole.steps[name].sum(), name
    assert small.steps["objective"][-1] == pytest.approx(whole.steps["objective"][-1], rel=1e-5)


def test_records_survive_their_files(tmp_path, graph):
    result = gpucore.run("suitor", graph, device="host", record="events", variant="sync_lb")
    result.record.save(tmp_path / "run.npz")
    again = Record.load(tmp_path / "run.npz")
    assert again.header == result.record.header
    assert again.header["graph"]["fingerprint"] == graph.fingerprint
    assert matching_timeline(again).exact
