"""Tables of the report on stable marriage: time goals, and the work of each method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gpucore.bench.details import rate_words
from gpucore.bench.papers.measures import declared, found_of
from gpucore.bench.suite import Data, Table, with_rows
from gpucore.bench.summary import least_bytes
from gpucore.families.marriage.bench.cases import SEQUENTIAL
from gpucore.families.marriage.bench.figure_numbers import rate
from gpucore.format import human_time

#: Instance, time goal of `fast` in seconds, and the paper's result in figures 1 and 5.
TARGETS = (
    ("easy25m", 0.2, "about 1 s on a Tesla K40m"),
    ("hard500k", 5.0, "about 250 s on a Tesla K40m, about 50 s on 36 cores"),
)
AIMS = ("instance", "aim", "fast (ours)", "reached", "M considered/s", "× floor", "the paper")
WORK = (
    *("instance", "method", "time", "considered", "M considered/s", "× floor", "× sequential"),
    *("proposals", "rounds", "men's mean rank", "women's mean rank", "marriage"),
)
#: Experiments whose methods the second table lists; recorded runs are not.
LISTED = ("kernels", "easy", "hard", "multicore", "complete", "capacities", "library")


def marriage_tables(data: Data) -> list[Table]:
    """Return the table of aims and the table of work, each only if it has rows."""
    return with_rows(
        Table(
            "What was aimed at",
            AIMS,
            list(aim_rows(data)),
            "The lists are on the card. Considered are the places of the men's lists up to their "
            "wives, the same for every method; floor: least bytes at the measured bandwidth. The "
            "paper's instances are of the same kinds and sizes.",
        ),
        Table(
            "Work, method by method",
            WORK,
            list(work_rows(data)),
            "× floor: not of hard instances, whose two vectors fit into a cache. × sequential: "
            'times as fast as the faster sequential method. "as fast": the same wife of every man '
            "as the fast kernel found.",
        ),
    )


def runs_of(data: Data, experiment: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return ``runs[label][graph]``: the measurements of an experiment's cases on its graphs."""
    within = data["experiments"].get(experiment, {}).get("within", "")
    return {case.label: found_of(data, case, within) for case in declared(data, experiment)}


def fastest_sequential(data: Data, graph: str) -> float | None:
    """Return the time of the faster sequential method; None if none was measured."""
    found = (data["measurements"][graph].get(case.key, {}) for case in SEQUENTIAL)
    return min((run["seconds"] for run in found if "seconds" in run), default=None)


def aim_rows(data: Data) -> Iterator[list[str]]:
    """Yield the rows of the table of aims, one per instance."""
    runs = runs_of(data, "kernels").get("fast (ours)", {})
    for graph, aim, paper in TARGETS:
        if found := runs.get(graph):
            seconds = found["seconds"]
            yield [
                graph,
                f"< {human_time(aim)}",
                human_time(seconds),
                "yes" if seconds < aim else "NO",
                rate_words(rate(found) / 1e6),
                floors(data, graph, seconds),
                paper,
            ]


def floors(data: Data, graph: str, seconds: float) -> str:
    """Return the time as a multiple of the time for moving the least bytes.

    It is left out for two vectors: they stay in the cache, so memory speed does not matter.
    """
    if not data["graphs"][graph]["bytes_each"]:
        return "–"
    return f"{seconds * data['copy']['bandwidth'] / least_bytes(data, graph):.1f}"


def work_rows(data: Data) -> Iterator[list[str]]:
    """Yield the rows of the table of work, instance by instance, method by method."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name in LISTED:
        for label, row in runs_of(data, name).items():
            for graph, run in row.items():
                found.setdefault(graph, {})[label] = run
    for graph in data["measurements"]:
        rows = found.get(graph, {})
        model = rows.get("fast (ours)", {}).get("digest")
        for label, run in rows.items():
            yield [graph, label, *_speed(data, graph, run), *_figures(run), _same(run, model)]


def _speed(data: Data, graph: str, run: dict[str, Any]) -> list[str]:
    base = fastest_sequential(data, graph)
    seconds = max(run["seconds"], 1e-9)
    return [
        human_time(seconds),
        f"{run['figures']['considered']:,}",
        rate_words(rate(run) / 1e6),
        floors(data, graph, seconds),
        "–" if base is None else rate_words(base / seconds),
    ]


def _figures(run: dict[str, Any]) -> list[str]:
    """Return further figures of a run; numbers that a method does not count are left out."""
    figures = run["figures"]
    counts = [figures.get(name) for name in ("proposals", "rounds")]
    ranks = [figures.get(f"{side}_mean_rank") for side in ("men", "women")]
    return [
        *("–" if count is None else f"{count:,}" for count in counts),
        *("–" if rank is None else rate_words(rank) for rank in ranks),
    ]


def _same(run: dict[str, Any], model: str | None) -> str:
    if model is None:
        return "–"
    return "as fast" if run["digest"] == model else "ANOTHER"
