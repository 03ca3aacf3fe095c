"""Certificates report progress, stop when asked to, and say what memory they need."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import gpucore
from gpucore.certify import work
from gpucore.certify.work import attended
from gpucore.compare import Contestant, run_contestant
from gpucore.errors import Cancelled, DeviceError
from gpucore.families.matching.certificate import certify_matching
from gpucore.problems.graph.graph import Graph
from support.cancelling import Later
from support.waiting import wait_until

KARATE = gpucore.load("karate")


@pytest.fixture
def slow(monkeypatch):
    """A path of a million vertices in blocks so small that a certificate takes a while."""
    n = 1_000_000
    monkeypatch.setattr(work, "BLOCK", 1)
    monkeypatch.setattr(work, "_POLL", 0.001)
    return Graph.from_edges(n, np.arange(n - 1), np.arange(1, n)), np.full(n, -1, np.int32)


def test_progress_comes_from_the_callers_thread(slow):
    seen = []

    def progress(phase, done, total):
        seen.append((phase, done, total, threading.current_thread()))

    with attended(progress, threads=1):
        assert certify_matching(*slow).failure.name == "locally dominant"
    phases, done, total, threads = zip(*seen, strict=True)
    assert {*phases} == {"certifying"}
    assert {*threads} == {threading.current_thread()}
    assert list(done) == sorted(done)
    assert 0 < done[-1] <= total[-1]
    assert len({*done}) > 2


def test_a_certificate_stops_in_the_middle(slow):
    with attended(None, Later(5), threads=2), pytest.raises(Cancelled):
        certify_matching(*slow)


def test_an_error_of_the_progress_ends_the_certificate(slow):
    def progress(*_):
        raise KeyError("broken")

    with attended(progress, threads=2), pytest.raises(KeyError):
        certify_matching(*slow)
    wait_until(lambda: all(thread.name != "certificate" for thread in threading.enumerate()))


def test_memory_is_checked_before_it_is_allocated(monkeypatch):
    monkeypatch.setattr(work, "available_memory", lambda: 100)
    with pytest.raises(DeviceError, match=r"the certificate needs 136 B of the host's memory"):
        certify_matching(KARATE, np.full(34, -1, np.int32))
    with pytest.raises(DeviceError, match="needs"):
        gpucore.run("louvain", KARATE, device="host")


@pytest.mark.parametrize(("name", "device"), [("suitor", "host"), ("suitor_omp", "cpu")])
def test_runs_pass_the_hooks_on(name, device):
    seen = []
    contestant = Contestant(name, None, device)
    result = run_contestant(KARATE, contestant, progress=lambda *step: seen.append(step))
    assert seen[-1][0] == "certifying"
    assert result.certificate.seconds > 0

    class AtTheCertificate:
        def is_set(self):
            return any(step[0] == "certifying" for step in seen[before:])

    before = len(seen)
    with pytest.raises(Cancelled):
        run_contestant(
            KARATE, contestant, progress=lambda *step: seen.append(step), cancel=AtTheCertificate()
        )
