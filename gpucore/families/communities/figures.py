"""The figures of the Louvain paper, its printed numbers and its statements.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017, section V.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpucore.bench.papers.charts import Chart, Series, by_instance
from gpucore.bench.papers.declare import Expectation, Finding, Paper, PaperFigure, Printed
from gpucore.bench.papers.measures import (
    Rows,
    between,
    found_of,
    mostly,
    number,
    percent,
    ratio,
    span,
    speed_ups,
    times,
    values,
)
from gpucore.bench.suite import Case, Data, Table
from gpucore.families.communities.bench import (
    ADAPTIVE,
    BUCKETS,
    FAST,
    RELAXED,
    SEQUENTIAL,
    T_BIN,
    T_FINAL,
)
from gpucore.families.communities.figure_tables import REAL, STANDS_FOR, published_rows
from gpucore.families.communities.parts import PARTS
from gpucore.family import methods
from gpucore.format import human_time
from gpucore.problems.graph.benchmarks import STANDARD

PAIRS = {
    (t_bin, t_final): Case(
        f"t_bin {t_bin:.0e}, t_final {t_final:.0e}",
        "louvain",
        {"variant": "buckets", "t_bin": t_bin, "t_final": t_final},
        study=True,
    )
    for t_bin in T_BIN
    for t_final in T_FINAL
}
#: The paper's choice.
CHOICE = (1e-2, 1e-6)


def _openmp(cores: int) -> list[Case]:
    """Return the parallel methods on the processor, as many as there are."""
    known, threads = methods(), {"threads": cores}
    found = [
        Case("OpenMP, Lu et al.", name, threads, "cpu")
        for name in ("louvain_omp", "louvain_lu", "grappolo")
        if name in known
    ]
    plm = Case("NetworKit PLM", "networkit_plm", threads, "cpu", optional=True)
    return [*found[:1], plm]


def _grid(data: Data, measure: Callable[[Data], dict[Any, float]], words: str) -> list[Chart]:
    """Return a line for each t_bin over t_final."""
    means = measure(data)
    series = [
        Series(f"t_bin {t_bin:.0e}", list(T_FINAL), [means[t_bin, t] for t in T_FINAL])
        for t_bin in T_BIN
        if all((t_bin, t) in means for t in T_FINAL)
    ]
    return [Chart(words, "t_final", words, series, x_log=True)] if series else []


def _relative(data: Data) -> dict[Any, float]:
    """Return the mean modularity by that of the sequential method (or of the best pair)."""
    base = values(data, [SEQUENTIAL], "modularity").get(SEQUENTIAL.label)
    found = values(data, PAIRS.values(), "modularity")
    rows = {pair: found[case.label] for pair, case in PAIRS.items() if case.label in found}
    names = set.intersection(*map(set, rows.values())) if rows else set()
    if not base or not names <= set(base):
        base = {n: max(row[n] for row in rows.values()) for n in names}
    return {
        pair: sum(row[n] / base[n] for n in names) / len(names)
        for pair, row in rows.items()
        if names and all(base[n] for n in names)
    }


def _speeds(data: Data) -> dict[Any, float]:
    """Return the mean over the graphs of the best time by the time of a pair."""
    found = {pair: times(data, [case]).get(case.label, {}) for pair, case in PAIRS.items()}
    rows = {pair: row for pair, row in found.items() if row}
    names = set.intersection(*map(set, rows.values())) if rows else set()
    best = {n: min(row[n] for row in rows.values()) for n in names}
    return {
        pair: sum(best[n] / row[n] for n in names) / len(names)
        for pair, row in rows.items()
        if names
    }


def _choice(measure: Callable[[Data], dict[Any, float]]) -> Callable[[Data], str | None]:
    def words(data: Data) -> str | None:
        found = measure(data).get(CHOICE)
        return None if found is None else f"{found:.1%}"

    return words


def _least(data: Data) -> Finding | None:
    found = _relative(data)
    least = min(found.values(), default=None)
    return between(least, 0.98, 9.0, f"{least:.2%} at least" if least else "")


def _bin_matters(data: Data) -> Finding | None:
    found = _speeds(data)
    if len(found) < len(PAIRS):
        return None
    means = {t: sum(found[t, f] for f in T_FINAL) / len(T_FINAL) for t in T_BIN}
    words = ", ".join(f"t_bin {t:.0e}: {mean:.0%}" for t, mean in means.items())
    return Finding(means[T_BIN[0]] > means[T_BIN[-1]], words)


def _over(case: Case) -> Callable[[Data], list[Chart]]:
    def charts(data: Data) -> list[Chart]:
        rows = times(data, [FAST, BUCKETS, case])
        base = rows.get(case.label, {})
        ups: Rows = {k: ratio(base, row) for k, row in rows.items() if k != case.label}
        return by_instance(f"Speed-up over {case.label}", ups, "times as fast")

    return charts


def _span_over(case: Case, ours: Case = BUCKETS) -> Callable[[Data], str | None]:
    def words(data: Data) -> str | None:
        rows = times(data, [ours, case])
        return span(speed_ups(rows, ours.label).get(case.label, {}).values())

    return words


def _faster_than(case: Case) -> Callable[[Data], Finding | None]:
    def finding(data: Data) -> Finding | None:
        ups = speed_ups(times(data, [BUCKETS, case]), BUCKETS.label)
        return mostly(ups.get(case.label, {}))

    return finding


def _drop(data: Data) -> str | None:
    rows = values(data, [SEQUENTIAL, ADAPTIVE], "modularity")
    if len(rows) < 2:
        return None
    return percent(1 - v for v in ratio(rows[ADAPTIVE.label], rows[SEQUENTIAL.label]).values())


def _stages(data: Data) -> list[Chart]:
    charts = []
    for name, found in found_of(data, BUCKETS).items():
        if stages := found["kept"].get("stages"):
            numbers = [float(i) for i in range(len(stages))]
            series = [
                Series(word, numbers, [stage[key] * 1e3 for stage in stages])
                for word, key in (
                    ("optimisation", "optimise_seconds"),
                    ("aggregation", "contract_seconds"),
                )
            ]
            names = [str(i + 1) for i in range(len(stages))]
            charts.append(Chart(name, "stage", "ms", series, "bar", categories=names))
    return charts


def _optimising(data: Data) -> str | None:
    shares = []
    for found in found_of(data, BUCKETS).values():
        stages = found["kept"].get("stages") or []
        parts = [sum(s[k] for s in stages) for k in ("optimise_seconds", "contract_seconds")]
        if sum(parts):
            shares.append(parts[0] / sum(parts))
    return percent(shares)


def _teps(data: Data) -> dict[str, float]:
    """Return the edges that the first stage hashes a second, in thousand millions."""
    found = {}
    for name, run in found_of(data, BUCKETS).items():
        if stages := run["kept"].get("stages"):
            first = stages[0]
            hashed = first["entries"] / 2 * first["sweeps"]
            found[name] = hashed / max(first["optimise_seconds"], 1e-9) / 1e9
    return found


def _teps_words(data: Data) -> str | None:
    found = _teps(data)
    best = max(found, key=lambda n: found[n], default=None)
    return None if best is None else f"{number(found[best])} thousand million ({best})"


def _openmp_charts(data: Data) -> list[Chart]:
    rows = times(data, [BUCKETS, FAST, *_openmp(data["setup"]["cores"])])
    ours = {k: v for k, v in rows.items() if k in (BUCKETS.label, FAST.label)}
    ups = {
        f"{label} over {other}": ratio(base, row)
        for label, row in ours.items()
        for other, base in rows.items()
        if other not in ours
    }
    return by_instance("Speed-up over methods on all cores", ups, "times as fast")


def _openmp_words(index: int) -> Callable[[Data], str | None]:
    def words(data: Data) -> str | None:
        cases = _openmp(data["setup"]["cores"])
        return _span_over(cases[index])(data) if abs(index) <= len(cases) else None

    return words


def _relaxed_differs(data: Data) -> str | None:
    rows = values(data, [BUCKETS, RELAXED], "modularity")
    if len(rows) < 2:
        return None
    found = ratio(rows[RELAXED.label], rows[BUCKETS.label])
    return f"{percent(abs(1 - v) for v in found.values())} on average"


def _table(data: Data) -> list[Table]:
    rows = []
    ours = times(data, [SEQUENTIAL, ADAPTIVE, BUCKETS, FAST])
    quality = values(data, [BUCKETS], "modularity").get(BUCKETS.label, {})
    for name, facts in data["graphs"].items():
        if name in ours.get(BUCKETS.label, {}):
            cells = [
                human_time(row[name]) if name in (row := ours.get(case.label, {})) else "–"
                for case in (SEQUENTIAL, ADAPTIVE, BUCKETS, FAST)
            ]
            sizes = [f"{facts['vertices']:,}", f"{facts['edges']:,}"]
            rows.append([name, *sizes, *cells, f"{quality[name]:.5f}"])
    if not rows:
        return []
    head = ("graph", "vertices", "edges", "sequential", "adaptive", "buckets", "fast (ours)")
    note = "Modularity is that of buckets."
    mine = Table("Measured here", (*head, "modularity"), rows, note)
    return [mine, published_rows()]


PAPER = Paper(
    name="louvain",
    title="Community detection on the GPU",
    source="Naim, Manne, Halappanavar, Tumeo, IPDPS 2017 (paper III)",
    machine="Tesla K40m; two Intel Xeon E5-2680 (20 threads) for the OpenMP code; 56 graphs",
    parts=PARTS,
    instances={
        "small": ("delaunay8", "rgg8", "rmat8"),
        "medium": ("delaunay18", "grid512", "rgg18", "rmat18", "sbm100k"),
        "paper": STANDARD,
    },
    stands_for=STANDS_FOR,
    real=REAL,
    figures=(
        PaperFigure(
            "table 1",
            "Graphs, sequential time and time on the GPU",
            lambda cores: [SEQUENTIAL, ADAPTIVE, BUCKETS, FAST],
            tables=_table,
        ),
        PaperFigure(
            "figure 1",
            "Modularity by thresholds, relative to the sequential method",
            lambda cores: [SEQUENTIAL, *PAIRS.values()],
            lambda data: _grid(data, _relative, "relative modularity"),
            printed=(
                Printed(
                    "relative modularity at (1e-2, 1e-6)",
                    "over 99 %",
                    "section V",
                    _choice(_relative),
                ),
            ),
            expectations=(
                Expectation(
                    "The average modularity is never more than 2 % below the sequential one",
                    "section V, figure 1",
                    _least,
                    "on graphs of little modularity (R-MAT, about 0.08) a sweep gains less than "
                    "t_bin, so the literal rule stops early",
                    on_gpu=False,
                ),
            ),
        ),
        PaperFigure(
            "figure 2",
            "Speed by thresholds, relative to the best",
            lambda cores: list(PAIRS.values()),
            lambda data: _grid(data, _speeds, "relative speed"),
            printed=(
                Printed(
                    "relative speed at (1e-2, 1e-6)", "about 63 %", "section V", _choice(_speeds)
                ),
            ),
            expectations=(
                Expectation(
                    "Speed depends on t_bin: a larger one is faster",
                    "section V, figure 2",
                    _bin_matters,
                    "t_bin counts only on graphs of more than 100,000 vertices",
                ),
            ),
        ),
        PaperFigure(
            "figure 3",
            "Speed-up over the sequential method",
            lambda cores: [FAST, BUCKETS, SEQUENTIAL],
            _over(SEQUENTIAL),
            printed=(
                Printed("speed-up", "2.7 to 312 ×, mean 41.7", "section V", _span_over(SEQUENTIAL)),
            ),
            expectations=(
                Expectation(
                    "The GPU is faster than the sequential method on all graphs",
                    "section V, figure 3",
                    _faster_than(SEQUENTIAL),
                ),
            ),
        ),
        PaperFigure(
            "figure 4",
            "Speed-up over the adaptive sequential method",
            lambda cores: [FAST, BUCKETS, ADAPTIVE, SEQUENTIAL],
            _over(ADAPTIVE),
            printed=(
                Printed(
                    "speed-up", "just over 1 to 27 ×, mean 6.7", "section V", _span_over(ADAPTIVE)
                ),
                Printed(
                    "adaptive over sequential",
                    "mean 7.3 ×",
                    "section V",
                    _span_over(SEQUENTIAL, ADAPTIVE),
                ),
                Printed("modularity lost by the adaptive method", "0.13 %", "section V", _drop),
            ),
            expectations=(
                Expectation(
                    "The GPU is faster than the adaptive method on all graphs",
                    "section V, figure 4",
                    _faster_than(ADAPTIVE),
                ),
            ),
        ),
        PaperFigure(
            "figures 5 and 6",
            "Time of every stage: optimisation and aggregation",
            lambda cores: [BUCKETS],
            _stages,
            printed=(
                Printed("share of the optimisation phase", "about 70 %", "section V", _optimising),
            ),
            note="The paper draws road_usa and nlpkkt200; the behaviour of figure 6 it found in "
            "four graphs only.",
        ),
        PaperFigure(
            "figure 7",
            "Speed-up over the OpenMP code",
            lambda cores: [BUCKETS, FAST, *_openmp(cores)],
            _openmp_charts,
            printed=(
                Printed(
                    "over Lu et al., 20 threads",
                    "1.1 to 27.0 ×, mean 6.1",
                    "section V",
                    _openmp_words(-2),
                ),
                Printed(
                    "over PLM, 32 threads, three graphs",
                    "1.3 to 4.6 ×, mean 2.7",
                    "section V",
                    _openmp_words(-1),
                ),
            ),
        ),
        PaperFigure(
            "section V, relaxed",
            "Communities updated after every bucket, or once a sweep",
            lambda cores: [BUCKETS, RELAXED],
            lambda data: by_instance(
                "Time with the relaxed rule by that without",
                speed_ups(times(data, [BUCKETS, RELAXED]), BUCKETS.label),
                "times as long",
            ),
            printed=(
                Printed(
                    "difference in modularity",
                    "less than 0.13 % on average",
                    "section V",
                    _relaxed_differs,
                ),
                Printed(
                    "time of relaxed by that of buckets",
                    "up to 10 ×",
                    "section V",
                    _span_over(RELAXED),
                ),
            ),
        ),
        PaperFigure(
            "section V, TEPS",
            "Edges traversed a second in the first optimisation phase",
            lambda cores: [BUCKETS],
            lambda data: by_instance(
                "Traversed edges",
                {BUCKETS.label: row} if (row := _teps(data)) else {},
                "thousand million a second",
            ),
            printed=(
                Printed(
                    "largest rate", "0.225 thousand million (channel-500)", "section V", _teps_words
                ),
            ),
        ),
    ),
)
