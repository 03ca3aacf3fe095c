"""The table that compares a red/blue matching with algorithms 1 and 2 of the paper, and Suitor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

import gpucore
from gpucore.format import human_time
from gpucore.record.words import short

from ... import cards

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel
    from gpucore.result import Result

#: Runs of each method that draws random numbers.
SEEDS = 16

Row = tuple[str, list["MatchingResult"]]


def rows_of(graph: Graph, result: Result, cancel: Cancel | None = None) -> list[Row]:
    """Return the other methods' matchings of a graph, several where a seed decides.

    Parameters
    ----------
    graph : Graph
    result : Result
        Result of a run; algorithm 3 is repeated with its parameters, other seeds, and algorithm 1
        with its selection and numbering.
    cancel : Cancel, optional
        Checked during the runs.
    """
    names = ("select", "p", "generator", "permute")
    chosen = {name: result.params[name] for name in names if name in result.params}
    select = {name: chosen[name] for name in ("select", "permute") if name in chosen}
    seeds = range(SEEDS)

    def solve(name: str, **params: Any) -> MatchingResult:
        found = gpucore.run(name, graph, certify=False, cancel=cancel, **params)
        return cast("MatchingResult", found)

    return [
        (
            "Algorithm 3: red and blue",
            [solve("redblue_omp", seed=s, threads=1, **chosen) for s in seeds],
        ),
        ("Algorithm 1: random order", [solve("greedy_random", seed=s, **select) for s in seeds]),
        ("Algorithm 2: by weight", [solve("greedy_weighted")]),
        ("Suitor", [solve("suitor_serial")]),
    ]


def table(graph: Graph, result: Result, cancel: Cancel | None = None) -> str:
    """Return weights, sizes and times of all of them, and of this run, as HTML."""
    weight, pairs = float(result.figures["weight"]), int(result.figures["cardinality"])
    own = ("This run", short(weight, 4), "100%", f"{pairs:,}", "100%", "")
    others = [_row(name, runs, weight, pairs) for name, runs in rows_of(graph, result, cancel)]
    head = ("Method", "Weight", "of this run’s", "Matched edges", "of this run’s", "Time")
    return cards.table("methods", head, [own, *others])


def _row(name: str, runs: list[MatchingResult], weight: float, pairs: int) -> tuple[str, ...]:
    weights = np.array([one.weight for one in runs])
    sizes = np.array([one.cardinality for one in runs], dtype=float)
    return (
        name,
        short(float(weights.mean()), 4),
        _share(weights, weight),
        short(float(sizes.mean()), 4),
        _share(sizes, pairs),
        human_time(float(np.mean([one.seconds for one in runs]))),
    )


def _share(values: np.ndarray, whole: float) -> str:
    """Say how large values are beside one, with their standard deviation if there are several."""
    if whole <= 0:
        return "–"
    mean, spread = float(values.mean()) / whole, float(values.std()) / whole
    return f"{mean:.1%} ± {spread:.1%}" if len(values) > 1 else f"{mean:.1%}"
