"""The charts of b-matching, besides the weight."""

from __future__ import annotations

import numpy as np

from gpucore.families.bmatching.order import Kind
from gpucore.record import Record, Timeline

from ...charts.spec import ChartSet, Distribution, Drawing, Series, changes_of, drawn_by, sums_after


def offers_held(timeline: Timeline) -> np.ndarray:
    """Return how many offers are held after 0, 1, ... events; int64, shape (events + 1,)."""
    more = timeline.new.astype(np.int64) - timeline.old
    return sums_after(timeline, np.where(changes_of(timeline, "offer"), more, 0))


def falls(record: Record) -> np.ndarray:
    """Return how many vertices lost 0, 1, 2, ... offers from their stack; empty without events."""
    return _vertices(record, "b", Kind.DROP)


def tries(record: Record) -> np.ndarray:
    """Return how many vertices made 0, 1, 2, ... proposals; empty without events."""
    return _vertices(record, "a", Kind.PROPOSE, Kind.OUTBID)


def _vertices(record: Record, column: str, *kinds: Kind) -> np.ndarray:
    """Return how many vertices are in a column of 0, 1, 2, ... events of some kinds."""
    events = record.events
    if not record.num_events:
        return np.zeros(0, np.int64)
    found = events[column][np.isin(events["kind"], kinds)]
    return np.bincount(np.bincount(found, minlength=int(record.header["graph"]["n"])))


_COUNTERS = "It is counted from events, and this run was recorded as counters."

CHARTS = ChartSet(
    series=(
        Series(
            "Offers held",
            "Every matched edge ends as two offers, one in the stack of either end. The curve "
            "falls by one whenever an offer is pushed out.",
            offers_held,
        ),
    ),
    distributions=(
        Distribution(
            "Offers that fell out of a stack",
            "Most stacks never lose an offer. Those with many falls are the popular vertices: all "
            "want them, and only the b heaviest edges stay.",
            "offers that fell out",
            "vertices",
            falls,
            _COUNTERS,
        ),
        Distribution(
            "Proposals of a vertex",
            "A vertex makes b proposals at first, and one more for each that is refused or falls "
            "out. Few need more than 3 b, which is why the lists are sorted only so far.",
            "proposals",
            "vertices",
            tries,
            _COUNTERS,
        ),
    ),
    drawings=(
        Drawing(
            "Offers over time",
            "What became of the proposals of each round: taken, or refused; below the axis, "
            "older offers that fell out. Each of those is proposed again.",
            drawn_by(f"{__package__}.plots", "offers"),
            wide=True,
        ),
        Drawing(
            "Mates of a vertex",
            "Bars: how many vertices end with 0, 1, 2, ... mates. Dots: how many may have that "
            "many, by b. The difference is room that stays empty.",
            drawn_by(f"{__package__}.plots", "mates"),
        ),
    ),
)
