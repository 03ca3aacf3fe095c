"""Arguments of wrong types get one of our errors, never an AttributeError or a TypeError."""

import threading
from pathlib import Path

import numpy as np
import pytest

import gpucore
from gpucore.compare import Contestant, compare
from gpucore.device import get_device
from gpucore.errors import GraphError, ParameterError, RecordError, WarplensError
from gpucore.family import algorithms, methods
from gpucore.limits import Limits
from gpucore.loading import load_bytes
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.preferences.load import load_preferences
from gpucore.problems.roommates.load import load_roommates
from gpucore.record import Record

KARATE = for_matching(gpucore.load("karate"))
JUNK = [
    None, 3, 2.5, "x", "", [], {}, b"x", object(), np.zeros(3), True, float("nan"), -1, 10**30,
    ["x"], {1}, Path("/tmp"),
]  # fmt: skip


def is_natural(value):
    return type(value) is int and value >= 0


@pytest.mark.parametrize("graph", JUNK)
def test_a_graph_is_needed(graph):
    for runner in algorithms():
        with pytest.raises(GraphError, match=f"{runner} needs .*; load one with gpucore"):
            gpucore.run(runner, graph, device="host")
    for runner in methods():
        with pytest.raises(GraphError, match=f"{runner} needs .*; load one with gpucore"):
            compare(graph, [runner])


def test_a_matrix_of_numpy_is_given_as_a_sparse_one():
    with pytest.raises(GraphError, match=r"not numpy.ndarray; .* scipy.sparse.csr_array\(matrix\)"):
        gpucore.run("suitor", np.eye(3), device="host")


@pytest.mark.parametrize(
    "problem", [load_preferences("gale_shapley_4"), load_roommates("path:n=4")]
)
def test_a_problem_of_another_kind_is_refused(problem):
    for runner in (*algorithms(), *methods()):
        try:
            compare(problem, [runner])
        except WarplensError as error:
            assert "needs" in str(error)


@pytest.mark.parametrize("value", JUNK)
@pytest.mark.parametrize(
    "name",
    ["device", "record", "certify", "variant", "threads_per_block", "seed", "record_budget"],
)
def test_arguments_of_run(name, value):
    if (name == "certify" and value is True) or (name == "record_budget" and is_natural(value)):
        return
    with pytest.raises(ParameterError):
        gpucore.run("suitor", KARATE, **{"device": "host", "record": "off", name: value})


@pytest.mark.parametrize("value", [v for v in JUNK if v is not None])
def test_hooks(value):
    for name in ("progress", "cancel"):
        for call in (
            lambda hook: gpucore.run("suitor", KARATE, device="host", **hook),
            lambda hook: compare(KARATE, ["greedy"], **hook),
            lambda hook: gpucore.load("karate", **hook),
        ):
            with pytest.raises(ParameterError, match=f"{name} must"):
                call({name: value})
    gpucore.load("karate", cancel=threading.Event(), progress=lambda phase, done, total: None)


@pytest.mark.parametrize("value", JUNK)
def test_names_of_runners(value):
    with pytest.raises(ParameterError):
        gpucore.run(value, KARATE)
    with pytest.raises(ParameterError):
        compare(KARATE, value)
    with pytest.raises(ParameterError):
        compare(KARATE, [value])
    with pytest.raises(ParameterError):
        Contestant.parse(value)
    with pytest.raises(ParameterError):
        compare(KARATE, [Contestant(value)])
    with pytest.raises(ParameterError):
        compare(KARATE, [Contestant("suitor", device=value)])
    if value is not None:
        with pytest.raises(ParameterError):
            compare(KARATE, [Contestant("suitor", value, "host")])
    if not isinstance(value, dict):
        with pytest.raises(ParameterError):
            compare(KARATE, [Contestant("greedy", device="cpu", params=value)])


@pytest.mark.parametrize("repeat", [None, 0, -1, 2.0, "2", True, 10**30, float("nan")])
def test_repetitions(repeat):
    with pytest.raises(ParameterError, match=r"repeat is .* use an integer from 1 to 10000"):
        compare(KARATE, ["greedy"], repeat=repeat)


def test_a_runner_that_does_not_exist_is_no_failure_of_a_runner():
    for text in ("suitor:zzz", "suitor@zzz"):
        with pytest.raises(ParameterError, match="zzz"):
            compare(KARATE, ["greedy", text])
    with pytest.raises(ParameterError, match="zzz"):
        compare(KARATE, [Contestant("greedy", device="cpu", params={"zzz": 1})])
    with pytest.raises(ParameterError, match="record level"):
        compare(KARATE, ["greedy"], record=5)


@pytest.mark.parametrize("value", [v for v in JUNK if not isinstance(v, str | Path)])
def test_what_is_loaded(value):
    with pytest.raises(GraphError, match="a text or a path"):
        gpucore.load(value)
    with pytest.raises(RecordError, match="a file's name"):
        Record.load(value)
    with pytest.raises(ParameterError):
        load_bytes(value, b"1 2\n")
    if not isinstance(value, bytes):
        with pytest.raises(ParameterError, match="data must be bytes"):
            load_bytes("x.txt", value)
    if value is not None:
        with pytest.raises(ParameterError, match="limits must be"):
            gpucore.load("karate", limits=value)
        with pytest.raises(ParameterError, match="the format must be a text"):
            gpucore.load("karate", form=value)
    assert gpucore.load("karate", limits=Limits()).num_vertices == 34


@pytest.mark.parametrize("value", [v for v in JUNK if not is_natural(v)])
def test_the_size_of_a_record(value, tmp_path):
    with pytest.raises(ParameterError, match="max_bytes"):
        Record.load(tmp_path / "none.npz", max_bytes=value)


@pytest.mark.parametrize("value", JUNK)
def test_devices(value):
    with pytest.raises(ParameterError):
        get_device(value)
    with pytest.raises(ParameterError):
        get_device("host", policy=value)


def test_a_value_that_cannot_be_compared():
    with pytest.raises(ParameterError, match="cannot use a parameter's value"):
        gpucore.run("suitor", KARATE, threads_per_block=np.zeros(3))


def test_names_that_are_imported_later():
    for name in gpucore.__all__:
        assert getattr(gpucore, name) is not None
