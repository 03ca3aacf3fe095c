"""What results say of the figures of the red/blue paper.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012, sections 3 and 4.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

from gpucore.bench.papers.charts import Chart, Series
from gpucore.bench.papers.declare import Finding
from gpucore.bench.papers.measures import declared, found_of, number, percent
from gpucore.bench.suite import Case, Data
from gpucore.families.redblue.bench.cases import (
    FIRST_1,
    PAPER_FIRST,
    PROBABILITIES,
    WEIGHTED_2,
    at,
    permutations,
    threads,
)
from gpucore.families.redblue.bench.ratios import (
    COMPARISONS,
    OF_PAPER,
    RUNNERS,
    Comparison,
    ratios,
)
from gpucore.families.redblue.colours import best_p, first_round_fraction

#: Edges from which a speed-up counts: with fewer a run is mostly launches.
LEAST_EDGES = 200_000
#: Most graphs with a curve each; of more the mean is drawn.
MOST_CURVES = 10
#: Random permutations of the vertices, as in the paper; a few in the size "small".
SEEDS, FEW = 32, 3


#: The paper's random matching: the first neighbour of permuted vertices; and what older results
#: have in its place.
RANDOM, OLDER_RANDOM = {"select": "first", "permute": True}, {"select": "random"}
#: Graphs whose weights are their own; those of generated graphs are uniform in (0, 1].
OWN_WEIGHTS = ("bcsstk13", "netscience", "karate_weighted")
#: Edges of those with entries below zero, if these count by their absolute values.
SIGNED = {"bcsstk13": 40_940, "suitesparse:HB/bcsstk16": 142_747}
WEIGHTED, OLDER_WEIGHTED = {"select": "weighted", "permute": True}, {"select": "weighted"}


def _sweep(params: dict[str, Any]) -> list[Case]:
    """Return the paper's variant with every probability of blue."""
    return [at(p, str(params["select"]), "paper", **params) for p in PROBABILITIES]


def _measured(data: Data, *choices: list[Case]) -> list[Case]:
    """Return the first list of cases of which all were measured somewhere, else the last one."""
    whole = (cases for cases in choices if all(found_of(data, case) for case in cases))
    return next(whole, choices[-1])


def probabilities(_cores: int) -> list[Case]:
    """Return the cases of figure 3."""
    return [*_sweep(WEIGHTED), *_sweep(RANDOM)]


def older_probabilities(_cores: int) -> list[Case]:
    """Return what older results have for figure 3."""
    return [*_sweep(OLDER_WEIGHTED), *_sweep(OLDER_RANDOM)]


def older_serial(_cores: int) -> list[Case]:
    """Return the runs of algorithms 1 and 2 that older results have for figure 5."""
    drawn = [{"select": "weighted", "seed": seed} for seed in range(SEEDS)]
    return [FIRST_1, WEIGHTED_2, *(Case("", "greedy_random", one, "cpu") for one in drawn)]


def random_threads(cores: int) -> list[Case]:
    """Return the cases of figure 4."""
    return threads(cores, **RANDOM)


def permuted_cases(seeds: int) -> Callable[[int], list[Case]]:
    """Return the cases of figure 5 with some permutations."""
    selects = ("first", "weighted")
    return partial(permutations, seeds=seeds, variant="paper", selects=selects)


def _ratio_charts(
    data: Data, comparisons: Sequence[Comparison], keys: Collection[str] | None = None
) -> list[Chart]:
    """Return a chart for each runner of algorithm 3 and each measure."""
    charts = []
    for runner, where in RUNNERS.items():
        found = ratios(data, comparisons, runner, keys)
        for measure in ("size", "weight", "speed"):
            names = list(dict.fromkeys(graph for table in found.values() for graph in table))
            series = []
            for label, table in found.items():
                row = {names.index(g): r[measure] for g, r in table.items() if measure in r}
                if row:
                    series.append(
                        Series(
                            label,
                            [float(place) for place in row],
                            [ratio.mean for ratio in row.values()],
                            [max(ratio.low, 1e-9) for ratio in row.values()],
                            [ratio.high for ratio in row.values()],
                        )
                    )
            if series:
                title = f"Algorithm 3 ({where}) by the serial ones: {measure}"
                log = measure == "speed"
                charts.append(Chart(title, "", measure, series, "dot", y_log=log, categories=names))
    return charts


