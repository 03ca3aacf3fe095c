"""Benchmarks of b-matching: one b-matching for each b, and the tables that say so."""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pytest

from gpucore.bench.plan import Plan
from gpucore.bench.report import write_report
from gpucore.families.bmatching.bench.suite import SUITE, VALUES, _digest
from gpucore.families.bmatching.bench.tables import PEER, b_of, solution_rows, speed_rows
from gpucore.family import algorithms, methods
from support.bench_sessions import measured
from support.matching_cases import random_graph
from support.running import uncertified

pytestmark = pytest.mark.usefixtures("small_copy")

GRAPHS = ("karate", "grid12")
CORES = 2


def known(case):
    return case.runner in {**algorithms(), **methods()}


@pytest.fixture(scope="module")
def suite():
    """The suite with the runners that there are."""
    return dataclasses.replace(
        SUITE,
        experiments=tuple(
            dataclasses.replace(
                e, cases=lambda cores, e=e: [case for case in e.cases(cores) if known(case)]
            )
            for e in SUITE.experiments
        ),
    )


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    base = tmp_path_factory.mktemp("bmatching")
    return base / "out", base / "cache"


@pytest.fixture(scope="module")
def data(suite, places):
    """All experiments on two tiny graphs, once for all tests."""
    one = [("bench.processes.get_suite", lambda family: suite)]
    plan = Plan(graphs=GRAPHS, repeat=2, cores=CORES)
    return measured(suite, plan, places, one)


def test_every_case_is_measured_and_certified(suite, data):
    assert set(data["measurements"]) == set(GRAPHS)
    wanted = {case.key for experiment in suite.experiments for case in experiment.cases(CORES)}
    assert len(wanted) >= 4 * 5 + 2
    for cases in data["measurements"].values():
        assert set(cases) == wanted
        assert [case.get("error") for case in cases.values() if "seconds" not in case] == []
        assert all(case["certified"] for case in cases.values())


def test_each_b_has_one_b_matching(data):
    rows = list(solution_rows(data))
    expected = [(graph, str(b)) for graph in GRAPHS for b in VALUES.values()]
    assert sorted(row[:2] for row in rows) == sorted(map(list, expected))
    assert {row[3] for row in rows} == {"identical"}
    changed = copy.deepcopy(data)
    (key,) = (k for k in data["measurements"]["karate"] if k.startswith("bgreedy(b=10)"))
    changed["measurements"]["karate"][key] |= {"digest": "another one", "digests": ["another one"]}
    (row,) = (r for r in solution_rows(changed) if r[:2] == ["karate", "10"])
    assert row[3] == "DIFFER"


def test_speeds_beside_the_peer(data):
    """Our variant is the time of another method here; the ratios are those of the times."""
    changed = copy.deepcopy(data)
    for name, experiment in changed["experiments"].items():
        if name.startswith("processor_"):
            serial = next(c for c in experiment["cases"] if c["label"] == "b-Suitor, serial")
            experiment["cases"] = [c for c in experiment["cases"] if c["label"] == PEER]
            experiment["cases"].append({**serial, "label": "fast (ours)"})
    for cases in changed["measurements"].values():
        for key, case in cases.items():
            case["seconds"] = 8.0 if key.startswith("networkit") else 2.0
    rows = list(speed_rows(changed))
    assert [row[0] for row in rows[::3]] == [str(b) for b in VALUES.values()]
    assert [row[4] for row in rows] == ["4"] * len(rows)
    assert [row[1] for row in rows[:3]] == [*GRAPHS, "mean of 2"]


def test_a_matching_has_the_digest_of_a_b_matching_with_one_mate():
    graph = random_graph(60, 200, 1)
    one = uncertified("bgreedy", graph, b=1)
    assert _digest(one) == _digest(uncertified("suitor_serial", graph))
    more = dataclasses.replace(one, capacity=np.full(60, 2, np.int32))
    assert _digest(one) != _digest(more)
    assert _digest(one) != _digest(uncertified("bgreedy", graph, b=2))


def test_every_case_names_its_b():
    for experiment in SUITE.experiments:
        for case in experiment.cases(CORES):
            assert b_of(case.key) == str(case.params.get("b", 1))


def test_the_report_is_written(suite, data, places):
    write_report(suite, data, places[0])
    text = (places[0] / "bmatching.html").read_text()
    assert "One b-matching for each b" in text
    assert "degree/2" in text
