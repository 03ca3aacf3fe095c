"""The state of red/blue matching after any number of its events.

See :mod:`gpucore.families.redblue.record` for the record.  ``proposal`` is the paper's sigma:
the vertex that a blue vertex proposes to, or whose proposal a red one chose.  It is reset when the
vertex is coloured again, matched or dead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from gpucore.record.history import History
from gpucore.record.record import Record
from gpucore.record.timeline import (
    CONTRADICTION,
    OTHER_END,
    Timeline,
    check_events,
    damaged,
    extended,
    incomplete,
    make_timeline,
    named_changes,
)


class Kind(IntEnum):
    """Kinds of events with the kernels' numbers."""

    COLOUR = 1  # vertex a becomes blue (b = 0) or red (b = 1)
    PROPOSE = 2  # the blue vertex a proposes to the red vertex b; value: the edge's weight
    RESPOND = 3  # the red vertex a chooses the blue vertex b among those that proposed to it
    MATCH = 4  # the blue vertex a and the red vertex b are matched; once a pair
    DIE = 5  # vertex a has no live neighbour
    TAKE = 6  # a takes its neighbour b, by a method without colours; value: the edge's weight


class Colour(IntEnum):
    """Values of the state field ``colour``."""

    NONE = -1  # before its first round
    BLUE = 0
    RED = 1
    MATCHED = 2
    DEAD = 3


#: Fields of the state and their values before the first event.
FIELDS: dict[str, int] = {
    "colour": Colour.NONE,
    "proposal": -1,  # blue: the vertex it proposes to; red: the one whose proposal it chose
    "mate": -1,
}


@dataclass(frozen=True)
class RedblueTimeline(Timeline):
    """State changes, and the weight of the matching after each event.

    Attributes
    ----------
    weight : ndarray of float64, shape (events + 1,)
        Weight of the matching after 0, 1, ... events.
    """

    weight: np.ndarray = field(default_factory=lambda: np.zeros(1))


def redblue_timeline(record: Record) -> RedblueTimeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the redblue family, on n vertices.

    Returns
    -------
    RedblueTimeline
        Fields colour, proposal, mate, int32 of shape (n,), see :data:`FIELDS`.  It is exact if
        no event was lost, algorithm 3 allows every event in its place, and the final state
        is the one that the kernels reported.

    Raises
    ------
    RecordError
        The record is not of this family, or is damaged.
    """
    n = _check(record)
    fields = {name: np.full(n, value, np.int32) for name, value in FIELDS.items()}
    changes = named_changes(FIELDS, _writes(record.events))
    timeline = make_timeline(fields, record.num_events, changes)
    doubt = _doubt(record, timeline)
    return extended(RedblueTimeline, timeline, doubt=doubt, weight=weight_after(record.events))


def weight_after(events: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the weight of the matching after 0, 1, ... events: float64, shape (events + 1,)."""
    paired = np.isin(events["kind"], (Kind.MATCH, Kind.TAKE))
    gained = np.where(paired, events["value"], 0).astype(np.float64)
    return np.concatenate([[0.0], np.cumsum(gained)])


def _writes(
    events: Mapping[str, np.ndarray],
) -> Iterator[tuple[np.ndarray, str, np.ndarray, np.ndarray]]:
    """Yield the writes: events, the field, places, values."""
    kind, a, b = (events[name] for name in ("kind", "a", "b"))
    colours, proposes, responds, matches, deaths, takes = (np.flatnonzero(kind == k) for k in Kind)
    matches = np.sort(np.concatenate([matches, takes]))
    chooses = np.sort(np.concatenate([proposes, responds]))
    yield colours, "colour", a[colours], b[colours]
    yield chooses, "proposal", a[chooses], b[chooses]
    yield matches, "mate", a[matches], b[matches]
    yield matches, "mate", b[matches], a[matches]
    for event, place, colour in (
        (matches, a[matches], Colour.MATCHED),
        (matches, b[matches], Colour.MATCHED),
        (deaths, a[deaths], Colour.DEAD),
    ):
        yield event, "colour", place, np.full(len(event), colour, np.int32)
    for event, place in ((colours, a), (matches, a), (matches, b), (deaths, a)):
        yield event, "proposal", place[event], np.full(len(event), -1, np.int32)


def _doubt(record: Record, timeline: Timeline) -> str:
    """Return why the timeline is not exact, empty if it is exact."""
    if lacking := incomplete(record):
        return lacking
    wrong = np.flatnonzero(_out_of_turn(record.events, timeline))
    if len(wrong):
        return f"{CONTRADICTION}: event {wrong[0]} cannot follow those before it"
    if not np.array_equal(timeline.state(len(timeline))["mate"], record.final["mate"]):
        return OTHER_END
    return ""


def _out_of_turn(events: Mapping[str, np.ndarray], timeline: Timeline) -> np.ndarray:
    """Return which events algorithm 3 does not allow in their places; bool, shape (events,)."""
    kind, a, b = (events[name] for name in ("kind", "a", "b"))
    now = np.arange(len(kind), dtype=np.int64)
    other = np.where(kind == Kind.COLOUR, -1, b)  # that one's b is a colour
    (colour, its_colour), (choice, its_choice) = (
        [history.before(place, now) for place in (a, other)]
        for history in (History.of(timeline, name) for name in ("colour", "proposal"))
    )
    wrong = colour >= Colour.MATCHED
    blue_asks = (colour == Colour.BLUE) & (its_colour == Colour.RED)
    wrong |= np.isin(kind, (Kind.PROPOSE, Kind.MATCH)) & ~blue_asks
    red_chooses = (colour == Colour.RED) & (its_colour == Colour.BLUE) & (its_choice == a)
    wrong |= (kind == Kind.RESPOND) & ~red_chooses
    wrong |= (kind == Kind.TAKE) & (its_colour >= Colour.MATCHED)
    wrong |= (kind == Kind.MATCH) & ((choice != b) | (its_choice != a))
    return np.asarray(wrong)


def _check(record: Record) -> int:
    """Return the number of vertices, or raise RecordError if the record is damaged."""
    check_events(record, "redblue", "a red/blue matching")
    events, mate = record.events, record.final.get("mate")
    if mate is None or mate.dtype != np.int32:
        raise damaged("it lacks the final mates")
    n, kind = len(mate), events["kind"]
    if n and not -1 <= int(mate.min()) <= int(mate.max()) < n:
        raise damaged(f"a mate lies outside of its {n} vertices")
    if not np.isin(kind, list(Kind)).all():
        raise damaged("it has an event of an unknown kind")
    if np.any(np.diff(events["iteration"]) < 0):
        raise damaged("its iterations go back")
    pairs = np.isin(kind, (Kind.PROPOSE, Kind.RESPOND, Kind.MATCH, Kind.TAKE))
    for named in (events["a"], events["b"][pairs]):
        if np.any((named < 0) | (named >= n)):
            raise damaged(f"an event names a vertex outside of its {n} vertices")
    if np.any(events["a"][pairs] == events["b"][pairs]):
        raise damaged("an event pairs a vertex with itself")
    if not np.isin(events["b"][kind == Kind.COLOUR], (Colour.BLUE, Colour.RED)).all():
        raise damaged("a colour is neither blue nor red")
    return n
