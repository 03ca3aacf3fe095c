"""Evaluation of measurements: seconds a sweep, by class of matrix, to an error, as predicted."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Data
from gpucore.families.sgd.cost import SCHEDULES, Costs, Load, Structure, predict

#: Schedule whose times are 1 in figures 7 and 8: the paper's EL shuffles its edges.
BASE = "el_shuffled"
#: Sweeps over which a run's preprocessing is spread where it is included.
SWEEPS = 20
#: Share of an error by which a method may miss a target and still reach it.
TOLERANCE = 1e-3


class Sweep(NamedTuple):
    """Seconds of a schedule on a matrix.

    Attributes
    ----------
    seconds : float
        Median time of a sweep.
    prepare : float
        Preprocessing.
    passes : float
        Launches of a sweep.
    """

    seconds: float
    prepare: float
    passes: float

    @property
    def whole(self) -> float:
        """Preprocessing and :data:`SWEEPS` sweeps."""
        return self.prepare + SWEEPS * self.seconds


def first_of(data: Data, *experiments: str) -> str:
    """Return the first of these experiments that was run; all have the same cases."""
    return next((name for name in experiments if name in data["experiments"]), experiments[0])


def cases_of(data: Data, experiment: str) -> list[dict[str, Any]]:
    """Return the declared cases of an experiment; empty if it was not run."""
    found: list[dict[str, Any]] = data["experiments"].get(experiment, {"cases": []})["cases"]
    return found


def found_of(
    data: Data, experiment: str, matrix: str
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the cases of an experiment that were measured on a matrix, with their measurement."""
    measured = data["measurements"].get(matrix, {})
    for case in cases_of(data, experiment):
        if "seconds" in (found := measured.get(case["key"], {})):
            yield case, found


def sweeps(data: Data, experiment: str = "schedules") -> dict[str, dict[str, Sweep]]:
    """Return ``sweeps[matrix][variant]`` of the device's runs in an experiment."""
    return {
        matrix: {
            found["params"]["variant"]: sweep_of(found)
            for _, found in found_of(data, experiment, matrix)
            if "variant" in found["params"]
        }
        for matrix in data["measurements"]
    }


def sweep_of(found: dict[str, Any]) -> Sweep:
    """Return the seconds of a measured run."""
    times = found["kept"]["seconds_by_sweep"]
    figures = found["figures"]
    return Sweep(
        max(statistics.median(times), 1e-9),
        figures.get("prepare_seconds", 0.0),
        figures.get("passes", len(times)) / len(times),
    )


def kind_of(data: Data, matrix: str) -> str:
    """Return the paper's class of a matrix."""
    return str(data["graphs"][matrix]["sets"][0])


