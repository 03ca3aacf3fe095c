"""What results say of the figures of the paper on bipartite matching.

Source: Deveci, Kaya, Uçar, Çatalyürek, "GPU accelerated maximum cardinality matching algorithms for
bipartite graphs", Euro-Par 2013, section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import fmean, stdev

from gpucore.bench.papers.charts import Chart, Series, by_instance, profile
from gpucore.bench.papers.declare import Finding
from gpucore.bench.papers.measures import Rows, mostly, ratio, span, times
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Case, Data, Table
from gpucore.bench.summary import sets_of
from gpucore.families.bipartite.bench.cases import COMMON, COMMON_FAST, FAST, HK, PFP, multicore
from gpucore.families.bipartite.bench.cases import PAPER as OWN
from gpucore.families.bipartite.bench.published import TABLE_1, VARIANTS, table_1, table_2
from gpucore.format import human_time

SEQUENTIAL = (PFP, HK)
#: Our two sets, the paper's O and RCP, and what the paper compares with in each: HK was the faster
#: sequential method on the original graphs, PFP on the permuted ones.
BASES = {"original": HK, "permuted": PFP}
SETS = tuple(BASES)
#: The variants from one common initial matching, as in the paper, under their own names.
EIGHT = {variant: replace(case, label=variant) for variant, case in COMMON.items()}
OURS = replace(COMMON_FAST, label=FAST.label)
#: The paper's best, which its figures 3 to 5 compare.
BEST = "apfb_gpubfs_wr_ct"
LEVELS = (BEST, "apfb_gpubfs_ct", "apsb_gpubfs_ct", "apsb_gpubfs_wr_ct")


def _has_common_start(data: Data) -> bool:
    """Return whether the results have runs from one common initial matching.

    In older results each method on the device begins with the cheap matching of a kernel.
    """
    keys = {case.key for case in EIGHT.values()}
    return any(keys & set(cases) for cases in data["measurements"].values())


def _eight(data: Data) -> dict[str, Case]:
    """Return the eight variants as the results have them."""
    return EIGHT if _has_common_start(data) else OWN


def _title(data: Data, words: str) -> str:
    """Return a title that says where each method began with a matching of its own."""
    return (
        words if _has_common_start(data) else f"{words} (each with an initial matching of its own)"
    )


def every_method(cores: int) -> list[Case]:
    """Return the paper's best, ours, and the methods on the processor."""
    return [EIGHT[BEST], OURS, *multicore(cores), *SEQUENTIAL]


def takes_long(data: Data, name: str) -> bool:
    """Return whether a sequential method took over a second: the paper's sets (section 4)."""
    found = data["measurements"][name]
    return any(found.get(case.key, {}).get("seconds", 0.0) > 1.0 for case in SEQUENTIAL)


def _measured(data: Data) -> list[Case]:
    """Return the same cases as the results have them."""
    ours = OURS if _has_common_start(data) else FAST
    return [_eight(data)[BEST], ours, *multicore(data["setup"]["cores"]), *SEQUENTIAL]


def _rows(data: Data, within: str) -> Rows:
    """Return the times after the initial matching."""
    return times(data, _measured(data), clock="after", within=within)


def _ups(data: Data, within: str) -> Rows:
    """Return the speed-ups over the sequential method that the paper compares with in a set."""
    rows = _rows(data, within)
    base = rows.get(BASES[within].label, {})
    serial = {case.label for case in SEQUENTIAL}
    ups = {label: ratio(base, row) for label, row in rows.items() if label not in serial}
    return {label: row for label, row in ups.items() if row}


def _means(data: Data, within: str) -> dict[str, float]:
    """Return the geometric mean of each variant."""
    rows = times(data, _eight(data).values(), clock="after", within=within)
    names = set.intersection(*map(set, rows.values())) if len(rows) == len(EIGHT) else set()
    return {
        label: geometric_mean([max(row[n], 1e-9) for n in sorted(names)])
        for label, row in rows.items()
        if names
    }


def tables_1(data: Data) -> list[Table]:
    """Return table 1, ours and the paper's."""
    rows = [
        [within, *(human_time(found[v]) for v in VARIANTS)]
        for within in SETS
        if (found := _means(data, within))
    ]
    if not rows:
        return []
    note = "Geometric means after the initial matching; the sets are ours, original and permuted."
    return [Table("Measured here", ("set", *VARIANTS), rows, note), table_1()]


def table_1_chart(data: Data) -> list[Chart]:
    """Return the chart of table 1."""
    found = {f"{s}, here": _means(data, s) for s in SETS}
    if not any(found.values()):
        return []
    found |= {
        f"{name}, C2050": dict(zip(VARIANTS, row, strict=True))
        for name, row in TABLE_1.items()
        if "S1" in name
    }
    rows = {label: row for label, row in found.items() if row}
    return by_instance(
        _title(data, "Geometric means of the variants"), rows, "seconds", order=VARIANTS
    )


def pairs(first: str, second: str) -> Callable[[Data], Finding | None]:
    """Compare the means of variants that differ in one word."""

    def finding(data: Data) -> Finding | None:
        found: dict[str, float] = {}
        for within in SETS:
            means = _means(data, within)
            for label, seconds in means.items():
                other = label.replace(first, second)
                if first in label and other != label and other in means:
                    found[f"{within} {label}"] = means[other] / seconds
        return mostly(found)

    return finding


