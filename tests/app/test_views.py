"""Views fit their algorithms: choices are parameters, and figures use the results."""

import numpy as np
import pytest

from gpucore.errors import ParameterError
from gpucore.family import get_family, get_runner
from gpucore.loading import load
from gpucore.problem import get_kind
from gpucore.record.replay import timeline_of
from gpucore.run import make_params
from warplens.app.pages import get_view, views

MATCHING = get_view("matching")


def test_every_view_is_found_by_its_family():
    assert views()["matching"] is MATCHING
    with pytest.raises(ParameterError, match="there is no page for"):
        get_view("alchemy")


@pytest.mark.parametrize("view", views().values(), ids=lambda view: view.family)
def test_first_choices_exist(view):
    algorithm = get_runner(view.algorithm)
    assert algorithm.family == view.family
    assert view.variant in (algorithm.variant_names or ("",))


@pytest.mark.parametrize("view", views().values(), ids=lambda view: view.family)
def test_a_page_prepares_its_problem_as_the_command_line_does(view):
    family = get_family(view.family)
    kind = get_kind(family.problem)
    problem = kind.prepared_for_run(load(kind.small, kind=kind.name), recorded=True)
    ours, theirs = view.prepare(problem), family.prepared(problem)
    assert np.array_equal(ours.indices, theirs.indices)
    assert np.array_equal(ours.weights, theirs.weights)


@pytest.mark.parametrize("view", views().values(), ids=lambda view: view.family)
def test_every_option_is_a_parameter_of_some_algorithm(view):
    for choice in view.choices:
        takers = [
            a
            for a in get_family(view.family).load_runners().values()
            if (a.where == "device" or choice.methods)
            and choice.name in a.params.__dataclass_fields__
        ]
        assert takers
        for algorithm in takers:
            variant = next((v for v in choice.variants if v in algorithm.variant_names), None)
            asked = {"variant": variant} if variant else {}
            for _, value in choice.options:
                params, _ = make_params(algorithm, {**asked, choice.name: value})
                assert getattr(params, choice.name) == value
            default = algorithm.params.__dataclass_fields__[choice.name].default
            first = choice.initial if choice.slider else choice.options[0][1]
            assert first == default
        assert choice.initial in [value for _, value in choice.options]


def test_the_objective_ends_at_the_weight_of_the_matching(run):
    timeline = timeline_of(run.record)
    objective = MATCHING.objective(timeline)
    assert len(objective) == run.record.num_events + 1
    assert objective[0] == 0
    assert objective[-1] == pytest.approx(run.weight, rel=1e-6)
    assert objective[-1] == pytest.approx(run.record.steps["objective"][-1], rel=1e-6)


def test_the_objective_is_half_the_bids_at_any_time(run):
    timeline = timeline_of(run.record)
    objective = MATCHING.objective(timeline)
    for time in range(0, len(timeline), 13):
        bids = timeline.state(time)["bid"].sum(dtype=np.float64)
        assert objective[time] == pytest.approx(bids / 2, abs=1e-4)


def test_measures_give_a_number_for_every_row(run):
    rows = len(run.record.warps["iteration"])
    for measure in MATCHING.warp_measures:
        values = np.asarray(measure.values(run.record.warps))
        assert values.shape == (rows,)
        assert (values >= 0).all()
    idle = MATCHING.warp_measures[-1].values(run.record.warps)
    assert (idle <= 100).all()


def test_figures_say_what_the_result_holds(run, lesmis):
    figures = dict(MATCHING.measures(run, lesmis))
    assert figures["Matched edges"] == str(run.cardinality)
    assert float(figures["Weight"]) == pytest.approx(run.weight, rel=1e-5)
    assert figures["Of the optimum, at least"].endswith("%")