def normalised(
    data: Data, rows: dict[str, dict[str, Sweep]] | None = None, *, whole: bool = False
) -> dict[str, dict[str, list[float]]]:
    """Return times divided by EL's on the same matrix, ``normalised[class][variant]``: figure 7.

    Parameters
    ----------
    rows : dict, optional
        ``rows[matrix][variant]``; by default those of :func:`sweeps`.
    whole : bool
        Whether preprocessing is included, with :data:`SWEEPS` sweeps.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for matrix, row in (sweeps(data) if rows is None else rows).items():
        if (base := row.get(BASE)) is not None:
            for variant, one in row.items():
                ratio = one.whole / base.whole if whole else one.seconds / base.seconds
                of_kind = found.setdefault(kind_of(data, matrix), {})
                of_kind.setdefault(variant, []).append(ratio)
    return found


def means(ratios: dict[str, dict[str, list[float]]]) -> dict[str, dict[str, float]]:
    """Return geometric means, ``means[class][variant]``."""
    return {
        kind: {variant: geometric_mean(values) for variant, values in row.items()}
        for kind, row in ratios.items()
    }


class Errors(NamedTuple):
    """Something for the error of the training ratings and for that of the test ratings.

    Attributes
    ----------
    train, test : float or None
        None if there is none.
    """

    train: float | None
    test: float | None


class Race(NamedTuple):
    """How fast a method reaches the errors of serial SGD.

    Attributes
    ----------
    label : str
    curve : list of tuple
        Seconds and training error before the first and after each sweep; preprocessing left out.
    last, seconds : Errors
        Errors after the last sweep, and seconds until the targets are reached.
    """

    label: str
    curve: list[tuple[float, float]]
    last: Errors
    seconds: Errors


def races(data: Data) -> dict[str, tuple[Errors, list[Race]]]:
    """Return the targets and the methods of each matrix on which serial SGD was measured."""
    found, experiment = {}, first_of(data, "race", "contest")
    for matrix in data["measurements"]:
        measured = list(found_of(data, experiment, matrix))
        serial = [run for case, run in measured if case["key"].startswith("sgd_serial(")]
        if serial:
            targets = _last(serial[0])
            found[matrix] = (
                targets,
                [_race(case["label"], run, targets) for case, run in measured],
            )
    return found


def _race(label: str, run: dict[str, Any], targets: Errors) -> Race:
    train, test = curve(run, "rmse_by_sweep"), curve(run, "test_rmse_by_sweep")
    seconds = Errors(reached(train, targets.train), reached(test, targets.test))
    return Race(label, train, _last(run), seconds)


def _last(run: dict[str, Any]) -> Errors:
    kept = run["kept"]
    test = kept["test_rmse_by_sweep"]
    return Errors(kept["rmse_by_sweep"][-1], test[-1] if test else None)


def curve(run: dict[str, Any], errors: str) -> list[tuple[float, float]]:
    """Return seconds and errors before the first and after each sweep; empty without errors."""
    kept = run["kept"]
    seconds = itertools.accumulate(kept["seconds_by_sweep"], initial=0.0)
    return list(zip(seconds, kept[errors], strict=True)) if kept[errors] else []


def reached(points: list[tuple[float, float]], target: float | None) -> float | None:
    """Return the seconds after which the error is at most the target, within the tolerance."""
    if target is None:
        return None
    return next((t for t, error in points if error <= target * (1 + TOLERANCE)), None)


class Choice(NamedTuple):
    """The predictor's choice on a matrix, beside what was measured.

    Attributes
    ----------
    matrix, best, chosen : str
    measured, predicted : dict
        Seconds of a sweep of the schedules that were measured.
    """

    matrix: str
    best: str
    chosen: str
    measured: dict[str, float]
    predicted: dict[str, float]

    @property
    def cost(self) -> float:
        """The chosen schedule's time by the best one's: 1 if the choice is right."""
        return self.measured[self.chosen] / self.measured[self.best]


def choices(data: Data) -> list[Choice]:
    """Return the predictor's choice on every matrix, among the schedules that were measured."""
    figures = data.get("device_figures")
    if figures is None:
        return []
    costs, found = Costs(**figures["costs"]), []
    for matrix, row in sweeps(data, first_of(data, "predictor", "schedules")).items():
        measured = {name: one.seconds for name, one in row.items() if name in SCHEDULES}
        if measured:
            seconds = predict(structure_of(data["graphs"][matrix]["on_device"]), costs)
            predicted = {name: seconds[name] for name in measured}
            best, chosen = (min(t, key=t.__getitem__) for t in (measured, predicted))
            found.append(Choice(matrix, best, chosen, measured, predicted))
    return found


def structure_of(kept: dict[str, Any]) -> Structure:
    """Return a structure from a results file."""
    loads = {name: Load(**load) for name, load in kept["loads"].items()}
    return Structure(**{**kept, "loads": loads})


def skipped(data: Data) -> Iterator[tuple[str, str, str]]:
    """Yield what was not measured: matrix, label, reason."""
    for matrix, measured in data["measurements"].items():
        seen: set[str] = set()
        for name in data["experiments"]:
            for case in cases_of(data, name):
                found = measured.get(case["key"], {})
                if "error" in found and case["key"] not in seen:
                    seen.add(case["key"])
                    yield matrix, case["label"], found["error"]
