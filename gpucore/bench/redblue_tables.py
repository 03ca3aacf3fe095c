"""Tables of the report on red/blue matching: the paper's ratios, and matchings method by method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gpucore.bench.details import rate_words
from gpucore.bench.plots import duration
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.redblue_ratios import COMPARISONS, FIGURES, ratios
from gpucore.bench.suite import Table
from gpucore.bench.summary import Data

#: What the paper reports for size, weight and speed (section 4, Tesla C2050 by Xeon E5620).
PUBLISHED = {
    "any, by algorithm 1": ("over 99 %", "–", "up to 6.8"),
    "heaviest, by algorithm 1": ("–", "115 %", "up to 5.6"),
    "heaviest, by algorithm 2": ("–", "85 %", "up to 37"),
}
MATCHINGS = (
    *("graph", "method", "time", "M edges/s", "× floor", "rounds", "first round", "size"),
    *("weight", "by algorithm 2", "matching"),
)
#: Experiments whose methods the second table lists.
LISTED = ("contest", "select", "quality", "numbering")


def redblue_tables(data: Data) -> list[Table]:
    """Return the table of ratios and the table of matchings, each if there is something in it."""
    tables = []
    if rows := list(ratio_rows(data)):
        head = ("comparison", "graphs", "size", "weight", "speed", "most", *_published_head())
        note = (
            "Means of the ratios of all graphs, geometric ones of speeds; the paper's machines and "
            "graphs were others."
        )
        tables.append(Table("Algorithm 3 by algorithms 1 and 2", head, rows, note))
    if rows := list(matching_rows(data)):
        note = (
            "Floor: least bytes at the measured bandwidth, without weights for random matching. "
            'First round: vertices matched in it. "as fast": the same mate of every vertex as the '
            "fast variant with the same selection."
        )
        tables.append(Table("Matchings, method by method", MATCHINGS, rows, note))
    return tables


def _published_head() -> list[str]:
    return [f"{figure} in the paper" for figure in FIGURES]


def ratio_rows(data: Data) -> Iterator[list[str]]:
    """Walk over the cells of the table of ratios, a row a comparison."""
    experiment = data["experiments"].get("permutations")
    found = ratios(data, experiment) if experiment else {}
    for name, *_ in COMPARISONS:
        if table := found.get(name):
            means = {f: [row[f].mean for row in table.values() if f in row] for f in FIGURES}
            speeds = means["speed"]
            yield [
                name,
                str(len(table)),
                *(_percent(means[figure]) for figure in ("size", "weight")),
                rate_words(geometric_mean(speeds)) if speeds else "–",
                rate_words(max(speeds)) if speeds else "–",
                *PUBLISHED[name],
            ]


def _percent(values: list[float]) -> str:
    return f"{sum(values) / len(values):.2%}" if values else "–"


def matching_rows(data: Data) -> Iterator[list[str]]:
    """Walk over the cells of the table of matchings, graph by graph, method by method."""
    experiments = [data["experiments"].get(name, {"cases": []}) for name in LISTED]
    cases = {case["key"]: case["label"] for e in experiments for case in e["cases"]}
    for graph, measured in data["measurements"].items():
        model = {
            select: found["digest"]
            for select in ("weighted", "random")
            if (found := _plain(measured, select)) is not None
        }
        heaviest = next(
            (m["figures"]["weight"] for k, m in measured.items() if _is(k, m, "greedy_weighted")),
            None,
        )
        for key, label in cases.items():
            found = measured.get(key, {})
            if "seconds" in found:
                yield [
                    graph,
                    label,
                    *_speed(data, graph, found),
                    *_work(found, data["graphs"][graph]["vertices"]),
                    f"{found['figures']['cardinality']:,}",
                    f"{found['figures']['weight']:,.1f}",
                    f"{found['figures']['weight'] / heaviest:.2%}" if heaviest else "–",
                    _same(found, model),
                ]


def _is(key: str, found: dict[str, Any], runner: str) -> bool:
    return "seconds" in found and key.startswith(f"{runner}(")


def _plain(measured: dict[str, Any], select: str) -> dict[str, Any] | None:
    """Return the fast variant's measurement without any further parameter, if there is one."""
    plain = {"variant": "fast", "select": select}
    for key, found in measured.items():
        if _is(key, found, "redblue") and found["params"] == plain:
            return found
    return None


def _speed(data: Data, graph: str, found: dict[str, Any]) -> list[str]:
    """Return time, rate and distance from the floor."""
    facts, seconds = data["graphs"][graph], found["seconds"]
    random = found["params"].get("select") == "random"
    least = facts["least_bytes_random" if random else "least_bytes"]
    return [
        duration(max(seconds, 1e-9)),
        rate_words(facts["edges"] / max(seconds, 1e-9) / 1e6),
        f"{seconds * data['copy']['bandwidth'] / least:.1f}",
    ]


def _work(found: dict[str, Any], vertices: int) -> list[str]:
    """Return the rounds, and the share of the vertices that the first one matched."""
    rounds, matched = found["figures"].get("rounds"), found["kept"].get("matched")
    return [
        "–" if rounds is None else str(rounds),
        f"{matched[0] / vertices:.2%}" if matched and vertices else "–",
    ]


def _same(found: dict[str, Any], model: dict[str, str]) -> str:
    """Say whether a method found the fast variant's matching."""
    params = found["params"]
    same = model.get(params.get("select", "")) == found["digest"]
    return "as fast" if same else "another"
