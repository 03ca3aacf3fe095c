"""What results say of the figures of the red/blue paper.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012, sections 3 and 4.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

from gpucore.bench.papers.charts import Chart, Series
from gpucore.bench.papers.declare import Finding
from gpucore.bench.papers.measures import found_of, number, percent
from gpucore.bench.suite import Case, Data
from gpucore.bench.summary import is_timed
from gpucore.families.redblue.bench.plots import fractions
from gpucore.families.redblue.bench.ratios import ratio_of_means
from gpucore.families.redblue.bench.suite import PROBABILITIES, ROUNDS
from gpucore.families.redblue.colours import first_round_fraction

#: Random permutations of the vertices, as in the paper; a few in the size "small".
SEEDS, FEW = 32, 3
#: The paper's rounds on permuted graphs: its random matching takes the first neighbour.
RANDOM = Case(
    "random matching",
    "redblue",
    {"variant": "paper", "select": "first", "permute": True},
    keep=ROUNDS,
)


def _at(p: float, select: str) -> Case:
    """Return the paper's variant with a probability of blue."""
    params = {"variant": "paper", "select": select, "p": p}
    return Case(f"{select}, p = {p:g}", "redblue", params, study=True, keep=ROUNDS, runs=3)


def probabilities(_cores: int) -> list[Case]:
    """Return the cases of figure 3."""
    return [_at(p, select) for select in ("weighted", "random") for p in PROBABILITIES]


def _multicore(count: int) -> Case:
    """Return random matching on a number of threads."""
    params = {"threads": count, "select": "random"}
    return Case(f"{count} threads", "redblue_omp", params, "cpu", keep=ROUNDS)


def by_threads(cores: int) -> list[Case]:
    """Return the cases of figure 4."""
    steps = [1 << i for i in range(cores.bit_length()) if 1 << i <= cores]
    return [_multicore(count) for count in dict.fromkeys([*steps, cores])]


#: Comparisons of figure 5: name, selection of algorithm 3, runner and selection of the other.
COMPARISONS = (
    ("random, by algorithm 1", "first", "greedy_random", "random"),
    ("weighted, by algorithm 1", "weighted", "greedy_random", "weighted"),
    ("weighted, by algorithm 2", "weighted", "greedy_weighted", ""),
)


def permuted_cases(cores: int, seeds: int) -> Iterator[Case]:
    """Yield algorithm 3 on the device and on all cores, and algorithms 1 and 2."""
    yield Case("algorithm 2", "greedy_weighted", {}, "cpu", separate=True)
    for seed in range(seeds):
        for select in ("first", "weighted"):
            params: dict[str, Any] = {"select": select, "permute": True, "seed": seed}
            words = f"{select}, permutation {seed}"
            device = {**params, "variant": "paper"}
            yield Case(f"device, {words}", "redblue", device, study=True, runs=2)
            threads = {**params, "threads": cores}
            yield Case(f"multicore, {words}", "redblue_omp", threads, "cpu", study=True, runs=2)
        for select in ("random", "weighted"):
            params = {"select": select, "seed": seed}
            label = f"algorithm 1, {select}, permutation {seed}"
            yield Case(label, "greedy_random", params, "cpu", study=True, separate=True, runs=2)


def _samples(data: Data, name: str, runner: str, select: str, figure: str) -> list[float]:
    """Return sizes, weights or times of a method's permuted runs on a graph."""
    found = []
    for key, run in data["measurements"][name].items():
        params = run.get("params", {})
        ours = runner in ("redblue", "redblue_omp")
        if (
            not key.startswith(f"{runner}(")
            or "seconds" not in run
            or (select and params.get("select") != select)
            or (ours and not params.get("permute"))
            or params.get("record", "off") != "off"
        ):
            continue
        if figure == "seconds":
            if is_timed(key, run):
                found.append(float(run["seconds"]))
        else:
            found.append(float(run["figures"][figure]))
    return found


def _ratios(data: Data, runner: str, figure: str) -> dict[str, dict[str, Any]]:
    """Return ``ratios[comparison][graph]`` of a figure, with one standard deviation."""
    rows: dict[str, dict[str, Any]] = {}
    for words, select, other, theirs in COMPARISONS:
        for name in data["measurements"]:
            ours = _samples(data, name, runner, select, figure)
            others = _samples(data, name, other, theirs, figure)
            pair = (others, ours) if figure == "seconds" else (ours, others)
            if (made := ratio_of_means(*pair)) is not None:
                rows.setdefault(words, {})[name] = made
    return rows


def figure_5(data: Data) -> list[Chart]:
    """Return the charts of figure 5."""
    charts = []
    for runner, where in (("redblue", "device"), ("redblue_omp", "multicore")):
        for figure, words in (
            ("cardinality", "size"),
            ("weight", "weight"),
            ("seconds", "speed"),
        ):
            rows = _ratios(data, runner, figure)
            names = list(dict.fromkeys(n for row in rows.values() for n in row))
            series = [
                Series(
                    label,
                    [float(names.index(n)) for n in row],
                    [r.mean for r in row.values()],
                    [max(r.low, 1e-9) for r in row.values()],
                    [r.high for r in row.values()],
                )
                for label, row in rows.items()
                if not (figure == "weight" and label.startswith("random"))
            ]
            if series:
                title = f"Algorithm 3 ({where}) by the serial ones: {words}"
                log = figure == "seconds"
                charts.append(Chart(title, "", words, series, "dot", y_log=log, categories=names))
    return charts


