"""Records of factorisations: every update and every deferred rating, with the step of its schedule.

An iteration of the record is one launch, a pass of an online schedule for example; the header's
``passes`` say to which sweep each belongs. The column ``batch`` is the step inside the pass at
which the schedule has the event, and ``c`` is the number of the rating among all ratings, in the
order of the items. Events are in the order in which they were logged. A worker logs an update while
it holds its locks, or before the next barrier. So updates that share a user or an item are in the
order in which they happened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.record import (
    Record,
    elapsed,
    event_columns,
    make_header,
    row_columns,
    sum_by_iteration,
)
from gpucore.record.timeline import (
    Timeline,
    check_events,
    incomplete,
    join_changes,
    make_timeline,
)

if TYPE_CHECKING:
    from gpucore.families.sgd.work import Pass
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.record.recorder import RawRecord


class Kind(IntEnum):
    """Kinds of events with the kernels' numbers."""

    UPDATE = 1  # user a and item b are updated by rating c; value: the error before
    DEFER_USER = 2  # rating c of user a and item b waits: the user was locked
    DEFER_ITEM = 3  # rating c of user a and item b waits: the item was locked


#: The eight words of a row. ``turns`` and ``barriers`` are the most of a worker of the warp.
ROW_WORDS = (
    "updates",
    "user_busy",
    "item_busy",
    "turns",
    "lane_slots",
    "atomics",
    "barriers",
    "scanned",
)

EVENTS = (
    EventKind(
        Kind.UPDATE,
        "is updated",
        "done",
        "{a} and {b} are updated; the prediction was off by {value}",
    ),
    EventKind(
        Kind.DEFER_USER,
        "is locked",
        "tried",
        "the rating of {a} for {b} is deferred: {a} is locked",
    ),
    EventKind(
        Kind.DEFER_ITEM,
        "is deferred",
        "undone",
        "the rating of {a} for {b} is deferred: {b} is locked",
    ),
)
BANDS = (
    Band("done", "updates"),
    Band("tried", "users locked"),
    Band("undone", "items locked"),
)

#: Fields of the state and their values before the first event: of each vertex its updates and the
#: other end of the latest one; of each rating how often it was processed.
FIELDS: dict[str, int] = {"updates": 0, "partner": -1, "processed": 0}


def places_of(train: Ratings, ratings: Ratings) -> np.ndarray:
    """Return the number of each training rating among all ratings, both in the order of the items.

    Returns
    -------
    ndarray of int64, shape (training ratings,)
        Rising.
    """
    keys = []
    for part in (train, ratings):
        starts, users, _ = part.by_item()
        items = np.repeat(np.arange(part.num_items, dtype=np.int64), np.diff(starts))
        keys.append(items * part.num_users + users)
    return np.searchsorted(keys[1], keys[0])


def sgd_record(
    raw: RawRecord,
    ratings: Ratings,
    train: Ratings,
    *,
    params: Mapping[str, Any],
    device: Mapping[str, Any],
    passes: Sequence[Pass],
    rmse: Sequence[float],
    updates: np.ndarray,
) -> Record | None:
    """Make the record of a factorisation.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`.
    ratings, train : Ratings
        All ratings, and those for training, on n vertices.
    params, device
        See :func:`gpucore.record.record.make_header`.
    passes : sequence of Pass
        One for each launch.
    rmse : sequence of float
        Training error before the first and after each sweep.
    updates : ndarray of int32, shape (n,)
        Number of updates of each vertex in the whole run.

    Returns
    -------
    Record or None
        None if nothing was recorded. ``final`` has ``updates``.
    """
    if raw.level == "off":
        return None
    header = make_header(raw, ratings, family="sgd", algorithm="sgd", params=params, device=device)
    header["passes"] = [{"sweep": p.sweep, "name": p.name, "left": p.left} for p in passes]
    header["rmse"] = [float(value) for value in rmse]
    header["train"] = train.num_ratings
    header["consistent"] = True
    events = event_columns(raw)
    events["c"] = places_of(train, ratings)[events["c"]].astype(np.int32)
    events["b"] += np.int32(ratings.num_users)
    events["time"] = elapsed(raw.times)
    warps = row_columns(raw, ROW_WORDS, floats=())
    return Record(
        header=header,
        steps=_steps(passes, rmse, warps),
        warps=warps,
        events=events,
        initial={},
        final={"updates": np.asarray(updates, np.int32)},
    )


