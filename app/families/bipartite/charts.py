"""The charts of bipartite matching, besides the number of pairs."""

from __future__ import annotations

import numpy as np

from gpucore.families.bipartite.record import Kind
from gpucore.record import Record

from ...charts.spec import ChartSet, Distribution, Drawing, Series, count_above, drawn_by


def path_lengths(record: Record) -> np.ndarray:
    """Return how many augmenting paths have 0, 1, 2, ... columns; empty if none was flipped.

    A walk that was stopped on the way is not a path.
    """
    events = record.events
    here = np.flatnonzero(np.isin(events["kind"], (Kind.FLIP, Kind.STOP, Kind.PHASE)))
    columns = (events[name][here].tolist() for name in ("kind", "a", "b", "c"))
    walked: dict[int, int] = {}  # by the row that lost its column last
    lengths = []
    for kind, a, b, c in zip(*columns, strict=True):
        if kind == Kind.PHASE:
            walked.clear()
        elif kind == Kind.STOP:
            walked.pop(a, None)
        elif c >= 0:
            walked[c] = walked.pop(b, 0) + 1
        else:
            lengths.append(walked.pop(b, 0) + 1)
    return np.bincount(lengths) if lengths else np.zeros(0, np.int64)


CHARTS = ChartSet(
    series=(
        Series(
            "In the search",
            "Rows and columns that the search has reached. It falls where a phase restarts the "
            "search, and where trees with a path leave the forest.",
            count_above("wave"),
            "This curve is computed from events, and this run was recorded as counters. Run a "
            "matrix with fewer entries to see it.",
        ),
    ),
    distributions=(
        Distribution(
            "Lengths of augmenting paths",
            "Augmenting paths along which the matching changed, by their number of columns. "
            "Walks that were stopped on the way are left out; paths that a repair undid are not.",
            "columns on the path",
            "paths",
            path_lengths,
            "Paths are followed from flip to flip. This run has none: it was recorded as counters, "
            "or the initial matching was already maximum.",
        ),
    ),
    drawings=(
        Drawing(
            "Levels of each phase",
            "The depth of each search: figure 2 of the paper. APsB stops "
            "at the first path and needs more phases, APFB goes on and needs fewer, deeper ones.",
            drawn_by(f"{__package__}.plots", "levels"),
        ),
        Drawing(
            "Pairs won in each phase",
            "By how much the matching grew. The last phase wins nothing: it proves that there is "
            "no augmenting path left.",
            drawn_by(f"{__package__}.plots", "paths"),
        ),
        Drawing(
            "Looked at, and expanded",
            "Columns or rows that a launch looked at, and those that it expanded. The distance "
            "between the two is the work that a frontier saves.",
            drawn_by(f"{__package__}.plots", "frontier"),
        ),
    ),
)
