"""The figures of paper IV, its printed numbers and its statements.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
section 4. The paper has five instances of every size and three runs of each; times are means.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping

from gpucore.bench.papers.charts import Chart, Series
from gpucore.bench.papers.declare import Expectation, Finding, Paper, PaperFigure, Printed
from gpucore.bench.papers.measures import mostly, number
from gpucore.bench.suite import Case, Data
from gpucore.bench.summary import is_timed, sets_of
from gpucore.families.marriage.bench.runs import rate
from gpucore.families.marriage.bench.suite import APART, FAST, MW, SEQUENTIAL
from gpucore.families.marriage.parts import PARTS

GS, STACK = SEQUENTIAL
#: The paper's shares of the cores for figures 4, 6, 7 and 8: 1, 9, 18, 27 and 36 of 36 threads.
QUARTERS = (1, 2, 3, 4)
PARALLEL = {
    "gale_shapley_omp": "OpenMP Gale-Shapley",
    "mcvitie_wilson_omp": "OpenMP McVitie-Wilson",
}
#: Rows of means: ``rows[label][men]``.
Rows = dict[str, dict[int, float]]


def _threads(runner: str, count: int) -> Case:
    label = f"{PARALLEL[runner]}, {count} thread{'s' * (count > 1)}"
    return Case(label, runner, {"threads": count}, "cpu")


def _counts(cores: int) -> list[int]:
    return list(dict.fromkeys([1, *(max(1, cores * q // 4) for q in QUARTERS)]))


def _multicore(cores: int) -> list[Case]:
    return [_threads(runner, cores) for runner in PARALLEL]


def _by_threads(cores: int) -> list[Case]:
    return [_threads(runner, c) for runner in PARALLEL for c in _counts(cores)]


def _all(cores: int) -> list[Case]:
    return [MW, FAST, *_multicore(cores), *SEQUENTIAL]


def _all_apart(cores: int) -> list[Case]:
    return [MW, FAST, *_multicore(cores), *APART]


def _means(
    data: Data, case: Case, kind: str, measure: Callable[[dict], float] = lambda f: f["seconds"]
) -> dict[int, float]:
    """Return the mean over the instances of every size, by the number of men."""
    found: dict[int, list[float]] = {}
    for name, cases in data["measurements"].items():
        run = cases.get(case.key, {})
        if kind in sets_of(data, name) and is_timed(case.key, run):
            found.setdefault(data["graphs"][name]["men"], []).append(measure(run))
    return {men: statistics.fmean(values) for men, values in sorted(found.items())}


def _rows(data: Data, kind: str) -> Rows:
    rows = {c.label: _means(data, c, kind) for c in _all(data["setup"]["cores"])}
    return {label: row for label, row in rows.items() if row}


def _lines(title: str, rows: Mapping[str, Mapping[int, float]], words: str) -> list[Chart]:
    series = [
        Series(label, [float(x) for x in row], list(row.values()))
        for label, row in rows.items()
        if row
    ]
    return [Chart(title, "men", words, series, y_log=True)] if series else []


def _sequential(data: Data, kind: str) -> dict[int, float]:
    """Return the faster sequential method's times."""
    rows = [_means(data, case, kind) for case in SEQUENTIAL]
    return {
        men: min(row[men] for row in rows if men in row)
        for men in sorted({men for row in rows for men in row})
    }


def _ups(data: Data, kind: str) -> Rows:
    base, rows = _sequential(data, kind), _rows(data, kind)
    serial = {case.label for case in SEQUENTIAL}
    ups = {
        label: {men: base[men] / row[men] for men in row if men in base}
        for label, row in rows.items()
        if label not in serial
    }
    return {label: row for label, row in ups.items() if row}


def _measured_threads(data: Data, runner: str) -> list[Case]:
    """Return the cases of a method that were measured, by number of threads."""
    counts = {
        found["params"]["threads"]
        for cases in data["measurements"].values()
        for key, found in cases.items()
        if key.startswith(f"{runner}(") and "seconds" in found
    }
    return [_threads(runner, count) for count in sorted(counts)]


def _over_threads(
    data: Data, kind: str, measure: Callable[[Data, Case, int], float | None], words: str
) -> list[Chart]:
    """Return a line for every method and each of the three largest sizes, over threads."""
    series = []
    for runner, title in PARALLEL.items():
        cases = _measured_threads(data, runner)
        sizes = sorted({men for case in cases for men in _means(data, case, kind)})[-3:]
        for men in sizes:
            points = [
                (float(case.params["threads"]), value)
                for case in cases
                if (value := measure(data, case, men)) is not None
            ]
            if len(points) > 1:
                series.append(Series(f"{title}, {men:,}", *map(list, zip(*points, strict=True))))
    return [Chart(f"By threads, {kind}", "threads", words, series)] if series else []