def _steps(
    passes: Sequence[Pass], rmse: Sequence[float], warps: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Return the sums over the warps of every pass; the objective is that after its sweep."""
    count = max(len(passes), int(warps["iteration"].max(initial=-1)) + 1)
    sweep = np.array([p.sweep for p in passes] + [0] * (count - len(passes)), np.int32)
    last = np.append(sweep[1:] != sweep[:-1], True)
    found = {"iteration": np.arange(count, dtype=np.int32), "sweep": sweep}
    found |= sum_by_iteration(warps, ROW_WORDS, count)
    found["left"] = np.array([p.left for p in passes] + [0] * (count - len(passes)), np.int64)
    found["objective"] = np.asarray(rmse, np.float64)[sweep + last]
    return found


def sgd_timeline(record: Record) -> Timeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the sgd family, on n vertices and m ratings.

    Returns
    -------
    Timeline
        Fields updates and partner, int32 of shape (n,), and processed, int32 of shape (m,). It is
        exact if no event was lost, and each sweep processes every rating once.

    Raises
    ------
    RecordError
        The record is not of this family, or is damaged.
    """
    n, m = _check(record)
    events = record.events
    which = np.flatnonzero(events["kind"] == Kind.UPDATE)
    users, items, ratings = (events[name][which] for name in ("a", "b", "c"))
    fields = {
        "updates": np.zeros(n, np.int32),
        "partner": np.full(n, -1, np.int32),
        "processed": np.zeros(m, np.int32),
    }
    parts = [
        (which, 0, users, _counted(users, n)),
        (which, 0, items, _counted(items, n)),
        (which, 1, users, items),
        (which, 1, items, users),
        (which, 2, ratings, _counted(ratings, m)),
    ]
    timeline = make_timeline(fields, record.num_events, join_changes(parts))
    object.__setattr__(timeline, "doubt", _doubt(record, timeline, m))
    return timeline


def _counted(places: np.ndarray, count: int) -> np.ndarray:
    """Return for each place how often it has come so far, itself included."""
    order = np.argsort(places, kind="stable")
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(places, minlength=count), out=starts[1:])
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
        raise _damaged("it lacks the final numbers of updates")
    n, m = len(final), record.header["graph"].get("m")
    if not isinstance(m, int) or not 0 <= m < 1 << 31:
        raise _damaged("its number of ratings is impossible")
    passes = record.header.get("passes")
    if not isinstance(passes, list) or not all(
        isinstance(p, dict) and isinstance(p.get("sweep"), int) for p in passes
    ):
        raise _damaged("it does not say to which sweep its passes belong")
    if not isinstance(record.header.get("train"), int):
        raise _damaged("it does not say how many ratings were for training")
    if not np.isin(events["kind"], list(Kind)).all():
        raise _damaged("it has an event of an unknown kind")
    for name, most in (("a", n), ("b", n), ("c", m)):
        if np.any((events[name] < 0) | (events[name] >= most)):
            raise _damaged(f"an event names what is not among {most}")
    return n, m


def _damaged(why: str) -> RecordError:
    return RecordError(f"the record is damaged: {why}; make it again")


RECORD = RecordKind(EVENTS, BANDS, sgd_timeline, sides=("u", "m"))

__all__ = ["BANDS", "EVENTS", "FIELDS", "RECORD", "ROW_WORDS", "Kind", "sgd_record", "sgd_timeline"]