def figure_5(data: Data) -> list[Chart]:
    """Return the charts of figure 5."""
    return _ratio_charts(data, OF_PAPER)


def permuted_ratios(data: Data) -> list[Chart]:
    """Return the charts of the suite's experiment on permutations."""
    return _ratio_charts(data, COMPARISONS, {c.key for c in declared(data, "permutations")})


def has_own_weights(name: str) -> bool:
    """Return whether a graph's weights are entries of a matrix, as in the paper."""
    return name in OWN_WEIGHTS or name.startswith("suitesparse:")


def why_others(data: Data) -> str:
    """Return why the numbers of figure 5 differ from the printed ones."""
    graphs = data["graphs"]
    signed = [n for n, edges in SIGNED.items() if n in graphs and graphs[n]["edges"] < edges]
    left_out = (
        f" Here {' and '.join(signed)} lack their entries below zero, of which the paper takes "
        "the absolute values."
        if signed
        else ""
    )
    return (
        "A C2050 had 144 GB/s, its host 17; below is what this card copies. Speed-ups are those of "
        f"graphs of {LEAST_EDGES:,} edges and more. The weights of generated graphs are uniform in "
        "(0, 1], so what is said of weights is of graphs with weights of their own."
        f"{left_out} Older results have algorithms 1 and 2 on vertices as they are numbered."
    )


def _means(data: Data, index: int, measure: str, runner: str = "redblue") -> list[float]:
    """Return the ratios of a comparison of figure 5 on all graphs that it speaks of."""
    table = ratios(data, OF_PAPER[index : index + 1], runner).get(OF_PAPER[index].name, {})
    return [
        row[measure].mean
        for name, row in table.items()
        if measure in row
        and (measure != "weight" or has_own_weights(name))
        and (measure != "speed" or data["graphs"][name]["edges"] >= LEAST_EDGES)
    ]


def mean_ratio(index: int, measure: str) -> Callable[[Data], str | None]:
    """Return the mean of a ratio of figure 5."""
    return lambda data: percent(_means(data, index, measure))


def best_speed(index: int, runner: str = "redblue") -> Callable[[Data], str | None]:
    """Return the largest speed-up of figure 5."""

    def words(data: Data) -> str | None:
        found = _means(data, index, "speed", runner)
        return f"up to {number(max(found))} ×" if found else None

    return words


def _mean_is(
    index: int, measure: str, fits: Callable[[float], bool], digits: int
) -> Callable[[Data], Finding | None]:
    """Return whether the mean of a ratio is as the paper says."""

    def finding(data: Data) -> Finding | None:
        found = _means(data, index, measure)
        if not found:
            return None
        mean = statistics.fmean(found)
        return Finding(fits(mean), f"{mean:.{digits}%} on average, {len(found)} graphs")

    return finding


#: Whether random matchings have 99 % of the pairs.
sizes_agree = _mean_is(0, "size", lambda mean: mean > 0.99, 2)
#: Whether weighted matchings weigh more than those of algorithm 1, and less than algorithm 2's.
weighs_more = _mean_is(1, "weight", lambda mean: mean > 1, 1)
weighs_less = _mean_is(2, "weight", lambda mean: mean <= 1, 1)


def fractions(found: dict[str, Any], vertices: int) -> list[float]:
    """Return which share of the vertices is matched after every round."""
    return [total / max(1, vertices) for total in accumulate(found["kept"]["matched"])]


def round_charts(data: Data, case: Case, title: str, *, theory: bool = False) -> list[Chart]:
    """Return the chart of matched vertices by round, with equation (2) for the first one."""
    series = []
    for name, found in found_of(data, case).items():
        shares = [0.0, *fractions(found, data["graphs"][name]["vertices"])]
        label = f"{name} ({data['graphs'][name]['edges']:,} edges)"
        series.append(Series(label, [float(i) for i in range(len(shares))], shares))
    if series and theory:
        series.append(
            Series("equation (2), round 1", [0.0, 1.0], [first_round_fraction(best_p())] * 2)
        )
    return [Chart(title, "iteration", "share of the vertices", series)] if series else []


def figure_2(data: Data) -> list[Chart]:
    """Return the chart of figure 2: the paper's random matching takes the first neighbour."""
    return round_charts(data, PAPER_FIRST, "Matched vertices by iteration")


