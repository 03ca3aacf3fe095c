"""Records and timelines of the methods that find communities.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017.  Vertices
and communities are called by numbers of the given graph, see :mod:`gpucore.record.hierarchy`.

An iteration of the record is a launch of the search for moves (a bucket of a sweep of a stage).
All moves of one launch are decided from the state before it, so they have no order among each
other; the record shows them as they were logged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.record.hierarchy import Kind, by_smallest_member, told_of_graph
from gpucore.record.record import (
    Record,
    elapsed,
    event_columns,
    make_header,
    row_columns,
    sum_by_iteration,
)
from gpucore.record.timeline import Changes, Timeline, make_timeline

if TYPE_CHECKING:
    from gpucore.graph import Graph
    from gpucore.record.recorder import RawRecord

#: The eight words of a row; ``lane_slots`` are lanes, busy or idle, while ``edges`` were looked
#: at, ``occupied`` those of the hash tables' ``slots`` that were filled.
ROW_WORDS = (
    "vertices",
    "edges",
    "lane_slots",
    "probes",
    "collisions",
    "occupied",
    "slots",
    "moves",
)
#: What rows say better than the host, which knows vertices, edges and moves of a step anyway.
EFFORT = ("lane_slots", "probes", "collisions", "occupied", "slots")

#: State changes that a timeline keeps; a move of a contracted vertex changes all its members.
MAX_CHANGES = 1 << 24

FIELDS = ("community", "group")
EVENT_COLUMNS: dict[str, type] = {
    "iteration": np.int32,
    "warp": np.int32,
    "kind": np.uint8,
    "a": np.int32,
    "b": np.int32,
    "c": np.int32,
    "value": np.float32,
}


def communities_record(
    raw: RawRecord,
    graph: Graph,
    *,
    algorithm: str,
    variant: str,
    params: Mapping[str, Any],
    device: Mapping[str, Any],
    steps: Sequence[Mapping[str, Any]],
    stages: Sequence[Mapping[str, Any]],
    levels: Sequence[np.ndarray],
) -> Record | None:
    """Make the record of a run that found communities.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`; iterations are numbers of `steps`.
    graph : Graph
        The problem, with n vertices.
    algorithm, variant, params, device
        See :func:`gpucore.record.record.make_header`.
    steps : sequence of mapping
        One a launch: stage, sweep, bucket, vertices, edges, moves, modularity (after the sweep,
        at its last step), taken_back.
    stages : sequence of mapping
        One a stage, JSON-able: vertices, communities, sweeps, modularity, seconds of its phases.
    levels : sequence of ndarray of int32
        Communities of the vertices of each stage that made the graph smaller.

    Returns
    -------
    Record or None
        None if nothing was recorded.  ``initial`` has nothing; ``final`` has ``community`` and
        ``level_1``, ``level_2``, ... for the hierarchy: the smallest vertex of the community that
        each vertex is in.
    """
    if raw.level == "off":
        return None
    header = make_header(
        raw,
        graph,
        family="communities",
        algorithm=algorithm,
        variant=variant,
        params=params,
        device=device,
    )
    header["stages"] = [dict(stage) for stage in stages]
    header["levels"] = len(levels)
    header["consistent"] = True
    warps = row_columns(raw.rows, ROW_WORDS, floats=())
    events = event_columns(raw.events)
    by_step = np.argsort(events["iteration"], kind="stable")
    events = {name: column[by_step] for name, column in events.items()}
    events["time"] = raw.times[by_step]
    events = told_of_graph(events, graph, steps, stages, levels)
    events["time"] = elapsed(events["time"])
    final = {}
    community = np.arange(graph.num_vertices, dtype=np.int32)
    for number, mapping in enumerate(levels, start=1):
        community = np.asarray(mapping)[community]
        final[f"level_{number}"] = by_smallest_member(community)
    return Record(
        header=header,
        steps=_steps_table(steps, warps),
        warps=warps,
        events=events,
        initial={},
        final={"community": by_smallest_member(community), **final},
    )


def _steps_table(
    steps: Sequence[Mapping[str, Any]], warps: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Return what the host knows of every launch, and the sum of what its warps counted."""
    table: dict[str, np.ndarray] = {"iteration": np.arange(len(steps), dtype=np.int32)}
    for name in ("stage", "sweep", "bucket", "vertices", "edges", "moves"):
        table[name] = np.array([step[name] for step in steps], dtype=np.int64)
    table["taken_back"] = np.array([step["taken_back"] for step in steps], dtype=np.uint8)
    modularity = np.array([step["modularity"] for step in steps], dtype=np.float64)
    table["modularity"] = modularity
    kept = np.isfinite(modularity) & (table["taken_back"] == 0)
    last = np.maximum.accumulate(np.where(kept, np.arange(len(steps)), -1))
    # Before the end of the first sweep nobody has computed it: what is known is that it is lower.
    known = modularity[last] if len(steps) else modularity
    table["objective"] = np.where(last >= 0, known, 0.0)
    sums = sum_by_iteration(warps, EFFORT, len(steps))
    return table | {name: column[: len(steps)] for name, column in sums.items()}


def communities_timeline(record: Record) -> Timeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the family of communities.

    Returns
    -------
    Timeline
        Fields ``community`` (of every vertex, called by the vertex that founded it) and ``group``
        (smallest of the vertices with which it has been contracted to one).  It is exact if no
        event was lost, every move finds its vertex where it says, every contraction merges one
        community, and the end is the partition that the run returned.

    Raises
    ------
    RecordError
        The record is not of this family, or is damaged.
    """
    n = _check(record)
    own = np.arange(n, dtype=np.int32)
    fields = {name: own.copy() for name in FIELDS}
    changes, left_out = _changes(record)
    timeline = make_timeline(fields, record.num_events, changes)
    return replace(timeline, doubt=left_out or _doubt(record, timeline, changes))


def level_of_steps(record: Record) -> np.ndarray:
    """Return how many contractions were before each step; int64, shape (steps,)."""
    smaller = [stage["communities"] < stage["vertices"] for stage in record.header["stages"]]
    before = np.concatenate([[0], np.cumsum(smaller, dtype=np.int64)])
    return before[record.steps["stage"]]


def partition_at(record: Record, level: int) -> np.ndarray:
    """Return the smallest vertex in each vertex's part after `level` contractions."""
    if level == 0:
        return np.arange(len(record.final["community"]), dtype=np.int32)
    return record.final[f"level_{level}"]


def _changes(record: Record) -> tuple[Changes, str]:
    """Return what each event changes in the state, and why some is left out, if it is."""
    events = record.events
    moving = np.isin(events["kind"], (Kind.MOVE, Kind.TAKE_BACK))
    merging = events["kind"] == Kind.MERGE
    level = level_of_steps(record)[events["iteration"]] + merging
    size = np.zeros(record.num_events, dtype=np.int64)
    levels = range(int(record.header["levels"]) + 1)
    lists = [_members(partition_at(record, number)) for number in levels]
    for number, (start, _) in enumerate(lists):
        mine = np.flatnonzero((moving | merging) & (level == number))
        size[mine] = np.diff(start)[events["a"][mine]]
    fits = np.cumsum(size) <= MAX_CHANGES
    left_out = ""
    if not fits.all():
        left_out = (
            f"the replay stops after {np.count_nonzero(fits):,} of {record.num_events:,} events, "
            f"since it keeps {MAX_CHANGES:,} changes; take a smaller graph"
        )
    parts = []
    for number, (start, order) in enumerate(lists):
        for which, field, column in ((moving, 0, "c"), (merging, 1, "a")):
            mine = np.flatnonzero(which & fits & (level == number))
            event = np.repeat(mine, size[mine])
            first = np.repeat(start[events["a"][mine]], size[mine])
            place = np.arange(len(event)) - np.repeat(
                np.cumsum(size[mine]) - size[mine], size[mine]
            )
            parts.append((event, field, order[first + place], events[column][event]))
    events_of = np.concatenate([part[0] for part in parts])
    by_event = np.argsort(events_of, kind="stable")
    fields = [np.full(len(part[0]), part[1], dtype=np.uint8) for part in parts]
    changes = Changes(
        event=events_of[by_event],
        field=np.concatenate(fields)[by_event],
        index=np.concatenate([part[2] for part in parts]).astype(np.int32)[by_event],
        new=np.concatenate([part[3] for part in parts]).astype(np.int32)[by_event],
    )
    return changes, left_out


def _members(label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where each label's members begin in a list of all vertices, and that list."""
    count = np.bincount(label, minlength=len(label))
    start = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    return start, np.argsort(label, kind="stable").astype(np.int32)


def _doubt(record: Record, timeline: Timeline, changes: Changes) -> str:
    """Say why the timeline is not exact; nothing if it is."""
    if record.header["level"] != "events":
        return "the run was recorded without events"
    if record.lost_events:
        return (
            f"{record.lost_events:,} events did not fit into the record; "
            "run again with a larger record budget"
        )
    moves = changes.field == 0
    found = changes.old_values(timeline.fields)[moves]
    if np.any(found != record.events["b"][changes.event[moves]]):
        return "an event moves a vertex out of another community than the one that it is in"
    end = timeline.state(len(timeline))
    if any(
        not np.array_equal(by_smallest_member(values), record.final["community"])
        for values in end.values()
    ):
        return "the events do not lead to the communities that the run returned"
    return ""


def _check(record: Record) -> int:
    """Return the number of vertices, or raise RecordError if the record contradicts itself."""
    header, events = record.header, record.events
    if header.get("family") != "communities":
        raise RecordError(
            f"this is a record of the family {header.get('family')!r}, not of communities; "
            "open it with its own family"
        )
    for name, dtype in EVENT_COLUMNS.items():
        if name not in events or events[name].dtype != dtype:
            raise _damaged(f"its events have no column {name!r} of {np.dtype(dtype)}")
    stages, levels = header.get("stages"), header.get("levels")
    if not isinstance(stages, list) or not isinstance(levels, int):
        raise _damaged("its header does not tell of stages and levels")
    if any(not isinstance(s, dict) or not {"communities", "vertices"} <= s.keys() for s in stages):
        raise _damaged("its header has a stage without sizes")
    if sum(stage["communities"] < stage["vertices"] for stage in stages) != levels:
        raise _damaged("its stages do not make its levels")
    n = len(record.final.get("community", ()))
    for name in ("community", *(f"level_{i + 1}" for i in range(levels))):
        values = record.final.get(name)
        if values is None or values.dtype != np.int32 or len(values) != n:
            raise _damaged(f"it lacks the communities {name!r}")
        if n and not np.array_equal(by_smallest_member(_in_range(values, n, name)), values):
            raise _damaged(f"{name!r} does not call communities by their smallest vertices")
    stage = record.steps.get("stage", np.empty(0, np.int64))
    _in_range(stage, len(stages), "stage")
    _in_range(events["iteration"], len(stage), "iteration")
    moving = np.isin(events["kind"], (Kind.MOVE, Kind.HELD, Kind.TAKE_BACK))
    for name, which in (("a", slice(None)), ("b", slice(None)), ("c", moving)):
        _in_range(events[name][which], n, name)
    return n


def _in_range(values: np.ndarray, size: int, what: str) -> np.ndarray:
    """Return the values if they are places among `size`, else raise RecordError."""
    if len(values) and not 0 <= int(values.min()) <= int(values.max()) < size:
        raise _damaged(f"its {what!r} leaves the {size} that there are")
    return values


def _damaged(why: str) -> RecordError:
    return RecordError(f"the record is damaged: {why}; make it again")
