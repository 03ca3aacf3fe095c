"""One job at a time: it reports, can be stopped by user and clock, and gives way to a newer one."""

import threading

import pytest

from gpucore.errors import Cancelled, GraphError
from gpucore.progress import check
from support.waiting import PATIENCE
from warplens.app.jobs import Jobs, Stop, Throttle

QUIET = {"begin": lambda: None, "progress": lambda *_: None}


class Record:
    def __init__(self):
        self.errors = []
        self.done = []
        self.idle = threading.Semaphore(0)
        self.jobs = Jobs(self.errors.append, self.idle.release)

    def start(self, work, seconds=60.0):
        self.jobs.start(work, self.done.append, **QUIET, seconds=seconds)

    def wait(self):
        assert self.idle.acquire(timeout=PATIENCE)


@pytest.fixture
def record():
    return Record()


def until_stopped(started):
    def work(progress, stop):
        started.set()
        while True:
            check(stop)
            threading.Event().wait(0.005)

    return work


def test_a_job_returns_its_value(record):
    record.start(lambda progress, stop: 42)
    record.wait()
    assert (record.done, record.errors) == ([42], [])
    assert not record.jobs.busy


def test_a_failing_job_reports(record):
    def work(progress, stop):
        raise GraphError("no graph")

    record.start(work)
    record.wait()
    assert record.done == []
    assert [str(error) for error in record.errors] == ["no graph"]


def test_cancel_stops_a_job(record):
    started = threading.Event()
    record.start(until_stopped(started))
    assert started.wait(PATIENCE)
    assert record.jobs.busy
    record.jobs.cancel()
    record.wait()
    assert [str(error) for error in record.errors] == ["the work was cancelled"]


def test_the_clock_stops_a_job_and_says_so(record):
    record.start(until_stopped(threading.Event()), seconds=0.05)
    record.wait()
    (error,) = record.errors
    assert isinstance(error, Cancelled)
    assert "0.05 seconds" in str(error)


def test_work_that_does_not_listen_is_not_shown_after_cancel(record):
    stopped = threading.Event()

    def work(progress, stop):
        record.jobs.cancel()
        stopped.set()
        return "too late"

    record.start(work)
    record.wait()
    assert record.done == []
    assert isinstance(record.errors[0], Cancelled)


def test_a_newer_job_takes_the_place_in_silence(record):
    started = threading.Event()
    record.start(until_stopped(started))
    assert started.wait(PATIENCE)
    record.start(lambda progress, stop: "new")
    record.wait()
    assert (record.done, record.errors) == (["new"], [])


def test_a_thousand_jobs_take_one_thread_and_only_the_last_one_follows(record):
    """A click can come while the work before it does not listen to Stop."""
    started, going_on = threading.Event(), threading.Event()

    def deaf(progress, stop):
        started.set()
        assert going_on.wait(PATIENCE)

    before = {*threading.enumerate()}
    record.start(deaf)
    assert started.wait(PATIENCE)
    for number in range(1000):
        record.start(lambda progress, stop, number=number: number)
    assert len({*threading.enumerate()} - before) == 1
    going_on.set()
    record.wait()
    assert (record.done, record.errors) == ([999], [])


def test_a_job_that_waits_can_be_cancelled(record):
    started, going_on = threading.Event(), threading.Event()

    def deaf(progress, stop):
        started.set()
        assert going_on.wait(PATIENCE)

    record.start(deaf)
    assert started.wait(PATIENCE)
    record.start(lambda progress, stop: "never")
    record.jobs.cancel()
    going_on.set()
    record.wait()
    assert record.done == []
    assert isinstance(record.errors[0], Cancelled)


def test_what_is_asked_for_meanwhile_is_done_when_the_job_has_ended(record):
    done = record.done

    def show(value):
        for _ in range(3):
            record.jobs.when_idle(profile)
        done.append(value)

    def profile():
        assert not record.jobs.busy
        record.jobs.start(lambda *_: "profile", done.append, **QUIET, seconds=60)

    record.jobs.start(lambda *_: "run", show, **QUIET, seconds=60)
    record.wait()
    record.wait()
    assert done == ["run", "profile"]
    record.jobs.when_idle(lambda: done.append("at once"))
    assert done[2:] == ["at once"]


def test_nothing_follows_a_job_that_fails(record):
    def work(progress, stop):
        record.jobs.when_idle(lambda: record.done.append("afterwards"))
        raise GraphError("no graph")

    record.start(work)
    record.wait()
    record.start(lambda progress, stop: "new")
    record.wait()
    assert record.done == ["new"]


def test_stop_without_a_reason_of_its_own_is_the_users():
    stop = Stop(60)
    assert not stop.is_set()
    stop.set()
    assert stop.is_set()
    assert not stop.late


def test_progress_is_thinned_but_phases_and_ends_get_through():
    heard = []
    throttle = Throttle(lambda *words: heard.append(words))
    for done in range(1001):
        throttle("reading", done, 1000)
    throttle("building", 0, 0)
    assert heard[0] == ("reading", 0, 1000)
    assert ("reading", 1000, 1000) in heard
    assert heard[-1] == ("building", 0, 0)
    assert len(heard) < 500
