"""The figures of paper I, its printed numbers and its statements.

Paper I: Naim, Manne, Halappanavar, Tumeo, Langguth, Optimizing approximate weighted matching on
Nvidia Kepler K40, HiPC 2015, section 5.
"""

from __future__ import annotations

from gpucore.bench.papers.charts import Chart, Series, in_order, profile
from gpucore.bench.papers.declare import Expectation, Finding, Paper, PaperFigure, Printed
from gpucore.bench.papers.measures import Rows, mostly, number, span, speed_ups, times
from gpucore.bench.suite import Case, Data
from gpucore.families.matching.bench.suite import PAPER_POINT, PAPER_VARIANTS
from gpucore.families.matching.parts import PARTS
from gpucore.problems.graph.benchmarks import STANDARD

SUITOR = Case("GPU-Suitor (NoSync)", "suitor", {"variant": "nosync", **PAPER_POINT})
LD = Case("GPU-LD", "ld")
FAST = Case("fast (ours)", "suitor", {"variant": "fast"})
VARIANTS = [Case(v, "suitor", {"variant": v, **PAPER_POINT}) for v in PAPER_VARIANTS]
#: The paper's values, and fewer vertices a warp, which the paper calls worse.
THREADS, VERTICES, FEWER = (128, 192, 256), (8, 16, 32, 64, 128, 256), (1, 2, 4)


def _point(threads: int, vertices: int) -> Case:
    params = {"threads_per_block": threads, "vertices_per_warp": vertices}
    label = f"{threads} threads, {vertices} vertices"
    return Case(label, "suitor", {"variant": "nosync", **params})


BLOCKS = [_point(t, v) for t in THREADS for v in VERTICES]
NARROW = [_point(128, v) for v in FEWER]


def _multicore(cores: int) -> list[Case]:
    """Return the multicore methods on 2 and 16 threads, or on all if there are fewer."""
    return [
        Case(f"{title}, {count} threads", runner, {"threads": count}, "cpu")
        for runner, title in (("ld_omp", "OMP-LD"), ("suitor_omp", "OMP-Suitor"))
        for count in dict.fromkeys((2, max(2, min(16, cores))))
    ]


def _four(cores: int) -> list[Case]:
    return [SUITOR, LD, *_multicore(cores), FAST]


def _rows(data: Data) -> Rows:
    return times(data, _four(data["setup"]["cores"]))


def _sizes(data: Data) -> list[Chart]:
    edges = sorted((facts["edges"] for facts in data["graphs"].values()), reverse=True)
    if not edges:
        return []
    series = Series("edges", [float(i + 1) for i in range(len(edges))], [float(e) for e in edges])
    return [Chart("Sizes of the problems", "problem", "edges", [series], y_log=True)]


def _run_times(data: Data) -> list[Chart]:
    rows = _rows(data)
    if SUITOR.label not in rows:
        return []
    base = rows[SUITOR.label]
    order = sorted(base, key=lambda name: -base[name])
    series = [
        Series(
            label,
            [float(order.index(n) + 1) for n in order if n in row],
            [row[n] * 1e3 for n in order if n in row],
        )
        for label, row in rows.items()
    ]
    words = "problem, by the time of GPU-Suitor"
    return [Chart("Run times of the two algorithms", words, "ms", series, y_log=True)]


def _speed_ups(data: Data) -> list[Chart]:
    return in_order(
        "GPU-Suitor relative to the others",
        {k: v for k, v in speed_ups(_rows(data), SUITOR.label).items() if k != FAST.label},
        "times as fast",
    )


def _ratios(data: Data, name: str) -> dict[str, float]:
    found = speed_ups(_rows(data), SUITOR.label)
    return next((row for label, row in found.items() if label.startswith(name)), {})


