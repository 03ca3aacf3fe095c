"""The state of Irving's algorithms after any number of their events.

See :mod:`gpucore.families.roommates.record` for the record. ``bid`` has one value for each entry of
the lists: 1 while the person's proposal stands there. A person has one proposal, or in stable
fixtures as many as there is room for. ``last`` is the last place that is left of each list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import IntEnum

import numpy as np

from gpucore.record.constraints import Lookup, pair
from gpucore.record.history import History
from gpucore.record.record import Record
from gpucore.record.timeline import (
    CONTRADICTION,
    OTHER_END,
    Changes,
    Timeline,
    check_events,
    check_vertices,
    damaged,
    incomplete,
    make_timeline,
    named_changes,
)

Events = Mapping[str, np.ndarray]


class Kind(IntEnum):
    """Kinds of events with the native code's numbers; places and ranks count from 1."""

    PROPOSE = 1  # a proposes to b, who lets c's proposal go; value: place, batch: b's rank of a
    PASS = 2  # a passes b by, since the pair is deleted; value and batch as above
    CUT = 3  # a deletes all behind b (-1: all), who stands at the place `value`
    ALONE = 4  # a's list has no person left to propose to
    FIND = 5  # a is in rotation `batch`: b is the next choice, c the last of b's list
    MOVE = 6  # the rotation is eliminated: a proposes to b, who lets c's proposal go
    PARTY = 7  # a is in an odd party, and is followed by b


#: Fields of the state with a value for each person, before the first event; ``last`` begins with
#: the length of the list, and ``bid`` with 0 for each entry.
FIELDS: dict[str, int] = {
    "alone": 0,  # 1: the person came to the end of the list
    "rotation": 0,  # number of the latest rotation with the person, from 1; 0: none
    "party": -1,  # who follows the person in an odd party
}
#: The changes of a record without events.
NO_CHANGES = Changes(*(np.zeros(0, kind) for kind in (np.int64, np.uint8, np.int32, np.int32)))


