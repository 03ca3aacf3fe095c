"""The registry of CPU methods, their parameters, and how they stop or refuse."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from gpucore import native
from gpucore.cpu.common import choose_threads
from gpucore.errors import Cancelled, DeviceError, MissingDependency, ParameterError
from gpucore.family import get_runner, methods
from gpucore.problems.graph.graph import Graph
from support.cancelling import OnceCancelled, Stop
from support.matching_cases import graph_of, random_graph
from support.running import uncertified

NATIVE = ["greedy", "suitor_serial", "ld_serial", "suitor_omp", "ld_omp"]
OTHERS = ["networkit_suitor", "networkx_exact"]


class NeverStop:
    def is_set(self):
        return False


def test_all_methods_are_found():
    assert list(methods()) == sorted(methods())
    found = {name: r for name, r in methods().items() if r.family == "matching"}
    assert list(found) == sorted(NATIVE + OTHERS)
    for name, runner in methods().items():
        assert runner.name == name
        assert runner.title
        assert runner.source


def test_the_error_for_an_unknown_method_lists_the_known_ones():
    with pytest.raises(ParameterError, match=r"no algorithm 'suitor_cobol'.*greedy, .*ld_omp"):
        get_runner("suitor_cobol")


@pytest.mark.parametrize("name", NATIVE)
def test_results_say_where_they_come_from(name):
    runner = get_runner(name)
    assert runner.available() is None
    result = uncertified(runner.name, random_graph(50, 100, 1), threads=2)
    assert result.algorithm == name
    assert result.device["name"] == "cpu"
    assert result.device["model"]
    assert result.device["threads"] == (2 if name.endswith("_omp") else 1)
    assert result.seconds > 0
    assert result.mate.dtype == np.int32
    json.dumps([result.summary(), result.device, result.params])


@pytest.mark.parametrize("threads", [0, -1, 1025, 2.0, True, "2"])
def test_a_wrong_number_of_threads_is_refused(threads):
    for name in ("suitor_omp", "ld_omp"):
        with pytest.raises(ParameterError, match="threads must be"):
            uncertified(name, random_graph(10, 20, 1), threads=threads)


def test_threads_default_to_the_cores():
    assert 1 <= choose_threads(None) <= 1024
    assert choose_threads(np.int64(3)) == 3


@pytest.mark.parametrize("name", ["suitor_omp", "ld_omp"])
def test_more_threads_than_work(name):
    assert uncertified(name, graph_of(2, [(0, 1)], [1]), threads=64).mate.tolist() == [1, 0]


@pytest.mark.parametrize("name", [*NATIVE, *OTHERS])
def test_a_cancelled_run_does_not_start(name):
    with pytest.raises(Cancelled):
        uncertified(name, random_graph(50, 100, 1), cancel=Stop(before=True))


@pytest.fixture(scope="module")
def stubborn():
    """A clique of equal weights: all want the same vertex, again and again."""
    n = 1400
    v, u = np.tril_indices(n, -1)
    return Graph.from_edges(n, u, v)


@pytest.mark.parametrize("name", [name for name in NATIVE if name != "greedy"])
def test_a_run_can_be_cancelled(name, stubborn):
    with pytest.raises(Cancelled):
        uncertified(name, stubborn, threads=2, cancel=Stop(before=False))


def test_a_quick_run_can_be_cancelled(monkeypatch):
    library = native.load()
    monkeypatch.setattr(native, "load", lambda: OnceCancelled(library))
    with pytest.raises(Cancelled):
        uncertified("greedy", random_graph(300, 900, 1), cancel=Stop(before=False))


@pytest.mark.parametrize("name", NATIVE)
def test_watching_for_a_cancel_changes_nothing(name):
    graph = random_graph(500, 2000, 4)
    with_cancel = uncertified(name, graph, threads=2, cancel=NeverStop())
    np.testing.assert_array_equal(with_cancel.mate, uncertified("greedy", graph).mate)


@pytest.mark.parametrize(("status", "text"), [(2, "out of memory"), (3, "would not start")])
def test_native_failures_become_errors(monkeypatch, status, text):
    class Failing:
        @staticmethod
        def cpu_suitor_omp(*_):
            return status

    monkeypatch.setattr(native, "load", Failing)
    with pytest.raises(DeviceError, match=text):
        uncertified("suitor_omp", random_graph(10, 20, 1), threads=2)


@pytest.mark.parametrize("name", NATIVE)
def test_without_the_native_library_a_method_says_so(monkeypatch, name):
    def missing():
        raise DeviceError("the native library is not built")

    monkeypatch.setattr(native, "load", missing)
    assert get_runner(name).available() == "the native library is not built"


def test_without_networkit_its_method_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkit", None)
    runner = get_runner("networkit_suitor")
    assert "[peers]'" in runner.available()
    with pytest.raises(MissingDependency, match="pip install"):
        uncertified(runner.name, random_graph(10, 20, 1))
