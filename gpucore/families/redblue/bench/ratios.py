"""Ratios of algorithm 3 to algorithms 1 and 2: means over several runs, with deviations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gpucore.bench.suite import Data
from gpucore.bench.summary import is_timed

#: Comparisons: name, selection of algorithm 3, runner and selection of the other, figures; first on
#: the device, then on all threads of the processor.
_ON_DEVICE = (
    ("first, by algorithm 1", "first", "greedy_random", "random", ("size", "speed")),
    ("any, by algorithm 1", "random", "greedy_random", "random", ("size", "speed")),
    ("heaviest, by algorithm 1", "weighted", "greedy_random", "weighted", None),
    ("heaviest, by algorithm 2", "weighted", "greedy_weighted", None, None),
)
#: The same with the runner of algorithm 3 in front of its selection.
COMPARISONS = (
    *((name, "redblue", *rest) for name, *rest in _ON_DEVICE),
    *((f"multicore {name}", "redblue_omp", *rest) for name, *rest in _ON_DEVICE),
)
FIGURES = ("size", "weight", "speed")


class Ratio(NamedTuple):
    """A ratio of two means, and one standard deviation to both sides."""

    mean: float
    low: float
    high: float


def ratios(data: Data, experiment: dict[str, Any]) -> dict[str, dict[str, dict[str, Ratio]]]:
    """Return ``ratios[comparison][graph][figure]``; figures are "size", "weight" and "speed".

    Speed is the other's time by that of algorithm 3.

    Parameters
    ----------
    data, experiment : dict
        Content of a results file, and its entry for the experiment.
    """
    found: dict[str, dict[str, dict[str, Ratio]]] = {}
    for name, method, ours, runner, theirs, figures in COMPARISONS:
        for graph in data["measurements"]:
            first = _samples(data, experiment, graph, method, ours)
            second = _samples(data, experiment, graph, runner, theirs)
            row = {
                figure: made
                for figure in figures or FIGURES
                if (made := _ratio(figure, first, second)) is not None
            }
            if row:
                found.setdefault(name, {})[graph] = row
    return found


def _samples(
    data: Data, experiment: dict[str, Any], graph: str, runner: str, select: str | None
) -> dict[str, list[float]]:
    """Return sizes, weights and times of a method's runs on a graph."""
    cases = data["measurements"][graph]
    keys = [case["key"] for case in experiment["cases"] if case["key"].startswith(f"{runner}(")]
    runs = [
        case | {"timed": is_timed(key, case)}
        for key, case in ((key, cases.get(key, {})) for key in keys)
        if "seconds" in case and case["params"].get("select") == select
    ]
    return {
        "size": [float(run["figures"]["cardinality"]) for run in runs],
        "weight": [float(run["figures"]["weight"]) for run in runs],
        "speed": [float(run["seconds"]) for run in runs if run["timed"]],
    }


def _ratio(
    figure: str, ours: dict[str, list[float]], theirs: dict[str, list[float]]
) -> Ratio | None:
    above, below = ours[figure], theirs[figure]
    if figure == "speed":
        above, below = below, above
    return ratio_of_means(above, below)


def ratio_of_means(above: Sequence[float], below: Sequence[float]) -> Ratio | None:
    """Return the ratio of two means; None if one is missing or zero.

    The deviation of the ratio is that of both samples, which are independent, to first order.

    Examples
    --------
    >>> ratio_of_means([3.0, 3.0], [1.0, 3.0])
    Ratio(mean=1.5, low=0.75, high=2.25)
    """
    if not above or not below or not np.mean(above) or not np.mean(below):
        return None
    mean = float(np.mean(above) / np.mean(below))
    spread = math.hypot(*(float(np.std(x) / np.mean(x)) for x in (above, below)))
    return Ratio(mean, mean * (1 - spread), mean * (1 + spread))