def _scaling(kind: str) -> Callable[[Data], list[Chart]]:
    def up(data: Data, case: Case, men: int) -> float | None:
        base, own = _sequential(data, kind), _means(data, case, kind)
        return base[men] / own[men] if men in base and men in own else None

    return lambda data: _over_threads(data, kind, up, "times as fast as one thread")


def _teps(kind: str) -> Callable[[Data], list[Chart]]:
    def million(data: Data, case: Case, men: int) -> float | None:
        found = _means(data, case, kind, rate).get(men)
        return None if found is None else found / 1e6

    return lambda data: _over_threads(data, kind, million, "million considered places a second")


def _at_most(data: Data, case: Case, kind: str) -> str | None:
    row = _means(data, case, kind)
    if not row:
        return None
    men = max(row)
    return f"{number(row[men])} s ({men:,} men)"


def _largest(kind: str, case: Callable[[int], Case]) -> Callable[[Data], str | None]:
    return lambda data: _at_most(data, case(data["setup"]["cores"]), kind)


def _slower(kind: str, case: Case, base: Case) -> Callable[[Data], str | None]:
    """Return how much slower one sequential method is than the other, on average."""

    def words(data: Data) -> str | None:
        rows = [_means(data, c, kind) for c in (case, base)]
        both = [rows[0][n] / rows[1][n] - 1 for n in rows[0] if n in rows[1]]
        return f"{statistics.fmean(both):.0%}" if both else None

    return words


def _most(kind: str, label: str) -> Callable[[Data], str | None]:
    def words(data: Data) -> str | None:
        values = [
            v for k, row in _ups(data, kind).items() if k.startswith(label) for v in row.values()
        ]
        return f"{number(min(values))} to {number(max(values))} ×" if values else None

    return words


def _best_teps(kind: str, runner: str) -> Callable[[Data], str | None]:
    def words(data: Data) -> str | None:
        found = [
            (rate_ / 1e6, case.params["threads"])
            for case in _measured_threads(data, runner)
            for rate_ in _means(data, case, kind, rate).values()
        ]
        if not found:
            return None
        best, threads = max(found)
        return f"{number(best)} M with {threads} threads"

    return words


def _faster(
    kind: str, first: Callable[[int], Case], second: Callable[[int], Case]
) -> Callable[[Data], Finding | None]:
    def finding(data: Data) -> Finding | None:
        cores = data["setup"]["cores"]
        ours, others = (_means(data, f(cores), kind) for f in (first, second))
        return mostly({str(n): others[n] / ours[n] for n in ours if n in others}, share=0.5)

    return finding


def _gs(cores: int) -> Case:
    return _threads("gale_shapley_omp", cores)


def _mw(cores: int) -> Case:
    return _threads("mcvitie_wilson_omp", cores)


def _names(kind: str, sizes: tuple[int, ...], seeds: int) -> tuple[str, ...]:
    return tuple(f"{kind}:n={n},seed={s}" for n in sizes for s in range(1, seeds + 1))


