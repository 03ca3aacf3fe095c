"""The figures of the SGD paper, its printed numbers and its statements.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section V.
"""

from __future__ import annotations

from collections.abc import Callable

from gpucore.bench.papers.charts import Chart, Series, by_instance
from gpucore.bench.papers.declare import Expectation, Finding, Paper, PaperFigure, Printed
from gpucore.bench.papers.measures import number
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Case, Data, Table
from gpucore.families.sgd.bench import matrices
from gpucore.families.sgd.bench.published import ATOMICS, TABLE_2
from gpucore.families.sgd.bench.runs import BASE, Sweep, kind_of, sweep_of
from gpucore.families.sgd.bench.suite import FEW, HYBRIDS, schedule
from gpucore.families.sgd.parts import PARTS
from gpucore.families.sgd.variants import VARIANTS
from gpucore.format import human_time

#: The paper's schedules by where they are decided; figure 7 compares the best of both.
ONLINE, OFFLINE = ("el_shuffled", "nl"), ("agm_e", "agm_n", "sgm", "diag", "blkdiag")
#: Schedules of figure 7, and ours behind them.
PAPERS = (*ONLINE, *OFFLINE)
KNOWN = tuple(variant.name for variant in VARIANTS)
OURS = tuple(v for v in KNOWN if v not in (*PAPERS, *HYBRIDS))


def _cases(*variants: str) -> list[Case]:
    return [schedule(v) for v in variants if v in KNOWN]


def _sweeps(data: Data) -> dict[str, dict[str, Sweep]]:
    """Return ``sweeps[matrix][variant]``; times of sweeps are medians, so first runs count."""
    rows: dict[str, dict[str, Sweep]] = {}
    for case in _cases(*KNOWN):
        for name, cases in data["measurements"].items():
            found = cases.get(case.key, {})
            if found.get("kept", {}).get("seconds_by_sweep"):
                rows.setdefault(name, {})[case.params["variant"]] = sweep_of(found)
    return rows


def _means(data: Data, *, whole: bool = False) -> dict[str, dict[str, float]]:
    """Return geometric means of times by EL's, ``means[class][variant]``."""
    ratios: dict[str, dict[str, list[float]]] = {}
    for name, row in _sweeps(data).items():
        if (base := row.get(BASE)) is not None:
            for variant, one in row.items():
                value = one.whole / base.whole if whole else one.seconds / base.seconds
                rows = ratios.setdefault(kind_of(data, name), {})
                rows.setdefault(variant, []).append(value)
    return {
        kind: {variant: geometric_mean(values) for variant, values in row.items()}
        for kind, row in ratios.items()
    }


def _figure_7(data: Data) -> list[Chart]:
    order = (*PAPERS, *HYBRIDS, *OURS)
    charts = []
    for whole, words in ((False, "a sweep"), (True, "preprocessing and 20 sweeps")):
        means = _means(data, whole=whole)
        known = [v for v in order if any(v in row for row in means.values())]
        title = f"Time by that of EL, {words}"
        charts += by_instance(title, means, "times EL's", order=known)
    return charts


def _best(means: dict[str, float], names: tuple[str, ...]) -> float | None:
    return min((means[v] for v in names if v in means), default=None)


def _advantage(data: Data, kind: str) -> float | None:
    """Return how many times as fast the best online schedule is as the best offline one."""
    means = _means(data).get(kind, {})
    online, offline = _best(means, ONLINE), _best(means, OFFLINE)
    return None if online is None or offline is None else offline / online


def _advantage_words(kind: str) -> Callable[[Data], str | None]:
    def words(data: Data) -> str | None:
        found = _advantage(data, kind)
        return None if found is None else f"{number(found)} ×"

    return words


def _online_wins(kind: str) -> Callable[[Data], Finding | None]:
    def finding(data: Data) -> Finding | None:
        found = _advantage(data, kind)
        return None if found is None else Finding(found > 1, f"{number(found)} times as fast")

    return finding


def _faster(kind: str, first: str, second: str) -> Callable[[Data], Finding | None]:
    def finding(data: Data) -> Finding | None:
        means = _means(data).get(kind, {})
        if first not in means or second not in means:
            return None
        value = means[second] / means[first]
        return Finding(value > 1, f"{first} is {number(value)} times as fast as {second}")

    return finding


def _figure_8(data: Data) -> list[Chart]:
    rows = {
        kind: {v: 1 / row[v] for v in ("nl", *HYBRIDS) if v in row}
        for kind, row in _means(data).items()
    }
    rows = {kind: row for kind, row in rows.items() if row}
    return by_instance("Speed-up over EL", rows, "times as fast", mark="bar", y_log=False)


def _hybrid(data: Data) -> Finding | None:
    words, wins = [], []
    for kind, row in _means(data).items():
        if "nl_el" in row and "nl" in row:
            best = min(1.0, row["nl"])
            wins.append(row["nl_el"] <= best)
            words.append(f"{kind}: {number(best / row['nl_el'])} times the better of both")
    return Finding(all(wins), "; ".join(words)) if wins else None


def _figure_9(data: Data) -> list[Chart]:
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


def _one_address(data: Data) -> str | None:
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


