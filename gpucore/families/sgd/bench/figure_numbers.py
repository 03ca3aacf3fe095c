"""What results say of the figures of the SGD paper.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section V.
"""

from __future__ import annotations

from collections.abc import Callable

from gpucore.bench.papers.charts import Chart, Series, by_instance
from gpucore.bench.papers.declare import Finding
from gpucore.bench.papers.measures import number
from gpucore.bench.suite import Case, Data, Table
from gpucore.families.sgd.bench.published import TABLE_2
from gpucore.families.sgd.bench.runs import BASE, Sweep, kind_of, means, normalised, sweep_of
from gpucore.families.sgd.bench.suite import HYBRIDS, schedule
from gpucore.families.sgd.variants import VARIANTS
from gpucore.format import human_time

#: The paper's schedules by where they are decided; figure 7 compares the best of both.
ONLINE, MAXIMAL, DIAGONAL = ("el_shuffled", "nl"), ("agm_e", "agm_n", "sgm"), ("diag", "blkdiag")
OFFLINE = (*MAXIMAL, *DIAGONAL)
#: Schedules of figure 7, and ours behind them.
PAPERS = (*ONLINE, *OFFLINE)
KNOWN = tuple(variant.name for variant in VARIANTS)
OURS = tuple(v for v in KNOWN if v not in (*PAPERS, *HYBRIDS))


def cases_of(*variants: str) -> list[Case]:
    """Return the cases of some variants."""
    return [schedule(v) for v in variants if v in KNOWN]


def schedules_of(data: Data) -> dict[str, dict[str, Sweep]]:
    """Return ``schedules[matrix][variant]``; times of sweeps are medians, so first runs count."""
    rows: dict[str, dict[str, Sweep]] = {}
    for case in cases_of(*KNOWN):
        for name, cases in data["measurements"].items():
            found = cases.get(case.key, {})
            if found.get("kept", {}).get("seconds_by_sweep"):
                rows.setdefault(name, {})[case.params["variant"]] = sweep_of(found)
    return rows


def class_means(data: Data, *, whole: bool = False) -> dict[str, dict[str, float]]:
    """Return geometric means of times by EL's, ``means[class][variant]``."""
    return means(normalised(data, schedules_of(data), whole=whole))


def figure_7(data: Data) -> list[Chart]:
    """Return the charts of figure 7."""
    order = (*PAPERS, *HYBRIDS, *OURS)
    charts = []
    for whole, words in ((False, "a sweep"), (True, "preprocessing and 20 sweeps")):
        rows = class_means(data, whole=whole)
        known = [v for v in order if any(v in row for row in rows.values())]
        title = f"Time by that of EL, {words}"
        charts += by_instance(title, rows, "times EL's", order=known)
    return charts


def _best(found: dict[str, float], names: tuple[str, ...]) -> float | None:
    return min((found[v] for v in names if v in found), default=None)


def _advantage(data: Data, kind: str) -> float | None:
    """Return how many times as fast the best online schedule is as the best offline one."""
    found = class_means(data).get(kind, {})
    online, offline = _best(found, ONLINE), _best(found, OFFLINE)
    return None if online is None or offline is None else offline / online


def advantage_words(kind: str) -> Callable[[Data], str | None]:
    """Say how many times as fast the best online schedule is as the best offline one."""

    def words(data: Data) -> str | None:
        found = _advantage(data, kind)
        return None if found is None else f"{number(found)} ×"

    return words


def online_wins(kind: str) -> Callable[[Data], Finding | None]:
    """Compare the best online schedule with the best offline one."""
    return win((kind,), ONLINE, OFFLINE)


def faster(kind: str, first: str, second: str) -> Callable[[Data], Finding | None]:
    """Compare two schedules."""
    return win((kind,), (first,), (second,))


def win(
    kinds: tuple[str, ...], some: tuple[str, ...], others: tuple[str, ...], *, whole: bool = False
) -> Callable[[Data], Finding | None]:
    """Compare the best of some schedules with the best of others, in classes that have both."""

    def finding(data: Data) -> Finding | None:
        ups: dict[str, float] = {}
        for kind, row in class_means(data, whole=whole).items():
            first, second = _best(row, some), _best(row, others)
            if kind in kinds and first is not None and second is not None:
                ups[kind] = second / first
        words = "; ".join(f"{kind}: {number(up)} times as fast" for kind, up in ups.items())
        return Finding(all(up > 1 for up in ups.values()), words) if ups else None

    return finding


