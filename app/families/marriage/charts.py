"""The charts of stable marriage, besides the number of pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gpucore.families.marriage.order import Kind
from gpucore.families.marriage.timeline import MarriageTimeline
from gpucore.record import Record, Timeline

from ...charts.spec import ChartSet, Distribution, Drawing, Series, drawn_by


def _curve(name: str) -> Callable[[Timeline], np.ndarray]:
    """Return a function that takes a curve from a timeline; 0 before the first engagement."""

    def by_event(timeline: Timeline) -> np.ndarray:
        assert isinstance(timeline, MarriageTimeline)
        own = hasattr(timeline, name)
        values = np.asarray(getattr(timeline if own else timeline.curves, name), np.float64)
        return np.nan_to_num(values)

    return by_event


def displacements(record: Record) -> np.ndarray:
    """Return how many chains have 1, 2, ... links, the first of which was not displaced.

    In a chain each proposer displaces the next one; the last is engaged to a partner who was
        alone, or reaches the end of the list.
    """
    kind, a, c = (record.events[name].tolist() for name in ("kind", "a", "c"))
    links: dict[int, int] = {}  # links of the chain that displaced this proposer
    ends = []
    for event, one, left in zip(kind, a, c, strict=True):
        if event == Kind.ENGAGE:
            length = links.pop(one, 0) + 1
            if left >= 0:
                links[left] = length
            else:
                ends.append(length)
        elif event == Kind.ALONE:
            ends.append(links.pop(one, 0))
    return np.bincount(ends) if ends else np.zeros(0, np.int64)


_MISSING = (
    "This chart is computed from events, and this run was recorded as counters. Run a smaller "
    "instance to see it."
)

CHARTS = ChartSet(
    series=(
        Series(
            "Men’s rank",
            "Mean rank that engaged men give their partners; 1 is the first choice. If men "
            "propose, it can only get worse: they begin at the top of their lists.",
            _curve("men_rank"),
            _MISSING,
        ),
        Series(
            "Women’s rank",
            "Mean rank that engaged women give their partners. If men propose, each woman only "
            "improves; the mean may rise where one more is engaged.",
            _curve("women_rank"),
            _MISSING,
        ),
        Series(
            "Proposals",
            "Proposals so far. Skipping a person who has a better partner does not count.",
            _curve("proposals"),
            _MISSING,
        ),
    ),
    distributions=(
        Distribution(
            "Chains of displacements",
            "A man proposes, displaces another, who displaces another: the number of engagements "
            "until the chain ends with a woman who was alone, or at the end of a list.",
            "engagements in the chain",
            "chains",
            displacements,
            _MISSING,
        ),
    ),
    drawings=(
        Drawing(
            "Happiness",
            "Mean rank of the partners of those who are engaged, on a scale from the first choice "
            "at the top. Those who propose begin high and fall, those who choose begin low and "
            "rise.",
            drawn_by(f"{__package__}.plots", "happiness"),
        ),
        Drawing(
            "Proposals against n ln n",
            "Places of their lists that the proposers have reached, and the proposals among them. "
            "On random complete lists n ln n are expected, and at most n (1 + 1/2 + … + 1/n) on "
            "average (Wilson 1972).",
            drawn_by(f"{__package__}.plots", "proposals"),
        ),
    ),
)