def _by_p(
    data: Data, cases: Sequence[Case], measure: Callable[[dict, dict], float]
) -> dict[str, dict[float, float]]:
    """Return a number at every p, ``[graph][p]``, on the graphs that have all cases."""
    rows: dict[str, dict[float, float]] = {}
    for case in cases:
        for name, found in found_of(data, case).items():
            rows.setdefault(name, {})[case.params["p"]] = measure(found, data["graphs"][name])
    return {name: row for name, row in rows.items() if len(row) == len(cases)}


def relative(data: Data, cases: Sequence[Case], of: str = "") -> list[Chart]:
    """Return the chart of size, weight and time by p, relative to the most of each graph."""
    measures: dict[str, Callable[[dict, dict], float]] = {
        "size": lambda found, _: found["figures"]["cardinality"],
        "weight": lambda found, _: found["figures"]["weight"],
        "time": lambda found, _: found["seconds"],
    }
    ps, series = [case.params["p"] for case in cases], []
    for words, measure in measures.items():
        if rows := _by_p(data, cases, measure):
            shares = [
                statistics.fmean(row[p] / (max(row.values()) or 1.0) for row in rows.values())
                for p in ps
            ]
            series.append(Series(words, ps, shares))
    title = f"Relative to the most of each graph{of}"
    return [Chart(title, "p", "share", series)] if series else []


def _first(data: Data, cases: Sequence[Case]) -> dict[str, dict[float, float]]:
    return _by_p(data, cases, lambda found, facts: fractions(found, facts["vertices"])[0])


def first_rounds(data: Data, cases: Sequence[Case], select: str) -> list[Chart]:
    """Return the chart of the first round by p, with equation (2)."""
    rows = _first(data, cases)
    if not rows:
        return []
    theory = [k / 50 for k in range(1, 50)]
    series = [Series(name, list(row), list(row.values())) for name, row in rows.items()]
    if len(rows) > MOST_CURVES:
        series = [_mean_of(rows)]
    series.append(Series("equation (2)", theory, [first_round_fraction(p) for p in theory]))
    return [Chart(f"Matched in the first iteration, {select}", "p", "share", series)]


def _mean_of(rows: dict[str, dict[float, float]]) -> Series:
    """Return the mean of all graphs, with the least and the most."""
    at = [[row[p] for row in rows.values()] for p in PROBABILITIES]
    means, low, high = ([f(values) for values in at] for f in (statistics.fmean, min, max))
    name = f"mean of {len(rows)} graphs, least and most"
    return Series(name, list(PROBABILITIES), means, low, high)


def figure_3(data: Data) -> list[Chart]:
    """Return both charts of figure 3."""
    weighted = _measured(data, _sweep(WEIGHTED), _sweep(OLDER_WEIGHTED))
    return [*relative(data, weighted), *first_rounds(data, _random_sweep(data), "random")]


def _random_sweep(data: Data) -> list[Case]:
    return _measured(data, _sweep(RANDOM), _sweep(OLDER_RANDOM))


def best(data: Data) -> str | None:
    """Return the probability that matches the most first."""
    rows = _first(data, _random_sweep(data))
    if not rows:
        return None
    means = {p: statistics.fmean(row[p] for row in rows.values()) for p in PROBABILITIES}
    return f"{max(means, key=lambda p: means[p]):g} of those tried"


def is_large(data: Data, name: str) -> bool:
    """Return whether a graph has as many edges as the speeds that count."""
    return bool(data["graphs"][name]["edges"] >= LEAST_EDGES)


def scaling(data: Data) -> list[Chart]:
    """Return the chart of figure 4."""
    series: dict[str, Series] = {}
    cores = data["setup"]["cores"]
    cases = _measured(data, random_threads(cores), threads(cores))
    base = found_of(data, cases[0])
    for case in cases:
        for name, found in found_of(data, case).items():
            if name in base:
                row = series.setdefault(name, Series(name, [], []))
                row.x.append(float(case.params["threads"]))
                row.y.append(found["seconds"] / base[name]["seconds"])
    rows = [row for row in series.values() if len(row.x) > 1]
    words = "time by that of one thread"
    return [Chart("Scaling", "threads", words, rows, x_log=True, y_log=True)] if rows else []


def scales_up(data: Data) -> Finding | None:
    """Return whether more threads are faster."""
    charts = scaling(data)
    if not charts:
        return None
    mean = statistics.fmean(row.y[-1] for row in charts[0].series)
    return Finding(mean < 1, f"{mean:.2f} of one thread's time with all threads")
