"""The protocol of a measurement: warm-ups never count, memory is that of one instance."""

from threading import Event

import numpy as np
import pytest

from gpucore.bench import harness
from gpucore.bench.harness import measure
from gpucore.bench.suite import Case, get_suite
from gpucore.device import get_device
from gpucore.device.host import HostDevice
from gpucore.device.resident import Resident, release
from gpucore.errors import Cancelled
from gpucore.problems.graph.graph import Graph


class Compiling(HostDevice):
    """A host device that loads a kernel whenever one is first asked for in each of some runs."""

    def __init__(self, runs):
        super().__init__()
        self.left, self.loads = runs, 0

    @property
    def kernels_loaded(self):
        return self.loads

    def kernel(self, source, name, **options):
        if self.left:
            self.left -= 1
            self.loads += 1
        return super().kernel(source, name, **options)


def path_graph():
    graph = Graph.from_edges(40, np.arange(39), np.arange(1, 40))
    return get_suite("matching").prepare(graph)


def timed(device, case=None, **options):
    options = {"repeat": 3, "case_limit": 60.0, **options}
    case = case or Case("ld", "ld")
    return measure(get_suite("matching"), case, path_graph(), device, **options)[0]


def test_runs_that_compiled_are_not_counted():
    # LD asks for two kernels a run: the warm-up and the first two runs load one or two.
    begun = []
    found = timed(Compiling(6), begin=lambda: begun.append(1))
    assert (len(begun), len(found["runs"]), found["warm"]) == (6, 3, True)
    begun.clear()
    found = timed(Compiling(0), begin=lambda: begun.append(1))
    assert (len(begun), len(found["runs"])) == (4, 3)


def test_runs_that_count_find_all_kernels_compiled():
    """A run may take another way while a kernel is being compiled."""
    events = []

    class Later(Compiling):
        def finish_compiling(self):
            events.append("compiled")

    timed(Later(0), begin=lambda: events.append("run"))
    assert events == ["run", "compiled", "run", "run", "run"]


def test_a_run_of_seconds_that_compiled_nothing_needs_no_warm_up(monkeypatch):
    monkeypatch.setattr(harness, "LONG", 0.0)
    begun = []
    found = timed(Compiling(0), begin=lambda: begun.append(1), case_limit=0.0)
    assert (len(begun), len(found["runs"]), found["warm"]) == (1, 1, True)
    begun.clear()
    found = timed(Compiling(1), begin=lambda: begun.append(1), case_limit=0.0)
    assert (len(begun), len(found["runs"]), found["warm"]) == (2, 1, True)
    begun.clear()
    found = timed(Compiling(0), begin=lambda: begun.append(1))  # below the case limit
    assert (len(begun), len(found["runs"])) == (4, 3)


class Once:
    """A limit that the first run exceeds."""

    def __init__(self, device):
        self.device, self.runs = device, 0

    def begin(self):
        self.runs += 1

    def is_set(self):
        return self.runs == 1 and self.device.loads >= self.device.loads_at_limit


def test_a_run_that_only_compiled_too_long_is_run_again():
    device = Compiling(2)
    device.loads_at_limit = 1
    limit = Once(device)
    assert timed(device, cancel=limit, begin=limit.begin)["warm"]
    assert limit.runs == 5
    device = Compiling(0)
    device.loads_at_limit = 0
    limit = Once(device)
    with pytest.raises(Cancelled):
        timed(device, cancel=limit, begin=limit.begin)


def test_release_frees_what_all_families_keep_on_a_device():
    device, other = get_device("host"), HostDevice()
    caches, problem = [Resident(), Resident()], path_graph()
    for cache in caches:
        cache.keep(device, problem, "form")
        cache.keep(other, problem, "form")
    release(device)
    assert [cache.find(device, problem) for cache in caches] == [None, None]
    assert [cache.find(other, problem) for cache in caches] == ["form", "form"]


@pytest.mark.gpu
def test_memory_is_that_of_one_instance():
    device, suite = get_device("cuda"), get_suite("marriage")
    held = {}
    for name in ("hard2k", "easy200k", "hard2k"):
        problem = suite.prepare(suite.load(name))
        case = Case("fast", "marriage", {"variant": "fast"})
        found, _ = measure(suite, case, problem, device, repeat=1, case_limit=9.0)
        held.setdefault(name, []).append(found["device_bytes"])
    first, again = held["hard2k"]
    assert first == again
    assert first < held["easy200k"][0] // 4


def test_the_copies_of_memory_can_be_cancelled():
    cancel = Event()
    assert harness.copy_bandwidth(HostDevice(), largest=1 << 20, cancel=cancel)["bandwidth"] > 0
    cancel.set()
    with pytest.raises(Cancelled):
        harness.copy_bandwidth(HostDevice(), largest=1 << 20, cancel=cancel)
