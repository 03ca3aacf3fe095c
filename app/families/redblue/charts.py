"""The charts of red/blue matching, besides the weight."""

from __future__ import annotations

import numpy as np

from gpucore.families.redblue.timeline import Colour, Kind
from gpucore.record import Record

from ...charts.spec import ChartSet, Distribution, Drawing, Series, count_above, drawn_by


def proposals_received(record: Record) -> np.ndarray:
    """Return how many red vertices got 0, 1, 2, ... proposals in a round; empty without events."""
    kind, b = record.events["kind"], record.events["b"]
    n, number = int(record.header["graph"]["n"]), record.events["iteration"].astype(np.int64) // 4
    red = (kind == Kind.COLOUR) & (b == Colour.RED)
    if not red.any():
        return np.zeros(0, np.int64)
    asked = kind == Kind.PROPOSE
    received = np.unique(number[asked] * n + b[asked], return_counts=True)[1]
    counts = np.bincount(received, minlength=1)
    counts[0] = np.count_nonzero(red) - len(received)
    return counts


CHARTS = ChartSet(
    series=(
        Series(
            "Matched or dead",
            "Vertices that are settled: they have a mate, or no live neighbour left. The others "
            "are coloured again in the next round.",
            count_above("colour", Colour.RED),
        ),
    ),
    distributions=(
        Distribution(
            "Proposals to a red vertex",
            "A red vertex chooses one of the proposals that it gets in a round; the others are in "
            "vain. With few blue vertices, many red ones get none; with many, most proposals go "
            "to the same red ones.",
            "proposals in a round",
            "red vertices",
            proposals_received,
            "Proposals are counted from event to event, and this run has none: it was recorded as "
            "counters, or the graph has no vertices.",
        ),
    ),
    drawings=(
        Drawing(
            "Matched after each round",
            "Figure 2 of the paper. The diamond is what equation (2) expects of the first round "
            "with random choices in a large random graph: 2 (1 − p) (1 − exp(−p / (1 − p))).",
            drawn_by(f"{__package__}.plots", "fractions"),
        ),
        Drawing(
            "Fates of the live vertices",
            "Shares of the vertices that were live at the start of a round. Vertices die late: "
            "when all their neighbours are matched to others.",
            drawn_by(f"{__package__}.plots", "fates"),
        ),
        Drawing(
            "From colour to match",
            "How many vertices are live, propose, and get a response, round by round. Every "
            "response makes a pair, so the lowest line counts pairs.",
            drawn_by(f"{__package__}.plots", "funnel"),
        ),
    ),
)
