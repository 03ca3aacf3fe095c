"""Records and timelines of the matching family (Suitor, locally dominant).

Source of the algorithms: see :mod:`gpucore.families.matching.order`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from gpucore.errors import RecordError
from gpucore.families.matching.order import Kind, dependencies, seen_taken, ties
from gpucore.problems.graph.fingerprint import fingerprint_of
from gpucore.record.causes import causes_first
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.record import (
    About,
    Columns,
    Record,
    event_columns,
    make_header,
    reordered,
    row_columns,
    sum_by_iteration,
)
from gpucore.record.timeline import (
    CONTRADICTION,
    OTHER_END,
    Changes,
    Timeline,
    check_events,
    check_vertices,
    incomplete,
    make_timeline,
    named_changes,
)

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart
    from gpucore.record.recorder import RawRecord

#: The eight words of a row; ``active`` are vertices, ``lane_slots`` lanes that were busy or idle
#: while ``edges`` were read, ``gain`` the sum of increases of bids.
ROW_WORDS = (
    "active",
    "edges",
    "lane_slots",
    "proposals",
    "accepted",
    "displaced",
    "exhausted",
    "gain",
)

#: All kinds of events; sentences are filled in by :mod:`gpucore.record.words`.
EVENTS = (
    EventKind(
        Kind.PROPOSE_FREE,
        "proposes to a vertex without suitor",
        "tried",
        "{a} proposes to {b} with {value}, and {b} had no suitor",
        atomic=True,
    ),
    EventKind(
        Kind.DISPLACE,
        "displaces a suitor",
        "undone",
        "{a} proposes to {b} with {value} and displaces {c}"
        "[tie=1|, whose bid is equal: the larger number wins|]",
        atomic=True,
    ),
    EventKind(
        Kind.OUTBID,
        "was outbid meanwhile",
        "minor",
        "{a} proposes to {b} with {value}, but "
        "[tie=1|the bid of {c} is equal: the larger number wins|{c} has bid more]",
        atomic=True,
    ),
    EventKind(
        Kind.EXHAUSTED,
        "no candidate left",
        "minor",
        "{a} has no candidate left and stays alone",
    ),
    EventKind(
        Kind.MOVE,
        "moves to another warp",
        "minor",
        "{a} moves from warp {b#} to warp {c#}, which has less to do",
    ),
    EventKind(
        Kind.POINT,
        "points to its candidate",
        "tried",
        "{a} points to {b}, its heaviest neighbour still free ({value})",
    ),
    EventKind(
        Kind.MATCH,
        "is matched",
        "done",
        "{a} is matched with {b} ({value}): they point to each other",
        atomic=True,
    ),
)
BANDS = (
    Band("tried", "proposals"),
    Band("done", "matches"),
    Band("undone", "displacements"),
    Band("minor", "refusals and others"),
)

#: Fields of the state and their values before the first event.
FIELDS: dict[str, tuple[type, float]] = {
    "suitor": (np.int32, -1),  # the vertex whose bid it holds
    "bid": (np.float32, 0.0),  # that bid's weight
    "target": (np.int32, -1),  # the vertex whose suitor it is, or to which it points
    "exhausted": (np.int32, 0),  # 1: no candidate left
    "warp": (np.int32, -1),  # the warp that works on the vertex
}

#: Which columns are vertices in which events.
VERTEX_COLUMNS = {
    Kind.PROPOSE_FREE: ("a", "b"),
    Kind.DISPLACE: ("a", "b", "c"),
    Kind.OUTBID: ("a", "b", "c"),
    Kind.EXHAUSTED: ("a",),
    Kind.MOVE: ("a",),
    Kind.POINT: ("a", "b"),
    Kind.MATCH: ("a", "b"),
}


def matching_record(
    raw: RawRecord,
    graph: Graph | GraphPart,
    *,
    suitor: np.ndarray,
    bid: np.ndarray,
    warp: np.ndarray | None = None,
    gain_share: float = 1.0,
    **about: Unpack[About],
) -> Record | None:
    """Make the record of a run of the matching family.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`.
    graph : Graph
        The problem, with n vertices.
    suitor : ndarray of int32, shape (n,)
        Final suitor of each vertex, as the kernels report it; -1 for none.
    bid : ndarray of float32, shape (n,)
        That suitor's bid, 0 for none.
    warp : ndarray of int32, shape (n,), optional
        The warp that starts with each vertex.
    gain_share : float
        What a unit of the rows' gain adds to the objective: 0.5 where the gain is that of all
        bids, since a matched edge ends as two bids.
    **about
        What ran; see :func:`gpucore.record.record.make_header`.

    Returns
    -------
    Record or None
        None if nothing was recorded.
    """
    if raw.level == "off":
        return None
    fingerprint = fingerprint_of(graph)
    header = make_header(raw, graph, family="matching", fingerprint=fingerprint, **about)
    events, header["consistent"] = _in_order(event_columns(raw), raw.times, graph)
    return Record(
        header=header,
        **counters(raw, gain_share),
        events=events,
        initial={} if warp is None else {"warp": np.array(warp, dtype=np.int32)},
        final={
            "suitor": np.array(suitor, dtype=np.int32),
            "bid": np.array(bid, dtype=np.float32),
        },
    )


def counters(raw: RawRecord, gain_share: float) -> dict[str, Columns]:
    """Return the tables ``steps`` and ``warps`` of rows of :data:`ROW_WORDS`."""
    warps = row_columns(raw, ROW_WORDS, floats=("gain",))
    steps: dict[str, np.ndarray] = {"iteration": np.arange(len(raw.rows), dtype=np.int32)}
    steps |= sum_by_iteration(warps, ROW_WORDS, len(raw.rows))
    steps["objective"] = np.cumsum(steps["gain"]) * gain_share
    return {"steps": steps, "warps": warps}


def retold(record: Record, graph: Graph) -> Record:
    """Return a record with its events in the order, and with the columns, of a record made now."""
    events, consistent = _in_order(record.events, record.events.get("time"), graph)
    return replace(record, header=record.header | {"consistent": consistent}, events=events)


def _in_order(
    events: Columns, times: np.ndarray | None, graph: Graph | GraphPart
) -> tuple[Columns, bool]:
    """Reorder events to a possible order of time, causes first; False if there is none."""
    known = dependencies(events)
    # In LD each lane works alone: only the events of one lane are in order, not those of its
    # warp in the round.
    alone = (events["kind"] == Kind.POINT) | (events["kind"] == Kind.MATCH)
    batch = np.where(alone, 0, events["batch"])
    order, consistent = causes_first(
        events, batch, known, [seen_taken(events, graph)], events["lane"]
    )
    events = {**events, "tie": ties(events)}
    return reordered(events, order, times), consistent and known.complete


def matching_timeline(record: Record) -> Timeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the matching family.

    Returns
    -------
    Timeline
        Fields suitor, bid, target (whom the vertex proposes or points to), exhausted, warp.  It
        is exact if no event was lost, every event finds the suitor that it names, and the final
        state is the one that the kernels reported.

    Raises
    ------
    RecordError
        The record is not of this family, or names vertices that do not exist.
    """
    n = _check(record)
    fields: dict[str, np.ndarray] = {
        name: np.full(n, value, dtype) for name, (dtype, value) in FIELDS.items()
    }
    for name, values in record.initial.items():
        if name in fields:
            fields[name] = np.array(values, dtype=fields[name].dtype)
    changes = _changes(record)
    timeline = make_timeline(fields, record.num_events, changes)
    return replace(timeline, doubt=_doubt(record, timeline, changes))


def _changes(record: Record) -> Changes:
    """Return what each event changes in the state."""
    events = record.events
    kind, a, b, c, warp = (events[name] for name in ("kind", "a", "b", "c", "warp"))
    bits = events["value"].view(np.int32)

    def of(*kinds: Kind) -> np.ndarray:
        return np.flatnonzero(np.isin(kind, kinds))

    installs, displaces = of(Kind.PROPOSE_FREE, Kind.DISPLACE), of(Kind.DISPLACE)
    exhausted, moves = of(Kind.EXHAUSTED), of(Kind.MOVE)
    points, matches = of(Kind.POINT), of(Kind.MATCH)
    at_work = of(Kind.PROPOSE_FREE, Kind.DISPLACE, Kind.OUTBID, Kind.EXHAUSTED, Kind.POINT)
    parts: list[tuple[np.ndarray, str, np.ndarray, np.ndarray]] = [
        (at_work, "warp", a[at_work], warp[at_work]),
        (installs, "suitor", b[installs], a[installs]),
        (installs, "bid", b[installs], bits[installs]),
        # The displaced vertex is free again, and the warp of its displacer works on it.
        (displaces, "target", c[displaces], np.full(len(displaces), -1)),
        (displaces, "warp", c[displaces], warp[displaces]),
        (installs, "target", a[installs], b[installs]),
        (exhausted, "exhausted", a[exhausted], np.ones(len(exhausted))),
        (exhausted, "target", a[exhausted], np.full(len(exhausted), -1)),
        (moves, "warp", a[moves], c[moves]),
        (points, "target", a[points], b[points]),
    ]
    for one, other in ((a[matches], b[matches]), (b[matches], a[matches])):
        parts += [
            (matches, "suitor", one, other),
            (matches, "bid", one, bits[matches]),
            (matches, "target", one, other),
        ]
    return named_changes(FIELDS, parts)


def _doubt(record: Record, timeline: Timeline, changes: Changes) -> str:
    """Return why the timeline is not exact, empty if it is exact."""
    if lacking := incomplete(record):
        return lacking
    if not record.header.get("consistent", False):
        return CONTRADICTION
    kind = record.events["kind"][changes.event]
    installs = (kind == Kind.PROPOSE_FREE) | (kind == Kind.DISPLACE)
    installs &= changes.field == list(FIELDS).index("suitor")
    found = changes.old_values(timeline.fields)[installs]
    if np.any(found != record.events["c"][changes.event[installs]]):
        return "an event displaces another suitor than the one that was there"
    end = timeline.state(len(timeline))
    if any(not np.array_equal(end[name], values) for name, values in record.final.items()):
        return OTHER_END
    return ""


def _check(record: Record) -> int:
    """Return the number of vertices, or raise RecordError if an event leaves their range."""
    check_events(record, "matching", "a matching")
    if "suitor" not in record.final:
        raise RecordError("the record lacks the final suitors; it is damaged, make it again")
    n = len(record.final["suitor"])
    for name, values in (*record.initial.items(), *record.final.items()):
        if name in FIELDS and (len(values) != n or values.dtype != FIELDS[name][0]):
            raise RecordError(
                f"state field {name!r} should be {n} values of {np.dtype(FIELDS[name][0])}, "
                f"not {len(values)} of {values.dtype}; the record is damaged, make it again"
            )
    check_vertices(record.events, VERTEX_COLUMNS, n)
    return n


RECORD = RecordKind(EVENTS, BANDS, matching_timeline, free=("nosync",), retold=retold)
