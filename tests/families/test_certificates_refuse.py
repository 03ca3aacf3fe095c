"""Every certificate refuses every wrong figure, and every wrong part of a solution."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gpucore
from gpucore.certify.reported import NAME
from gpucore.family import get_family, get_runner, methods

RUNS = [
    pytest.param(name, variant, id=f"{name}:{variant}" if variant else name)
    for name, runner in {**gpucore.algorithms(), **methods()}.items()
    for variant in runner.variant_names or ("",)
]

#: Figures that count the work of a run, by family. They do not follow from its result, so that no
#: certificate can compute them, and each says so.
WORK = {
    "bipartite": "initial_cardinality initial_seconds phases levels launches phase_levels "
    "phase_paths grafted repairs runaways edges",
    "bmatching": "iterations scans proposals rounds",
    "communities": "sweeps stages starts kept_start",
    "marriage": "proposals rounds free proposed skipped retries",
    "matching": "iterations scans rounds",
    "redblue": "rounds matched dead",
    "roommates": "proposals rotations undecided",
    "sgd": "updates_per_second rmse_by_sweep test_rmse_by_sweep seconds_by_sweep prepare_seconds "
    "passes",
}
#: Entries of an array that are made wrong, one after the other.
PLACES = 24


@pytest.mark.parametrize(("name", "variant"), RUNS)
def test_a_wrong_figure_and_a_wrong_part_are_refused(name, variant):
    runner = get_runner(name)
    if (reason := runner.available()) is not None:
        pytest.skip(reason)
    graph = get_family(runner.family).prepared(gpucore.load("karate"))
    options = {"variant": variant} if variant else {}
    if runner.where == "device":
        options["device"] = "host"
    result = gpucore.run(name, graph, certify=False, **options)

    def verdict(**changes):
        return runner.certify(graph, dataclasses.replace(result, **changes))

    right = verdict()
    assert right.ok, str(right)
    assert right.checks[-1].name == NAME
    unchecked = right.checks[-1].detail.partition("not checked: ")[2].split(", ")
    unchecked = [name.replace(" ", "_") for name in unchecked if name]
    assert set(unchecked) <= set(WORK[runner.family].split())
    for figure, value in result.figures.items():
        if figure.replace(" ", "_") not in unchecked:
            wrong = verdict(figures=result.figures | {figure: another(value)})
            assert wrong.failure is not None, f"{figure} {another(value)} for {value}"
    solution = result.solution()
    assert solution
    for field, array in solution.items():
        for place in places(array.size):
            changed = array.copy()
            changed.reshape(-1)[place] = another(array.reshape(-1)[place].item())
            assert not verdict(**{field: changed}).ok, f"{field}[{place}]"


def another(value):
    """Return a value of the same kind that is not near."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + (1 if isinstance(value, int) else 100.0)
    return 1.0 if value is None else [*value, 1]


def places(size):
    """Return some places of an array, its ends among them."""
    some = np.random.default_rng(size).choice(size, min(size, PLACES), replace=False)
    return sorted({*some.tolist(), *((0, size - 1) if size else ())})
