"""The common clock: every way of aligning runs starts at nothing and ends at everything."""

import numpy as np
import pytest

from gpucore.record import Record
from warplens.app.clock import Track, about_time, align, offered, shown_time
from warplens.app.gallery import entry

RUNS = {
    "equal": [[0, 0, 1, 2], [0, 1, 1, 2]],
    "unequal": [[0] * 7 + [1] * 2, [0, 1, 2, 3, 3, 3]],
    "warps ahead of others": [[0, 1, 0, 2, 1, 2], [0, 0, 0, 1, 0, 1, 3]],
    "an iteration without events": [[0, 2, 2], [0, 1, 1, 2]],
    "one of nothing": [[], [0, 1]],
    "three": [[0, 1], [0, 0, 1, 1], [0, 1, 1]],
    "none": [[]],
}


@pytest.fixture(params=RUNS)
def runs(request):
    return [Track(np.array(run, np.int32)) for run in RUNS[request.param]]


@pytest.mark.parametrize("how", ["fraction", "step", "iteration"])
def test_from_nothing_to_everything_without_a_step_back(runs, how):
    tables = align(runs, how)
    assert len({len(table) for table in tables}) == 1
    for run, table in zip(runs, tables, strict=True):
        assert table.dtype == np.int32
        assert table[-1] == len(run.iteration)
        assert np.all(np.diff(table) >= 0)
        assert set(table) == set(range(len(run.iteration) + 1))


def test_by_step_the_shorter_run_waits():
    short, long = align([Track(np.zeros(2, int)), Track(np.zeros(4, int))], "step")
    assert short.tolist() == [0, 1, 2, 2, 2]
    assert long.tolist() == [0, 1, 2, 3, 4]


def test_by_share_all_are_half_done_together():
    short, long = align([Track(np.zeros(50, int)), Track(np.zeros(200, int))], "fraction")
    assert (short[100], long[100]) == (25, 100)


def test_iterations_begin_together():
    runs = [np.repeat([0, 1, 2], [5, 1, 2]), np.repeat([0, 1, 2], [1, 6, 3])]
    first, second = align([Track(run) for run in runs], "iteration")
    # Iterations take as long as their longer half: 5, 6 and 3 positions.
    assert first[[0, 5, 11, 14]].tolist() == [0, 5, 6, 8]
    assert second[[0, 5, 11, 14]].tolist() == [0, 1, 7, 10]


def test_phases_begin_together_where_all_runs_have_some():
    plain = Track(np.arange(6))
    one = Track(np.arange(6), phase=np.array([0, 1, 1, 1, 1, 2]))
    other = Track(np.arange(4), phase=np.array([0, 0, 1, 2]))
    assert next(iter(offered([one, other]))) == "phase"
    assert "phase" not in offered([one, plain])
    first, second = align([one, other], "phase")
    # Phases take as long as their longer half: 2, 4 and 1 positions.
    assert first[[0, 2, 6, 7]].tolist() == [0, 1, 5, 6]
    assert second[[0, 2, 6, 7]].tolist() == [0, 2, 3, 4]


def timed(times, unit):
    return Track(np.zeros(len(times), int), np.array(times, np.int64), unit)


def test_one_unit_is_real_time_and_the_shorter_run_waits():
    short, long = align([timed([0, 0, 50], "ns"), timed([0, 10, 20, 100], "ns")], "time")
    assert len(short) == len(long) == 201
    # 200 moments of 100 ns: position 40 is at 20 ns.
    assert [short[p] for p in (0, 1, 99, 100, 200)] == [0, 2, 2, 3, 3]
    assert [long[p] for p in (0, 19, 20, 40, 199, 200)] == [0, 1, 2, 3, 3, 4]


def test_different_units_are_stretched_to_one_length():
    gpu, host = align([timed([0, 1000, 2000], "ns"), timed([0, 5, 10], "steps")], "time")
    assert gpu.tolist() == host.tolist()
    assert gpu[-1] == 3


def test_times_of_no_length_and_of_nothing():
    at_once, nothing, later = (timed(times, "ns") for times in ([0, 0], [], [0, 7]))
    for tracks in ([at_once], [nothing, later], [nothing]):
        for track, table in zip(tracks, align(tracks, "time"), strict=True):
            assert table[0] == 0
            assert table[-1] == len(track.iteration)
            assert np.all(np.diff(table) >= 0)


def test_time_is_offered_where_every_run_knows_its_own():
    with_times, without = timed([0, 4], "ns"), Track(np.zeros(2, int))
    assert "time" in offered([with_times, with_times])
    assert "time" not in offered([with_times, without])


def test_words_say_what_time_means():
    gpu, host, none = timed([0, 4], "ns"), timed([0, 4], "steps"), Track(np.zeros(2, int))
    assert "own pace, in nanoseconds since" in about_time([gpu, gpu], ["a", "b"])
    assert "not how long a GPU would take" in about_time([host, host], ["a", "b"])
    assert "stretched to the same length" in about_time([gpu, host], ["a", "b"])
    assert "“b” was recorded without times" in about_time([gpu, none], ["a", "b"])
    assert "2 of these runs" in about_time([none, none], ["a", "b"])
    assert about_time([gpu], ["a"]) == ""


def test_records_of_all_ages_have_a_track():
    record = entry("lesmis-ld").record()
    header = record.header | {"clock": {"unit": "ns"}}
    times = np.arange(record.num_events, dtype=np.int64) * 500
    parts = (record.steps, record.warps)
    events = {name: column for name, column in record.events.items() if name != "time"}
    states = (record.initial, record.final)
    old = Record(header, *parts, events, *states)
    new = Record(header, *parts, events | {"time": times}, *states)
    assert Track.of(old).time is None
    assert shown_time(old)[1] == ""
    assert Track.of(new).unit == "ns"
    assert shown_time(new)[0][2] == 1.0
