"""What results say of the figures of the Louvain paper.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017, section V.
"""

from __future__ import annotations

from collections.abc import Callable

from gpucore.bench.papers.charts import Chart, Series, by_instance
from gpucore.bench.papers.declare import Finding
from gpucore.bench.papers.measures import (
    Rows,
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
from gpucore.families.communities.bench.cases import (
    ADAPTIVE,
    BUCKETS,
    BUCKETS_ONCE,
    BUCKETS_OURS,
    COUNTED,
    FAST,
    FAST_ABSOLUTE,
    MULTICORE_ONCE,
    RELAXED,
    SEQUENTIAL,
)
from gpucore.families.communities.bench.tables import published_rows
from gpucore.families.communities.bench.thresholds import RULE_WORDS
from gpucore.format import human_time


def openmp(cores: int) -> list[Case]:
    """Return the parallel methods on the processor."""
    threads = {"threads": cores}
    return [
        Case("OpenMP, Lu et al.", "louvain_omp", threads, "cpu"),
        Case("NetworKit PLM", "networkit_plm", threads, "cpu", optional=True),
    ]


def speed_up_charts(paper: Case, ours: Case) -> Callable[[Data], list[Chart]]:
    """Return charts of speed-ups over a method, by the paper's rule and by ours.

    Parameters
    ----------
    paper, ours : Case
        The method with absolute and with relative thresholds.
    """
    compared = (
        ("paper", paper, [BUCKETS, FAST_ABSOLUTE]),
        ("ours", ours, [BUCKETS_OURS, FAST]),
    )

    def charts(data: Data) -> list[Chart]:
        drawn = []
        for rule, case, kernels in compared:
            rows = times(data, [*kernels, case])
            base = rows.get(case.label, {})
            ups: Rows = {k: ratio(base, row) for k, row in rows.items() if k != case.label}
            title = f"Speed-up over {case.label} ({RULE_WORDS[rule]})"
            drawn += by_instance(title, ups, "times as fast")
        return drawn

    return charts


def span_over(case: Case, ours: Case = BUCKETS) -> Callable[[Data], str | None]:
    """Return the range of speed-ups over a method."""

    def words(data: Data) -> str | None:
        rows = times(data, [ours, case])
        return span(speed_ups(rows, ours.label).get(case.label, {}).values())

    return words


def faster_than(case: Case) -> Callable[[Data], Finding | None]:
    """Return whether the GPU beats a method everywhere."""

    def finding(data: Data) -> Finding | None:
        ups = speed_ups(times(data, [BUCKETS, case]), BUCKETS.label)
        return mostly(ups.get(case.label, {}))

    return finding


def drop(data: Data) -> str | None:
    """Return the modularity that the adaptive method loses."""
    rows = values(data, [SEQUENTIAL, ADAPTIVE], "modularity")
    if len(rows) < 2:
        return None
    return percent(1 - v for v in ratio(rows[ADAPTIVE.label], rows[SEQUENTIAL.label]).values())


def lane_rows(data: Data) -> Rows:
    """Return the share of active lanes by instance."""
    return values(data, [COUNTED], "active_lanes")


def lanes_active(data: Data) -> str | None:
    """Return the mean share of active lanes."""
    return percent(lane_rows(data).get(COUNTED.label, {}).values())


def stage_charts(data: Data) -> list[Chart]:
    """Return the charts of figures 5 and 6."""
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
            charts.append(Chart(name, "stage", "milliseconds", series, "bar", categories=names))
    return charts


def optimising(data: Data) -> str | None:
    """Return the share of the optimisation phase."""
    shares = []
    for found in found_of(data, BUCKETS).values():
        stages = found["kept"].get("stages") or []
        parts = [sum(s[k] for s in stages) for k in ("optimise_seconds", "contract_seconds")]
        if sum(parts):
            shares.append(parts[0] / sum(parts))
    return percent(shares)


def teps(data: Data) -> dict[str, float]:
    """Return the edges that the first stage hashes a second, in thousand millions."""
    found = {}
    for name, run in found_of(data, BUCKETS).items():
        if stages := run["kept"].get("stages"):
            first = stages[0]
            hashed = first["entries"] / 2 * first["sweeps"]
            found[name] = hashed / max(first["optimise_seconds"], 1e-9) / 1e9
    return found


def teps_words(data: Data) -> str | None:
    """Return the largest rate of traversed edges."""
    found = teps(data)
    best = max(found, key=lambda n: found[n], default=None)
    return None if best is None else f"{number(found[best])} thousand million ({best})"


def hashing(data: Data) -> dict[str, float]:
    """Return how many times as fast as the OpenMP code the device makes its first sweep.

    Each hashes all edges twice in it.
    """

    def seconds(case: Case) -> dict[str, float]:
        stages = {name: run["kept"].get("stages") for name, run in found_of(data, case).items()}
        return {name: rows[0]["first_sweep_seconds"] for name, rows in stages.items() if rows}

    return ratio(seconds(MULTICORE_ONCE), seconds(BUCKETS_ONCE))


def openmp_charts(data: Data) -> list[Chart]:
    """Return the chart of figure 7."""
    rows = times(data, [BUCKETS, FAST, *openmp(data["setup"]["cores"])])
    ours = {k: v for k, v in rows.items() if k in (BUCKETS.label, FAST.label)}
    ups = {
        f"{label} over {other}": ratio(base, row)
        for label, row in ours.items()
        for other, base in rows.items()
        if other not in ours
    }
    return by_instance("Speed-up over methods on all cores", ups, "times as fast")


def openmp_words(index: int) -> Callable[[Data], str | None]:
    """Return the range of speed-ups over a parallel method, by its place in the list."""

    def words(data: Data) -> str | None:
        cases = openmp(data["setup"]["cores"])
        return span_over(cases[index])(data) if abs(index) <= len(cases) else None

    return words


def relaxed_differs(data: Data) -> str | None:
    """Return the mean difference in modularity of the relaxed rule."""
    return _differs(data, RELAXED)


def plm_differs(data: Data) -> str | None:
    """Return the mean difference in modularity of NetworKit's PLM."""
    return _differs(data, openmp(data["setup"]["cores"])[-1])


def _differs(data: Data, case: Case) -> str | None:
    rows = values(data, [BUCKETS, case], "modularity")
    if len(rows) < 2 or not (found := ratio(rows[case.label], rows[BUCKETS.label])):
        return None
    return f"{percent(abs(1 - v) for v in found.values())} on average"


def tables_1(data: Data) -> list[Table]:
    """Return table 1, ours and the paper's."""
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
