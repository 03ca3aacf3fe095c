"""The script that measures three papers within a time: its steps name what there is."""

import argparse
import importlib.util
import sys

import pytest


@pytest.fixture(scope="module")
def script(request):
    """Load benchmarks/papers.py."""
    path = request.config.rootpath / "benchmarks" / "papers.py"
    spec = importlib.util.spec_from_file_location("papers_session", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks its module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_every_step_measures_something(script):
    steps = [*script.STEPS, *script.AFTER, *(s for found in script.ASIDE.values() for s in found)]
    for step in steps:
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


def test_a_step_measures_and_goes_on(script, tmp_path, small_copy):
    arguments = argparse.Namespace(
        device="host", cache=tmp_path / "graphs", repeat=1, small=True, verbose=False, begun=0.0
    )
    step = script.Step("redblue", "contest", "grid1000", script.on_device, 0.0)
    script.run_steps([step], tmp_path / "out", arguments, float("inf"))
    script.run_steps([step], tmp_path / "late", arguments, 0.0)
    assert (tmp_path / "out" / "redblue.json").is_file()
    assert not (tmp_path / "late").exists()