def _speed_up(name: str) -> Printed:
    published = {
        "GPU-LD": "1 to 10 × (115 problems), 10 to 100 × (about 100), above 100 × (15)",
        "OMP-Suitor, 2 threads": "up to 20 ×",
        "OMP-Suitor, 16 threads": "up to 5 ×",
        "OMP-LD, 2 threads": "up to 40 ×",
        "OMP-LD, 16 threads": "up to 16 ×",
    }[name]
    what = f"GPU-Suitor relative to {name}"
    return Printed(what, published, "section 5.2", lambda data: span(_ratios(data, name).values()))


def _faster(name: str, share: float) -> Expectation:
    words = "on all problems" if share == 1 else "on most problems"
    return Expectation(
        f"GPU-Suitor is faster than {name} {words}",
        "section 5.2, figures 2 and 3",
        lambda data: mostly(_ratios(data, name), share=share),
    )


def _whole(data: Data, cases: list[Case]) -> Rows:
    """Return times on the instances that have all cases that were measured at all."""
    rows = times(data, cases)
    names = set.intersection(*(set(row) for row in rows.values())) if rows else set()
    return {label: {n: s for n, s in row.items() if n in names} for label, row in rows.items()}


def _best(data: Data, cases: list[Case]) -> dict[str, int]:
    """Return on how many instances each case is the fastest."""
    rows = _whole(data, cases)
    wins = dict.fromkeys(rows, 0)
    for name in dict.fromkeys(n for row in rows.values() for n in row):
        wins[
            min((label for label in rows if name in rows[label]), key=lambda k: rows[k][name])
        ] += 1
    return wins


def _wins(data: Data) -> str | None:
    wins = _best(data, VARIANTS)
    total = sum(wins.values())
    return f"{wins.get('nosync', 0) / total:.0%}" if total else None


def _nosync_wins(data: Data) -> Finding | None:
    wins = _best(data, VARIANTS)
    if len(wins) < 2 or not any(wins.values()):
        return None
    words = ", ".join(f"{label} {count}" for label, count in wins.items())
    return Finding(max(wins, key=lambda k: wins[k]) == "nosync", f"fastest on: {words}")


def _worst(data: Data, cases: list[Case], labels: list[str]) -> float | None:
    rows = _whole(data, cases)
    best: dict[str, float] = {}
    for row in rows.values():
        for name, seconds in row.items():
            best[name] = min(seconds, best.get(name, seconds))
    found = [rows[k][n] / best[n] for k in labels if k in rows for n in rows[k]]
    return max(found, default=None)


def _at(vertices: int) -> list[str]:
    return [_point(t, vertices).label for t in THREADS]


def _worst_words(cases: list[Case], labels: list[str]) -> Printed:
    return Printed(
        f"worst time of {labels[0].rpartition(', ')[2] if cases is BLOCKS else labels[0]} "
        "by the best of all",
        "up to 30 ×" if cases is BLOCKS else "up to 4 ×",
        "section 5.3",
        lambda data: (
            None if (found := _worst(data, cases, labels)) is None else f"{number(found)} ×"
        ),
    )


def _eight_is_best(data: Data) -> Finding | None:
    wins = _best(data, BLOCKS)
    if len(wins) < 2 or not any(wins.values()):
        return None
    by_vertices = {v: sum(wins.get(label, 0) for label in _at(v)) for v in VERTICES}
    words = ", ".join(f"{v}: {count}" for v, count in by_vertices.items())
    best = max(by_vertices, key=lambda v: by_vertices[v])
    return Finding(best == 8, f"fastest with vertices a warp: {words}")


def _fewer_is_worse(data: Data) -> Finding | None:
    rows = times(data, [_point(128, 8), *NARROW])
    ups = speed_ups(rows, _point(128, 8).label)
    found = {f"{label}, {name}": v for label, row in ups.items() for name, v in row.items()}
    return mostly(found, share=0.5)


