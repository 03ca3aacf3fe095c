"""Parts of a session, joined into one results file."""

import dataclasses
import json

import pytest

from gpucore.bench.join import join_results
from gpucore.bench.plan import Plan
from gpucore.bench.results import read_results
from gpucore.bench.session import run_session
from gpucore.bench.suite import Case, Experiment, get_suite
from gpucore.device import get_device
from gpucore.errors import ParameterError

pytestmark = pytest.mark.usefixtures("small_copy")

DEVICE = Case("device", "suitor", {"variant": "nosync"})
APART = Case("greedy", "greedy", {}, "cpu", separate=True)


def part(cases):
    few = Experiment("few", "Few", "ours", lambda _: cases, plot="none")
    return dataclasses.replace(get_suite("matching"), experiments=(few,))


@pytest.fixture
def measured(tmp_path):
    """Return the files of two parts: a case on the device, and one in a process of its own."""

    def run(graph, folder, cases):
        plan = Plan([graph], repeat=2, case_limit=0.0)
        target = tmp_path / folder
        run_session(part(cases), plan, get_device("host"), target, tmp_path / "graphs")
        return target / "matching.json"

    return [run("grid8", "main", [DEVICE]), run("grid8", "beside", [APART])]


def test_parts_are_joined_with_all_experiments(measured, tmp_path):
    joined = join_results(measured, part([DEVICE, APART]), tmp_path / "all", at_a_time=7)
    assert joined == read_results(tmp_path / "all" / "matching.json")
    cases = joined["measurements"]["grid8"]
    assert set(cases) == {DEVICE.key, APART.key}
    assert cases[APART.key]["beside"] == 7
    assert "beside" not in cases[DEVICE.key]
    assert [c["label"] for c in joined["experiments"]["few"]["cases"]] == ["device", "greedy"]
    # Both found the same matching, which both parts have certified.
    assert list(joined["graphs"]["grid8"]["solutions"].values()) == [True]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data["setup"].update(code="other"), "cannot be compared"),
        (lambda data: data["protocol"].update(repeat=9), "cannot be compared"),
        (lambda data: data["graphs"]["grid8"].update(fingerprint="other"), "another graph"),
    ],
)
def test_what_cannot_be_compared_is_not_joined(measured, tmp_path, change, words):
    data = json.loads(measured[1].read_text())
    change(data)
    measured[1].write_text(json.dumps(data))
    with pytest.raises(ParameterError, match=words):
        join_results(measured, part([DEVICE, APART]), tmp_path / "all")


def test_joining_nothing_says_so(tmp_path):
    with pytest.raises(ParameterError, match="no results of matching"):
        join_results([], part([DEVICE]), tmp_path / "all")
