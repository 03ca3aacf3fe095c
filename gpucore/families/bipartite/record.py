"""Records of bipartite matchings: searches in waves, paths that are flipped, and repairs.

Source: see :mod:`gpucore.families.bipartite.order`.  Vertices have the graph's numbers: row
``r`` is vertex r, column ``c`` is vertex R + c.

An iteration of the record is a launch: a level of a search, an alternation, a repair.  The state
between launches is the content of the kernels' memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.families.bipartite.order import Kind, in_order
from gpucore.families.bipartite.result import other_side
from gpucore.families.bipartite.timeline import (
    bipartite_timeline,
    cardinality_after,
    mates_written,
)
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.record import (
    Columns,
    Record,
    elapsed,
    event_columns,
    make_header,
    row_columns,
    sum_by_iteration,
)
from gpucore.record.words import parts_of

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.record.recorder import RawRecord

#: The eight words of a row; ``looked`` are columns or rows looked at, ``frontier`` those of them
#: that were expanded, ``lane_slots`` lanes, busy or idle, while ``edges`` were scanned.
ROW_WORDS = (
    "looked",
    "frontier",
    "edges",
    "lane_slots",
    "reached",
    "paths",
    "flips",
    "conflicts",
)
#: Kinds of steps; the column ``kind`` of the steps has indices into this list.
STEP_KINDS = ("initial", "begin", "top_down", "bottom_up", "alternate", "fix", "free", "graft")

#: All kinds of events; sentences are filled in by :mod:`gpucore.record.words`.
EVENTS = (
    EventKind(
        Kind.PHASE,
        "a phase begins",
        "minor",
        "phase {a#} begins[b|, unmatched columns: {b#}|]; "
        "[c=1|trees that found no path go on growing|the search starts again from every one]",
    ),
    EventKind(
        Kind.REACH,
        "reaches a matched row",
        "tried",
        "column {a} reaches row {b}, whose column {c} joins level {value}",
    ),
    EventKind(
        Kind.PATH,
        "finds a path",
        "accent",
        "column {a} reaches row {b}, which is unmatched: an augmenting path[c| from column {c}|]",
    ),
    EventKind(
        Kind.FLIP,
        "takes another row",
        "done",
        "column {a} takes row {b}[over|, over {over}, which another walk gave it|]"
        "[c|; {c} goes to the column that reached it|; the path ends here]",
    ),
    EventKind(
        Kind.STOP,
        "stops: another walk was here",
        "undone",
        "the walk at row {a} stops: column {b} [c|has gone to row {c}|is taken] on another walk",
    ),
    EventKind(
        Kind.FIX,
        "is repaired",
        "undone",
        "row {a} is unmatched again: "
        "[b|it names column {b}|the path that ended here was not walked]"
        "[c|, but that column has row {c}|]",
    ),
    EventKind(
        Kind.GRAFT,
        "is grafted",
        "tried",
        "column {a}, whose tree found no path, takes over row {b}"
        "[c| with its column {c}|, which is unmatched: an augmenting path]",
    ),
    EventKind(
        Kind.FREE,
        "leaves the forest",
        "minor",
        "row {a}[b| and its column {b} leave| leaves] the search, since the tree was augmented",
    ),
    EventKind(
        Kind.MATCH,
        "is matched at first",
        "done",
        "column {a} is matched to row {b} to begin with",
    ),
    EventKind(
        Kind.RUNAWAY,
        "walks without end",
        "undone",
        "a walk that goes round in circles is stopped at row {a}",
    ),
)
BANDS = (
    Band("tried", "the search reaches"),
    Band("accent", "paths found"),
    Band("done", "matched, or flipped"),
    Band("undone", "conflicts and repairs"),
    Band("minor", "phases, and trees let go"),
)


def bipartite_record(
    raw: RawRecord,
    graph: Graph,
    *,
    algorithm: str,
    params: Mapping[str, Any],
    device: Mapping[str, Any],
    steps: Sequence[Mapping[str, Any]],
    phases: Sequence[Mapping[str, Any]],
    initial_row_match: np.ndarray,
    row_match: np.ndarray,
    column_match: np.ndarray,
) -> Record | None:
    """Make the record of a run that matched rows with columns.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`; iterations are numbers of `steps`.
    graph : BipartiteGraph
        The problem, with R rows and C columns.
    algorithm, params, device
        See :func:`gpucore.record.record.make_header`.
    steps : sequence of mapping
        One an iteration: phase (0: the initial matching), level (-1 where there is none), kind
        (of :data:`STEP_KINDS`), frontier, reached, paths, cardinality (-1 where the host does
        not know it).
    phases : sequence of mapping
        One a phase, JSON-able: levels, paths, cardinality, grafted.
    initial_row_match : ndarray of int32, shape (R,)
        The column of each row before the first phase, -1 for none.
    row_match : ndarray of int32, shape (R,)
        The final column of each row, as the kernels report it.
    column_match : ndarray of int32, shape (C,)
        The final row of each column, as the kernels report it.

    Returns
    -------
    Record or None
        None if nothing was recorded.  ``final`` and ``initial`` have ``mate``: the vertex that
        each vertex is matched to, -1 for none.  ``initial`` is empty, so nothing is matched, if
        events record the initial matching.

    Raises
    ------
    RecordError
        A step is of no known kind.
    """
    if raw.level == "off":
        return None
    header = make_header(
        raw,
        graph,
        family="bipartite",
        algorithm=algorithm,
        params=params,
        device=device,
    )
    rows, columns = len(row_match), len(column_match)
    header["parts"] = parts_of(rows, columns)
    header["phases"] = [dict(phase) for phase in phases]
    header["initial_cardinality"] = int(np.count_nonzero(np.asarray(initial_row_match) >= 0))
    events = event_columns(raw)
    order, header["consistent"] = in_order(events)
    events = {name: column[order] for name, column in events.items()}
    events["time"] = elapsed(raw.times[order])
    _count_unmatched(events, columns, header)
    warps = row_columns(raw, ROW_WORDS, floats=())
    before = mates(initial_row_match, other_side(initial_row_match, columns))
    from_nothing = bool(np.any(events["kind"] == Kind.MATCH))  # events make the initial matching
    table = _steps_table(steps, warps, events)
    if raw.level == "events" and not raw.lost_events:
        initial = np.full_like(before, -1) if from_nothing else before
        written = mates_written(events, initial)
        last = np.searchsorted(events["iteration"], table["iteration"], side="right")
        table["cardinality"] = cardinality_after(written, len(order))[last]
    else:
        table["cardinality"] = _cardinality(table, header)
    table["objective"] = table["cardinality"].astype(np.float64)
    return Record(
        header=header,
        steps=table,
        warps=warps,
        events=_with_races(events, np.full_like(before, -1) if from_nothing else before),
        initial={} if from_nothing else {"mate": before},
        final={"mate": mates(row_match, column_match)},
    )


def retold(record: Record, graph: Graph) -> Record:
    """Return a record with the columns of a record made now."""
    nothing = np.full(graph.num_vertices, -1, np.int32)
    events = _with_races(record.events, record.initial.get("mate", nothing))
    return replace(record, events=events)


def _with_races(events: Columns, initial: np.ndarray) -> dict[str, np.ndarray]:
    """Add ``over``: of a flip, the row that another walk gave its column meanwhile, or -1."""
    place, given = events["a"], events["kind"] == Kind.FLIP
    now = 2 * np.arange(len(place), dtype=np.int64)
    had = mates_written(events, initial).before(np.where(given, place, -1), now)
    raced = given & (had >= 0) & (had != events["c"]) & (had != events["b"])
    return {**events, "over": np.where(raced, had, -1).astype(np.int32)}


def _count_unmatched(
    events: Mapping[str, np.ndarray], columns: int, header: Mapping[str, Any]
) -> None:
    """Write the number of unmatched columns into the events that begin phases."""
    pairs = [header["initial_cardinality"], *(p["cardinality"] for p in header["phases"])]
    begins = np.flatnonzero(events["kind"] == Kind.PHASE)
    begins = begins[(events["a"][begins] >= 1) & (events["a"][begins] <= len(pairs))]
    events["b"][begins] = columns - np.array(pairs)[events["a"][begins] - 1]


def mates(row_match: np.ndarray, column_match: np.ndarray) -> np.ndarray:
    """Return the mate of every vertex: int32, shape (R + C,), rows before columns, -1 for none."""
    of_rows = np.where(row_match >= 0, row_match + len(row_match), -1)
    return np.concatenate([of_rows, np.maximum(column_match, -1)]).astype(np.int32)


def _steps_table(
    steps: Sequence[Mapping[str, Any]],
    warps: Mapping[str, np.ndarray],
    events: Mapping[str, np.ndarray],
) -> dict[str, np.ndarray]:
    """Return the host's numbers of every launch, and the sums over its warps' counters."""
    count = max(len(steps), int(events["iteration"].max(initial=-1)) + 1)
    unknown = {"phase": steps[-1]["phase"] if steps else 0, "kind": "top_down"}
    unknown |= {"level": -1, "cardinality": -1, "frontier": 0, "reached": 0, "paths": 0}
    every = [*steps, *[unknown] * (count - len(steps))]
    table: dict[str, np.ndarray] = {"iteration": np.arange(count, dtype=np.int32)}
    for name in ("phase", "level", "cardinality", "frontier", "reached", "paths"):
        table[name] = np.array([step[name] for step in every], dtype=np.int64)
    table["kind"] = np.array([_step_kind(step["kind"]) for step in every], dtype=np.uint8)
    for name, counted in sum_by_iteration(warps, ROW_WORDS, count).items():
        # A number may be counted by the host, by the warps, or by both: take the larger one.
        table[name] = np.maximum(counted[:count], table.get(name, 0))
    return table


def _cardinality(table: Mapping[str, np.ndarray], header: Mapping[str, Any]) -> np.ndarray:
    """Return the cardinality after each step, as far as the host knows it: after each phase."""
    known = table["cardinality"].copy()
    last = dict(zip(table["phase"].tolist(), table["iteration"].tolist(), strict=True))
    for number, phase in enumerate(header["phases"], start=1):
        if number in last:
            known[last[number]] = phase["cardinality"]
    known = np.append(header["initial_cardinality"], known)
    latest = np.maximum.accumulate(np.where(known >= 0, np.arange(len(known)), 0))
    return known[latest][1:]


def _step_kind(kind: str) -> int:
    if kind not in STEP_KINDS:
        raise RecordError(f"there is no step {kind!r}; steps are {', '.join(STEP_KINDS)}")
    return STEP_KINDS.index(kind)


RECORD = RecordKind(EVENTS, BANDS, bipartite_timeline, retold=retold)
