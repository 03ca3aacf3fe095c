"""Ratios of algorithm 3 to algorithms 1 and 2: means over several runs, with deviations.

All run on the same permuted graphs, as in section 4 of the paper. Older results have algorithms 1
and 2 on graphs as they are numbered only; these count where there are no others.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from gpucore.bench.suite import Data
from gpucore.bench.summary import is_timed

#: What is compared; the first two by their names in results.
MEASURES = {"size": "cardinality", "weight": "weight", "speed": "seconds"}
#: Runners of algorithm 3, and where they run.
RUNNERS = {"redblue": "device", "redblue_omp": "multicore"}


class Comparison(NamedTuple):
    """A comparison: name, selection of algorithm 3, runner and selection of the other, what of."""

    name: str
    ours: str
    runner: str
    theirs: str
    measures: Sequence[str] = tuple(MEASURES)


COMPARISONS = (
    Comparison("first, by algorithm 1", "first", "greedy_random", "first", ("size", "speed")),
    Comparison("any, by algorithm 1", "random", "greedy_random", "random", ("size", "speed")),
    Comparison("heaviest, by algorithm 1", "weighted", "greedy_random", "weighted"),
    Comparison("heaviest, by algorithm 2", "weighted", "greedy_weighted", ""),
)
#: Those of figure 5.
OF_PAPER = (
    Comparison("random, by algorithm 1", "first", "greedy_random", "first", ("size", "speed")),
    Comparison("weighted, by algorithm 1", "weighted", "greedy_random", "weighted"),
    Comparison("weighted, by algorithm 2", "weighted", "greedy_weighted", ""),
)


class Ratio(NamedTuple):
    """A ratio of two means, and one standard deviation to both sides."""

    mean: float
    low: float
    high: float


def ratios(
    data: Data,
    comparisons: Sequence[Comparison],
    runner: str = "redblue",
    keys: Collection[str] | None = None,
) -> dict[str, dict[str, dict[str, Ratio]]]:
    """Return ``ratios[comparison][graph][measure]``; measures are "size", "weight" and "speed".

    Speed is the other's time by that of algorithm 3.

    Parameters
    ----------
    data : dict
        Content of a results file.
    runner : str
        That of algorithm 3; its runs on permuted graphs count.
    keys : collection of str, optional
        Keys of the measurements that count; default: all.
    """
    found: dict[str, dict[str, dict[str, Ratio]]] = {}
    for name, ours, other, theirs, measures in comparisons:
        for graph, measured in data["measurements"].items():
            runs = {k: run for k, run in measured.items() if keys is None or k in keys}
            row = {}
            for measure in measures:
                pair = _samples(runs, runner, ours, measure), _samples(runs, other, theirs, measure)
                above, below = pair[::-1] if measure == "speed" else pair
                if (made := ratio_of_means(above, below)) is not None:
                    row[measure] = made
            if row:
                found.setdefault(name, {})[graph] = row
    return found


def _samples(
    runs: dict[str, dict[str, Any]], runner: str, select: str, measure: str
) -> list[float]:
    """Return sizes, weights or times of a method's runs without a record, on permuted graphs.

    Of algorithms 1 and 2 the runs on graphs as they are numbered count if there are no others.
    """
    found = _numbered(runs, runner, select, measure, permuted=True)
    if found or runner in RUNNERS:
        return found
    return _numbered(runs, runner, select, measure, permuted=False)


def _numbered(
    runs: dict[str, dict[str, Any]], runner: str, select: str, measure: str, *, permuted: bool
) -> list[float]:
    """Return the samples of runs with one of both numberings."""
    found = []
    for key, run in runs.items():
        params = run.get("params", {})
        if (
            not key.startswith(f"{runner}(")
            or "seconds" not in run
            or (select and params.get("select") != select)
            or bool(params.get("permute")) != permuted
            or params.get("record", "off") != "off"
        ):
            continue
        if measure != "speed":
            found.append(float(run["figures"][MEASURES[measure]]))
        elif is_timed(key, run):
            found.append(float(run["seconds"]))
    return found


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
