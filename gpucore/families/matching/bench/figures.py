"""The figures of paper I, its printed numbers and its statements.

Paper I: Naim, Manne, Halappanavar, Tumeo, Langguth, Optimizing approximate weighted matching on
Nvidia Kepler K40, HiPC 2015, section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gpucore.bench.papers.charts import Chart, Series, in_order, profile
from gpucore.bench.papers.declare import Expectation, Finding, Paper, PaperFigure, printed
from gpucore.bench.papers.measures import MOST, Rows, mostly, number, span, speed_ups, times
from gpucore.bench.profiles import Profile, geometric_mean, performance_profiles
from gpucore.bench.suite import Case, Data
from gpucore.families.matching.bench.suite import PAPER_POINT, PAPER_VARIANTS, point
from gpucore.families.matching.parts import PARTS
from gpucore.format import counted
from gpucore.problems.graph.benchmarks import STANDARD

SUITOR = Case("GPU-Suitor (NoSync)", "suitor", {"variant": "nosync", **PAPER_POINT})
LD = Case("GPU-LD", "ld")
FAST = Case("fast (ours)", "suitor", {"variant": "fast"})
VARIANTS = [Case(v, "suitor", {"variant": v, **PAPER_POINT}) for v in PAPER_VARIANTS]
#: The paper's values, and fewer vertices a warp, which the paper calls worse.
THREADS, VERTICES, FEWER = (128, 192, 256), (8, 16, 32, 64, 128, 256), (1, 2, 4)
BEST = "by the best of all"


BLOCKS = [point(t, v) for t in THREADS for v in VERTICES]
NARROW = [point(128, v) for v in FEWER]


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
    return [Chart("Sizes of the problems", "problem", "edges", [series], "dot", y_log=True)]


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
    return [Chart("Run times", words, "milliseconds", series, "dot", y_log=True)]


def _speed_ups(data: Data) -> list[Chart]:
    return in_order(
        "GPU-Suitor relative to the others",
        {k: v for k, v in speed_ups(_rows(data), SUITOR.label).items() if k != FAST.label},
        "times as fast",
    )


def _ratios(data: Data, name: str) -> dict[str, float]:
    found = speed_ups(_rows(data), SUITOR.label)
    return next((row for label, row in found.items() if label.startswith(name)), {})


#: By how much GPU-Suitor is faster, as the paper says.
PUBLISHED = {
    "GPU-LD": "1 to 10 × (115 problems), 10 to 100 × (about 100), above 100 × (15)",
    "OMP-LD, 2 threads": "up to 40 ×",
    "OMP-LD, 16 threads": "up to 16 ×",
    "OMP-Suitor, 2 threads": "up to 20 ×",
    "OMP-Suitor, 16 threads": "up to 5 ×",
}


def _span(name: str, data: Data) -> str | None:
    return span(_ratios(data, name).values())


def _faster(name: str) -> Expectation:
    """Return a statement on a large fraction of the problems."""
    return Expectation(
        f"GPU-Suitor is faster than {name} on a large fraction of the problems",
        "section 5.2, figures 2 and 3",
        lambda data: mostly(_ratios(data, name), share=MOST),
    )


def _whole(data: Data, cases: list[Case]) -> Rows:
    """Return times on the instances that have all cases that were measured at all."""
    rows = times(data, cases)
    names = set.intersection(*(set(row) for row in rows.values())) if rows else set()
    return {label: {n: s for n, s in row.items() if n in names} for label, row in rows.items()}


def _profiles(data: Data, cases: list[Case]) -> dict[str, Profile]:
    """Return the performance profiles of cases, by label."""
    rows = {label: list(row.values()) for label, row in _whole(data, cases).items()}
    found = {one.method: one for one in performance_profiles(rows)} if any(rows.values()) else {}
    return {label: found[label] for label in rows if found}


def _wins(data: Data, cases: list[Case]) -> dict[str, int]:
    """Return on how many instances each case is the fastest; empty if nothing is comparable."""
    found = _profiles(data, cases)
    return {k: round(one.wins * one.problems) for k, one in found.items()} if len(found) > 1 else {}


def _nosync_share(data: Data) -> str | None:
    found = _profiles(data, VARIANTS)
    return f"{found['nosync'].wins:.0%}" if "nosync" in found else None


def _nosync_wins(data: Data) -> Finding | None:
    wins = _wins(data, VARIANTS)
    if not wins:
        return None
    words = ", ".join(f"{label} {count}" for label, count in wins.items())
    return Finding(wins.get("nosync", 0) >= MOST * sum(wins.values()), f"fastest on: {words}")


def _worst(cases: list[Case], labels: list[str]) -> Callable[[Data], str | None]:
    """Return the worst time of some cases by the best of all."""

    def words(data: Data) -> str | None:
        found = _profiles(data, cases)
        known = [found[label].worst for label in labels if label in found]
        return f"{number(max(known))} ×" if known else None

    return words


def _at(vertices: int) -> list[str]:
    return [point(t, vertices).label for t in THREADS]


def _eight_is_best(data: Data) -> Finding | None:
    wins = _wins(data, BLOCKS)
    if not wins:
        return None
    by_vertices = {v: sum(wins.get(label, 0) for label in _at(v)) for v in VERTICES}
    words = ", ".join(f"{v}: {count}" for v, count in by_vertices.items())
    best = max(by_vertices, key=lambda v: by_vertices[v])
    rows = _whole(data, BLOCKS)
    taken = {v: [s for t in _at(v) for s in rows.get(t, {}).values()] for v in VERTICES}
    means = {v: geometric_mean(row) for v, row in taken.items() if row}
    worst = max(means, key=lambda v: means[v])
    words = f"fastest with vertices a warp: {words}; slowest on average: {worst}"
    return Finding((best, worst) == (8, 256), words)


def _fewer_is_worse(data: Data) -> Finding | None:
    rows = times(data, [point(128, 8), *NARROW])
    ups = speed_ups(rows, point(128, 8).label)
    if not ups:
        return None
    known = {v: ups[case.label] for v, case in zip(FEWER, NARROW, strict=True) if case.label in ups}
    means = {v: geometric_mean(list(row.values())) for v, row in known.items()}
    words = ", ".join(f"{v}: {number(mean)} ×" for v, mean in means.items())
    count = counted(max(map(len, known.values())), "instance")
    return Finding(min(means.values()) > 1, f"mean time by that of 8, with {words}; {count}")


#: Symmetric matrices of the paper's collection with 1 million to 1 billion edges. The paper does
#: not name its own; these the authors name in "Community detection on the GPU", IPDPS 2017.
REAL = tuple(
    f"suitesparse:{place}"
    for place in (
        "PARSEC/Si87H76",
        "Dziekonski/gsm_106857",
        "Koutsovasilis/F1",
        "DIMACS10/coPapersDBLP",
        "GHS_psdef/inline_1",
        "Oberwolfach/bone010",
        "GHS_psdef/audikw_1",
        "Janna/Hook_1498",
        "Janna/Flan_1565",
        "Schenk/nlpkkt120",
    )
)
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
    real=REAL,
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
            note="Ours are the benchmark graphs instead of the 269 matrices, which the paper does "
            "not name; with --real they are symmetric matrices of its collection and sizes.",
        ),
        PaperFigure(
            "figures 2 and 3",
            "GPU-Suitor, GPU-LD, OMP-LD and OMP-Suitor",
            _four,
            lambda data: [*_run_times(data), *_speed_ups(data)],
            printed=printed(
                "section 5.2",
                *(
                    (f"GPU-Suitor relative to {name}", value, partial(_span, name))
                    for name, value in PUBLISHED.items()
                ),
            ),
            expectations=(
                _faster("GPU-LD"),
                _faster("OMP-Suitor"),
                _faster("OMP-LD"),
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
            printed=printed(
                "section 5.3",
                ("NoSync is the fastest on", "about 90 %", _nosync_share),
                (f"worst time of nosync {BEST}", "up to 4 ×", _worst(VARIANTS, ["nosync"])),
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
            printed=printed(
                "section 5.3",
                (f"worst time of 256 vertices {BEST}", "up to 30 ×", _worst(BLOCKS, _at(256))),
            ),
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