def _table_2(data: Data) -> list[Table]:
    rows = []
    for name, row in _sweeps(data).items():
        facts, base = data["graphs"][name], row.get(BASE)
        cells = [f"{facts['vertices']:,}", f"{facts['edges']:,}", f"{facts['max_degree']:,}"]
        rows.append(
            [name, kind_of(data, name), *cells, "–" if base is None else human_time(base.seconds)]
        )
    if not rows:
        return []
    head = ("matrix", "class", "vertices", "edges", "largest degree", "EL, a sweep")
    printed = [
        [
            row.name,
            row.kind,
            f"{row.vertices:g} M",
            f"{row.edges:g} M",
            f"{row.degree:,}",
            f"{row.k40:g} s",
            f"{row.r9:g} s",
        ]
        for row in TABLE_2
    ]
    theirs = Table(
        "The paper's table II",
        ("input", "class", "vertices", "edges", "largest degree", "EL, K40", "EL, R9-290X"),
        printed,
        "The paper does not say of how many sweeps its times are.",
    )
    return [Table("Measured here", head, rows, "A tenth of the ratings is held back."), theirs]


SCALE_FREE, ROAD = matrices.SCALE_FREE, matrices.ROAD
PAPER = Paper(
    name="sgd",
    title="Synchronization trade-offs in GPU implementations of graph algorithms",
    source="Kaleem, Venkat, Pai, Hall, Pingali, IPDPS 2016",
    machine="NVIDIA K40 and AMD R9-290X",
    repeat=2,
    parts=PARTS,
    instances={
        "small": ("sample_ratings", "scale_free:users=60,items=30,ratings=400", "road20"),
        "medium": ("ratings100k", "road200"),
        "paper": matrices.STANDARD,
    },
    real=("insteval",),
    stands_for={
        "ratings20m": "NFLIX (scale-free; a fifth of the ratings)",
        "ratings1m": "BGG and WIKI (scale-free; smaller)",
        "road1000": "CAL (road network; 1 million crossings)",
        "road500": "CAL (road network; smaller)",
    },
    figures=(
        PaperFigure(
            "table II",
            "Inputs, and the time of EL",
            lambda cores: _cases(BASE),
            tables=_table_2,
        ),
        PaperFigure(
            "figure 7",
            "Schedules relative to EL, by class of matrix",
            lambda cores: _cases(*PAPERS, *HYBRIDS, *OURS),
            _figure_7,
            few=lambda cores: _cases("el_shuffled", "nl", "agm_e", "sgm", "diag", "fast"),
            printed=(
                Printed(
                    "best online by best offline schedule, scale-free, K40",
                    "1.3 ×",
                    "section V-A",
                    _advantage_words(SCALE_FREE),
                ),
                Printed(
                    "best online by best offline schedule, road, K40",
                    "2 ×",
                    "section V-A",
                    _advantage_words(ROAD),
                ),
            ),
            expectations=(
                Expectation(
                    "On scale-free inputs the best online schedule beats the best offline one",
                    "section V-A (K40)",
                    _online_wins(SCALE_FREE),
                    "on an H200 a barrier costs 2.45 µs, a lock 1.32 µs and an update 0.87 µs, so "
                    "matchings of many ratings win; with their preprocessing they take nine times "
                    "as long as EL",
                ),
                Expectation(
                    "On roads the best online schedule beats the best offline one",
                    "section V-A (K40)",
                    _online_wins(ROAD),
                    "a matching of a road needs a handful of barriers, which today cost some "
                    "microseconds",
                ),
                Expectation(
                    "EL is faster than NL on scale-free inputs",
                    "section V-B",
                    _faster(SCALE_FREE, BASE, "nl"),
                    "our NL keeps a node's vector in registers, which saves half of the bytes",
                ),
                Expectation(
                    "NL is faster than EL on roads",
                    "section V-B",
                    _faster(ROAD, "nl", BASE),
                    "why our NL is slow where all degrees are small is not known; the form of ours "
                    "that packs locks and vectors together is nl_batched",
                ),
            ),
            differs="Schedules of matchings wait at barriers, the others for locks: on an H200 a "
            "barrier costs 2.45 µs, a lock 1.32 µs.",
            note=f"Of {FEW} sweeps the median counts. Schedules whose preprocessing or barriers "
            "take too long on a matrix are skipped.",
        ),
        PaperFigure(
            "figure 8",
            "Speed-up of the hybrids over EL",
            lambda cores: _cases(BASE, "nl", *HYBRIDS),
            _figure_8,
            expectations=(
                Expectation(
                    "NL first, then EL, is faster than each of them on both classes",
                    "section V-B, figure 8",
                    _hybrid,
                    "on roads NL, with which it begins, is slower than EL here",
                ),
            ),
        ),
        PaperFigure(
            "figure 9",
            "Atomics a second by threads",
            lambda cores: _cases(BASE),
            _figure_9,
            printed=tuple(
                Printed(
                    f"atomics on one address, {card}",
                    f"{rate / 1e6:,.0f} M/s",
                    "section V-A",
                    _one_address,
                )
                for card, rate in ATOMICS.items()
            ),
            differs="Another card; ours is the best rate over all numbers of threads.",
        ),
    ),
    not_shown={
        **{f"figure {n}": "an illustration, which the page and lab 06 play" for n in range(1, 7)},
        "table I": "the specifications of the paper's cards",
    },
)
