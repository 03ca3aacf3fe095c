"""The state of assignments, in which people may have several partners, after any number of events.

The field ``held`` has one value for each pair in the men's lists, in their order: 1 while the two
are engaged.  A person who may have one partner only has it in ``mate``, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.marriage.order import Events, Kind
from gpucore.record.constraints import Lookup, pair
from gpucore.record.timeline import OTHER_END, Changes, Timeline, damaged

if TYPE_CHECKING:
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.record.record import Record

Writes = list[tuple[np.ndarray, str, np.ndarray, np.ndarray]]


def listed_pairs(preferences: Preferences) -> dict[str, np.ndarray]:
    """Return the men's lists and the capacities for the record of an assignment.

    Returns
    -------
    dict of str to ndarray
        ``indptr`` (int64, M + 1) and ``listed`` (int32): the women, from 0, in each man's list;
        ``capacity`` (int32, n): how many partners each may have.
    """
    men, women = preferences.num_men, preferences.num_women
    if preferences.is_shared:
        indptr = np.arange(men + 1, dtype=np.int64) * women
        listed = np.tile(preferences.order, men)
    else:
        indptr, listed = preferences.indptr, preferences.women
    rooms = ((preferences.man_capacity, men), (preferences.woman_capacity, women))
    capacity = [np.ones(size) if room is None else room for room, size in rooms]
    return {
        "indptr": np.array(indptr, np.int64),
        "listed": np.array(listed, np.int32),
        "capacity": np.concatenate(capacity).astype(np.int32),
    }


class Pairs:
    """Where each listed pair is in the field ``held``; RecordError if the lists are damaged."""

    def __init__(self, record: Record, men: int, women: int) -> None:
        initial, n = record.initial, men + women
        lacking = {"indptr", "listed", "capacity"} - set(initial)
        lacking |= {"men", "women"} - set(record.final)
        if lacking:
            raise damaged(f"it lacks {', '.join(sorted(lacking))}")
        indptr, listed = initial["indptr"], initial["listed"]
        whole = len(indptr) == men + 1 and indptr[0] == 0 and indptr[-1] == len(listed)
        if not whole or np.any(np.diff(indptr) < 0) or len(initial["capacity"]) != n:
            raise damaged("its lists are no lists")
        self.men, self.count = men, len(listed)
        self.capacity = initial["capacity"]
        rows = np.repeat(np.arange(men, dtype=np.int32), np.diff(indptr))
        self._places = Lookup(pair(rows, listed), np.arange(len(listed)))

    def find(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return the places of pairs of vertices."""
        low, high = np.minimum(one, other), np.maximum(one, other) - self.men
        places = self._places.find(pair(low.astype(np.int32), high.astype(np.int32)))
        if np.any(places < 0):
            wrong = int(np.flatnonzero(places < 0)[0])
            raise damaged(f"it engages man {low[wrong]} to woman {high[wrong]}, who is not listed")
        return places


def seat_writes(events: Events, pairs: Pairs) -> Writes:
    """Return the writes that engagements and their ends make."""
    kind, a, b, c = (events[name] for name in ("kind", "a", "b", "c"))
    came, left = np.flatnonzero(kind == Kind.ENGAGE), np.flatnonzero(kind == Kind.LEAVE)
    ones, none = np.ones(len(came), np.int32), np.full(len(left), -1, np.int32)
    writes: Writes = [
        (came, "held", pairs.find(a[came], b[came]), ones),
        (left, "held", pairs.find(c[left], b[left]), np.zeros(len(left), np.int32)),
    ]
    for which, person, partner in ((left, c, none), (left, b, none), (came, a, b), (came, b, a)):
        single = pairs.capacity[person[which]] == 1
        value = partner[single] if partner is none else partner[which[single]]
        writes.append((which[single], "mate", person[which[single]], value))
    return writes


def seat_doubt(record: Record, timeline: Timeline, changes: Changes, pairs: Pairs) -> str:
    """Return why the timeline of an assignment is not exact, empty if it is exact."""
    number = list(timeline.fields).index("held")
    mine = changes.field == number
    if np.any(changes.old_values(timeline.fields)[mine] == changes.new[mine]):
        return "a pair is engaged that is so already, or parted that is not engaged"
    end = np.flatnonzero(timeline.state(len(timeline))["held"])
    final = pairs.find(record.final["men"], record.final["women"] + np.int32(pairs.men))
    if not np.array_equal(end, np.sort(final)):
        return OTHER_END
    return ""
