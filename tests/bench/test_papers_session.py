"""The script that measures three papers within a time: its steps name what there is."""

import argparse
import importlib.util
import sys
import time

import pytest

from gpucore.bench.papers.declare import get_paper
from gpucore.bench.papers.evaluate import evaluate
from gpucore.bench.results import read_results


def on_device(case):
    """Keep what runs on the device."""
    return case.where == "device"


@pytest.fixture(scope="module")
def script(request):
    """Load benchmarks/papers.py."""
    folder = request.config.rootpath / "benchmarks"
    spec = importlib.util.spec_from_file_location("papers_session", folder / "papers.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(folder))  # as for a script that Python runs
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("paper_steps", None)


def test_every_step_measures_something(script):
    steps = [*script.STEPS, *script.AFTER, *(s for found in script.ASIDE.values() for s in found)]
    for step in [*steps, *(s for plan in script.PLANS.values() for s in plan)]:
        cases = [case for e in script.suite_for(step).experiments for case in e.cases(16)]
        assert cases, step
        assert all(step.keep(case) for case in cases)
        assert set(step.graphs.split()) <= set(script.TINY)


def test_every_case_of_a_figure_is_measured(script):
    for family, aside in script.ASIDE.items():
        steps = [step for step in (*script.STEPS, *script.AFTER, *aside) if step.family == family]
        measured = {
            case.key
            for step in steps
            for experiment in script.suite_for(step).experiments
            for case in experiment.cases(16)
        }
        for figure in script.get_paper(family).figures:
            assert {case.key for case in figure.cases(16)} <= measured, (family, figure.number)


def test_these_plans_measure_nothing_beside_something_else(script):
    for step in [step for plan in script.PLANS.values() for step in plan]:
        cases = [case for e in script.suite_for(step).experiments for case in e.cases(16)]
        assert not any(case.separate for case in cases), step


def test_the_rest_has_every_figure_of_marriage_that_earlier_sessions_lack(script):
    steps = [step for step in script.PLANS["rest"] if step.family == "marriage"]
    slugs = {slug for step in steps for slug in step.experiments.split()}
    assert slugs >= {"figure-1", "figure-4", "figure-6", "figure-7"}
    figures = {figure.slug: figure for figure in script.get_paper("marriage").figures}
    assert {case.key for case in figures["figure-3"].cases(16)} <= {
        case.key for case in figures["figure-1"].cases(16)
    }
    graphs = {name for step in steps for name in step.graphs.split()}
    assert {"easy100m", "easy125m", "hard500k", "easy:n=5000000,seed=5"} <= graphs


def test_sizes_have_five_instances_and_the_first_of_each_comes_first(script):
    names = [name for step in script.PLANS["sizes"] for name in step.graphs.split()]
    assert len(names) == len(set(names)) == 60
    assert all(name.endswith("seed=1") for name in names[:12])


def test_more_sizes_are_measured_by_what_ends_within_a_minute(script):
    at_200_000, at_100_000 = script.PLANS["more"][:2]

    def runs(step):
        cases = [case for e in script.suite_for(step).experiments for case in e.cases(16)]
        return {(case.runner, case.params.get("threads")) for case in cases}

    both = {("marriage", None), ("mcvitie_wilson", None), ("gale_shapley_omp", 16)}
    both |= {("mcvitie_wilson_omp", threads) for threads in (8, 12, 16)}
    assert runs(at_200_000) == both
    assert runs(at_100_000) == both | {("gale_shapley_omp", threads) for threads in (8, 12)}


def test_the_largest_sizes_are_pieces_that_begin_only_if_their_time_is_left(script):
    methods = {"gale_shapley_omp", "mcvitie_wilson_omp"}
    measured = {}
    for step in script.PLANS["large"]:
        assert step.least >= 45 and len(step.graphs.split()) == 1
        (experiment,) = script.suite_for(step).experiments  # else an instance is made twice
        cases = experiment.cases(16)
        found = {case.runner for case in cases if case.params.get("threads", 16) == 16}
        measured.setdefault(step.graphs, set()).update(found)
    hard = {f"hard:n={men},seed=1" for men in (300_000, 400_000, 500_000)}
    easy = {f"easy:n={men},seed=1" for men in range(50_000_000, 150_000_000, 25_000_000)}
    assert set(measured) == hard | easy
    assert all(found >= {"marriage", *methods} for found in measured.values())
    assert measured["easy:n=50000000,seed=1"] >= {"gale_shapley", "mcvitie_wilson"}


@pytest.mark.parametrize("graph", ["bcsstk13", "netscience", "grid1000", "delaunay20"])
def test_every_permutation_of_redblues_figure_5_is_measured(script, graph):
    (figure,) = (f for f in script.get_paper("redblue").figures if f.number == "figure 5")
    steps = [step for step in script.PLANS["permutations"] if graph in step.graphs.split()]
    found = [
        case.key for s in steps for e in script.suite_for(s).experiments for case in e.cases(16)
    ]
    assert set(found) == {case.key for case in figure.cases(16)}


def test_a_large_instance_of_the_rest_is_made_once(script):
    """Each experiment makes an instance again that is too large to be kept."""
    for name in ("easy100m", "easy125m"):
        (step,) = (step for step in script.PLANS["rest"] if name in step.graphs.split())
        assert len(script.suite_for(step).experiments) == 1


def test_the_plan_of_marriage_has_five_instances_of_every_size_of_the_paper(script):
    paper = script.get_paper("marriage")
    planned = [name for step in script.PLANS["marriage"] for name in step.graphs.split()]
    assert sorted(planned) == sorted(paper.instances["paper"])
    measured = {}
    for step in script.PLANS["marriage"]:
        cases = [case for e in script.suite_for(step).experiments for case in e.cases(16)]
        kind = step.graphs.partition(":")[0]
        measured.setdefault(kind, set()).update(case.key for case in cases)
    for figure in paper.figures:
        wanted = {case.key for case in figure.cases(16) if case.where == "cpu"}
        assert wanted <= measured[figure.within], figure.number


@pytest.fixture
def arguments(tmp_path):
    """Return the arguments of a small session on the host device."""
    return argparse.Namespace(
        device="host", cache=tmp_path / "graphs", repeat=1, small=True, verbose=False, begun=0.0
    )


def test_a_step_whose_time_does_not_suffice_is_left_out(script, tmp_path, arguments, capsys):
    step = script.Step("marriage", "figure-3", "easy125m", on_device, least=170.0)
    arguments.small = False
    script.run_steps([step], tmp_path, arguments, time.time() + 160)
    assert "no time for marriage figure-3" in capsys.readouterr().out
    assert not list(tmp_path.glob("*.json"))


def test_a_step_measures_and_goes_on(script, tmp_path, small_copy, arguments):
    step = script.Step("redblue", "contest", "grid1000", on_device, 0.0)
    script.run_steps([step], tmp_path / "out", arguments, float("inf"))
    script.run_steps([step], tmp_path / "late", arguments, 0.0)
    assert (tmp_path / "out" / "redblue.json").is_file()
    assert not (tmp_path / "late").exists()


def test_the_plan_of_marriage_measures_every_figure_and_the_page_names_the_sizes(
    script, tmp_path, small_copy, arguments
):
    script.run_steps(script.PLANS["marriage"], tmp_path, arguments, float("inf"))
    found = evaluate(get_paper("marriage"), [read_results(tmp_path / "marriage.json")])
    for figure in found["figures"]:
        assert figure["charts"], figure["number"]
        sizes = 5 if figure["number"] in ("figure 5", "figure 6", "figure 8") else 9
        assert len(figure["instances"]) == 5 * sizes
        listed = figure["note"].partition("measured here: five instances of ")[2]
        assert listed.partition(". ")[0].count(", ") == sizes - 1


def test_a_finished_step_needs_no_graphs(script, tmp_path, small_copy, arguments):
    step = script.Step("redblue", "contest", "grid1000", on_device, 0.0)
    script.run_steps([step], tmp_path / "out", arguments, float("inf"))
    made = list(arguments.cache.iterdir())
    assert made
    for path in made:
        path.unlink()
    script.run_steps([step], tmp_path / "out", arguments, float("inf"))
    assert not list(arguments.cache.iterdir())
