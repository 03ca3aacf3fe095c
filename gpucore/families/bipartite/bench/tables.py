"""Tables of the report on bipartite matching: those of the paper, and the work of each method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gpucore.bench.details import rate_words
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Case, Data, Table
from gpucore.bench.summary import case_times, is_timed
from gpucore.families.bipartite.bench.cases import COMMON_START
from gpucore.families.bipartite.bench.hardest import hardest_tables, paper_sets
from gpucore.format import human_time

#: Columns of the table of work.
WORK = (
    *("graph", "method", "pairs", "initial pairs", "their time", "time after", "phases", "levels"),
    *("launches", "entries visited", "times each", "M entries/s"),
)


def bipartite_tables(data: Data, cases: Sequence[Case], counted: Mapping[str, Case]) -> list[Table]:
    """Return tables 1 and 2 of the paper and the table of work, each only if it has rows.

    Parameters
    ----------
    cases : sequence of Case
        Methods on the device, recording off.
    counted : mapping
        The same methods with their work counted, by the keys of `cases`.
    """
    work = list(work_rows(data, cases, counted))
    means = mean_rows(data)
    tables = []
    if means:
        title = "Geometric mean of the time after one common initial matching"
        note = (
            "Table 1 of the paper; graphs that all variants finished, where all found the same "
            'cardinality. A set "over 1 s" has those on which PFP or Hopcroft-Karp took longer.'
        )
        tables.append(Table(title, ("set", "graphs", *_variants(data)), means, note))
    tables += hardest_tables(data)
    if work:
        note = (
            "Entries visited are those that the searches look at, counted in a run of their own; "
            "the rate is that number by the time after the initial matching without counting."
        )
        tables.append(Table("Phases, levels, launches, entries visited", WORK, work, note))
    return tables


def _variants(data: Data) -> list[str]:
    return [label.removesuffix(COMMON_START) for label in case_times(data, "variants")]


def mean_rows(data: Data) -> list[list[str]]:
    """Return a row for every set of graphs: its name, its size, the mean of each variant."""
    rows = []
    times = case_times(data, "variants")
    for name, graphs in paper_sets(data):
        common = [g for g in graphs if times and all(g in row for row in times.values())]
        if common:
            means = [geometric_mean([row[g] for g in common]) for row in times.values()]
            rows.append([name, str(len(common)), *map(human_time, means)])
    return rows


def work_rows(
    data: Data, cases: Sequence[Case], counted: Mapping[str, Case]
) -> Iterator[list[str]]:
    """Yield the rows of the table of work, graph by graph, method by method."""
    for graph, measured in data["measurements"].items():
        for case in cases:
            found = measured.get(case.key, {})
            if is_timed(case.key, found):
                figures = found["figures"]
                with_counters = measured.get(counted[case.key].key, {}).get("figures", {})
                edges = figures.get("edges") or with_counters.get("edges")
                yield [
                    graph,
                    case.label,
                    f"{figures['cardinality']:,}",
                    f"{figures['initial_cardinality'] / max(1, figures['cardinality']):.1%}",
                    human_time(max(figures["initial_seconds"], 1e-9)),
                    human_time(max(found["after"], 1e-9)),
                    *(_number(figures.get(name)) for name in ("phases", "levels", "launches")),
                    *_visited(edges, data["graphs"][graph]["edges"], found["after"]),
                ]


def _number(value: Any) -> str:
    return "–" if value is None else f"{value:,}"


def _visited(visited: int | None, entries: int, seconds: float) -> list[str]:
    """Return the entries visited, the visits per entry, and the visits per second."""
    if visited is None or not entries or seconds <= 0:
        return ["–"] * 3
    return [f"{visited:,}", f"{visited / entries:.2f}", rate_words(visited / seconds / 1e6)]
