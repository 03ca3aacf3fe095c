"""The charts of the matching family, besides the weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.matching.order import Kind, suitor_chains

from ...charts.spec import ChartSet, Distribution, Series

if TYPE_CHECKING:
    from gpucore.record import Record, Timeline


def matched_vertices(timeline: Timeline) -> np.ndarray:
    """Return how many vertices are matched after 0, 1, ... events; int64, shape (events + 1,).

    A vertex is matched while it and its suitor are each other's.
    """
    suitor = timeline.fields["suitor"].tolist()
    mine = np.flatnonzero(timeline.field == list(timeline.fields).index("suitor"))
    vertices, news = timeline.index[mine].tolist(), timeline.new[mine].tolist()
    growth = np.zeros(len(timeline.field), np.int64)
    pairs = []
    for vertex, new in zip(vertices, news, strict=True):
        old = suitor[vertex]
        suitor[vertex] = new
        lost = old >= 0 and suitor[old] == vertex
        won = new >= 0 and suitor[new] == vertex
        pairs.append(2 * (won - lost))
    growth[mine] = pairs
    first = timeline.fields["suitor"]
    held = np.flatnonzero(first >= 0)
    start = int(np.count_nonzero(first[first[held]] == held))
    sums = np.concatenate([[0], np.cumsum(growth)])
    return start + sums[timeline.offsets]


def chain_lengths(record: Record) -> np.ndarray:
    """Return how many chains have 0, 1, 2, ... displacements; empty without proposals."""
    if not record.num_events or Kind.POINT in record.events["kind"]:
        return np.zeros(0, np.int64)
    return suitor_chains(record.events).histogram()


_ROUNDS = (
    "Look at the first columns with “Vertices held”: the warps of a block are four neighbouring "
    "rows (at 128 threads a block)"
)

CHARTS = ChartSet(
    series=(
        Series(
            "Matched vertices",
            "A vertex is matched while it and its suitor are each other's. The curve can fall: a "
            "better bid breaks a pair.",
            matched_vertices,
            "This curve is computed from events, and this run was recorded as counters. Run "
            "a graph with fewer edges to see it.",
        ),
    ),
    distributions=(
        Distribution(
            "Chains of displacements",
            "A proposal displaces a suitor, who proposes elsewhere and may displace the next one: "
            "a chain. Most are short; the long ones keep a warp going while others are done. The "
            "scale is logarithmic, so that a single long chain is visible.",
            "displacements in the chain",
            "chains",
            chain_lengths,
            "Chains are followed from event to event. This run has none: it was recorded as "
            "counters, or its algorithm has no proposals (locally dominant edges point instead).",
        ),
    ),
    look_for={
        "nosync": "Look for the long tail: to the right only a few cells are left, one here and "
        "one there. Those warps go on with displaced vertices while all others are done and "
        "idle. Run SyncLB on the same graph to compare.",
        "sync_lb": f"{_ROUNDS} and alike in colour, because they share out what is left after "
        "every iteration. In NoSync and SyncNoLB some are dark and others pale. Work is shared "
        "within a block only, so blocks still differ.",
        "sync_nolb": f"{_ROUNDS}, and some of them are dark where others are pale: they meet "
        "after every iteration, but the light ones wait for the heavy one instead of helping it.",
        "hybrid": "The first columns are levelled as in SyncLB; those behind have NoSync's long "
        "tail, which is thin by then.",
        "fast": "A few columns, and the last ones almost empty: as in NoSync no warp waits, and "
        "each goes on until its vertices are settled.",
        "ld": "Every round asks the vertices that are still free: the rows pale from left to "
        "right as pairs leave.",
        "warp": "A warp reads one adjacency at a time, so short ones leave most of its lanes idle: "
        "see “Idle lanes” on a road map, then on a graph with hubs.",
    },
)
