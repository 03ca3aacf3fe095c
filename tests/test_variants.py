"""Everything that is said of a variant stands in its declaration."""

import pytest

import gpucore
from gpucore.errors import ParameterError
from gpucore.family import algorithms, get_runner, methods
from gpucore.run import make_params

RUNNERS = {**algorithms(), **methods()}
VARIED = [name for name, runner in RUNNERS.items() if runner.variants]


@pytest.mark.parametrize("name", VARIED)
def test_every_variant_has_a_readable_name_and_is_explained(name):
    runner = RUNNERS[name]
    labels = [runner.label(variant) for variant in runner.variant_names]
    assert len(set(labels)) == len(labels)
    for variant in runner.variants:
        assert variant.label[0].isupper()
        assert "_" not in variant.label
        assert len(variant.label) <= 90
        assert variant.about
        assert variant.look_for or runner.where != "device"


@pytest.mark.parametrize("name", VARIED)
def test_the_default_variant_is_the_first(name):
    assert RUNNERS[name].params().variant == RUNNERS[name].variant_names[0]


@pytest.mark.parametrize("name", sorted(RUNNERS))
def test_an_unknown_variant_is_refused(name):
    runner = get_runner(name)
    words = f"has no variant 'nope'; it has {', '.join(runner.variant_names)}"
    with pytest.raises(ParameterError, match=words if runner.variants else "no parameter"):
        make_params(runner, {"variant": "nope"})


@pytest.mark.parametrize("name", [name for name, runner in RUNNERS.items() if not runner.records])
def test_a_record_is_refused_before_the_run_of_a_runner_that_keeps_none(name):
    with pytest.raises(ParameterError, match=f"{name} keeps no record"):
        gpucore.run(name, gpucore.load("karate"), record="events")