class Places:
    """Where each entry of the lists is in the field ``bid``; RecordError if they are damaged."""

    def __init__(self, record: Record) -> None:
        indptr, others = (record.initial.get(name) for name in ("indptr", "others"))
        if indptr is None or others is None or not {"bid", "party"} <= set(record.final):
            raise damaged("it lacks the lists, or the odd parties")
        self.n, self.count = len(indptr) - 1, len(others)
        whole = self.n >= 0 and indptr[0] == 0 and indptr[-1] == self.count
        if not whole or np.any(np.diff(indptr) < 0):
            raise damaged("its lists are no lists")
        self.starts, self.lengths = indptr, np.diff(indptr).astype(np.int32)
        rows = np.repeat(np.arange(self.n, dtype=np.int32), self.lengths)
        self._entries = Lookup(pair(rows, others), np.arange(self.count))

    def find(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return the entry of each `other` in the list of `one`."""
        found = self._entries.find(pair(one, other))
        if np.any(found < 0):
            wrong = int(np.flatnonzero(found < 0)[0])
            raise damaged(f"person {one[wrong]} does not list {other[wrong]}")
        return found


def roommates_timeline(record: Record) -> Timeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the roommates family.

    Returns
    -------
    Timeline
        Fields ``bid``, ``last`` and those of :data:`FIELDS`, int32. It is exact if no event was
        lost, each proposal fits the lists and the state before it, and the last state is the
        result.

    Raises
    ------
    RecordError
        The record is not of this family, or is damaged.
    """
    check_events(record, "roommates", "stable roommates")
    if record.header["level"] != "events":
        nothing = {name: np.zeros(0, np.int32) for name in ("bid", "last", *FIELDS)}
        return make_timeline(nothing, 0, NO_CHANGES, incomplete(record))
    places = Places(record)
    _check(record, places.n)
    fields = {name: np.full(places.n, value, np.int32) for name, value in FIELDS.items()}
    fields = {"bid": np.zeros(places.count, np.int32), "last": places.lengths.copy()} | fields
    changes = named_changes(fields, _writes(record.events, places))
    timeline = make_timeline(fields, record.num_events, changes)
    return replace(timeline, doubt=_doubt(record, timeline, places))


def _writes(
    events: Events, places: Places
) -> Iterator[tuple[np.ndarray, str, np.ndarray, np.ndarray]]:
    """Yield the writes: events, the field, places, values."""
    kind, a, b, c = (events[name] for name in ("kind", "a", "b", "c"))
    is_ = {k: np.flatnonzero(kind == k) for k in Kind}
    asks = np.sort(np.concatenate([is_[Kind.PROPOSE], is_[Kind.MOVE]]))
    lets_go = asks[c[asks] >= 0]
    for who, which, answer in ((c, lets_go, 0), (a, asks, 1)):
        value = np.full(len(which), answer, np.int32)
        yield which, "bid", places.find(who[which], b[which]), value
    cuts, finds, parties = is_[Kind.CUT], is_[Kind.FIND], is_[Kind.PARTY]
    yield cuts, "last", a[cuts], events["value"][cuts].astype(np.int32)
    yield is_[Kind.ALONE], "alone", a[is_[Kind.ALONE]], np.ones(len(is_[Kind.ALONE]), np.int32)
    yield finds, "rotation", a[finds], events["batch"][finds]
    yield parties, "party", a[parties], b[parties]


def _doubt(record: Record, timeline: Timeline, places: Places) -> str:
    """Return why the timeline is not exact, empty if it is exact."""
    if lacking := incomplete(record):
        return lacking
    wrong = np.flatnonzero(_out_of_turn(record.events, timeline, places))
    if len(wrong):
        return f"{CONTRADICTION}: event {wrong[0]} cannot follow those before it"
    end = timeline.state(len(timeline))
    same = all(np.array_equal(end[name], record.final[name]) for name in ("bid", "party"))
    return "" if same else OTHER_END


def _out_of_turn(events: Events, timeline: Timeline, places: Places) -> np.ndarray:
    """Return which events the algorithms do not allow in their places; bool, shape (events,)."""
    kind, a, b, c, rank = (events[name] for name in ("kind", "a", "b", "c", "batch"))
    place, now = events["value"].astype(np.int32), np.arange(len(kind), dtype=np.int64)
    bid, last, rotation = (History.of(timeline, name) for name in ("bid", "last", "rotation"))
    found, theirs = rotation.before(a, now), rotation.before(c, now)
    left = last.before(b, now)
    wrong = (kind == Kind.PROPOSE) & (rank > left)
    wrong |= (kind == Kind.PASS) & (rank <= left) & (place <= last.before(a, now))
    wrong |= (kind == Kind.CUT) & (place >= last.before(a, now))
    wrong |= (kind == Kind.MOVE) & ((found == 0) | (found != theirs))
    wrong |= (kind == Kind.PARTY) & (found == 0)
    asks = np.flatnonzero((kind == Kind.PROPOSE) | (kind == Kind.MOVE))
    wrong[asks] |= bid.before(places.find(a[asks], b[asks]).astype(np.int32), asks) != 0
    goes = asks[c[asks] >= 0]
    wrong[goes] |= bid.before(places.find(c[goes], b[goes]).astype(np.int32), goes) != 1
    placed = np.flatnonzero(np.isin(kind, (Kind.PROPOSE, Kind.PASS, Kind.MOVE, Kind.FIND)))
    wrong[placed] |= (
        places.find(a[placed], b[placed]) != places.starts[a[placed]] + place[placed] - 1
    )
    ranked = placed[kind[placed] != Kind.FIND]
    back = places.starts[b[ranked]] + rank[ranked] - 1
    wrong[ranked] |= places.find(b[ranked], a[ranked]) != back
    return np.asarray(wrong)


def _check(record: Record, n: int) -> None:
    """Raise RecordError if an event is of no kind, or names no person of the lists."""
    events = record.events
    if not np.isin(events["kind"], list(Kind)).all():
        raise damaged("it has an event of an unknown kind")
    if "batch" not in events or events["batch"].dtype != np.int32:
        raise damaged("its events have no column 'batch'")
    two = (Kind.PROPOSE, Kind.PASS, Kind.FIND, Kind.MOVE, Kind.PARTY)
    three = (Kind.FIND, Kind.MOVE)
    named = {k: ["a"] + ["b"] * (k in two) + ["c"] * (k in three) for k in Kind}
    check_vertices(events, named, n)
    asked = events["c"][events["kind"] == Kind.PROPOSE]
    if np.any((asked < -1) | (asked >= n)):
        raise damaged("a proposal lets go of a person who is not there")
