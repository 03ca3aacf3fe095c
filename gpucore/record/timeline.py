"""The state of a run after any number of its events, forwards and backwards.

A timeline is independent of the algorithm. A family describes its state as named fields with one
4-byte value for each index, and every event as changes *(field, index, new value)*; this module
computes the old values, once for the whole timeline. Moving forwards writes new values in order,
moving backwards writes old ones in reverse, so both are exact and take time proportional to the
changes in between. The browser plays the same arrays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gpucore.errors import RecordError

if TYPE_CHECKING:
    from gpucore.record.record import Record

#: Columns of the events that timelines read.
EVENT_COLUMNS: dict[str, type] = {
    "iteration": np.int32,
    "warp": np.int32,
    "kind": np.uint8,
    "a": np.int32,
    "b": np.int32,
    "c": np.int32,
    "value": np.float32,
}


@dataclass(frozen=True)
class Timeline:
    """State changes of a sequence of events.

    Attributes
    ----------
    fields : dict of str to ndarray of int32 or float32
        The state before the first event.
    offsets : ndarray of int64, shape (events + 1,)
        Event ``i`` makes the changes ``offsets[i]`` to ``offsets[i + 1] - 1``.
    field : ndarray of uint8, shape (changes,)
        Number of the changed field, in the order of `fields`.
    index : ndarray of int32, shape (changes,)
        Place in the field.
    old, new : ndarray of int32, shape (changes,)
        Bits of the values before and after.
    doubt : str
        Reason why the states may differ from those of the run; empty if they cannot.
    """

    fields: dict[str, np.ndarray]
    offsets: np.ndarray
    field: np.ndarray
    index: np.ndarray
    old: np.ndarray
    new: np.ndarray
    doubt: str = ""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def exact(self) -> bool:
        """Whether every state results from a possible order of the run's events."""
        return not self.doubt

    def state(self, time: int) -> dict[str, np.ndarray]:
        """Return copies of all fields after `time` events."""
        player = Player(self)
        player.seek(time)
        return player.state


Extended = TypeVar("Extended", bound=Timeline)


def extended(kind: type[Extended], timeline: Timeline, **more: Any) -> Extended:
    """Return a timeline of a family's own kind, with `more` or other attributes."""
    arrays = {f.name: getattr(timeline, f.name) for f in dataclasses.fields(timeline)}
    return kind(**(arrays | more))