def mean_ratio(index: int, figure: str, runner: str = "redblue") -> Callable[[Data], str | None]:
    """Return the mean of a ratio of figure 5."""

    def words(data: Data) -> str | None:
        row = _ratios(data, runner, figure).get(COMPARISONS[index][0], {})
        return percent(r.mean for r in row.values())

    return words


def best_speed(index: int, runner: str = "redblue") -> Callable[[Data], str | None]:
    """Return the largest speed-up of figure 5."""

    def words(data: Data) -> str | None:
        row = _ratios(data, runner, "seconds").get(COMPARISONS[index][0], {})
        return f"up to {number(max(r.mean for r in row.values()))} ×" if row else None

    return words


def sizes_agree(data: Data) -> Finding | None:
    """Return whether random matchings have 99 % of the pairs."""
    row = _ratios(data, "redblue", "cardinality").get(COMPARISONS[0][0], {})
    if not row:
        return None
    mean = statistics.fmean(r.mean for r in row.values())
    return Finding(mean > 0.99, f"{mean:.2%} on average, {len(row)} graphs")


def weighs_more(index: int, above: bool) -> Callable[[Data], Finding | None]:
    """Return whether weighted matchings weigh more, or less."""

    def finding(data: Data) -> Finding | None:
        row = _ratios(data, "redblue", "weight").get(COMPARISONS[index][0], {})
        if not row:
            return None
        mean = statistics.fmean(r.mean for r in row.values())
        return Finding((mean > 1) is above, f"{mean:.1%} on average, {len(row)} graphs")

    return finding


def round_charts(data: Data) -> list[Chart]:
    """Return the chart of figure 2."""
    series = []
    for name, found in found_of(data, RANDOM).items():
        shares = [0.0, *fractions(found, data["graphs"][name]["vertices"])]
        label = f"{name} ({data['graphs'][name]['edges']:,} edges)"
        series.append(Series(label, [float(i) for i in range(len(shares))], shares))
    title = "Matched vertices by iteration"
    return [Chart(title, "iteration", "share of the vertices", series)] if series else []


def _sweep(data: Data, select: str, measure: Callable[[dict, dict], float]) -> dict[str, dict]:
    """Return a number at every p, ``sweep[graph][p]``."""
    rows: dict[str, dict[float, float]] = {}
    for p in PROBABILITIES:
        for name, found in found_of(data, _at(p, select)).items():
            rows.setdefault(name, {})[p] = measure(found, data["graphs"][name])
    return {name: row for name, row in rows.items() if len(row) == len(PROBABILITIES)}


def figure_3(data: Data) -> list[Chart]:
    """Return both charts of figure 3."""
    measures: dict[str, Callable[[dict, dict], float]] = {
        "size": lambda found, _: found["figures"]["cardinality"],
        "weight": lambda found, _: found["figures"]["weight"],
        "time": lambda found, _: found["seconds"],
    }
    charts, ps = [], list(PROBABILITIES)
    left = []
    for words, measure in measures.items():
        rows = _sweep(data, "weighted", measure)
        if rows:
            shares = [
                statistics.fmean(row[p] / (max(row.values()) or 1.0) for row in rows.values())
                for p in ps
            ]
            left.append(Series(words, ps, shares))
    if left:
        charts.append(Chart("Relative to the most of each graph", "p", "share", left))
    first = _sweep(data, "random", lambda found, facts: fractions(found, facts["vertices"])[0])
    if first:
        theory = [k / 50 for k in range(1, 50)]
        right = [Series(name, ps, [row[p] for p in ps]) for name, row in first.items()]
        right.append(Series("equation (2)", theory, [first_round_fraction(p) for p in theory]))
        charts.append(Chart("Matched in the first iteration, random", "p", "share", right))
    return charts


def best(data: Data) -> str | None:
    """Return the probability that matches the most first."""
    rows = _sweep(data, "random", lambda found, facts: fractions(found, facts["vertices"])[0])
    if not rows:
        return None
    means = {p: statistics.fmean(row[p] for row in rows.values()) for p in PROBABILITIES}
    return f"{max(means, key=lambda p: means[p]):g} of those tried"


def scaling(data: Data) -> list[Chart]:
    """Return the chart of figure 4."""
    series: dict[str, Series] = {}
    for case in by_threads(data["setup"]["cores"]):
        base = found_of(data, _multicore(1))
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
    last = [row.y[-1] for row in charts[0].series]
    mean = statistics.fmean(last)
    return Finding(mean < 1, f"{mean:.2f} of one thread's time with all threads")
