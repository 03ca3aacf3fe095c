"""Events have the times at which they were written."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import gpucore
from gpucore.device import get_device
from gpucore.errors import RecordError
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from gpucore.record import Record
from gpucore.record.record import elapsed
from support.suitor_simulation import record_of

RUNS = [
    ("suitor", "nosync"),
    ("suitor", "sync_lb"),
    ("suitor", "fast"),
    ("ld", "ld"),
    ("ld", "warp"),
]
PATH = [(v, v + 1, v + 1.0) for v in range(9)]


@pytest.fixture(scope="module")
def graph():
    return for_matching(load("rmat:scale=8,edge_factor=8,seed=1"), seed=0)


@pytest.fixture
def record():
    return record_of(10, PATH)


@pytest.mark.parametrize(("algorithm", "variant"), RUNS)
def test_time_runs_through_all_launches(each_device, graph, algorithm, variant):
    run = gpucore.run(algorithm, graph, device=each_device, record="events", variant=variant)
    time = run.record.events["time"]
    assert time.dtype == np.int64
    assert time[0] == 0 < time[-1]
    assert np.all(np.diff(time) >= 0)
    assert run.record.clock == ("ns" if each_device.name == "cuda" else "steps")
    if algorithm == "ld":  # one launch a round: a round is over before the next begins
        rounds = [time[run.record.events["iteration"] == r] for r in range(run.record.num_steps)]
        ends = [(r.min(), r.max()) for r in rounds if len(r)]
        assert all(one[1] <= other[0] for one, other in pairwise(ends))


def test_a_warps_batch_has_one_time(graph):
    record = gpucore.run("suitor", graph, device="host", record="events", variant="nosync").record
    events = record.events
    batches: dict[tuple[int, int], set[int]] = {}
    columns = (events[name].tolist() for name in ("warp", "batch", "time"))
    for warp, batch, time in zip(*columns, strict=True):
        batches.setdefault((warp, batch), set()).add(time)
    # Where the order puts another warp's later event between two of a batch, the second waits.
    together = [len(times) == 1 for times in batches.values()]
    assert np.mean(together) > 0.9


def test_the_same_schedule_has_the_same_times(graph):
    device = get_device("host", policy="random", seed=5, resident=4)
    first, again = (
        gpucore.run("suitor", graph, device=device, record="events", variant="sync_lb").record
        for _ in range(2)
    )
    assert np.array_equal(first.events["time"], again.events["time"])


def test_times_are_counted_from_the_first_event_and_never_go_back():
    times = np.array([2**63 + 10, 2**63 + 30, 2**63 + 20, 2**63 + 40, 2**63 + 5], np.uint64)
    assert elapsed(times).tolist() == [0, 20, 20, 30, 30]
    assert elapsed(times[:0]).tolist() == []


def test_records_without_times_are_still_read(tmp_path, record):
    header = {name: value for name, value in record.header.items() if name != "clock"}
    events = {name: column for name, column in record.events.items() if name != "time"}
    old = Record(header, record.steps, record.warps, events, record.initial, record.final)
    assert old.clock is None
    old.save(tmp_path / "old.npz")
    assert Record.load(tmp_path / "old.npz").clock is None
    assert record.clock == "steps"


@pytest.mark.parametrize(
    ("clock", "change", "message"),
    [
        ({"unit": "hours"}, lambda t: t, "a unit that is not known"),
        ("ns", lambda t: t, "a unit that is not known"),
        ({"unit": "ns"}, lambda t: t[::-1].copy(), "go back"),
        ({"unit": "ns"}, lambda t: t - 1, "go back"),
        ({"unit": "ns"}, lambda t: t.astype(np.float32), "go back"),
        ({}, lambda t: t, "no Warplens record, or it is damaged"),
    ],
)
def test_times_that_cannot_be_are_refused(tmp_path, record, clock, change, message):
    events = dict(record.events) | {"time": change(record.events["time"])}
    wrong = Record(
        record.header | {"clock": clock},
        record.steps,
        record.warps,
        events,
        record.initial,
        record.final,
    )
    wrong.save(tmp_path / "wrong.npz")
    with pytest.raises(RecordError, match=message):
        Record.load(tmp_path / "wrong.npz")
