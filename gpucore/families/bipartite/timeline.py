"""The state of a search for a matching after any number of its events.

See :mod:`gpucore.families.bipartite.record` for the record.  The field ``mate`` is the
content of the kernels' memory: while paths are flipped, two rows may name one column.  A flip
writes the column's and the row's mate; the row that the column had still names it, until that row
is taken by another column or repaired.  Pairs that name each other are a matching at any time;
the cardinality is their number.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gpucore.families.bipartite.order import REACHING, Events, Kind
from gpucore.record.constraints import pair
from gpucore.record.history import History
from gpucore.record.record import Record
from gpucore.record.timeline import (
    Timeline,
    check_events,
    damaged,
    incomplete,
    join_changes,
    make_timeline,
)

#: Fields of the state and their values before the first event.
FIELDS: dict[str, int] = {
    "mate": -1,  # the vertex to which the vertex is matched
    "wave": 0,  # 0: not reached; 1: begins a search; then one more with each level
    "parent": -1,  # predecessor in the search: of a row a column, of a column its row
}

#: What a, b and c are: a row (r), a column (c), a column or row or -1 (capital), no vertex (-).
VERTICES: dict[Kind, str] = {
    Kind.PHASE: "---",
    Kind.REACH: "crc",
    Kind.PATH: "crC",
    Kind.FLIP: "crR",
    Kind.STOP: "rcR",
    Kind.FIX: "rCR",
    Kind.GRAFT: "crC",
    Kind.FREE: "rC-",
    Kind.MATCH: "cr-",
    Kind.RUNAWAY: "r--",
}

Write = tuple[np.ndarray, str, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class BipartiteTimeline(Timeline):
    """State changes, and the number of matched pairs after each event.

    Attributes
    ----------
    cardinality : ndarray of int64, shape (events + 1,)
        Pairs that name each other, after 0, 1, ... events.
    """

    cardinality: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))


def bipartite_timeline(record: Record) -> BipartiteTimeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the bipartite family, on R rows and C columns; n = R + C.

    Returns
    -------
    BipartiteTimeline
        Fields mate, wave, parent, int32 of shape (n,), see :data:`FIELDS`.  It is exact if no
        event was lost, every event finds the mates that it names, and the final state is the
        one that the kernels reported.

    Raises
    ------
    RecordError
        The record is not of this family, or is damaged.
    """
    rows, n = _check(record)
    fields = {name: np.full(n, value, np.int32) for name, value in FIELDS.items()}
    if "mate" in record.initial:
        fields["mate"] = np.array(record.initial["mate"])
    mates = mates_written(record.events, fields["mate"])
    number = {name: i for i, name in enumerate(FIELDS)}
    parts = [
        (mates.time // 2, "mate", mates.place, mates.value),
        *_search(record, mates, rows),
    ]
    changes = join_changes([(w[0], number[w[1]], w[2], w[3]) for w in parts])
    timeline = make_timeline(fields, record.num_events, changes)
    arrays = {f.name: getattr(timeline, f.name) for f in dataclasses.fields(timeline)}
    arrays["doubt"] = _doubt(record, timeline, mates)
    return BipartiteTimeline(**arrays, cardinality=cardinality_after(mates, record.num_events))


def mates_written(events: Events, initial: np.ndarray) -> History:
    """Return all writes to ``mate``; event i writes at the times 2i and 2i + 1.

    Parameters
    ----------
    events : mapping of str to ndarray
        Columns kind, a, b, in order of time.
    initial : ndarray of int32, shape (n,)
        The mates before the first event.
    """
    kind, a, b = (events[name] for name in ("kind", "a", "b"))
    gives = np.flatnonzero(np.isin(kind, (Kind.FLIP, Kind.MATCH)))
    fixes = np.flatnonzero(kind == Kind.FIX)
    time = np.concatenate([2 * gives, 2 * gives + 1, 2 * fixes]).astype(np.int64)
    place = np.concatenate([a[gives], b[gives], a[fixes]])
    value = np.concatenate([b[gives], a[gives], np.full(len(fixes), -1, np.int32)])
    by_time = np.argsort(time, kind="stable")
    return History(initial, time[by_time], place[by_time], value[by_time])


def cardinality_after(mates: History, events: int) -> np.ndarray:
    """Return the number of pairs that name each other after 0, 1, ... events: int64."""
    place, time, new = mates.place, mates.time, mates.value
    old = mates.before(place, time)
    gained = (new >= 0) & (mates.before(new, time) == place)
    lost = (old >= 0) & (mates.before(old, time) == place)
    difference = gained.astype(np.int64) - lost
    each = np.bincount(time // 2, weights=difference, minlength=events)
    named = mates.initial[np.maximum(mates.initial, 0)]
    mutual = (mates.initial >= 0) & (named == np.arange(len(named)))
    begins = np.count_nonzero(mutual) // 2
    return np.concatenate([[begins], begins + np.cumsum(each)]).astype(np.int64)


def _search(record: Record, mates: History, rows: int) -> Iterator[Write]:
    """Yield the writes to ``wave`` and ``parent``, phase after phase."""
    n = len(mates.initial)
    kind, keeps = record.events["kind"], record.events["c"]
    now = {name: np.full(n, FIELDS[name], np.int32) for name in ("wave", "parent")}
    mate = mates.initial.copy()
    begins = np.flatnonzero(kind == Kind.PHASE)
    ends = np.append(begins, record.num_events)[1:]
    written = np.searchsorted(mates.time, np.append(0, 2 * begins))
    for i, (begin, end) in enumerate(zip(begins.tolist(), ends.tolist(), strict=True)):
        new = slice(int(written[i]), int(written[i + 1]))
        mate[mates.place[new]] = mates.value[new]  # of several, the last one stays
        target = {name: values.copy() for name, values in now.items()}
        if keeps[begin] != 1:
            for name, values in target.items():
                values[:] = FIELDS[name]
        roots = rows + np.flatnonzero(mate[rows:] < 0)
        target["wave"][roots], target["parent"][roots] = 1, -1
        for name, values in target.items():
            changed = np.flatnonzero(values != now[name])
            yield np.full(len(changed), begin), name, changed, values[changed]
        now = target
        for event, name, place, value in _reached(record, begin + 1, end):
            now[name][place] = value
            yield event, name, place, value


def _reached(record: Record, begin: int, end: int) -> Iterator[Write]:
    """Yield the writes of the events `begin` to `end` of one phase; of several, the last stays."""
    kind, a, b, c = (record.events[name][begin:end] for name in ("kind", "a", "b", "c"))
    grafts = kind == Kind.GRAFT
    # A PATH event has the level of the column that found the path; the row is one level further.
    wave = record.events["value"][begin:end].astype(np.int32) + 1 + (kind == Kind.PATH)
    reaching = np.flatnonzero(grafts | (kind == Kind.REACH) | (kind == Kind.PATH))
    joining = np.flatnonzero((grafts | (kind == Kind.REACH)) & (c >= 0))
    frees = np.flatnonzero(kind == Kind.FREE)
    pairs = frees[b[frees] >= 0]
    place = np.concatenate([b[reaching], c[joining], a[frees], b[pairs]])
    event = np.concatenate([reaching, joining, frees, pairs])
    by_event = np.argsort(event, kind="stable")
    out = len(frees) + len(pairs)
    for name, values in {
        "wave": (wave[reaching], wave[joining], np.full(out, FIELDS["wave"], np.int32)),
        "parent": (a[reaching], b[joining], np.full(out, FIELDS["parent"], np.int32)),
    }.items():
        yield begin + event[by_event], name, place[by_event], np.concatenate(values)[by_event]


def _doubt(record: Record, timeline: Timeline, mates: History) -> str:
    """Return why the timeline is not exact, empty if it is exact."""
    if lacking := incomplete(record):
        return lacking
    if not record.header.get("consistent", False):
        return "the events contradict each other"
    if _wrong_mates(record, mates).any():
        return "an event names another mate than the one that was there"
    end = timeline.state(len(timeline))["mate"]
    if not np.array_equal(end, record.final["mate"]):
        return "the events do not lead to the result that the kernels reported"
    return ""


def _wrong_mates(record: Record, mates: History) -> np.ndarray:
    """Return which events name mates that the state does not have; bool, shape (events,)."""
    kind, a, b, c = (record.events[name] for name in ("kind", "a", "b", "c"))
    now = 2 * np.arange(record.num_events, dtype=np.int64)
    a, b = (np.where(kind == Kind.PHASE, -1, column) for column in (a, b))  # those are numbers
    of_a, of_b = mates.before(a, now), mates.before(b, now)
    wrong = np.isin(kind, (Kind.REACH, Kind.PATH)) & (of_b != np.where(kind == Kind.PATH, -1, c))
    wrong |= (kind == Kind.GRAFT) & (of_b != c)
    wrong |= (kind == Kind.FIX) & ((of_a != b) | (b >= 0) & (of_b != c))
    wrong |= (kind == Kind.MATCH) & ((of_a >= 0) | (of_b >= 0))
    # A walk reads a column's row before it writes: it may read the value at the start of the
    # launch, or the value that another walk wrote since.
    flips = np.flatnonzero(kind == Kind.FLIP)
    iteration = record.events["iteration"]
    launch = np.searchsorted(iteration, iteration[flips])
    found = pair(a[flips], c[flips])
    given = np.isin(found, pair(a[flips], b[flips]))
    wrong[flips] = (mates.before(a[flips], 2 * launch.astype(np.int64)) != c[flips]) & ~given
    return wrong


def _check(record: Record) -> tuple[int, int]:
    """Return the numbers of rows and of vertices, or raise RecordError if the record is damaged."""
    check_events(record, "bipartite", "a bipartite matching")
    parts = record.header.get("parts")
    try:
        rows, columns = (int(part["size"]) for part in parts)  # type: ignore[union-attr]
        "".join(part["prefix"] for part in parts)  # type: ignore[union-attr]
    except (TypeError, ValueError, KeyError):
        raise damaged("its header lacks rows and columns") from None
    n = rows + columns
    if "mate" not in record.final or min(rows, columns) < 0:
        raise damaged("it lacks the final mates")
    for values in (record.final["mate"], record.initial.get("mate", record.final["mate"])):
        if values.dtype != np.int32 or len(values) != n:
            raise damaged(f"its mates should be {n} values of int32")
        if n and not -1 <= int(values.min()) <= int(values.max()) < n:
            raise damaged(f"a mate lies outside of its {n} vertices")
    kind = record.events["kind"]
    if not np.isin(kind, list(Kind)).all():
        raise damaged("it has an event of an unknown kind")
    if np.any(np.diff(record.events["iteration"]) < 0):
        raise damaged("its iterations go back")
    level = record.events["value"][np.isin(kind, REACHING)]
    if not np.all((level >= 0) & (level <= n)):
        raise damaged("a level is none")
    for which, sides in VERTICES.items():
        for name, side in zip("abc", sides, strict=True):
            low, high = (0, rows) if side in "rR" else (rows, n)
            values = record.events[name][kind == which]
            outside = (values < low) | (values >= high)
            outside &= ~((values == -1) & side.isupper())
            if side != "-" and outside.any():
                raise damaged(f"an event names vertex {values[outside][0]} out of its place")
    return rows, n
