"""The figures of the red/blue paper, its printed numbers and its statements.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012, sections 3 and 4.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

from gpucore.bench.papers.charts import Chart, Series
from gpucore.bench.papers.declare import Expectation, Finding, Paper, PaperFigure, Printed
from gpucore.bench.papers.measures import found_of, number, percent
from gpucore.bench.suite import Case, Data
from gpucore.bench.summary import is_timed
from gpucore.families.redblue.bench.plots import fractions
from gpucore.families.redblue.bench.ratios import ratio_of_means
from gpucore.families.redblue.bench.suite import PROBABILITIES, ROUNDS
from gpucore.families.redblue.colours import best_p, first_round_fraction
from gpucore.families.redblue.parts import PARTS
from gpucore.problems.graph.benchmarks import STANDARD

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
    params = {"variant": "paper", "select": select, "p": p}
    return Case(f"{select}, p = {p:g}", "redblue", params, study=True, keep=ROUNDS, runs=3)


def _probabilities(_cores: int) -> list[Case]:
    return [_at(p, select) for select in ("weighted", "random") for p in PROBABILITIES]


def _multicore(count: int) -> Case:
    params = {"threads": count, "select": "random"}
    return Case(f"{count} threads", "redblue_omp", params, "cpu", keep=ROUNDS)


def _threads(cores: int) -> list[Case]:
    steps = [1 << i for i in range(cores.bit_length()) if 1 << i <= cores]
    return [_multicore(count) for count in dict.fromkeys([*steps, cores])]


#: Comparisons of figure 5: name, selection of algorithm 3, runner and selection of the other.
COMPARISONS = (
    ("random, by algorithm 1", "first", "greedy_random", "random"),
    ("weighted, by algorithm 1", "weighted", "greedy_random", "weighted"),
    ("weighted, by algorithm 2", "weighted", "greedy_weighted", ""),
)


def _permuted(cores: int, seeds: int) -> Iterator[Case]:
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


def _figure_5(data: Data) -> list[Chart]:
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


def _mean(index: int, figure: str, runner: str = "redblue") -> Callable[[Data], str | None]:
    def words(data: Data) -> str | None:
        row = _ratios(data, runner, figure).get(COMPARISONS[index][0], {})
        return percent(r.mean for r in row.values())

    return words


def _most(index: int, runner: str = "redblue") -> Callable[[Data], str | None]:
    def words(data: Data) -> str | None:
        row = _ratios(data, runner, "seconds").get(COMPARISONS[index][0], {})
        return f"up to {number(max(r.mean for r in row.values()))} ×" if row else None

    return words


def _sizes(data: Data) -> Finding | None:
    row = _ratios(data, "redblue", "cardinality").get(COMPARISONS[0][0], {})
    if not row:
        return None
    mean = statistics.fmean(r.mean for r in row.values())
    return Finding(mean > 0.99, f"{mean:.2%} on average, {len(row)} graphs")


def _weights(index: int, above: bool) -> Callable[[Data], Finding | None]:
    def finding(data: Data) -> Finding | None:
        row = _ratios(data, "redblue", "weight").get(COMPARISONS[index][0], {})
        if not row:
            return None
        mean = statistics.fmean(r.mean for r in row.values())
        return Finding((mean > 1) is above, f"{mean:.1%} on average, {len(row)} graphs")

    return finding


def _rounds(data: Data) -> list[Chart]:
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


def _figure_3(data: Data) -> list[Chart]:
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


def _best(data: Data) -> str | None:
    rows = _sweep(data, "random", lambda found, facts: fractions(found, facts["vertices"])[0])
    if not rows:
        return None
    means = {p: statistics.fmean(row[p] for row in rows.values()) for p in PROBABILITIES}
    return f"{max(means, key=lambda p: means[p]):g} of those tried"


def _scaling(data: Data) -> list[Chart]:
    series: dict[str, Series] = {}
    for case in _threads(data["setup"]["cores"]):
        base = found_of(data, _multicore(1))
        for name, found in found_of(data, case).items():
            if name in base:
                row = series.setdefault(name, Series(name, [], []))
                row.x.append(float(case.params["threads"]))
                row.y.append(found["seconds"] / base[name]["seconds"])
    rows = [row for row in series.values() if len(row.x) > 1]
    words = "time by that of one thread"
    return [Chart("Scaling", "threads", words, rows, x_log=True, y_log=True)] if rows else []


def _scales(data: Data) -> Finding | None:
    charts = _scaling(data)
    if not charts:
        return None
    last = [row.y[-1] for row in charts[0].series]
    mean = statistics.fmean(last)
    return Finding(mean < 1, f"{mean:.2f} of one thread's time with all threads")


PAPER = Paper(
    name="redblue",
    title="A GPU algorithm for greedy graph matching",
    source="Fagginger Auer, Bisseling, Facing the Multicore-Challenge II, 2012",
    machine="Tesla C2050; two quad-core Xeon E5620, 16 threads; 425 matrices and DIMACS graphs",
    parts=PARTS,
    instances={
        "small": ("delaunay9", "grid24", "rmat9"),
        "medium": ("delaunay16", "grid256", "rgg16", "rmat16"),
        "paper": ("grid1000", *STANDARD),
    },
    real=("suitesparse:McRae/ecology1", "suitesparse:McRae/ecology2"),
    stands_for={
        "grid1000": "ecology1 (1000 x 1000 grid; a tenth of the edges removed here)",
        "grid": "ecology2 and other meshes (larger)",
        "delaunay20": "delaunay_n20 (DIMACS10)",
        "delaunay21": "delaunay_n21 (DIMACS10)",
        "rgg21": "rgg_n_2_21_s0 (DIMACS10)",
        "rgg22": "rgg_n_2_22_s0 (DIMACS10)",
    },
    figures=(
        PaperFigure(
            "figure 2",
            "Matched vertices by iteration",
            lambda cores: [RANDOM],
            _rounds,
        ),
        PaperFigure(
            "figure 3",
            "Size, weight, time and the first iteration by the probability of blue",
            _probabilities,
            _figure_3,
            printed=(
                Printed(
                    "p that matches the most in the first iteration",
                    f"{best_p():.5f}",
                    "section 3.1",
                    _best,
                ),
            ),
            note="The right half has random selection, as equation (2) assumes. The paper draws "
            "ecology1; the left half has the mean of all graphs.",
        ),
        PaperFigure(
            "figure 4",
            "Scaling of random matching with threads",
            _threads,
            _scaling,
            expectations=(
                Expectation(
                    "Algorithm 3 scales with the number of threads",
                    "section 4",
                    _scales,
                    "on small graphs threads wait for one another in each of some twenty rounds",
                    on_gpu=False,
                ),
            ),
        ),
        PaperFigure(
            "figure 5",
            "Algorithm 3 on the device and on all cores by algorithms 1 and 2",
            lambda cores: list(_permuted(cores, SEEDS)),
            _figure_5,
            few=lambda cores: list(_permuted(cores, FEW)),
            printed=(
                Printed(
                    "size, random, by algorithm 1",
                    "more than 99 %",
                    "section 4",
                    _mean(0, "cardinality"),
                ),
                Printed("weight by algorithm 1", "115 %", "section 4", _mean(1, "weight")),
                Printed("weight by algorithm 2", "85 %", "section 4", _mean(2, "weight")),
                Printed(
                    "speed, CUDA, random, by algorithm 1", "up to 6.8 ×", "section 4", _most(0)
                ),
                Printed(
                    "speed, CUDA, weighted, by algorithm 1", "up to 5.6 ×", "section 4", _most(1)
                ),
                Printed(
                    "speed, CUDA, weighted, by algorithm 2", "up to 37 ×", "section 4", _most(2)
                ),
                Printed(
                    "speed, TBB, random, by algorithm 1",
                    "up to 1.1 ×",
                    "section 4",
                    _most(0, "redblue_omp"),
                ),
                Printed(
                    "speed, TBB, weighted, by algorithm 1",
                    "up to 0.7 ×",
                    "section 4",
                    _most(1, "redblue_omp"),
                ),
                Printed(
                    "speed, TBB, weighted, by algorithm 2",
                    "up to 13 ×",
                    "section 4",
                    _most(2, "redblue_omp"),
                ),
            ),
            expectations=(
                Expectation(
                    "Random matchings of algorithm 3 have more than 99 % of the pairs of "
                    "algorithm 1",
                    "section 4",
                    _sizes,
                    "on grids algorithm 1 matches more",
                    on_gpu=False,
                ),
                Expectation(
                    "Weighted matchings weigh more than those of algorithm 1",
                    "section 4",
                    _weights(1, True),
                    "our weights are uniform in (0, 1]; the paper's are entries of matrices",
                    on_gpu=False,
                ),
                Expectation(
                    "Weighted matchings weigh less than those of algorithm 2",
                    "section 4",
                    _weights(2, False),
                    on_gpu=False,
                ),
            ),
        ),
    ),
    not_shown={
        "figure 1": "an illustration of one round, which the page and lab 05 play",
        "section 4, instruction-to-byte ratios": "instructions and cache hits need a profiler's "
        "hardware counters, which the driver allows administrators only",
    },
)
