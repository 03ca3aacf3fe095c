"""Records and timelines of the matching family (Suitor, locally dominant).

Source of the algorithms: see :mod:`gpucore.families.matching.order`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.families.matching.order import Kind, dependencies
from gpucore.problems.graph.fingerprint import fingerprint_of
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.linearise import linearise
from gpucore.record.record import (
    Record,
    elapsed,
    event_columns,
    make_header,
    row_columns,
    sum_by_iteration,
)
from gpucore.record.timeline import (
    Changes,
    Timeline,
    check_events,
    incomplete,
    join_changes,
    make_timeline,
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
    ),
    EventKind(
        Kind.DISPLACE,
        "displaces a suitor",
        "undone",
        "{a} proposes to {b} with {value} and displaces {c}",
    ),
    EventKind(
        Kind.OUTBID,
        "was outbid meanwhile",
        "minor",
        "{a} proposes to {b} with {value}, but {c} has bid more",
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
        "{a} and {b} point to each other and are matched with {value}",
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
VERTEX_COLUMNS: tuple[tuple[tuple[Kind, ...], tuple[str, ...]], ...] = (
    (tuple(Kind), ("a",)),
    ((Kind.PROPOSE_FREE, Kind.DISPLACE, Kind.OUTBID, Kind.POINT, Kind.MATCH), ("b",)),
    ((Kind.DISPLACE, Kind.OUTBID), ("c",)),
)


def matching_record(
    raw: RawRecord,
    graph: Graph | GraphPart,
    *,
    algorithm: str,
    params: Mapping[str, Any],
    device: Mapping[str, Any],
    suitor: np.ndarray,
    bid: np.ndarray,
    warp: np.ndarray | None = None,
    gain_share: float = 1.0,
) -> Record | None:
    """Make the record of a run of the matching family.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`.
    graph : Graph
        The problem, with n vertices.
    algorithm, params, device
        See :func:`gpucore.record.record.make_header`.
    suitor : ndarray of int32, shape (n,)
        Final suitor of each vertex, as the kernels report it; -1 for none.
    bid : ndarray of float32, shape (n,)
        That suitor's bid, 0 for none.
    warp : ndarray of int32, shape (n,), optional
        The warp that starts with each vertex.
    gain_share : float
        What a unit of the rows' gain adds to the objective: 0.5 where the gain is that of all
        bids, since a matched edge ends as two bids.

    Returns
    -------
    Record or None
        None if nothing was recorded.
    """
    if raw.level == "off":
        return None
    header = make_header(
        raw,
        graph,
        family="matching",
        algorithm=algorithm,
        params=params,
        device=device,
        fingerprint=fingerprint_of(graph),
    )
    warps = row_columns(raw, ROW_WORDS, floats=("gain",))
    steps: dict[str, np.ndarray] = {"iteration": np.arange(len(raw.rows), dtype=np.int32)}
    steps |= sum_by_iteration(warps, ROW_WORDS, len(raw.rows))
    steps["objective"] = np.cumsum(steps["gain"]) * gain_share
    events, header["consistent"] = _in_order(event_columns(raw), raw.times)
    return Record(
        header=header,
        steps=steps,
        warps=warps,
        events=events,
        initial={} if warp is None else {"warp": np.array(warp, dtype=np.int32)},
        final={
            "suitor": np.array(suitor, dtype=np.int32),
            "bid": np.array(bid, dtype=np.float32),
        },
    )


def _in_order(
    events: dict[str, np.ndarray], times: np.ndarray
) -> tuple[dict[str, np.ndarray], bool]:
    """Reorder events to a possible order of time; False if there is none."""
    known = dependencies(events)
    # In LD each lane works alone: only the events of one lane are in order, not those of its
    # warp in the round.
    alone = (events["kind"] == Kind.POINT) | (events["kind"] == Kind.MATCH)
    order, consistent = linearise(
        events["warp"],
        events["iteration"],
        np.where(alone, 0, events["batch"]),
        known.before,
        known.after,
        events["lane"],
    )
    in_order = {name: column[order] for name, column in events.items()}
    in_order["time"] = elapsed(times[order])
    return in_order, consistent and known.complete


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
    number = {name: i for i, name in enumerate(FIELDS)}
    return join_changes([(event, number[name], index, new) for event, name, index, new in parts])


def _doubt(record: Record, timeline: Timeline, changes: Changes) -> str:
    """Return why the timeline is not exact, empty if it is exact."""
    if lacking := incomplete(record):
        return lacking
    if not record.header.get("consistent", False):
        return "the events contradict each other"
    kind = record.events["kind"][changes.event]
    installs = (kind == Kind.PROPOSE_FREE) | (kind == Kind.DISPLACE)
    installs &= changes.field == list(FIELDS).index("suitor")
    found = changes.old_values(timeline.fields)[installs]
    if np.any(found != record.events["c"][changes.event[installs]]):
        return "an event displaces another suitor than the one that was there"
    end = timeline.state(len(timeline))
    if any(not np.array_equal(end[name], values) for name, values in record.final.items()):
        return "the events do not lead to the result that the kernels reported"
    return ""


def _check(record: Record) -> int:
    """Return the number of vertices, or raise RecordError if an event leaves their range."""
    check_events(record, "matching", "a matching")
    events = record.events
    if "suitor" not in record.final:
        raise RecordError("the record lacks the final suitors; it is damaged, make it again")
    n = len(record.final["suitor"])
    for name, values in (*record.initial.items(), *record.final.items()):
        if name in FIELDS and (len(values) != n or values.dtype != FIELDS[name][0]):
            raise RecordError(
                f"state field {name!r} should be {n} values of {np.dtype(FIELDS[name][0])}, "
                f"not {len(values)} of {values.dtype}; the record is damaged, make it again"
            )
    for kinds, columns in VERTEX_COLUMNS:
        which = np.isin(events["kind"], kinds)
        for name in columns:
            wrong = np.flatnonzero(which & ((events[name] < 0) | (events[name] >= n)))
            if len(wrong):
                raise RecordError(
                    f"event {wrong[0]} names vertex {events[name][wrong[0]]}, but the graph has "
                    f"{n} vertices; the record is damaged, make it again"
                )
    return n


RECORD = RecordKind(EVENTS, BANDS, matching_timeline)
