"""Processor time: all pages of a visitor have one share, and give way once it is used."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

import psutil
import pytest

from support.connected_page import ConnectedPage
from support.visitor import HERE, Visitor, serves_others
from warplens.app.site.places import Place
from warplens.app.site.places import Visitor as Guest
from warplens.app.site.priority import OVER_ADDRESS, OVER_VISITOR, PAGE, ProcessorShares
from warplens.app.site.watch import Use

#: Six seconds for all pages of a visitor.
OPTIONS = ("--cpu-minutes-per-visitor", "0.1")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no niceness")


def niceness(process):
    """Return how much lower than that of the tests the priority of a process' threads is."""
    found = set()
    for thread in process.threads():
        with contextlib.suppress(ProcessLookupError):  # it ended at this moment
            found.add(os.getpriority(os.PRIO_PROCESS, thread.id))
    return {number - os.getpriority(os.PRIO_PROCESS, 0) for number in found}


@pytest.mark.budget("processor time")
def test_runs_on_two_pages_of_a_visitor_give_way_to_others(server):
    busy, calm = Visitor(server, source=HERE), Visitor(server)
    with ConnectedPage(calm):
        (quiet,) = server.page_processes()
        with ConnectedPage.in_long_run(busy) as first, ConnectedPage.in_long_run(busy) as second:
            runs = [worker for worker in server.page_processes() if worker != quiet]
            while not all(niceness(worker) == {PAGE + OVER_VISITOR} for worker in runs):
                first.read()
                assert first.runs, "the run ended before its priority was lowered"
            assert sum(Use.of(worker.pid).seconds for worker in runs) > 6
            assert niceness(quiet) == {PAGE}
            assert serves_others(server)
            assert busy.state(second.kernel)[0] == 200


@pytest.fixture
def process():
    """A process that leads its session, as a page process does."""
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as started:
        yield psutil.Process(started.pid)
        started.communicate(b"\n")


def test_a_share_is_of_all_pages_and_comes_back(process):
    now = [0.0]
    shares = ProcessorShares(100, lambda: now[0])
    one, two = (Place(Guest("ann", "10.0.0.1")) for _ in range(2))
    other = Place(Guest("bob", "10.0.0.2"))

    def charge(place, used):
        shares.charge(place, process.pid, used)
        return place.niceness

    # What a process used before it had a visitor is free.
    assert [charge(place, 1000) for place in (one, two, other)] == [PAGE] * 3
    assert charge(one, 1060) == PAGE
    assert charge(two, 1060) == PAGE + OVER_VISITOR
    assert niceness(process) == {PAGE + OVER_VISITOR}
    assert charge(one, 1060) == PAGE + OVER_VISITOR
    assert charge(other, 1060) == PAGE
    # However much was used, the share is there again after two hours.
    assert charge(one, 1e6) == PAGE + OVER_VISITOR + OVER_ADDRESS
    now[0] = 7201.0
    assert charge(one, 1e6) == charge(two, 1060) == PAGE


def test_new_cookies_do_not_make_new_shares(process):
    shares = ProcessorShares(100, lambda: 0.0)
    places = [Place(Guest(f"cookie {i}", "10.0.0.1")) for i in range(6)]
    for place in places:
        shares.charge(place, process.pid, 0)
        shares.charge(place, process.pid, 90)
    assert [place.niceness for place in places] == [PAGE] * 4 + [PAGE + OVER_ADDRESS] * 2
    # A visitor of this address who used the own share is still behind the others.
    shares.charge(places[0], process.pid, 200)
    assert places[0].niceness == PAGE + OVER_ADDRESS + OVER_VISITOR
