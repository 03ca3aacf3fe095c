"""The command line and the benchmarks on a real card."""

import json
import math

import pytest

from gpucore.bench.plan import Plan
from gpucore.bench.session import run_session
from gpucore.bench.suite import get_suite
from gpucore.bench.summary import summarise
from gpucore.device import get_device

pytestmark = pytest.mark.gpu


def test_a_session_on_the_card_agrees_with_the_processor(tmp_path):
    suite = get_suite("matching")
    plan = Plan(graphs=["delaunay14", "rmat14"], repeat=2)
    places = (tmp_path / "out", tmp_path / "cache")
    results, complete = run_session(suite, plan, get_device("cuda"), *places)
    assert complete
    for row in summarise(results.data, suite.contest, suite.quality):
        assert row.same
        assert row.certified
        assert math.isfinite(row.speed_up)
    assert results.data["copy"]["bandwidth"] > 1e10


def test_communities_on_the_card_repeat_are_certified_and_their_memory_is_known(tmp_path):
    suite = get_suite("communities")
    plan = Plan(graphs=["delaunay14"], experiments=["contest"], repeat=2)
    places = (tmp_path / "out", tmp_path / "cache")
    results, complete = run_session(suite, plan, get_device("cuda"), *places)
    assert complete
    cases = results.data["measurements"]["delaunay14"]
    for case in suite.experiments[0].cases(1):
        assert cases[case.key]["certified"] is True
        assert cases[case.key]["device_bytes"] > results.data["graphs"]["delaunay14"]["graph_bytes"]
        assert cases[case.key]["solutions"] == 1 or case.params["variant"] == "fast"


def test_the_command_line_takes_the_card_by_itself(capsys):
    from gpucore.cli import main

    with pytest.raises(SystemExit) as ended:
        main(["run", "suitor", "karate", "--json"])
    assert ended.value.code == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["device"], found["certified"]) == ("cuda", True)


def test_sgd_on_the_card_is_measured_certified_and_predicted(tmp_path):
    suite = get_suite("sgd")
    device = get_device("cuda")
    plan = Plan(graphs=["ratings100k", "road20"], experiments=["contest", "schedules"], repeat=1)
    places = (tmp_path / "out", tmp_path / "cache")
    results, complete = run_session(suite, plan, device, *places)
    assert complete
    figures = results.data["device_figures"]
    assert figures["barriers"][-1][0] == 4 * device.multiprocessors
    assert min(figures["costs"].values()) >= 0
    for matrix, cases in results.data["measurements"].items():
        needed = {key: case for key, case in cases.items() if not key.startswith("cornac_mf(")}
        assert [case["error"] for case in needed.values() if "error" in case] == [], matrix
        assert all(case["certified"] for case in needed.values()), matrix
        assert results.data["graphs"][matrix]["on_device"]["workers"] == figures["workers"]
