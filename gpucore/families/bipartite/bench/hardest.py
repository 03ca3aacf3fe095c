"""The paper's sets of matrices by hardness, and what it shows on them: table 2, means of figure 5.

A matrix is as hard as the slower one of the two sequential methods is slow: the rows of the paper's
table 2 are in that order, and its sets S1 have the matrices on which one took over a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Case, Data, Table
from gpucore.bench.summary import all_sets, case_times, sets_of
from gpucore.families.bipartite.bench.cases import (
    COMMON_BEST,
    COMMON_FAST,
    COMMON_START,
    HK,
    PFP,
)
from gpucore.format import human_time

#: Matrices of a set "hardest", and seconds above which one of S1 takes.
MOST, LEAST_SECONDS = 20, 1.0
#: The experiment that measures them.
EXPERIMENT = "hardest"
#: Methods of table 2, and ours; the paper leaves P-PFP and P-HK out.
TABLE_2 = (COMMON_FAST.label, COMMON_BEST.label, "P-DBFS", PFP.label, HK.label)
_NOTE = (
    "times after one common initial matching, in the order of the slower one of PFP and "
    "Hopcroft-Karp. With fewer matrices all are shown."
)


def hardness(data: Data, graph: str) -> float:
    """Return the seconds of the slower one of PFP and Hopcroft-Karp after the initial matching.

    It is infinite if one did not finish, and NaN unless both were measured.
    """
    found = [data["measurements"][graph].get(case.key, {}) for case in (PFP, HK)]
    return max((_seconds(case) for case in found), key=lambda t: (math.isnan(t), t))


def _seconds(measurement: dict[str, Any]) -> float:
    """Return the seconds after the initial matching; infinite if it was stopped, NaN if missing."""
    if "limit" in measurement:
        return math.inf
    return float(measurement.get("after", math.nan))


def hardest(data: Data, within: str, most: int = MOST) -> list[str]:
    """Return the hardest matrices of a set ("original", "permuted"), the hardest last."""
    known = {g: hardness(data, g) for g in data["measurements"] if within in sets_of(data, g)}
    return sorted((g for g in known if not math.isnan(known[g])), key=lambda g: known[g])[-most:]


def paper_sets(data: Data) -> Iterator[tuple[str, list[str]]]:
    """Yield the names and matrices of all sets: all of one order, its S1, its hardest twenty.

    A set without matrices is left out, and so is a hardest twenty that has all of its order.
    """
    for name in all_sets(data):
        graphs = [graph for graph in data["measurements"] if name in sets_of(data, graph)]
        slow = [graph for graph in graphs if hardness(data, graph) > LEAST_SECONDS]
        yield name, graphs
        if slow:
            yield f"{name}, over {LEAST_SECONDS:g} s", slow
        if len(graphs) > MOST:
            yield f"{name}, hardest {MOST}", hardest(data, name)


def hardest_tables(data: Data) -> list[Table]:
    """Return table 2 of the paper, that of permuted matrices, and the means of figure 5."""
    declared = data["experiments"].get(EXPERIMENT)
    if declared is None:
        return []
    tables = [_table_2(data, declared["cases"]), _permuted(data, declared["cases"])]
    tables.append(_speed_ups(data))
    return [table for table in tables if table.rows]


def _table_2(data: Data, cases: list[dict[str, Any]]) -> Table:
    """Return the times on the hardest matrices, in their own order and permuted."""
    shown = [case for case in cases if case["label"] in TABLE_2]
    rows = []
    for graph in hardest(data, "original"):
        halves = (graph, twin(data, graph))
        cells = [_time(data, half, case["key"]) for half in halves for case in shown]
        rows.append([graph, *cells])
    labels = _heads(shown)
    head = ("matrix", *labels, *(f"{label}, permuted" for label in labels))
    return Table(f"The hardest {MOST} matrices", head, rows, f"Table 2 of the paper: {_NOTE}")


def _permuted(data: Data, cases: list[dict[str, Any]]) -> Table:
    """Return the times of all cases on the hardest permuted matrices."""
    rows = [
        [graph, *(_time(data, graph, case["key"]) for case in cases)]
        for graph in hardest(data, "permuted")
    ]
    head = ("matrix", *_heads(cases))
    return Table(f"The hardest {MOST} permuted matrices", head, rows, f"Ours: {_NOTE}")


def _heads(cases: list[dict[str, Any]]) -> list[str]:
    """Return the labels of cases that all have the common start."""
    return [case["label"].removesuffix(COMMON_START) for case in cases]


def twin(data: Data, graph: str) -> str:
    """Return the name of a matrix with its rows and columns permuted; of a uniform one, its own."""
    return graph if "permuted" in sets_of(data, graph) else f"{graph}_perm"


def _time(data: Data, graph: str, key: str) -> str:
    measurement = data["measurements"].get(graph, {}).get(key, {})
    if "limit" in measurement:
        return f"more than {measurement['limit']:g} s"
    seconds = _seconds(measurement)
    return "–" if math.isnan(seconds) else human_time(max(seconds, 1e-9))


def _speed_ups(data: Data) -> Table:
    """Return the mean speed-ups over both sequential methods, set by set."""
    times = case_times(data, EXPERIMENT)
    pairs = [(ours, other) for ours in (COMMON_FAST, COMMON_BEST) for other in (PFP, HK)]
    rows = []
    for name, graphs in paper_sets(data):
        cells = [_mean_ratio(times, ours, other, graphs) for ours, other in pairs]
        if any(cell != "–" for cell in cells):
            rows.append([name, str(len(graphs)), *cells])
    head = tuple(
        f"{ours.label.removesuffix(COMMON_START)} over {other.label}" for ours, other in pairs
    )
    note = (
        "Figure 5 of the paper: geometric means over the matrices that both finished, after one "
        "common initial matching."
    )
    return Table("Overall speed-up by set", ("set", "graphs", *head), rows, note)


def _mean_ratio(
    times: dict[str, dict[str, float]], ours: Case, other: Case, graphs: list[str]
) -> str:
    fast, slow = times.get(ours.label, {}), times.get(other.label, {})
    ratios = [
        slow[g] / fast[g] for g in graphs if g in fast and g in slow and fast[g] > 0 < slow[g]
    ]
    return f"{geometric_mean(ratios):.2f}" if ratios else "–"
