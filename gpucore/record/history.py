"""History of writes to a field, and its values at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.record.constraints import pair

if TYPE_CHECKING:
    from gpucore.record.timeline import Timeline


class History:
    """The values of a field at any time.

    Parameters
    ----------
    initial : ndarray of int32, shape (n,)
        Values before the first write.
    time : ndarray of int, shape (writes,)
        Times of the writes, ascending, below 2**31.
    place, value : ndarray of int32, shape (writes,)
        Places and values of the writes; at one time, a place is written at most once.

    Examples
    --------
    >>> history = History(np.array([7, 8]), np.array([3, 5]), np.array([1, 1]), np.array([0, 9]))
    >>> history.before(np.array([1, 1, 1, 0, -1]), np.array([3, 4, 6, 6, 6])).tolist()
    [8, 0, 9, 7, -1]
    """

    def __init__(
        self, initial: np.ndarray, time: np.ndarray, place: np.ndarray, value: np.ndarray
    ) -> None:
        self.initial, self.time, self.place, self.value = initial, time, place, value
        by_place = np.argsort(place, kind="stable")
        self._keys = pair(place[by_place], time[by_place])
        self._values = value[by_place]

    @classmethod
    def of(cls, timeline: Timeline, field: str) -> History:
        """Return the values of a timeline's field; the time is the number of the event."""
        event = np.repeat(np.arange(len(timeline)), np.diff(timeline.offsets))
        mine = timeline.field == list(timeline.fields).index(field)
        return cls(timeline.fields[field], event[mine], timeline.index[mine], timeline.new[mine])

    def before(self, place: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Return the value of each place just before its time; -1 for places below 0."""
        found = np.where(place >= 0, self.initial[np.maximum(place, 0)], -1)
        last = np.searchsorted(self._keys, pair(place, time)) - 1
        written = (last >= 0) & (place >= 0)
        written[written] = self._keys[last[written]] >> 32 == place[written]
        found[written] = self._values[last[written]]
        return found
