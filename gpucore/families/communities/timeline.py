"""The state of a search for communities after any number of its events.

See :mod:`gpucore.families.communities.record` for the record.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

import numpy as np

from gpucore.families.communities.hierarchy import Kind, by_smallest_member
from gpucore.record.record import Record
from gpucore.record.timeline import (
    Changes,
    Timeline,
    check_events,
    damaged,
    incomplete,
    join_changes,
    make_timeline,
)

#: State changes that a timeline keeps; a move of a contracted vertex changes all its members.
MAX_CHANGES = 1 << 24

FIELDS = ("community", "group")


@dataclass(frozen=True)
class CommunityTimeline(Timeline):
    """State changes, and the modularity after each event.

    Attributes
    ----------
    modularity : ndarray of float64, shape (events + 1,)
        After 0, 1, ... events.
    """

    modularity: np.ndarray = field(default_factory=lambda: np.zeros(1))


def communities_timeline(record: Record) -> Timeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the family of communities.

    Returns
    -------
    Timeline
        Fields ``community`` (of every vertex, numbered by the vertex that founded it) and
        ``group`` (smallest of the vertices with which it has been contracted to one; during a
        refinement, the vertex whose part it has joined).  It is exact
        if no event was lost, every move finds its vertex in the community it names, every
        contraction merges one community, and the final state is the partition that the run
        returned.

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
    arrays = {f.name: getattr(timeline, f.name) for f in dataclasses.fields(timeline)}
    arrays["doubt"] = left_out or _doubt(record, timeline, changes)
    return CommunityTimeline(**arrays, modularity=_modularity(record))


def _modularity(record: Record) -> np.ndarray:
    """Return the modularity after 0, 1, ... events: exact, or that of the latest sweep."""
    begins = float(record.header["modularity"])
    if "modularity" in record.events:
        return np.concatenate([[begins], record.events["modularity"]])
    before = np.concatenate([[begins], record.steps["objective"]])
    return np.concatenate([[begins], before[record.events["iteration"]]])


def level_of_steps(record: Record) -> np.ndarray:
    """Return the number of contractions in effect at each step; int64, shape (steps,).

    A refining stage works on the given graph: 0.
    """
    stage = record.steps["stage"]
    level = np.minimum(stage, int(record.header["levels"])).astype(np.int64)
    refining = [bool(s.get("refining")) for s in record.header["stages"]]
    level[np.array([*refining, False])[stage]] = 0
    return level


def is_refined(record: Record) -> bool:
    """Return whether single vertices moved again after the last contraction."""
    return any(bool(stage.get("refining")) for stage in record.header["stages"])


def partition_at(record: Record, level: int) -> np.ndarray:
    """Return the smallest vertex in each vertex's part after `level` contractions."""
    if level == 0:
        return np.arange(len(record.final["community"]), dtype=np.int32)
    return record.final[f"level_{level}"]


def _changes(record: Record) -> tuple[Changes, str]:
    """Return the state changes of the events, and why some are left out, else an empty string."""
    events = record.events
    moving, merging, level = kinds_of(record)
    opening, joining = events["kind"] == Kind.OPEN, events["kind"] == Kind.JOIN
    size = np.zeros(record.num_events, dtype=np.int64)
    lists = member_lists(record)
    for number, (start, _) in enumerate(lists):
        mine = np.flatnonzero((moving | merging | joining | opening) & (level == number))
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
        for which, number_of_field, column in (
            (moving, 0, "c"),
            (joining, 1, "c"),
            (merging, 1, "a"),
            (opening, 1, ""),
        ):
            mine = np.flatnonzero(which & fits & (level == number))
            event = np.repeat(mine, size[mine])
            first = np.repeat(start[events["a"][mine]], size[mine])
            place = np.arange(len(event)) - np.repeat(
                np.cumsum(size[mine]) - size[mine], size[mine]
            )
            vertex = order[first + place]
            value = events[column][event] if column else vertex
            parts.append((event, number_of_field, vertex, value))
    return join_changes(parts), left_out


def kinds_of(record: Record) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return which events move, which contract, and for each the level whose vertices it names."""
    kind = record.events["kind"]
    merging = kind == Kind.MERGE
    level = level_of_steps(record)[record.events["iteration"]] + merging
    level[kind == Kind.OPEN] = int(record.header["levels"])
    return np.isin(kind, (Kind.MOVE, Kind.TAKE_BACK, Kind.SPLIT)), merging, level


def member_lists(record: Record) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the members of the vertices of every level."""
    levels = range(int(record.header["levels"]) + 1)
    return [_members(partition_at(record, number)) for number in levels]


def _members(label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the start of each label's members in a list of all vertices, and that list."""
    count = np.bincount(label, minlength=len(label))
    start = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    return start, np.argsort(label, kind="stable").astype(np.int32)


def _doubt(record: Record, timeline: Timeline, changes: Changes) -> str:
    """Return why the timeline is not exact, empty if it is exact."""
    if lacking := incomplete(record):
        return lacking
    moves = changes.field == 0
    found = changes.old_values(timeline.fields)[moves]
    if np.any(found != record.events["b"][changes.event[moves]]):
        return "an event moves a vertex out of another community than the one that it is in"
    end = timeline.state(len(timeline))
    wanted = {"community": record.final["community"], "group": record.final["community"]}
    if is_refined(record):
        wanted["group"] = partition_at(record, 0)
    if any(
        not np.array_equal(by_smallest_member(values), wanted[name]) for name, values in end.items()
    ):
        return "the events do not lead to the communities that the run returned"
    return ""


def _check(record: Record) -> int:
    """Return the number of vertices, or raise RecordError if the record contradicts itself."""
    check_events(record, "communities", "communities")
    header, events = record.header, record.events
    stages, levels = header.get("stages"), header.get("levels")
    if not isinstance(stages, list) or not isinstance(levels, int):
        raise damaged("its header lacks stages and levels")
    if any(not isinstance(s, dict) or not {"communities", "vertices"} <= s.keys() for s in stages):
        raise damaged("its header has a stage without sizes")
    if not isinstance(header.get("modularity"), float):
        raise damaged("its header does not say what it began with")
    going_up = sum(not s.get("refining") for s in stages)
    if not going_up - 1 <= levels <= going_up:
        raise damaged("its stages do not make its levels")
    n = len(record.final.get("community", ()))
    for name in ("community", *(f"level_{i + 1}" for i in range(levels))):
        values = record.final.get(name)
        if values is None or values.dtype != np.int32 or len(values) != n:
            raise damaged(f"it lacks the communities {name!r}")
        if n and not np.array_equal(by_smallest_member(_in_range(values, n, name)), values):
            raise damaged(f"{name!r} does not call communities by their smallest vertices")
    stage = record.steps.get("stage", np.empty(0, np.int64))
    _in_range(stage, len(stages), "stage")
    _in_range(events["iteration"], len(stage), "iteration")
    moving = np.isin(events["kind"], (Kind.MOVE, Kind.HELD, Kind.TAKE_BACK, Kind.JOIN, Kind.SPLIT))
    for name, which in (("a", slice(None)), ("b", slice(None)), ("c", moving)):
        _in_range(events[name][which], n, name)
    return n


def _in_range(values: np.ndarray, size: int, what: str) -> np.ndarray:
    """Return the values if they are places among `size`, else raise RecordError."""
    if len(values) and not 0 <= int(values.min()) <= int(values.max()) < size:
        raise damaged(f"its {what!r} leaves the {size} that there are")
    return values
