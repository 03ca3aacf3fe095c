"""The charts of the matching family, besides the weight."""

from __future__ import annotations

import numpy as np

from gpucore.families.matching.order import Kind, suitor_chains
from gpucore.record import Record, Timeline

from ...charts.spec import ChartSet, Distribution, Series, changes_of, sums_after


def matched_vertices(timeline: Timeline) -> np.ndarray:
    """Return how many vertices are matched after 0, 1, ... events; int64, shape (events + 1,).

    A vertex is matched while it and its suitor are each other's.
    """
    suitor = timeline.fields["suitor"].tolist()
    mine = np.flatnonzero(changes_of(timeline, "suitor"))
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
    return start + sums_after(timeline, growth)


def chain_lengths(record: Record) -> np.ndarray:
    """Return how many chains have 0, 1, 2, ... displacements; empty without proposals."""
    if not record.num_events or Kind.POINT in record.events["kind"]:
        return np.zeros(0, np.int64)
    return suitor_chains(record.events).histogram()


CHARTS = ChartSet(
    series=(
        Series(
            "Matched vertices",
            "A vertex is matched while it and its suitor are each other's. The curve can fall: a "
            "better bid breaks a pair.",
            matched_vertices,
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
)