class Player:
    """A state at a movable time of a timeline.

    Parameters
    ----------
    timeline : Timeline
        The timeline to play.

    Attributes
    ----------
    time : int
        Number of events that the state includes.
    state : dict of str to ndarray
        The fields; changed in place by :meth:`seek`.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.time = 0
        self.state = {name: values.copy() for name, values in timeline.fields.items()}
        self._bits = [values.view(np.int32) for values in self.state.values()]

    def seek(self, time: int) -> dict[str, np.ndarray]:
        """Move to the state after `time` events and return it.

        Raises
        ------
        RecordError
            `time` is outside of the timeline.
        """
        timeline = self.timeline
        if not 0 <= time <= len(timeline):
            raise RecordError(f"there is no step {time}; the record has steps 0 to {len(timeline)}")
        low, high = sorted((timeline.offsets[self.time], timeline.offsets[time]))
        changes = slice(int(low), int(high))
        if time >= self.time:
            self._write(changes, timeline.new[changes], 1)
        else:
            self._write(changes, timeline.old[changes], -1)
        self.time = time
        return self.state

    def _write(self, changes: slice, values: np.ndarray, direction: int) -> None:
        """Write values in the given direction; of repeated indices, the last value remains."""
        field = self.timeline.field[changes][::direction]
        index = self.timeline.index[changes][::direction]
        values = values[::direction]
        for number, bits in enumerate(self._bits):
            mine = field == number
            bits[index[mine]] = values[mine]


@dataclass(frozen=True)
class Changes:
    """State changes of events, in order; changes of one event are adjacent.

    Attributes
    ----------
    event : ndarray of int64, shape (changes,)
        Number of the event, ascending.
    field : ndarray of uint8
        Number of the field.
    index : ndarray of int32
        Place in the field.
    new : ndarray of int32
        Bits of the new value.
    """

    event: np.ndarray
    field: np.ndarray
    index: np.ndarray
    new: np.ndarray

    def old_values(self, fields: dict[str, np.ndarray]) -> np.ndarray:
        """Return the bits before each change: those of the previous change, or the initial ones."""
        old = np.empty_like(self.new)
        place = self.field.astype(np.int64) << 32 | self.index
        by_place = np.argsort(place, kind="stable")
        again = place[by_place][1:] == place[by_place][:-1]
        old[by_place[1:][again]] = self.new[by_place[:-1][again]]
        first = by_place[np.append(True, ~again)[: len(place)]]
        for number, values in enumerate(fields.values()):
            mine = first[self.field[first] == number]
            old[mine] = values.view(np.int32)[self.index[mine]]
        return old


def join_changes(parts: Sequence[tuple[np.ndarray, int, np.ndarray, np.ndarray]]) -> Changes:
    """Sort changes by event; changes of one event stay in the order of `parts`.

    Parameters
    ----------
    parts : sequence of (ndarray, int, ndarray, ndarray)
        Events, number of the field, places in it, and bits of the new values.
    """
    event = np.concatenate([part[0] for part in parts])
    field = np.concatenate([np.full(len(part[0]), part[1], np.uint8) for part in parts])
    by_event = np.argsort(event, kind="stable")
    return Changes(
        event=event[by_event],
        field=field[by_event],
        index=np.concatenate([part[2] for part in parts]).astype(np.int32)[by_event],
        new=np.concatenate([part[3] for part in parts]).astype(np.int32)[by_event],
    )


def named_changes(
    fields: Iterable[str], parts: Iterable[tuple[np.ndarray, str, np.ndarray, np.ndarray]]
) -> Changes:
    """Join changes as :func:`join_changes`, with the names of fields for their numbers."""
    number = {name: i for i, name in enumerate(fields)}
    return join_changes([(event, number[name], index, new) for event, name, index, new in parts])


def check_events(record: Record, family: str, what: str) -> None:
    """Raise RecordError unless a record is of a family and has all columns that timelines read.

    Parameters
    ----------
    record : Record
    family : str
        The expected family.
    what : str
        Noun for such a record in the error's text.
    """
    header, events = record.header, record.events
    if header.get("family") != family:
        raise RecordError(
            f"this is a record of the family {header.get('family')!r}, not of {what}; "
            "open it with its own family"
        )
    for name, dtype in EVENT_COLUMNS.items():
        if name not in events or events[name].dtype != dtype:
            raise RecordError(
                f"the events have no column {name!r} of {np.dtype(dtype)}; "
                "the record is damaged, make it again"
            )


def check_vertices(
    events: Mapping[str, np.ndarray], columns: Mapping[Any, Sequence[str]], n: int
) -> None:
    """Raise RecordError if an event names a vertex outside a graph.

    Parameters
    ----------
    columns : mapping
        Which columns are vertices, by the kind of the event.
    """
    for kind, names in columns.items():
        which = events["kind"] == kind
        for name in names:
            wrong = np.flatnonzero(which & ((events[name] < 0) | (events[name] >= n)))
            if len(wrong):
                raise RecordError(
                    f"event {wrong[0]} names vertex {events[name][wrong[0]]}, but the graph has "
                    f"{n} vertices; the record is damaged, make it again"
                )


def damaged(why: str) -> RecordError:
    """Return the error of a damaged record."""
    return RecordError(f"the record is damaged: {why}; make it again")


#: Doubts of several families.
CONTRADICTION = "the events contradict each other"
OTHER_END = "the events do not lead to the result that the kernels reported"


def incomplete(record: Record) -> str:
    """Return why a record's events are incomplete; empty if they are complete."""
    if record.header["level"] != "events":
        return "the run was recorded without events"
    if record.lost_events:
        return (
            f"{record.lost_events:,} events did not fit into the record; "
            "run again with a larger record budget"
        )
    return ""


def make_timeline(
    fields: dict[str, np.ndarray], events: int, changes: Changes, doubt: str = ""
) -> Timeline:
    """Build a timeline from the changes of its events; changes without effect are dropped.

    Parameters
    ----------
    fields : dict of str to ndarray of int32 or float32
        State before the first event.
    events : int
        Number of events.
    changes : Changes
        Changes in the order of events.
    doubt : str
        See :attr:`Timeline.doubt`.

    Returns
    -------
    Timeline
        The timeline, with old values.
    """
    for name, values in fields.items():
        if values.dtype not in (np.int32, np.float32):
            raise RecordError(f"state field {name!r} must be int32 or float32, not {values.dtype}")
    old = changes.old_values(fields)
    real = old != changes.new
    count = np.bincount(changes.event[real], minlength=events)
    return Timeline(
        fields=fields,
        offsets=np.concatenate([[0], np.cumsum(count)]).astype(np.int64),
        field=changes.field[real],
        index=changes.index[real],
        old=old[real],
        new=changes.new[real],
        doubt=doubt,
    )
