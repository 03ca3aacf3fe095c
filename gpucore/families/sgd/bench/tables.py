"""Tables of the report on SGD: the paper's figures as numbers, speed, races, the predictor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gpucore.bench.details import rate_words
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Data, Table
from gpucore.families.sgd.bench.matrices import update_bytes
from gpucore.families.sgd.bench.published import ATOMICS, TABLE_2
from gpucore.families.sgd.bench.runs import (
    BASE,
    SWEEPS,
    choices,
    first_of,
    found_of,
    kind_of,
    means,
    normalised,
    races,
    skipped,
    structure_of,
    sweep_of,
    sweeps,
)
from gpucore.families.sgd.params import SgdParams
from gpucore.format import human_time


def sgd_tables(data: Data) -> list[Table]:
    """Return the tables that have rows."""
    tables = (
        _speed(data),
        _race(data),
        _figure_7(data),
        _figure_8(data),
        _table_2(data),
        _published(data),
        _predictor(data),
        _prediction(data),
        _device(data),
        _skipped(data),
    )
    return [table for table in tables if table.rows]


def _speed(data: Data) -> Table:
    note = (
        "Bytes that an update moves if nothing stays in a cache: both vectors read and written, "
        "and the rating. More than the copy bandwidth means that caches or shared memory serve a "
        "part."
    )
    head = (
        *("matrix", "method", "M updates/s", "a sweep", "preprocessing"),
        *("bytes an update", "GB/s of updates", "of copy bandwidth"),
    )
    return Table("Updates a second", head, list(_speed_rows(data)), note)


def _speed_rows(data: Data) -> Iterator[list[str]]:
    bandwidth = data["copy"]["bandwidth"]
    for matrix in data["measurements"]:
        seen: set[str] = set()
        for experiment in ("contest", "schedules", "components"):
            for case, found in found_of(data, experiment, matrix):
                if case["label"] in seen:
                    continue
                seen.add(case["label"])
                one = sweep_of(found)
                rate = found["figures"]["ratings"] / one.seconds
                params = found["params"]
                each = update_bytes(params.get("k", SgdParams().k), half=params.get("half", False))
                moved = rate * each
                card = case["key"].endswith("@device")
                yield [
                    matrix,
                    case["label"],
                    rate_words(rate / 1e6),
                    human_time(one.seconds),
                    human_time(max(one.prepare, 1e-9)),
                    str(each),
                    rate_words(moved / 1e9),
                    f"{moved / bandwidth:.0%}" if card else "–",
                ]


def _race(data: Data) -> Table:
    rows = []
    for matrix, (targets, found) in races(data).items():
        serial = next(race.seconds for race in found if race.label == "serial")
        for race in found:
            row = [matrix, race.label]
            for target, own, base, last in zip(
                targets, race.seconds, serial, race.last, strict=True
            ):
                if target is None:
                    row += ["–"] * 4
                    continue
                row += [
                    f"{target:.4f}",
                    "not reached" if own is None else human_time(own),
                    rate_words(base / own) if own and base else "–",
                    "–" if last is None else f"{last:.4f}",
                ]
            rows.append(row)
    columns = ("its target", "time to it", "serial by it", "at the end")
    head = ("matrix", "method", *(f"{e}: {c}" for e in ("training", "test") for c in columns))
    note = (
        f"Targets: the errors that serial SGD reaches after {SWEEPS} sweeps, within 0.1 %. Times "
        "of whole sweeps, without preprocessing and without computing errors. Where the error of "
        "the test ratings rises again, serial SGD reaches its last one before the last sweep too."
    )
    return Table("Time to the errors of serial SGD", head, rows, note)


def _figure_7(data: Data) -> Table:
    alone, whole = normalised(data), normalised(data, whole=True)
    kinds = list(alone)
    variants = list(dict.fromkeys(v for row in alone.values() for v in row))
    one, other = means(alone), means(whole)
    head = ["schedule"]
    for kind in kinds:
        head += [f"{kind}: matrices", "a sweep", f"with preprocessing, {SWEEPS} sweeps"]
    rows = []
    for variant in variants:
        row = [variant]
        for kind in kinds:
            count = len(alone[kind].get(variant, []))
            row += [str(count)]
            row += [f"{m[kind][variant]:.3g}" if count else "–" for m in (one, other)]
        rows.append(row)
    note = (
        "Geometric means of times divided by EL's (el_shuffled) on the same matrix; less is "
        "faster. A schedule counts on the matrices on which it ran. The paper: on the K40 the best "
        "online schedule is 1.3 times (scale-free) and 2 times (road) as fast as the best offline "
        "one, on the R9-290X matchings are nearly twice as fast as the best online one."
    )
    return Table("Schedules relative to EL (figure 7)", tuple(head), rows, note)


def _figure_8(data: Data) -> Table:
    found = means(normalised(data, sweeps(data, first_of(data, "hybrids", "schedules"))))
    kinds = list(found)
    rows = [
        [variant, *(f"{1 / found[k][variant]:.2f}" if variant in found[k] else "–" for k in kinds)]
        for variant in ("nl", "nl_el", "el_sgm")
        if any(variant in found[kind] for kind in kinds)
    ]
    note = (
        "Geometric means of EL's time of a sweep divided by that of the schedule; more is faster. "
        "The paper: NL then EL (nl_el) is faster than both on both classes; EL for high degrees "
        "with SGM (el_sgm) is a negative result."
    )
    return Table("Speed-up of hybrids over EL (figure 8)", ("schedule", *kinds), rows, note)


def _table_2(data: Data) -> Table:
    rows = []
    for matrix, row in sweeps(data).items():
        facts, base = data["graphs"][matrix], row.get(BASE)
        rows.append(
            [
                matrix,
                kind_of(data, matrix),
                f"{facts['vertices']:,}",
                f"{facts['edges']:,}",
                f"{facts['max_degree']:,}",
                "–" if base is None else human_time(base.seconds),
                "–" if base is None else f"{base.passes:,.0f}",
                "–" if "el" not in row else human_time(row["el"].seconds),
            ]
        )
    head = ("matrix", "class", "|V|", "|E|", "Dmax", "EL, a sweep", "passes", "EL in CSR order")
    note = "A tenth of the ratings is held back to test, so sweeps are over the other nine tenths."
    return Table("Matrices (table II)", head, rows if any(sweeps(data).values()) else [], note)


def _published(data: Data) -> Table:
    head = ("input", "class", "|V|", "|E|", "Dmax", "EL, K40", "EL, R9-290X")
    note = (
        "As printed in the paper, which does not say of how many sweeps; its inputs are not part "
        "of this project."
    )
    rows = [row.cells for row in TABLE_2] if any(sweeps(data).values()) else []
    return Table("Table II of the paper", head, rows, note)


def _predictor(data: Data) -> Table:
    found = choices(data)
    rows = [
        [
            one.matrix,
            str(len(one.measured)),
            one.best,
            human_time(one.measured[one.best]),
            one.chosen,
            human_time(one.measured[one.chosen]),
            f"{one.cost:.2f}",
        ]
        for one in found
    ]
    if rows:
        right = sum(one.best == one.chosen for one in found)
        mean = geometric_mean([one.cost for one in found])
        worst = max(one.cost for one in found)
        rows.append(
            [
                "all",
                "",
                f"right on {right} of {len(found)}",
                "",
                "geometric mean",
                "",
                f"{mean:.2f}",
            ]
        )
        rows.append(["", "", "", "", "worst", "", f"{worst:.2f}"])
    head = ("matrix", "schedules", "best", "its time", "chosen", "its time", "cost of the choice")
    note = (
        "The predictor chooses among the paper's schedules that were measured, with the costs of "
        "the microbenchmarks below. Cost: time of the chosen one by that of the best one."
    )
    return Table("The predictor's choices", head, rows, note)


def _prediction(data: Data) -> Table:
    found = choices(data)
    variants = list(dict.fromkeys(v for one in found for v in one.measured))
    measured = sweeps(data, first_of(data, "predictor", "schedules"))
    rows = []
    for variant in variants:
        on = [one for one in found if variant in one.measured]
        ratios = [one.predicted[variant] / one.measured[variant] for one in on]
        passes = [
            structure_of(data["graphs"][one.matrix]["on_device"]).loads[variant].launches
            / measured[one.matrix][variant].passes
            for one in on
        ]
        rows.append(
            [
                variant,
                str(len(on)),
                f"{geometric_mean(ratios):.3g}",
                f"{min(ratios):.3g} to {max(ratios):.3g}",
                f"{geometric_mean(passes):.3g}",
            ]
        )
    head = ("schedule", "matrices", "predicted by measured", "from, to", "launches likewise")
    note = "Seconds and launches of a sweep; 1 would be exact, less than 1 is too optimistic."
    return Table("How good the predictions are", head, rows, note)


def _device(data: Data) -> Table:
    figures: dict[str, Any] | None = data.get("device_figures")
    if figures is None:
        return Table("Costs", (), [])
    words = {
        "update": "p: an update by one worker",
        "lock": "l: its locks",
        "barrier": "b: a barrier of all workers",
        "launch": "a pass of an online schedule: launch, number of ratings left",
        "atomic": "an atomic to distinct addresses, all threads",
        "stream": "an update by all workers",
        "scan": "a look at a mark",
    }
    rows = [[words[name], _short(seconds)] for name, seconds in figures["costs"].items()]
    for kind, places in figures["atomics"].items():
        for place, rates in places.items():
            threads, most = max(rates, key=lambda pair: pair[1])
            rows.append(
                [f"{kind}, {place}, most", f"{most / 1e6:,.0f} M/s with {threads:,} threads"]
            )
    for name, rate in ATOMICS.items():
        rows.append([f"atomics on one address, {name} (paper)", f"{rate / 1e6:,.0f} M/s"])
    return Table(
        "Costs of the device (section V-A, figure 9)",
        ("what", "measured"),
        rows,
        f"k = {figures['k']}, {figures['workers']:,} workers.",
    )


def _short(seconds: float) -> str:
    """Return a time, also one below a nanosecond."""
    return human_time(seconds) if seconds >= 1e-6 else f"{seconds * 1e9:.3g} ns"


def _skipped(data: Data) -> Table:
    rows = [list(row) for row in skipped(data)]
    return Table("What was not measured", ("matrix", "schedule", "why"), rows)
