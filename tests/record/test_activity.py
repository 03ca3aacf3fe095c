"""What warps do when, and its numbers, against a slow reading of the same records by event."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gpucore.record import Record
from gpucore.record.activity import Doing, activity_of
from gpucore.record.pace import pace_of
from gpucore.record.ranks import with_own_warps
from gpucore.record.replay import record_kind
from warplens.app.gallery import entries, entry
from warplens.app.widgets.player.axis import axis_of

NAMES = list(entries())
#: What a warp counts that only waits, and whose row it is.
WAITING = {"rank", "iteration", "warp", "turns", "lane_slots", "barriers"}


def read(name):
    record = entry(name).record()
    kind = record_kind(record.header["family"])
    return record, kind, activity_of(record, kind)


class Slow:
    """Reads a record event by event: for each warp, what it does between two events."""

    def __init__(self, record, kind):
        record = with_own_warps(record)
        names = ("warp", "iteration", "kind")
        self.events = list(zip(*(record.events[name].tolist() for name in names), strict=True))
        columns = {name: column.tolist() for name, column in record.warps.items()}
        counts = zip(*(columns[name] for name in columns if name not in WAITING), strict=True)
        places = zip(columns["warp"], columns["iteration"], strict=True)
        rows = [place for place, row in zip(places, counts, strict=True) if any(row)]
        self.work = {*rows, *((warp, iteration) for warp, iteration, _ in self.events)}
        header = record.header
        threads = header["params"].get("threads_per_block", 0)
        self.block = threads // 32 if header["device"]["name"] in ("cuda", "host") else 0
        self.free = header["variant"] in kind.free
        self.size = next((s for s in (10**9, self.block) if s and self.met(s)), 0)
        if self.free:
            self.size = 0

    def met(self, size):
        """Whether the events of every group come iteration by iteration."""
        newest = {}
        for warp, iteration, _ in self.events:
            if newest.setdefault(warp // size, iteration) > iteration:
                return False
            newest[warp // size] = iteration
        return True

    def doing(self, warp, gap):
        """What a warp does from event `gap` to the next one."""
        own = [i for i, (one, _, _) in enumerate(self.events) if one == warp]
        before, after = [i for i in own if i <= gap], [i for i in own if i > gap]
        if not self.size:
            if not after:
                return Doing.IDLE
            if not before:
                return Doing.BETWEEN
            within = self.events[before[-1]][1] == self.events[after[0]][1]
            return Doing.WORK if within or self.free or self.block else Doing.BETWEEN
        now = self.iteration_of_group(warp, gap)
        mine = [self.events[i][1] for i in own]
        if (warp, now) not in self.work:
            return Doing.IDLE
        if now not in mine:
            return Doing.UNTIMED
        if not [i for i in before if self.events[i][1] == now]:
            return Doing.BETWEEN
        if [i for i in after if self.events[i][1] == now]:
            return Doing.WORK
        later = [i for w, i in self.work if w == warp and i > now]
        return Doing.WAIT if later else Doing.IDLE

    def iteration_of_group(self, warp, gap):
        """The iteration whose events of the warp's group are not over after event `gap`."""
        group = [
            (i, iteration)
            for i, (one, iteration, _) in enumerate(self.events)
            if one // self.size == warp // self.size
        ]
        return next((iteration for i, iteration in group if i > gap), 10**9)


def last_times(record):
    """The time of each warp's last event."""
    both = zip(record.events["warp"].tolist(), record.events["time"].tolist(), strict=True)
    return dict(both)


@pytest.mark.parametrize("name", NAMES)
def test_every_moment_of_every_record_is_what_the_events_say(name):
    record, kind, activity = read(name)
    slow = Slow(record, kind)
    gaps = np.linspace(0, record.num_events - 2, 12).astype(int)
    warps = np.unique(np.linspace(0, activity.warps - 1, 9).astype(int))
    for warp, gap in itertools.product(warps.tolist(), gaps.tolist()):
        inside = (activity.warp == warp) & (activity.begin <= gap) & (gap < activity.end)
        assert activity.doing[inside].tolist() == [slow.doing(warp, gap)], (warp, gap)


@pytest.mark.parametrize("name", NAMES)
def test_the_intervals_of_a_warp_are_the_whole_run(name):
    record, _, activity = read(name)
    for warp in range(activity.warps):
        own = activity.warp == warp
        begin, end = activity.begin[own].tolist(), activity.end[own].tolist()
        assert [*begin, record.num_events - 1] == [0, *end]
    shares = pace_of(activity).shares
    assert sum(shares.values()) == pytest.approx(1)


def test_the_tail_is_what_is_left_when_all_other_warps_have_ended():
    record, _, activity = read("netscience-suitor-nosync")
    last = last_times(record)
    *_, second, longest = sorted(last.values())
    (warp,) = [warp for warp, time in last.items() if time == longest]
    tail = pace_of(activity).tail
    assert tail.warp == warp == 179
    assert tail.works
    assert tail.time == pytest.approx((longest - second) / longest)
    assert tail.events == sum(time > second for time in record.events["time"].tolist())
    meta, _ = axis_of(record)
    assert meta["axis"]["facts"][0] == (
        "Warp 179 works alone for 46% of the run, with 23 of 2,270 events."
    )


def test_half_of_the_warps_have_ended():
    record, _, activity = read("netscience-suitor-nosync")
    last = last_times(record)
    ends = sorted(last.values())
    assert pace_of(activity).half == pytest.approx(ends[(len(ends) - 1) // 2] / ends[-1])


def test_atomic_moments_are_events_of_declared_kinds():
    record, kind, activity = read("karate_weighted-suitor-nosync")
    atomic = {event.code.name for event in kind.events if event.atomic}
    assert atomic == {"PROPOSE_FREE", "DISPLACE", "OUTBID", "MATCH"}
    codes = {int(event.code) for event in kind.events if event.atomic}
    kinds = record.events["kind"].tolist()
    assert activity.atomic.tolist() == [i for i, code in enumerate(kinds) if code in codes]


def test_warps_that_never_wait_are_at_work_from_event_to_event():
    for name in ("lesmis-suitor-nosync", "netscience-suitor-nosync"):
        _, _, activity = read(name)
        assert Doing.WAIT not in activity.doing
    assert Doing.WAIT in read("netscience-suitor-sync_lb")[2].doing


def test_a_record_without_events_has_no_axis():
    record, _, _ = read("karate_weighted-suitor-nosync")
    empty = {name: column[:0] for name, column in record.events.items()}
    header = {**record.header}
    nothing = Record(header, record.steps, record.warps, empty, record.initial, record.final)
    assert axis_of(nothing) == ({}, {})
