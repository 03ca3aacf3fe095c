"""Timelines of b-Suitor: which offers each vertex holds after each event."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import RecordError
from gpucore.families.bmatching.order import Kind
from gpucore.record.constraints import Lookup, pair
from gpucore.record.timeline import (
    CONTRADICTION,
    OTHER_END,
    Changes,
    Timeline,
    check_events,
    check_vertices,
    extended,
    incomplete,
    make_timeline,
    named_changes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpucore.record.record import Record

#: Fields of the state, in the order of their numbers.  ``offer`` has one value for each entry of
#: the adjacency: 1 while the row's vertex holds the offer of the neighbour.  ``capacity`` is b(v),
#: which no event changes.
FIELDS = ("offer", "exhausted", "warp", "capacity")

#: Columns of the events that are vertices, by kind.
VERTEX_COLUMNS = {
    Kind.PROPOSE: ("a", "b"),
    Kind.DROP: ("a", "b", "c"),
    Kind.OUTBID: ("a", "b"),
    Kind.EXHAUSTED: ("a",),
}


@dataclass(frozen=True)
class BMatchingTimeline(Timeline):
    """State changes, and the weight of the offers after each event.

    Attributes
    ----------
    weight : ndarray of float64, shape (events + 1,)
        Half the sum of the weights of all offers held after 0, 1, ... events.
    """

    weight: np.ndarray = field(default_factory=lambda: np.zeros(1))


def bmatching_timeline(record: Record) -> BMatchingTimeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the b-matching family.

    Returns
    -------
    BMatchingTimeline
        Fields ``offer`` (2 m values, in the order of the graph's entries), ``exhausted``,
        ``warp`` (the warp that worked on the vertex last) and ``capacity``.  It is exact if no
        event was lost, each offer that falls out was held, and the offers held at the end are
        those that the kernels reported.

    Raises
    ------
    RecordError
        The record is not of this family, or names vertices or edges that do not exist.
    """
    entries = _entries(record)
    n = len(record.initial["capacity"])
    fields: dict[str, np.ndarray] = {
        "offer": np.zeros(len(record.initial["indices"]), np.int32),
        "exhausted": np.zeros(n, np.int32),
        "warp": np.full(n, -1, np.int32),
        "capacity": record.initial["capacity"].astype(np.int32),
    }
    changes = _changes(record, entries)
    timeline = make_timeline(fields, record.num_events, changes)
    doubt = _doubt(record, timeline, changes, entries)
    return extended(BMatchingTimeline, timeline, doubt=doubt, weight=weight_after(record.events))


def weight_after(events: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return half the weight of all offers after 0, 1, ... events: float64, shape (events + 1,)."""
    kind, value = events["kind"], events["value"].astype(np.float64)
    gained = np.where(kind == Kind.PROPOSE, value, np.where(kind == Kind.DROP, -value, 0.0))
    return np.concatenate([[0.0], np.cumsum(gained)]) / 2


def _entries(record: Record) -> Lookup:
    """Return the place of each pair (row, neighbour) in the adjacency; RecordError if damaged."""
    check_events(record, "bmatching", "a b-matching")
    lacking = {"capacity", "indptr", "indices"} - set(record.initial)
    lacking |= {"holders", "proposers"} - set(record.final)
    if lacking:
        raise RecordError(
            f"the record lacks {', '.join(sorted(lacking))}; it is damaged, make it again"
        )
    n, indptr = len(record.initial["capacity"]), record.initial["indptr"]
    indices = record.initial["indices"]
    whole = len(indptr) == n + 1 and indptr[0] == 0 and indptr[-1] == len(indices)
    if not whole or np.any(np.diff(indptr) < 0):
        raise RecordError("the record's graph is damaged; make the record again")
    if len(record.final["holders"]) != len(record.final["proposers"]):
        raise RecordError("the record's last offers are damaged; make the record again")
    check_vertices(record.events, VERTEX_COLUMNS, n)
    rows = np.repeat(np.arange(n), np.diff(indptr))
    return Lookup(pair(rows, indices), np.arange(len(indices)))


def _find(entries: Lookup, holder: np.ndarray, proposer: np.ndarray) -> np.ndarray:
    """Return the places of offers in the adjacency, or raise RecordError."""
    places = entries.find(pair(holder, proposer))
    wrong = np.flatnonzero(places < 0)
    if len(wrong):
        u, v = holder[wrong[0]], proposer[wrong[0]]
        raise RecordError(
            f"the record names the edge ({u}, {v}), which the graph does not have; "
            "it is damaged, make it again"
        )
    return places


def _changes(record: Record, entries: Lookup) -> Changes:
    """Return what each event changes in the state."""
    kind, a, b, c, warp = (record.events[name] for name in ("kind", "a", "b", "c", "warp"))
    taken, fallen = np.flatnonzero(kind == Kind.PROPOSE), np.flatnonzero(kind == Kind.DROP)
    exhausted = np.flatnonzero(kind == Kind.EXHAUSTED)
    at_work = np.flatnonzero(kind != Kind.DROP)
    parts = [
        (at_work, "warp", a[at_work], warp[at_work]),
        (fallen, "warp", c[fallen], warp[fallen]),
        (taken, "offer", _find(entries, b[taken], a[taken]), np.ones(len(taken))),
        (fallen, "offer", _find(entries, b[fallen], c[fallen]), np.zeros(len(fallen))),
        (exhausted, "exhausted", a[exhausted], np.ones(len(exhausted))),
    ]
    return named_changes(FIELDS, parts)


def _doubt(record: Record, timeline: Timeline, changes: Changes, entries: Lookup) -> str:
    """Return why the timeline is not exact, empty if it is exact."""
    if lacking := incomplete(record):
        return lacking
    if not record.header.get("consistent", False):
        return CONTRADICTION
    fallen = (record.events["kind"][changes.event] == Kind.DROP) & (
        changes.field == FIELDS.index("offer")
    )
    if np.any(changes.old_values(timeline.fields)[fallen] != 1):
        return "an offer falls out where it was not held"
    end = np.flatnonzero(timeline.state(len(timeline))["offer"])
    held = np.sort(_find(entries, record.final["holders"], record.final["proposers"]))
    if not np.array_equal(end, held):
        return OTHER_END
    return ""