MILLION = 1_000_000
PAPER = Paper(
    name="marriage",
    title="On stable marriages and greedy matchings",
    source="Manne, Naim, Lerring, Halappanavar, CSC 2016 (paper IV)",
    machine="Tesla K40m; two Intel Xeon E5-2699, 36 threads, 252 GB",
    repeat=3,
    parts=PARTS,
    instances={
        "small": (*_names("easy", (500, 1000, 2000), 2), *_names("hard", (100, 200), 2)),
        "medium": (
            *_names("easy", (200_000, 500_000, MILLION), 2),
            *_names("hard", (5000, 10_000, 20_000), 2),
        ),
        "paper": (
            *_names("easy", tuple(k * MILLION for k in (5, 10, 15, 20, 25)), 5),
            *_names("hard", tuple(k * 100_000 for k in (1, 2, 3, 4, 5)), 5),
            *_names("easy", tuple(k * MILLION for k in (50, 75, 100, 125)), 5),
        ),
    },
    stands_for={
        "easy25m": "one of five instances of 25 million men",
        "hard500k": "one of five instances of 500,000 men",
    },
    figures=(
        PaperFigure(
            "figure 1",
            "Time on the easy set",
            _all,
            lambda data: _lines("Easy set", _rows(data, "easy"), "seconds"),
            printed=(
                Printed(
                    "GPU, 25 million men",
                    "slightly more than 1 s",
                    "section 4",
                    _largest("easy", lambda cores: MW),
                ),
                Printed(
                    "sequential McVitie-Wilson slower than Gale-Shapley by",
                    "27 %",
                    "section 4",
                    _slower("easy", STACK, GS),
                ),
            ),
            expectations=(
                Expectation(
                    "OpenMP Gale-Shapley is faster than OpenMP McVitie-Wilson",
                    "section 4, by as much as 12 %",
                    _faster("easy", _gs, _mw),
                    "which one is faster depends on the processor's caches and threads",
                    on_gpu=False,
                ),
            ),
            within="easy",
        ),
        PaperFigure(
            "figure 2",
            "Speed-up on the easy set",
            _all,
            lambda data: _lines("Over one thread, easy", _ups(data, "easy"), "times as fast"),
            printed=(
                Printed(
                    "OpenMP Gale-Shapley, 36 threads",
                    "about 9 ×",
                    "section 4",
                    _most("easy", "OpenMP Gale-Shapley"),
                ),
                Printed("GPU", "about 17 ×, then dropping", "section 4", _most("easy", MW.label)),
            ),
            within="easy",
        ),
        PaperFigure(
            "figure 3",
            "All cores on larger and larger easy instances",
            _multicore,
            lambda data: _lines(
                "OpenMP, easy",
                {k: v for k, v in _rows(data, "easy").items() if k.startswith("OpenMP")},
                "seconds",
            ),
            printed=(
                Printed(
                    "worst time, 125 million men",
                    "slightly more than 4 s",
                    "section 4",
                    _largest("easy", _mw),
                ),
            ),
            note="100 and 125 million men have up to 3.5 thousand million list entries: they need "
            "about 60 GB of memory.",
            within="easy",
        ),
        PaperFigure(
            "figure 4",
            "Speed-up by threads on the easy set",
            lambda cores: [*_by_threads(cores), *SEQUENTIAL],
            _scaling("easy"),
            printed=(
                Printed(
                    "best speed-up, Gale-Shapley, 36 threads",
                    "almost 14 ×",
                    "section 4",
                    _most("easy", "OpenMP Gale-Shapley"),
                ),
            ),
            within="easy",
        ),
        PaperFigure(
            "figure 5",
            "Time on the hard set",
            _all_apart,
            lambda data: _lines("Hard set", _rows(data, "hard"), "seconds"),
            printed=(
                Printed(
                    "GPU McVitie-Wilson, 500,000 men",
                    "close to 250 s",
                    "section 4",
                    _largest("hard", lambda cores: MW),
                ),
                Printed(
                    "OpenMP Gale-Shapley, 500,000 men",
                    "close to 250 s",
                    "section 4",
                    _largest("hard", _gs),
                ),
                Printed(
                    "OpenMP McVitie-Wilson, 500,000 men",
                    "about 50 s",
                    "section 4",
                    _largest("hard", _mw),
                ),
                Printed(
                    "sequential Gale-Shapley slower than McVitie-Wilson by",
                    "109 %",
                    "section 4",
                    _slower("hard", GS, STACK),
                ),
            ),
            expectations=(
                Expectation(
                    "OpenMP McVitie-Wilson is faster than OpenMP Gale-Shapley",
                    "section 4, five times on the largest",
                    _faster("hard", _mw, _gs),
                    "small instances end before the threads of either have met",
                    on_gpu=False,
                ),
                Expectation(
                    "OpenMP McVitie-Wilson is faster than the paper's GPU kernel",
                    "section 4, figure 5",
                    _faster("hard", _mw, lambda cores: MW),
                    "atomics on one address are some hundred times as fast as on a K40",
                ),
            ),
            within="hard",
        ),
        PaperFigure(
            "figure 6",
            "Speed-up by threads on the hard set",
            lambda cores: [*_by_threads(cores), *APART],
            _scaling("hard"),
            printed=(
                Printed(
                    "McVitie-Wilson, 36 threads",
                    "close to 22 ×",
                    "section 4",
                    _most("hard", "OpenMP McVitie-Wilson"),
                ),
                Printed(
                    "Gale-Shapley",
                    "never more than 2.5 ×",
                    "section 4",
                    _most("hard", "OpenMP Gale-Shapley"),
                ),
            ),
            within="hard",
        ),
        PaperFigure(
            "figure 7",
            "Considered places a second on the easy set",
            _by_threads,
            _teps("easy"),
            printed=(
                Printed(
                    "36 threads",
                    "100 to 140 M",
                    "section 4",
                    _best_teps("easy", "gale_shapley_omp"),
                ),
            ),
            within="easy",
        ),
        PaperFigure(
            "figure 8",
            "Considered places a second on the hard set",
            _by_threads,
            _teps("hard"),
            printed=(
                Printed(
                    "McVitie-Wilson, 36 threads",
                    "2,750 M",
                    "section 4",
                    _best_teps("hard", "mcvitie_wilson_omp"),
                ),
            ),
            within="hard",
        ),
    ),
)