PAPER = Paper(
    name="suitor",
    title="Optimizing approximate weighted matching on Nvidia Kepler K40",
    source="Naim, Manne, Halappanavar, Tumeo, Langguth, HiPC 2015 (paper I)",
    machine="Tesla K40; OpenMP with 2 and 16 threads; 269 matrices of 1 million to 1 billion edges",
    parts=PARTS,
    instances={
        "small": ("delaunay10", "grid32", "rgg10", "rmat10", "sbm2k"),
        "medium": ("delaunay18", "grid512", "rgg18", "rmat18", "sbm100k"),
        "paper": STANDARD,
    },
    stands_for={
        "delaunay20": "delaunay_n20 (DIMACS10)",
        "delaunay21": "delaunay_n21 (DIMACS10)",
        "rgg21": "rgg_n_2_21_s0 (DIMACS10)",
        "rgg22": "rgg_n_2_22_s0 (DIMACS10)",
        "rmat20": "graphs of the class of kron_g500-logn20 (DIMACS10)",
        "rmat22": "graphs of the class of kron_g500-logn21 (DIMACS10)",
    },
    repeat=10,
    figures=(
        PaperFigure(
            "figure 1",
            "Sizes of the input problems",
            charts=_sizes,
            cases=lambda cores: [SUITOR],
            note="Ours are the benchmark graphs instead of the 269 matrices.",
        ),
        PaperFigure(
            "figures 2 and 3",
            "GPU-Suitor, GPU-LD, OMP-LD and OMP-Suitor",
            _four,
            lambda data: [*_run_times(data), *_speed_ups(data)],
            printed=tuple(
                _speed_up(name)
                for name in (
                    "GPU-LD",
                    "OMP-LD, 2 threads",
                    "OMP-LD, 16 threads",
                    "OMP-Suitor, 2 threads",
                    "OMP-Suitor, 16 threads",
                )
            ),
            expectations=(
                _faster("GPU-LD", 1.0),
                _faster("OMP-Suitor", 0.5),
                _faster("OMP-LD", 0.5),
            ),
            note="The paper has the least of ten runs, ours are medians.",
            differs="A K40 had at most 288 GB/s, the processor 51 GB/s a socket; below is what "
            "this card copies. GPU-LD is slow where lists are long (R-MAT): a thread reads each.",
        ),
        PaperFigure(
            "figure 4",
            "Performance profile of the variants of GPU-Suitor",
            lambda cores: VARIANTS,
            lambda data: profile("Variants, 128 threads, 8 vertices", _whole(data, VARIANTS)),
            printed=(
                Printed("NoSync is the fastest on", "about 90 %", "section 5.3", _wins),
                _worst_words(VARIANTS, ["nosync"]),
            ),
            expectations=(
                Expectation(
                    "NoSync is the fastest variant on most problems",
                    "section 5.3",
                    _nosync_wins,
                    "the other variants wait for their warps, which costs less on today's cards",
                ),
            ),
            differs="The paper's worst cases are some of 269 matrices; ours are eight graphs.",
        ),
        PaperFigure(
            "figure 5",
            "Performance profile of threads per block and vertices per warp",
            lambda cores: [*BLOCKS, *NARROW],
            lambda data: profile("NoSync by block and chunk", _whole(data, BLOCKS)),
            printed=(_worst_words(BLOCKS, _at(256)),),
            expectations=(
                Expectation(
                    "8 vertices a warp are the best, 256 the worst",
                    "section 5.3",
                    _eight_is_best,
                    "wider cards hide the latency of more vertices a warp on some graphs",
                ),
                Expectation(
                    "Fewer than 8 vertices a warp are slower than 8",
                    "section 5.3",
                    _fewer_is_worse,
                    "a card of today has warps enough to hide what a warp with few vertices waits",
                ),
            ),
            differs="The paper's worst cases are some of 269 matrices; ours are at "
            "most eight graphs, those on which all points were measured.",
        ),
    ),
    not_shown={
        "table 1": "the list of algorithms, see the table in the documentation",
    },
)
