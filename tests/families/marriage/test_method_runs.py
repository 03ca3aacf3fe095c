"""The CPU methods for stable marriage: descriptions, refused parameters, cancelling."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from gpucore import native
from gpucore.compare import compare
from gpucore.errors import (
    Cancelled,
    DeviceError,
    GraphError,
    MissingDependency,
    ParameterError,
)
from gpucore.family import get_runner
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.preferences.generate import (
    classic,
    easy,
    hard,
    hospitals,
)
from support.cancelling import Stop
from support.running import uncertified

TEAMS = ["gale_shapley_omp", "mcvitie_wilson_omp"]
OURS = ["gale_shapley", "mcvitie_wilson", *TEAMS]


def test_results_say_where_they_come_from():
    problem = easy(50).graph()
    for name in [*OURS, "matching_library"]:
        runner = get_runner(name)
        if runner.available() is not None:
            continue
        result = uncertified(runner.name, problem, threads=2)
        assert result.algorithm == name
        threads = 2 if name in TEAMS else 1
        assert result.device["threads"] == result.params["threads"] == threads
        assert result.params["proposers"] == "men"
        assert result.seconds > 0
        json.dumps([result.summary(), result.device, result.params])
    assert uncertified("gale_shapley", problem, order="rounds").params["order"] == "rounds"


def test_they_can_be_compared():
    comparison = compare(classic(20).graph(), [*OURS, "gale_shapley:order=rounds"][:4])
    assert [entry.error for entry in comparison.entries] == [""] * 4
    assert comparison.certified
    assert [entry.differs for entry in comparison.entries[1:]] == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "params", "text"),
    [
        *((n, {"proposers": "all"}, "proposers must be .*'all'") for n in OURS),
        ("matching_library", {"proposers": 1}, "proposers must be"),
        ("gale_shapley", {"order": "stack"}, 'order must be "queue" or "rounds"'),
        ("gale_shapley", {"order": None}, "order must be"),
        *((n, {"threads": t}, "threads must be") for n in TEAMS for t in (0, 2.0, 1025)),
    ],
)
def test_wrong_parameters_are_refused(name, params, text):
    if get_runner(name).available() is not None:
        pytest.skip("not installed")
    with pytest.raises(ParameterError, match=text):
        uncertified(name, easy(10), **params)


@pytest.mark.parametrize("name", TEAMS)
def test_several_threads_take_no_capacities(name):
    with pytest.raises(GraphError, match=r"have capacities; gale_shapley and mcvitie_wilson"):
        uncertified(name, hospitals(20, 5))


def test_a_graph_is_no_instance():
    for name in OURS:
        with pytest.raises(GraphError, match="for_marriage"):
            uncertified(name, BipartiteGraph.from_matrix([[1, 1]]))


def test_the_package_refuses_what_it_cannot_solve():
    pytest.importorskip("matching")
    with pytest.raises(GraphError, match=r"too slow for 1000000 pairs.*mcvitie_wilson"):
        uncertified("matching_library", hard(1000))
    with pytest.raises(GraphError, match="the women propose and have capacities"):
        uncertified("matching_library", hospitals(20, 5), proposers="women")


def test_without_the_package_its_method_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr("gpucore.cpu.common.find_spec", lambda name: None)
    assert "[peers]'" in get_runner("matching_library").available()
    with pytest.raises(MissingDependency, match="pip install"):
        uncertified("matching_library", easy(10))


@pytest.mark.parametrize("name", OURS)
def test_a_cancelled_run_does_not_start(name):
    with pytest.raises(Cancelled):
        uncertified(name, easy(50), cancel=Stop(before=True))


@pytest.mark.parametrize("name", OURS)
def test_a_run_can_be_cancelled(name):
    """Long enough to be noticed: a thousand million places would be read."""
    for params in [{}, {"order": "rounds"}] if name == "gale_shapley" else [{}]:
        with pytest.raises(Cancelled):
            uncertified(name, hard(60_000), threads=2, cancel=Stop(before=False), **params)


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize(("status", "text"), [(2, "out of memory"), (3, "would not start")])
def test_native_failures_become_errors(monkeypatch, name, status, text):
    problem = easy(10)

    library = SimpleNamespace(**{f"cpu_{name}": lambda task: status})
    monkeypatch.setattr(native, "load", lambda: library)
    with pytest.raises(DeviceError, match=text):
        uncertified(name, problem)
