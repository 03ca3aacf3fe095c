"""What results say of the figures of paper IV.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
section 4. The paper has five instances of every size and three runs of each; times are means.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gpucore.bench.cases import on_threads
from gpucore.bench.papers.charts import Chart, Series
from gpucore.bench.papers.declare import Finding
from gpucore.bench.papers.measures import MOST, Declared, declared, found_of, mostly, number
from gpucore.bench.suite import Case, Data
from gpucore.bench.summary import sets_of
from gpucore.families.marriage.bench.cases import APART, FAST, MW, SEQUENTIAL

#: Men of the paper's instances, by set.
SIZES = {
    "easy": tuple(k * 1_000_000 for k in (5, 10, 15, 20, 25, 50, 75, 100, 125)),
    "hard": tuple(k * 100_000 for k in (1, 2, 3, 4, 5)),
}
#: The paper's shares of the cores for figures 4, 6, 7 and 8: 1, 9, 18, 27 and 36 of 36 threads.
QUARTERS = (1, 2, 3, 4)
PARALLEL = {
    "gale_shapley_omp": "OpenMP Gale-Shapley",
    "mcvitie_wilson_omp": "OpenMP McVitie-Wilson",
}
#: Rows of means: ``rows[label][men]``.
Rows = dict[str, dict[int, float]]


def rate(found: dict[str, Any]) -> float:
    """Return considered places a second; see the paper's figures 7 and 8."""
    return float(found["figures"]["considered"] / max(found["seconds"], 1e-9))


def on_count(runner: str, count: int) -> Case:
    """Return a parallel method on a number of threads."""
    return on_threads(PARALLEL[runner], runner, count)


