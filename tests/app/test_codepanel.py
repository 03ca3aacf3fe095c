"""The code card: its button, and the profile of a run."""

import dataclasses
import threading

import pytest

import gpucore
from gpucore import native
from gpucore.device.host import HostDevice
from gpucore.errors import Cancelled, DeviceError
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from warplens.app.code.book import line_of
from warplens.app.code.card import CodePanel
from warplens.app.jobs import Jobs
from warplens.app.limits import PageLimits
from warplens.app.pages import get_view
from warplens.app.view import Services


class Driver:
    """A panel with its own jobs."""

    def __init__(self, **limits):
        self.errors, self.phases, self.begun = [], [], 0
        self._idle = threading.Semaphore(0)
        self.jobs = Jobs(self.errors.append, self._idle.release)
        self.view = get_view("matching")
        services = Services(
            PageLimits(**limits),
            self.jobs,
            lambda *phase: self.phases.append(phase),
            self._begin,
            lambda callback: callback,
        )
        self.panel = CodePanel(self.view, services)
        self.panes = self.panel._panes

    def _begin(self):
        self.begun += 1

    def profile(self):
        self.panes._receive(None, {"kind": "profile"}, [])
        assert self._idle.acquire(timeout=120)

    @property
    def offer(self):
        return self.panes.offer


@pytest.fixture(scope="module")
def graph():
    return for_matching(load("karate"))


@pytest.fixture(scope="module")
def result(graph):
    device = HostDevice(policy="random", seed=5)
    return gpucore.run(
        "suitor", graph, device=device, variant="nosync", vertices_per_warp=8, certify=False
    )


def test_nothing_is_profiled_before_a_run():
    driver = Driver()
    assert driver.panel.widget.layout.display == "none"
    driver.panel.preview("suitor", "fast")
    assert driver.panel.widget.layout.display is None
    assert driver.panes.sources[0]["name"] == "suitor_fast.cuh"
    assert not driver.offer["ready"]
    driver.panes._receive(None, {"kind": "profile"}, [])
    assert not driver.jobs.busy


def test_a_run_is_profiled(graph, result):
    driver = Driver()
    driver.panel.show(graph, result)
    assert driver.offer["ready"]
    assert driver.panes.profile == {}
    driver.profile()
    assert driver.errors == []
    assert driver.begun == 1
    assert driver.offer["ready"]
    assert {"suitor.cu", "matching.cuh"} <= set(driver.panes.profile["files"])
    profiled = map(int, driver.panes.profile["files"]["suitor.cu"])
    # The profile is that of the variant that ran: NoSync never levels.
    levelling = line_of("suitor.cu", "__device__ inline int level(")
    assert not any(levelling <= line < levelling + 40 for line in profiled)
    assert all(phase.startswith("profiling") for phase, _, _ in driver.phases)
    driver.panel.show(graph, result)
    assert driver.panes.profile == {}


def test_a_run_on_a_gpu_is_profiled_on_the_host(graph, result):
    driver = Driver()
    elsewhere = dataclasses.replace(result, device={"name": "cuda", "model": "a GPU"})
    driver.panel.show(graph, elsewhere)
    assert "on the host executor" in driver.offer["text"]
    assert "GPU" in driver.offer["text"]
    driver.profile()
    assert driver.panes.profile["files"]["suitor.cu"]


def test_a_profile_asked_for_while_charts_are_made_is_made_afterwards(graph, result):
    driver = Driver()

    def shown(_):
        driver.panel.show(graph, result)
        driver.panes._receive(None, {"kind": "profile"}, [])
        assert driver.begun == 0

    quiet = {"begin": lambda: None, "progress": lambda *_: None}
    driver.jobs.start(lambda *_: None, shown, **quiet, seconds=60)
    for _ in range(2):
        assert driver._idle.acquire(timeout=120)
    assert driver.errors == []
    assert driver.panes.profile["files"]["suitor.cu"]


def test_too_large_a_graph_is_refused_in_words(graph, result):
    driver = Driver(profile_edges=10)
    driver.panel.show(graph, result)
    assert not driver.offer["ready"]
    assert "up to 10 edges" in driver.offer["text"]


def test_a_missing_library_is_said_kindly(graph, result, monkeypatch):
    def missing(name="warplens"):
        raise DeviceError(f"lib{name}.so is not installed")

    monkeypatch.setattr(native, "library_path", missing)
    driver = Driver()
    driver.panel.show(graph, result)
    assert not driver.offer["ready"]
    assert "Everything else works without it" in driver.offer["text"]
    assert driver.panes.sources


def test_a_profile_can_be_cancelled(graph, result, monkeypatch):
    driver = Driver()
    driver.panel.show(graph, result)

    def run(*args, cancel, **options):
        driver.jobs.cancel()
        assert cancel.is_set()
        raise Cancelled

    monkeypatch.setattr(gpucore, "run", run)
    driver.profile()
    assert [type(error) for error in driver.errors] == [Cancelled]
    assert driver.offer["ready"]
    assert driver.panes.profile == {}


def test_an_unknown_variant_hides_the_card(graph, result):
    driver = Driver()
    driver.panel.preview("suitor", "of tomorrow")
    assert driver.panel.widget.layout.display == "none"
