"""The state of a factorisation after any number of its events.

Of each vertex its updates and the other end of the latest one; of each rating how often it was
processed, and what deferred it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from gpucore.params import is_number, is_whole
from gpucore.record.timeline import (
    Timeline,
    check_events,
    damaged,
    incomplete,
    join_changes,
    make_timeline,
)
from gpucore.rows import row_starts

if TYPE_CHECKING:
    from gpucore.record.record import Record


class Kind(IntEnum):
    """Kinds of events with the kernels' numbers."""

    UPDATE = 1  # user a and item b are updated by rating c; value: the error before
    DEFER_USER = 2  # rating c of user a and item b waits: the user was locked
    DEFER_ITEM = 3  # rating c of user a and item b waits: the item was locked


#: Fields of the state and their values before the first event: of each vertex its updates and the
#: other end of the latest one; of each rating how often it was processed, and the kind of event
#: that deferred it, 0 if it does not wait.
FIELDS: dict[str, int] = {"updates": 0, "partner": -1, "processed": 0, "waiting": 0}


@dataclass(frozen=True)
class SgdTimeline(Timeline):
    """State changes, and the error of the training ratings.

    Attributes
    ----------
    rmse : ndarray of float64, shape (events + 1,)
        Error after the last complete sweep.
    """

    rmse: np.ndarray = field(default_factory=lambda: np.zeros(1))


def sgd_timeline(record: Record) -> SgdTimeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the sgd family, on n vertices and m ratings.

    Returns
    -------
    SgdTimeline
        Fields updates and partner, int32 of shape (n,), and processed and waiting, int32 of shape
        (m,), see :data:`FIELDS`. It is exact if no event was lost, and each sweep processes every
        rating once.

    Raises
    ------
    RecordError
        The record is not of this family, or is damaged.
    """
    n, m = _check(record)
    events = record.events
    updated = events["kind"] == Kind.UPDATE
    which, late = np.flatnonzero(updated), np.flatnonzero(~updated)
    users, items, ratings = (events[name][which] for name in ("a", "b", "c"))
    sizes = {"updates": n, "partner": n, "processed": m, "waiting": m}
    fields = {name: np.full(sizes[name], first, np.int32) for name, first in FIELDS.items()}
    again = np.isin(ratings, events["c"][late])
    parts = [
        (which, 0, users, _counted(users, n)),
        (which, 0, items, _counted(items, n)),
        (which, 1, users, items),
        (which, 1, items, users),
        (which, 2, ratings, _counted(ratings, m)),
        (late, 3, events["c"][late], events["kind"][late].astype(np.int32)),
        (which[again], 3, ratings[again], np.zeros(int(again.sum()), np.int32)),
    ]
    made = make_timeline(fields, record.num_events, join_changes(parts))
    given = {one.name: getattr(made, one.name) for one in dataclasses.fields(made)}
    given["doubt"] = _doubt(record, made, m)
    return SgdTimeline(**given, rmse=_rmse(record))


def _rmse(record: Record) -> np.ndarray:
    """Return the error after the last complete sweep, after 0, 1, ... events."""
    sweeps = np.array([p["sweep"] for p in record.header["passes"]], np.int64)
    mine = sweeps[record.events["iteration"]]
    errors = np.asarray(record.header["rmse"], np.float64)
    found = errors[np.append(mine[:1], mine)]
    # The last event of a sweep completes it.
    ends = np.flatnonzero(np.append(mine[1:] != mine[:-1], True)[: len(mine)])
    found[ends + 1] = errors[mine[ends] + 1]
    return found if len(mine) else errors[:1]


def _counted(places: np.ndarray, count: int) -> np.ndarray:
    """Return for each place how often it has come so far, itself included."""
    order = np.argsort(places, kind="stable")
    starts = row_starts(np.bincount(places, minlength=count))
    found = np.empty(len(places), np.int32)
    found[order] = np.arange(len(places)) - starts[places[order]] + 1
    return found


def _doubt(record: Record, timeline: Timeline, m: int) -> str:
    """Return why the timeline is not exact, empty if it is exact."""
    if lacking := incomplete(record):
        return lacking
    sweeps = 1 + max((p["sweep"] for p in record.header["passes"]), default=-1)
    state = timeline.state(len(timeline))
    done = state["processed"][state["processed"] != 0]
    if len(done) != record.header["train"] or not np.all(done == sweeps):
        return "the events do not process every training rating once a sweep"
    if not np.array_equal(state["updates"], record.final["updates"]):
        return "the events do not lead to the result that the kernels reported"
    return ""


def _check(record: Record) -> tuple[int, int]:
    """Return the numbers of vertices and ratings; raise RecordError for a damaged record."""
    check_events(record, "sgd", "a factorisation")
    final, events = record.final.get("updates"), record.events
    if final is None or final.dtype != np.int32:
        raise damaged("it lacks the final numbers of updates")
    n, m = len(final), record.header["graph"].get("m")
    if not isinstance(m, int) or not 0 <= m < 1 << 31:
        raise damaged("its number of ratings is impossible")
    _check_header(record)
    if not np.isin(events["kind"], list(Kind)).all():
        raise damaged("it has an event of an unknown kind")
    for name, most in (("a", n), ("b", n), ("c", m)):
        if np.any((events[name] < 0) | (events[name] >= most)):
            raise damaged(f"an event names what is not among {most}")
    return n, m


def _check_header(record: Record) -> None:
    """Raise RecordError unless the header has sweeps, errors and barriers that can be."""
    header = record.header
    passes = header.get("passes")
    if not isinstance(passes, list) or not all(
        isinstance(p, dict) and is_whole(p.get("sweep")) and 0 <= p["sweep"] < len(passes)
        for p in passes
    ):
        raise damaged("it does not say to which sweep its passes belong")
    if record.num_events and int(record.events["iteration"].max()) >= len(passes):
        raise damaged("an event belongs to no pass")
    sweeps = 1 + max((p["sweep"] for p in passes), default=-1)
    for name, least in (("rmse", sweeps + 1), ("test_rmse", 0), ("seconds", 0)):
        values = header.get(name)
        if not isinstance(values, list) or len(values) < least or not all(map(is_number, values)):
            raise damaged(f"it has no {name} for each sweep")
    barriers = header.get("barriers", [])
    if not isinstance(barriers, list) or not all(
        isinstance(one, list) and all(is_whole(step) and 0 <= step < 1 << 31 for step in one)
        for one in barriers
    ):
        raise damaged("its barriers are at no steps")
    if not is_whole(header.get("lanes")) or not 1 <= header["lanes"] <= 32:
        raise damaged("it does not say which lanes process a rating together")
    if not is_whole(header.get("train")):
        raise damaged("it does not say how many ratings were for training")
