"""The comparison of runners: aligned, repeated, certified, and robust against failures."""

from __future__ import annotations

import dataclasses
import json
import sys
import threading

import networkx
import numpy as np
import pytest

import gpucore.cpu
from gpucore.compare import compare
from gpucore.errors import Cancelled, ParameterError
from gpucore.problems.graph.generate import rmat
from gpucore.problems.graph.prepare import for_matching

METHODS = ["greedy", "suitor_serial", "ld_serial", "suitor_omp", "ld_omp"]


@pytest.fixture(scope="module")
def graph():
    return for_matching(gpucore.load("netscience"))


def test_methods_find_the_same_mates(graph):
    comparison = compare(graph, METHODS)
    rows = comparison.as_rows()
    assert [row["runner"] for row in rows] == METHODS
    assert [row["differs"] for row in rows] == [None, 0, 0, 0, 0]
    assert all(row["certified"] for row in rows)
    assert len({(row["weight"], row["cardinality"]) for row in rows}) == 1
    assert rows[0]["speedup"] == 1.0
    assert rows[1]["speedup"] == pytest.approx(rows[0]["seconds"] / rows[1]["seconds"])
    assert json.loads(json.dumps(rows)) == rows


def test_a_repeated_run_has_the_median_time(graph):
    entry = compare(graph, ["suitor_omp"], repeat=5).entries[0]
    assert len(entry.times) == 5
    assert entry.result.seconds == sorted(entry.times)[2]
    assert compare(graph, ["suitor_omp"], repeat=5).as_rows()[0]["repetitions"] == 5


def test_graphs_of_networkx_are_taken_as_by_a_run():
    theirs = networkx.Graph([(0, 1, {"weight": 2.0}), (1, 2, {"weight": 3.0}), (2, 2)])
    comparison = compare(theirs, ["greedy", "suitor@host"])
    assert [row["weight"] for row in comparison.as_rows()] == [3.0, 3.0]
    assert comparison.graph.num_vertices == 3


@pytest.mark.parametrize("repeat", [0, -1])
def test_at_least_one_repetition(graph, repeat):
    with pytest.raises(ParameterError, match="repeat"):
        compare(graph, ["greedy"], repeat=repeat)


def test_each_peer_is_certified_by_what_it_promises():
    pytest.importorskip("networkit")
    graph = for_matching(gpucore.load("lesmis"))
    comparison = compare(graph, ["greedy", "networkit_suitor", "networkx_exact"])
    greedy, _, exact = comparison.as_rows()
    assert comparison.certified
    assert greedy["weight"] <= exact["weight"] <= 2 * greedy["weight"]


def test_one_failure_leaves_the_others_their_results(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "networkit", None)
    comparison = compare(graph, ["networkit_suitor", "greedy", "ld_serial"], repeat=2)
    missing, greedy, ld = comparison.as_rows()
    assert "[peers]'" in missing["error"]
    assert (greedy["differs"], greedy["speedup"]) == (None, 1.0)
    assert ld["differs"] == 0
    assert comparison.certified


def test_one_wrong_repetition_is_enough(graph, monkeypatch):
    """A method that loses a pair in every third run is wrong, and its wrong result is shown."""
    greedy = gpucore.family.get_runner("greedy")
    calls = []

    def forgetful(graph, params, context):
        result = greedy.run(graph, params, context)
        calls.append(result)
        if len(calls) == 2:
            mate = result.mate.copy()
            u = int(np.argmax(mate >= 0))
            mate[[u, mate[u]]] = -1
            return dataclasses.replace(result, mate=mate)
        return result

    wrong = dataclasses.replace(greedy, run=forgetful)
    known = {"greedy": greedy, "ld_serial": wrong}
    monkeypatch.setattr("gpucore.family.get_runner", known.__getitem__)
    comparison = compare(graph, ["greedy", "ld_serial"], repeat=3)
    assert not comparison.certified
    assert comparison.entries[1].differs == 2
    assert not comparison.as_rows()[1]["certified"]


def test_a_cancelled_comparison_stops(graph):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        compare(graph, ["greedy"], cancel=cancel)


@pytest.mark.parametrize("device", ["host"])
def test_kernels_and_cpu_methods_find_the_same(device):
    names = [name for name in ("suitor", "ld") if name in gpucore.algorithms()]
    if not names:
        pytest.skip("no matching kernels in this build")
    problem = for_matching(rmat(scale=8, edge_factor=8, seed=2))
    comparison = compare(problem, ["greedy", *(f"{name}@{device}" for name in names)])
    assert [entry.error for entry in comparison.entries] == [""] * (1 + len(names))
    assert [entry.differs for entry in comparison.entries[1:]] == [0] * len(names)
    assert comparison.certified