def level_charts(data: Data) -> list[Chart]:
    """Return the charts of figure 2."""
    charts = []
    for name, cases in data["measurements"].items():
        kept = {
            label: cases.get(_eight(data)[label].key, {}).get("kept", {}).get("phase_levels")
            for label in LEVELS
        }
        if all(kept.values()):
            series = [
                Series(label, [float(i + 1) for i in range(len(row))], [float(v) for v in row])
                for label, row in kept.items()
            ]
            charts.append(Chart(name, "phase", "levels of the search", series))
    return charts


def total_levels(data: Data) -> dict[str, float]:
    """Return the levels of APsB by those of APFB, both with GPUBFS-WR and CT."""
    first, last = LEVELS[0], LEVELS[-1]
    rows = {}
    for name, cases in data["measurements"].items():
        kept = [
            cases.get(_eight(data)[label].key, {}).get("kept", {}).get("phase_levels")
            for label in (first, last)
        ]
        if all(kept):
            rows[name] = sum(kept[1]) / max(1, sum(kept[0]))
    return rows


def speed_up_profiles(data: Data) -> list[Chart]:
    """Return the charts of figure 3."""
    charts = []
    for within in SETS:
        series = []
        for label, row in _ups(data, within).items():
            ordered = sorted(row.values())
            shares = [(len(ordered) - i) / len(ordered) for i in range(len(ordered))]
            series.append(Series(label, ordered, shares))
        if series:
            title = _title(data, f"Speed-up over {BASES[within].label}: {within}")
            words = "speed-up, at least"
            charts.append(Chart(title, words, "share of graphs", series, "line", x_log=True))
    return charts


def share_faster(within: str, base: Case) -> Callable[[Data], str | None]:
    """Return the share of graphs on which the paper's best is faster than a method."""

    def words(data: Data) -> str | None:
        rows = _rows(data, within)
        found = ratio(rows.get(base.label, {}), rows.get(BEST, {}))
        faster = sum(v > 1 for v in found.values())
        return f"{faster / len(found):.0%} of {len(found)}" if found else None

    return words


def _parallel(data: Data, within: str) -> Rows:
    """Return the times of the GPU's and the multicore methods, which figure 4 compares."""
    serial = {case.label for case in SEQUENTIAL}
    return {label: row for label, row in _rows(data, within).items() if label not in serial}


def parallel_profiles(data: Data) -> list[Chart]:
    """Return the charts of figure 4."""
    return [
        chart
        for within in SETS
        for chart in profile(_title(data, f"GPU and multicore: {within}"), _parallel(data, within))
    ]


def wins_words(within: str) -> Callable[[Data], str | None]:
    """Return the share of graphs on which the paper's best is the fastest."""

    def words(data: Data) -> str | None:
        rows = {k: v for k, v in _parallel(data, within).items() if k != OURS.label}
        names = rows.get(BEST, {})
        if len(rows) < 2 or not names:
            return None
        wins = sum(
            min((row[n], label) for label, row in rows.items() if n in row)[1] == BEST
            for n in names
        )
        return f"{wins / len(names):.0%} of {len(names)}"

    return words


def overall(data: Data) -> list[Chart]:
    """Return the chart of figure 5."""
    found: Rows = {}
    for label in (BEST, OURS.label):
        for within in SETS:
            rows = _rows(data, within)
            for base in SEQUENTIAL:
                ups = ratio(rows.get(base.label, {}), rows.get(label, {}))
                if ups:
                    place = f"{within}, over {base.label}"
                    found.setdefault(label, {})[place] = geometric_mean(list(ups.values()))
    return by_instance(
        _title(data, "Overall speed-up, geometric mean"), found, "times as fast", mark="bar"
    )


def span_over(within: str, base: Case) -> Callable[[Data], str | None]:
    """Return the speed-ups over a sequential method on a set."""

    def words(data: Data) -> str | None:
        rows = _rows(data, within)
        return span(ratio(rows.get(base.label, {}), rows.get(BEST, {})).values())

    return words


def deviation(data: Data) -> str | None:
    """Return the standard deviations of repeated runs by their means, on the original set."""
    case = _eight(data)[BEST]
    shares = []
    for name, cases in data["measurements"].items():
        runs = cases.get(case.key, {}).get("runs", ())
        if len(runs) > 1 and "original" in sets_of(data, name):
            shares.append(100 * stdev(runs) / fmean(runs))
    return span(shares, "%")


def best_of_all(data: Data) -> Finding | None:
    """Return whether the GPU beats the faster sequential method of each matrix.

    A matrix of both sets, whose entries are random, counts once.
    """
    found: dict[str, float] = {}
    for within in SETS:
        rows = _rows(data, within)
        known = [rows[case.label] for case in SEQUENTIAL if case.label in rows]
        base = {
            name: min(row[name] for row in known if name in row)
            for name in dict.fromkeys(n for row in known for n in row)
        }
        found |= ratio(base, rows.get(BEST, {}))
    return mostly(found, share=0.7)


def tables_2(data: Data) -> list[Table]:
    """Return table 2, ours and the paper's."""
    rows = []
    found = times(data, _measured(data), clock="after")
    cases = [case for case in _measured(data) if case.label in found]
    for name in data["measurements"]:
        cells = [
            human_time(max(found[c.label][name], 1e-9)) if name in found.get(c.label, {}) else "–"
            for c in cases
        ]
        if any(cell != "–" for cell in cells):
            rows.append([name, *cells])
    if not rows:
        return []
    note = 'A name with "_perm" is the permuted matrix. – was not measured, or given up.'
    head = ("matrix", *(case.label for case in cases))
    return [Table("Measured here, after the initial matching", head, rows, note), table_2()]