def each_beats_el(kind: str, names: tuple[str, ...]) -> Callable[[Data], Finding | None]:
    """Compare each of some schedules with EL."""

    def finding(data: Data) -> Finding | None:
        row = class_means(data).get(kind, {})
        ups = {name: 1 / row[name] for name in names if name in row}
        words = "; ".join(f"{name}: {number(up)} times as fast" for name, up in ups.items())
        return Finding(all(up > 1 for up in ups.values()), words) if ups else None

    return finding


def figure_8(data: Data) -> list[Chart]:
    """Return the chart of figure 8."""
    rows = {
        kind: {v: 1 / row[v] for v in ("nl", *HYBRIDS) if v in row}
        for kind, row in class_means(data).items()
    }
    rows = {kind: row for kind, row in rows.items() if row}
    return by_instance("Speed-up over EL", rows, "times as fast", mark="bar", y_log=False)


def hybrid(data: Data) -> Finding | None:
    """Return whether NL, then EL, beats each of them."""
    words, wins = [], []
    for kind, row in class_means(data).items():
        if "nl_el" in row and "nl" in row:
            best = min(1.0, row["nl"])
            wins.append(row["nl_el"] <= best)
            words.append(f"{kind}: {number(best / row['nl_el'])} times the better of both")
    return Finding(all(wins), "; ".join(words)) if wins else None


def mixed(data: Data) -> Finding | None:
    """Return whether EL for high degrees helps SGM, and costs more than EL alone."""
    found = {
        kind: (row["el_sgm"], row["sgm"])
        for kind, row in class_means(data).items()
        if {"el_sgm", "sgm"} <= set(row)
    }
    words = "; ".join(
        f"{kind}: {number(sgm / mixed)} times as fast as SGM, {number(1 / mixed)} times as EL"
        for kind, (mixed, sgm) in found.items()
    )
    holds = all(1 < mixed < sgm for mixed, sgm in found.values())
    return Finding(holds, words) if found else None


def figure_9(data: Data) -> list[Chart]:
    """Return the chart of figure 9."""
    figures = data.get("device_figures") or {"atomics": {}}
    series = [
        Series(f"{kind}, {place}", [float(t) for t, _ in rates], [r / 1e6 for _, r in rates])
        for kind, places in figures["atomics"].items()
        for place, rates in places.items()
    ]
    if not series:
        return []
    words = "million atomics a second"
    return [Chart("Atomic throughput", "threads", words, series, x_log=True, y_log=True)]


def one_address(data: Data) -> str | None:
    """Return the best rate of atomics on one address."""
    figures = data.get("device_figures") or {"atomics": {}}
    best = [
        (rate, kind)
        for kind, places in figures["atomics"].items()
        for place, rates in places.items()
        if place.startswith("one")
        for _, rate in rates
    ]
    return f"{max(best)[0] / 1e6:,.0f} M/s ({max(best)[1]})" if best else None


def table_2(data: Data) -> list[Table]:
    """Return table II, ours and the paper's."""
    rows = []
    for name, row in schedules_of(data).items():
        facts, base = data["graphs"][name], row.get(BASE)
        cells = [f"{facts['vertices']:,}", f"{facts['edges']:,}", f"{facts['max_degree']:,}"]
        rows.append(
            [name, kind_of(data, name), *cells, "–" if base is None else human_time(base.seconds)]
        )
    if not rows:
        return []
    head = ("matrix", "class", "vertices", "edges", "largest degree", "EL, a sweep")
    theirs = Table(
        "The paper's table II",
        ("input", "class", "vertices", "edges", "largest degree", "EL, K40", "EL, R9-290X"),
        [row.cells for row in TABLE_2],
        "The paper does not say of how many sweeps its times are.",
    )
    return [Table("Measured here", head, rows, "A tenth of the ratings is held back."), theirs]
