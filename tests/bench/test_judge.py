"""Certificates of a case's solutions: every different one, or the file says how many."""

import dataclasses
import itertools

import pytest

from gpucore.bench.details import detail_rows
from gpucore.bench.judge import judge
from gpucore.bench.plan import Plan
from gpucore.bench.report import write_report
from gpucore.bench.session import run_session
from gpucore.bench.suite import Case, Contest, Experiment, get_suite
from gpucore.bench.summary import summarise
from gpucore.bench.verdicts import is_certified, verdicts
from gpucore.device import get_device
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching

pytestmark = pytest.mark.usefixtures("small_copy")
CASE = Case("quick", "suitor", {"variant": "nosync"})
KEY = CASE.key


def suite_of(case=CASE, **changes):
    """The matching suite with one case, each of whose runs counts as another solution."""
    numbers = itertools.count()
    return dataclasses.replace(
        get_suite("matching"),
        experiments=(Experiment("few", "Few", "ours", lambda _: [case], plot="bars"),),
        contest=Contest(case.label, "few", ("few",)),
        digest=lambda result: f"solution {next(numbers)}",
        **changes,
    )


def session(suite, tmp_path, **options):
    plan = Plan(graphs=["karate"], repeat=3, **options)
    places = (tmp_path / "out", tmp_path / "cache")
    results, _ = run_session(suite, plan, get_device("host"), *places)
    return results.data


def test_every_different_solution_of_a_case_is_certified(tmp_path):
    data = session(suite_of(), tmp_path)
    case = data["measurements"]["karate"][KEY]
    assert case["digests"] == ["solution 1", "solution 2", "solution 3"]  # the warm-up was 0
    assert (case["certified"], case["examined"], case["solutions"]) == (True, 3, 3)
    assert data["graphs"]["karate"]["solutions"] == dict.fromkeys(case["digests"], True)
    assert verdicts(data) == (1, 1, 0, 3, 3, 0)


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_a_wrong_solution_of_any_run_is_seen(tmp_path, wrong):
    """Only that of the last run was examined before."""
    asked = itertools.count()
    suite = suite_of(recheck=lambda graph, result: next(asked) != wrong)
    data = session(suite, tmp_path, certify_limit=0)
    case = data["measurements"]["karate"][KEY]
    assert (case["certified"], case["examined"]) == (False, 3)
    assert not is_certified(case)
    assert verdicts(data).rejected == 1
    (row,) = summarise(data, suite.contest, "weight")
    assert not row.certified


def test_above_a_limit_the_last_solution_is_examined_and_the_tables_say_so(tmp_path):
    suite = suite_of()
    data = session(suite, tmp_path, every_limit=77)
    case = data["measurements"]["karate"][KEY]
    assert (case["certified"], case["examined"], case["solutions"]) == (True, 1, 3)
    assert data["graphs"]["karate"]["solutions"] == {case["digest"]: True}
    (cells,) = detail_rows(suite, data)
    assert "3 different ones, 1 of 3 certified" in cells
    page = write_report(suite, data, tmp_path / "out").read_text()
    assert "0 of 1 measurements; 1 of 3 different solutions were examined" in page
    assert "or of runs before the last" in page


def test_a_process_of_its_own_certifies_every_solution_too(tmp_path):
    case = Case("study", "greedy_random", {}, "cpu", separate=True)
    suite = dataclasses.replace(suite_of(case), digest=get_suite("matching").digest)
    data = session(suite, tmp_path)
    found = data["measurements"]["karate"][case.key]
    assert (found["certified"], found["examined"], len(found["digests"])) == (True, 1, 1)


@pytest.mark.parametrize(("limit", "certified"), [(77.0, None), (78.0, True)])
def test_a_study_in_a_process_of_its_own_is_certified_up_to_the_limit(tmp_path, limit, certified):
    """Before, no solution of such a study was: karate has 78 edges."""
    case = Case("study", "greedy_random", {}, "cpu", separate=True, study=True)
    suite = dataclasses.replace(suite_of(case), digest=get_suite("matching").digest)
    data = session(suite, tmp_path, study_limit=limit)
    assert data["measurements"]["karate"][case.key]["certified"] is certified


def test_solutions_of_studies_count_as_not_examined():
    measurement = {"digest": "a", "digests": ["a"], "solutions": 1}
    study = dataclasses.replace(CASE, study=True)
    graph = for_matching(load("karate"))
    plan = Plan([], certify_limit=0, study_limit=77)
    judge(get_suite("matching"), study, graph, measurement, [None], {"solutions": {}}, plan)
    assert (measurement["certified"], measurement["examined"]) == (None, 0)


def test_older_files_say_that_only_the_last_solution_was_kept(tmp_path):
    data = session(suite_of(), tmp_path)
    case = data["measurements"]["karate"][KEY]
    del case["digests"], case["examined"]
    assert "1 measurements had several, of which only the last was kept" in str(verdicts(data))