def _counts(cores: int) -> list[int]:
    """Return the numbers of threads of figures 4, 6, 7 and 8."""
    return list(dict.fromkeys([1, *(max(1, cores * q // 4) for q in QUARTERS)]))


def multicore(cores: int) -> list[Case]:
    """Return the parallel methods on all cores."""
    return [on_count(runner, cores) for runner in PARALLEL]


def by_threads(cores: int) -> list[Case]:
    """Return the parallel methods by threads."""
    return [on_count(runner, c) for runner in PARALLEL for c in _counts(cores)]


def every_method(cores: int) -> list[Case]:
    """Return every method of figures 1 and 2."""
    return [MW, FAST, *multicore(cores), *SEQUENTIAL]


def all_apart(cores: int) -> list[Case]:
    """Return the same, sequential methods in processes of their own."""
    return [MW, FAST, *multicore(cores), *APART]


def has_size(kind: str, least: int = 0) -> Callable[[Data, str], bool]:
    """Return a function that says whether an instance has one of the paper's sizes of a set."""
    sizes = [men for men in SIZES[kind] if men >= least]
    return lambda data, name: data["graphs"][name]["men"] in sizes


def counted(data: Data, kind: str) -> set[int]:
    """Return the sizes of a set whose numbers count: the paper's, or all if none is the paper's."""
    measured = {data["graphs"][n]["men"] for n in data["measurements"] if kind in sets_of(data, n)}
    return measured & set(SIZES[kind]) or measured


def sizes_words(sizes: Iterable[int]) -> str:
    """Return numbers of men as text.

    >>> sizes_words([25_000_000, 5_000_000, 5_000_000]), sizes_words([20_000])
    ('5 and 25 million men', '20,000 men')
    """
    found = sorted(set(sizes))
    millions = all(men % 1_000_000 == 0 for men in found)
    words = [f"{men // 1_000_000 if millions else men:,}" for men in found]
    listed = " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
    return f"{listed} million men" if millions else f"{listed} men"


def size_means(
    data: Data,
    case: Case | Declared,
    kind: str,
    measure: Callable[[dict], float] = lambda f: f["seconds"],
) -> dict[int, float]:
    """Return the mean over the instances of every size, by the number of men."""
    found: dict[int, list[float]] = {}
    for name, run in found_of(data, case, kind).items():
        found.setdefault(data["graphs"][name]["men"], []).append(measure(run))
    return {men: statistics.fmean(values) for men, values in sorted(found.items())}


def mean_times(data: Data, kind: str, cases: Sequence[Case | Declared] | None = None) -> Rows:
    """Return the mean times of some cases on a set; by default of all the paper's methods."""
    cases = every_method(data["setup"]["cores"]) if cases is None else cases
    rows = {case.label: size_means(data, case, kind) for case in cases}
    return {label: row for label, row in rows.items() if row}


def lines(title: str, rows: Mapping[str, Mapping[int, float]], words: str) -> list[Chart]:
    """Return a chart with a line for each method."""
    series = [
        Series(label, [float(x) for x in row], list(row.values()))
        for label, row in rows.items()
        if row
    ]
    return [Chart(title, "men", words, series, y_log=True)] if series else []


def _sequential(data: Data, kind: str) -> dict[int, float]:
    """Return the faster sequential method's times."""
    rows = [size_means(data, case, kind) for case in SEQUENTIAL]
    return {
        men: min(row[men] for row in rows if men in row)
        for men in sorted({men for row in rows for men in row})
    }


def mean_speed_ups(data: Data, kind: str, cases: Sequence[Case | Declared] | None = None) -> Rows:
    """Return the speed-ups over the faster sequential method; `cases` as of :func:`mean_times`."""
    base, rows = _sequential(data, kind), mean_times(data, kind, cases)
    serial = {case.label for case in SEQUENTIAL}
    ups = {
        label: {men: base[men] / row[men] for men in row if men in base}
        for label, row in rows.items()
        if label not in serial
    }
    return {label: row for label, row in ups.items() if row}


def times_of(experiment: str, kind: str) -> Callable[[Data], list[Chart]]:
    """Return the chart of an experiment's times by size."""
    return lambda data: lines("", mean_times(data, kind, declared(data, experiment)), "seconds")


def speed_ups_of(experiment: str, kind: str) -> Callable[[Data], list[Chart]]:
    """Return the chart of an experiment's speed-ups by size."""
    return lambda data: lines(
        "", mean_speed_ups(data, kind, declared(data, experiment)), "times as fast"
    )


def _measured_threads(data: Data, runner: str) -> list[Case]:
    """Return the cases of a method that were measured, by number of threads."""
    counts = {
        found["params"]["threads"]
        for cases in data["measurements"].values()
        for key, found in cases.items()
        if key.startswith(f"{runner}(") and "seconds" in found
    }
    return [on_count(runner, count) for count in sorted(counts)]


def _over_threads(
    data: Data,
    kind: str,
    measure: Callable[[Data, Case, int], float | None],
    words: str,
    across: Sequence[Case] = (),
) -> list[Chart]:
    """Return a line for every method and the three largest sizes that several counts solved.

    Cases `across` are on the device: their lines go from one thread to all.
    """
    series, shown = [], dict[int, float]()
    for runner, title in PARALLEL.items():
        cases = _measured_threads(data, runner)
        counted = Counter(men for case in cases for men in size_means(data, case, kind))
        sizes = sorted(men for men, counts in counted.items() if counts > 1)[-3:]
        for men in sizes:
            points = [
                (float(case.params["threads"]), value)
                for case in cases
                if (value := measure(data, case, men)) is not None
            ]
            if len(points) > 1:
                series.append(Series(f"{title}, {men:,}", *map(list, zip(*points, strict=True))))
                shown[men] = max(shown.get(men, 0.0), points[-1][0])
    series += [
        Series(f"{case.label}, {men:,}", [1.0, most], [value, value])
        for case in across
        for men, most in shown.items()
        if (value := measure(data, case, men)) is not None
    ]
    return [Chart(f"By threads, {kind}", "threads", words, series)] if series else []


def scaling(kind: str) -> Callable[[Data], list[Chart]]:
    """Return the chart of speed-ups by threads on a set."""

    def up(data: Data, case: Case, men: int) -> float | None:
        base, own = _sequential(data, kind), size_means(data, case, kind)
        return base[men] / own[men] if men in base and men in own else None

    return lambda data: _over_threads(data, kind, up, "times as fast as one thread")


def teps(kind: str, across: Sequence[Case] = ()) -> Callable[[Data], list[Chart]]:
    """Return the chart of considered places a second on a set; `across`: on the device."""

    def million(data: Data, case: Case, men: int) -> float | None:
        found = size_means(data, case, kind, rate).get(men)
        return None if found is None else found / 1e6

    words = "million considered places a second"
    return lambda data: _over_threads(data, kind, million, words, across)


def up_to(rows: Rows, men: int) -> Rows:
    """Return the rows without larger instances."""
    return {label: {n: v for n, v in row.items() if n <= men} for label, row in rows.items()}


def _largest(data: Data, case: Case, kind: str, least: int, most: float) -> str | None:
    """Return the time on the largest instances between two sizes."""
    row = {n: v for n, v in size_means(data, case, kind).items() if least <= n <= most}
    if not row:
        return None
    men = max(row)
    return f"{number(row[men])} s ({sizes_words([men])})"


def time_of_largest(
    kind: str, case: Callable[[int], Case], least: int = 0, most: float = math.inf
) -> Callable[[Data], str | None]:
    """Return the time of a method on the largest instances of a set, between two sizes."""
    return lambda data: _largest(data, case(data["setup"]["cores"]), kind, least, most)


def slower_by(kind: str, case: Case, base: Case) -> Callable[[Data], str | None]:
    """Return how much slower one sequential method is than the other: the mean over the sizes."""

    def words(data: Data) -> str | None:
        rows = [size_means(data, c, kind) for c in (case, base)]
        sizes = counted(data, kind) & set(rows[0]) & set(rows[1])
        both = {men: rows[0][men] / rows[1][men] - 1 for men in sizes}
        return f"{statistics.fmean(both.values()):.0%} ({sizes_words(both)})" if both else None

    return words


def speed_up_range(kind: str, label: str, reach: int = 0) -> Callable[[Data], str | None]:
    """Return the range of speed-ups of a method; None if no size is as large as `reach`."""

    def words(data: Data) -> str | None:
        rows, sizes = mean_speed_ups(data, kind), counted(data, kind)
        own = [(men, up) for k in rows if k.startswith(label) for men, up in rows[k].items()]
        own = [(men, up) for men, up in own if men in sizes]
        if not any(men >= reach for men, _ in own):
            return None
        ups = [number(up) for up in sorted(up for _, up in own)]
        span = " to ".join(dict.fromkeys([ups[0], ups[-1]]))
        return f"{span} × ({sizes_words(men for men, _ in own)})"

    return words


def best_teps(kind: str, *runners: str) -> Callable[[Data], str | None]:
    """Return the best rate of some parallel methods."""

    def words(data: Data) -> str | None:
        found = [
            (rate_ / 1e6, case.params["threads"], men)
            for runner in runners
            for case in _measured_threads(data, runner)
            for men, rate_ in size_means(data, case, kind, rate).items()
            if men in counted(data, kind)
        ]
        if not found:
            return None
        best, threads, men = max(found)
        return f"{number(best)} M with {threads} threads ({sizes_words([men])})"

    return words


def is_faster(
    kind: str, first: Callable[[int], Case], second: Callable[[int], Case]
) -> Callable[[Data], Finding | None]:
    """Return whether one method is faster than another on most instances."""

    def finding(data: Data) -> Finding | None:
        ours, others = (found_of(data, f(data["setup"]["cores"]), kind) for f in (first, second))
        men = {n: data["graphs"][n]["men"] for n in ours if n in others}
        men = {n: size for n, size in men.items() if size in counted(data, kind)}
        found = mostly({n: others[n]["seconds"] / ours[n]["seconds"] for n in men}, share=MOST)
        if found is None:
            return None
        return Finding(found.holds, f"{found.words} ({sizes_words(men.values())})")

    return finding


def gs(cores: int) -> Case:
    """Return OpenMP Gale-Shapley on all cores."""
    return on_count("gale_shapley_omp", cores)


def mw(cores: int) -> Case:
    """Return OpenMP McVitie-Wilson on all cores."""
    return on_count("mcvitie_wilson_omp", cores)


def instance_names(kind: str, sizes: tuple[int, ...], seeds: int) -> tuple[str, ...]:
    """Return the names of instances of some sizes."""
    return tuple(f"{kind}:n={n},seed={s}" for n in sizes for s in range(1, seeds + 1))
