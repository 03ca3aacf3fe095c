"""The installed instrumented library: all kernels of the package, at every record level."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

import gpucore
from gpucore import native
from gpucore.device import source
from gpucore.device.host import HostDevice
from gpucore.errors import Cancelled, DeviceError
from gpucore.problems.graph.graph import Graph

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(f"{error} (and by GCC 11 or newer)", allow_module_level=True)

RUNS = [
    *(("suitor", {"variant": v}) for v in ("fast", "nosync", "sync_lb", "sync_nolb", "hybrid")),
    ("ld", {}),
    ("ld", {"variant": "warp"}),
]


@pytest.fixture(scope="module")
def graph() -> Graph:
    random = np.random.default_rng(3)
    u, v = random.integers(0, 400, (2, 3000))
    keep = u != v
    weights = random.integers(1, 20, int(keep.sum())).astype(np.float32)
    return Graph.from_edges(400, u[keep], v[keep], weights, duplicates="max")


def test_it_has_the_same_kernels() -> None:
    assert native.library(instrumented=True).kernels.keys() == native.library().kernels.keys()


@pytest.mark.parametrize("record", ["off", "counters", "events"])
@pytest.mark.parametrize(("algorithm", "params"), RUNS, ids=str)
def test_no_races_and_the_same_result(
    graph: Graph, algorithm: str, params: dict[str, Any], record: str
) -> None:
    plain = gpucore.run(algorithm, graph, device=HostDevice(), record=record, **params)
    device = HostDevice(
        instrumented=True, policy="random", seed=5, resident=4, yield_access=0.05, yield_atomic=0.1
    )
    result = gpucore.run(algorithm, graph, device=device, record=record, **params)
    assert np.array_equal(result.mate, plain.mate)
    profile = device.profile()
    assert profile.races == ()
    assert 0 < profile.simt_efficiency <= 1
    assert 0 < profile.coalescing <= 1
    # every row is a line of a kernel's source
    names = set(source.files())
    assert set(profile.lines["file"].tolist()) <= names
    for file, line in zip(profile.lines["file"], profile.lines["line"], strict=True):
        assert 1 <= line <= len(source.files()[str(file)].read_text().splitlines())


@pytest.mark.parametrize("first", [True, False])
def test_launches_of_both_libraries_are_cancelled_in_any_order(first: bool) -> None:
    """Both have handlers of signals; the one that ends first must leave the other's in place."""
    random = np.random.default_rng(5)
    u, v = random.integers(0, 30_000, (2, 300_000))
    graph = Graph.from_edges(30_000, u[u != v], v[u != v], duplicates="first")
    runs = []
    for instrumented in (first, not first):
        cancel = threading.Event()
        device = HostDevice(instrumented=instrumented)
        run = threading.Thread(target=_cancelled, args=(graph, device, cancel), daemon=True)
        run.start()
        time.sleep(0.3)
        runs.append((run, cancel))
    for run, cancel in runs:
        cancel.set()
        run.join(60)
        assert not run.is_alive()


def _cancelled(graph: Graph, device: HostDevice, cancel: threading.Event) -> None:
    with pytest.raises(Cancelled):
        gpucore.run("louvain", graph, device=device, cancel=cancel)
