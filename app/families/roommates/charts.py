"""The charts of stable roommates, besides the proposals that are held."""

from __future__ import annotations

import numpy as np

from gpucore.families.roommates.timeline import Kind
from gpucore.record import Record, Timeline

from ...charts.spec import ChartSet, Distribution, Series, changes_of, sums_after

_MISSING = (
    "This chart is computed from events, and this run was recorded as counters. Run a smaller "
    "instance to see it."
)


def places_left(timeline: Timeline) -> np.ndarray:
    """Return how many places no list's end has deleted, after 0, 1, ... events."""
    shorter = timeline.new.astype(np.int64) - timeline.old
    cut = sums_after(timeline, np.where(changes_of(timeline, "last"), shorter, 0))
    return timeline.fields["last"].sum(dtype=np.int64) + cut


def rotation_lengths(record: Record) -> np.ndarray:
    """Return how many rotations and odd parties have 0, 1, 2, ... people."""
    found = record.events["kind"] == Kind.FIND
    people = np.unique(record.events["batch"][found], return_counts=True)[1]
    return np.bincount(people)


CHARTS = ChartSet(
    series=(
        Series(
            "Places left",
            "Places before the end of each list. A person who holds a proposal deletes all who "
            "stand behind the proposer; the run ends when no list has a second choice.",
            places_left,
            _MISSING,
        ),
    ),
    distributions=(
        Distribution(
            "Lengths of rotations",
            "A rotation is a cycle of people, each of whom would move on to the second choice. "
            "It is eliminated at once; an odd party is one that cannot be.",
            "people in the rotation",
            "rotations",
            rotation_lengths,
            "This run has no rotation: the first phase left a single choice to everyone, or it was "
            "recorded as counters.",
        ),
    ),
)
