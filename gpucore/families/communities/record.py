"""Records and timelines of the methods that find communities.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017.  Vertices
and communities have numbers of the given graph, see
:mod:`gpucore.families.communities.hierarchy`.

An iteration of the record is a launch: of the search for moves (a bucket of a sweep of a stage), or
of the contraction (a group of communities that are merged; "fast" has one launch for all edges).
The paper's variants, and reproducible runs, decide all moves of a launch from the state before it,
so these are not ordered among each other; in other runs of "fast" and "leiden" a move counts at
once.  The record shows them in the order of the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.gains import Follower, after_events
from gpucore.families.communities.graph_events import in_graph_numbers
from gpucore.families.communities.hierarchy import Kind, by_smallest_member
from gpucore.families.communities.part_certificate import modularity_of_rows
from gpucore.families.communities.timeline import communities_timeline, kinds_of, member_lists
from gpucore.problems.graph.fingerprint import fingerprint_of
from gpucore.problems.graph.part import GraphPart
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.record import (
    Record,
    elapsed,
    event_columns,
    make_header,
    row_columns,
    sum_by_iteration,
)

if TYPE_CHECKING:
    from gpucore.families.communities.reports import Division, StageReport, StepReport
    from gpucore.problems.graph.graph import Graph
    from gpucore.record.recorder import RawRecord

#: The eight words of a row; ``lane_slots`` are lanes, busy or idle, while ``edges`` were read,
#: ``occupied`` those of the hash tables' ``slots`` that were filled. The warps of a block share a
#: table: in the paper's kernels the first warp's row has its slots, in the tuned ones each warp's
#: has as many.
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
#: Columns taken from the rows; the host knows the vertices, edges and moves of a step itself.
EFFORT = ("lane_slots", "probes", "collisions", "occupied", "slots")

#: All kinds of events; sentences are filled in by :mod:`gpucore.record.words`.
EVENTS = (
    EventKind(
        Kind.MOVE,
        "moves to another community",
        "done",
        "{a} moves from the community of {b} to that of {c}: modularity gains {value}",
    ),
    EventKind(
        Kind.HASH,
        "adds an edge in the hash table",
        "minor",
        "{a} adds an edge into the community of {b} in slot {c#}, found at probe {value}",
        atomic=True,
    ),
    EventKind(
        Kind.HELD,
        "is held back",
        "minor",
        "{a} would gain {value} in the community of {c}, but the rule against swaps holds "
        "it in that of {b}",
    ),
    EventKind(
        Kind.MERGE,
        "becomes one vertex",
        "tried",
        "{a}: {c#} vertices of the community of {b}, with edges of weight {value} inside, "
        "become one vertex",
    ),
    EventKind(
        Kind.TAKE_BACK,
        "goes back",
        "undone",
        "{a} goes back to the community of {c}: moves made at the same time lost modularity",
        host=True,
    ),
    EventKind(
        Kind.JOIN,
        "joins a part",
        "tried",
        "{a}, in the community of {b}, joins the part of {c} inside it, which gains {value}",
    ),
    EventKind(
        Kind.SPLIT,
        "leaves with its part",
        "undone",
        "{a} leaves the community of {b} for a new one: no path inside the community leads from "
        "its part to the rest",
        host=True,
    ),
    EventKind(
        Kind.OPEN,
        "opens again",
        "tried",
        "{a}: its {c#} vertices are single again and may leave the community of {b} one by one",
        host=True,
    ),
)
BANDS = (
    Band("done", "moves"),
    Band("tried", "contractions, and vertices that open again"),
    Band("undone", "moves taken back"),
    Band("minor", "held back, and looks into the table"),
)


def communities_record(
    raw: RawRecord,
    graph: Graph | GraphPart,
    *,
    algorithm: str,
    params: Mapping[str, Any],
    device: Mapping[str, Any],
    steps: Sequence[StepReport],
    stages: Sequence[StageReport],
    levels: Sequence[np.ndarray],
    community: np.ndarray | None = None,
    divisions: Sequence[Division] = (),
) -> Record | None:
    """Make the record of a run that found communities.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`; iterations are numbers of `steps`.
    graph : Graph or GraphPart
        The problem, with n vertices; at level "events" a graph.
    algorithm, params, device
        See :func:`gpucore.record.record.make_header`.
    steps : sequence of StepReport
        One a launch.
    stages : sequence of StageReport
        One a stage.
    levels : sequence of ndarray of int32
        Communities of the vertices of each stage; the last stage has none if it could not make the
        graph smaller, or lost modularity.
    community : ndarray of int32, optional
        The result, if it is not the last level: a last stage with ``refining`` moves single
        vertices of the given graph.
    divisions : sequence of Division
        Of communities, between the steps of such a stage.

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
        params=params,
        device=device,
        fingerprint=fingerprint_of(graph),
    )
    header["stages"] = [stage.as_dict() for stage in stages]
    header["levels"] = len(levels)
    header["consistent"] = True
    warps = row_columns(raw, ROW_WORDS, floats=())
    events = event_columns(raw)
    by_step = np.argsort(events["iteration"], kind="stable")
    events = {name: column[by_step] for name, column in events.items()}
    events["time"] = raw.times[by_step]
    if raw.level == "events" and not isinstance(graph, GraphPart):
        events = in_graph_numbers(events, graph, steps, stages, levels, divisions)
    events["time"] = elapsed(events["time"])
    final = {}
    part = np.arange(graph.num_vertices, dtype=np.int32)
    for number, mapping in enumerate(levels, start=1):
        part = np.asarray(mapping)[part]
        final[f"level_{number}"] = by_smallest_member(part)
    resolution = float(params.get("resolution", 1.0))
    if isinstance(graph, GraphPart):
        single = np.arange(graph.n, dtype=np.int32)
        header["modularity"] = modularity_of_rows(graph, single, resolution)[0]
    else:
        header["modularity"] = Follower(graph, resolution).value
    record = Record(
        header=header,
        steps=_steps_table(steps, warps, header["modularity"]),
        warps=warps,
        events=events,
        initial={},
        final={"community": by_smallest_member(part if community is None else community), **final},
    )
    return record if isinstance(graph, GraphPart) else _with_modularity(record, graph, resolution)


def active_lanes(raw: RawRecord) -> dict[str, float]:
    """Return ``active_lanes``, the share of lanes that had an edge in the steps along edges.

    Of all launches of a run, those that merge communities included.  A step counts the 32 lanes of
    its warp; instructions beside the steps (sums, vertices without edges) do not count.  Empty
    without counters.
    """
    slots = int(raw.rows[:, :, ROW_WORDS.index("lane_slots")].sum(dtype=np.int64))
    edges = int(raw.rows[:, :, ROW_WORDS.index("edges")].sum(dtype=np.int64))
    return {"active_lanes": edges / slots} if slots else {}


def _with_modularity(record: Record, graph: Graph, resolution: float) -> Record:
    """Add the modularity after each event, if no event was lost."""
    if record.lost_events or record.header["level"] != "events":
        return record
    moving, _, level = kinds_of(record)
    values = after_events(graph, record.events, moving, member_lists(record), level, resolution)
    if values is None:
        return record
    last = np.searchsorted(record.events["iteration"], record.steps["iteration"], side="right")
    known = np.concatenate([[record.header["modularity"]], values])
    return replace(
        record,
        events={**record.events, "modularity": values},
        steps={**record.steps, "objective": known[last]},
    )


def is_merging(record: Record) -> np.ndarray:
    """Return which steps merge communities; bool.  Older records have none."""
    count = np.zeros(record.num_steps, dtype=np.uint8)
    return np.asarray(record.steps.get("merging", count) != 0)


def _steps_table(
    steps: Sequence[StepReport], warps: Mapping[str, np.ndarray], begins: float
) -> dict[str, np.ndarray]:
    """Return the host's numbers of every launch, and the sums over its warps' counters."""
    table: dict[str, np.ndarray] = {"iteration": np.arange(len(steps), dtype=np.int32)}
    for name in ("stage", "sweep", "bucket", "vertices", "edges", "moves"):
        table[name] = np.array([getattr(step, name) for step in steps], dtype=np.int64)
    for name in ("taken_back", "merging"):
        table[name] = np.array([getattr(step, name) for step in steps], dtype=np.uint8)
    modularity = np.array([step.modularity for step in steps], dtype=np.float64)
    table["modularity"] = modularity
    kept = np.isfinite(modularity) & (table["taken_back"] == 0)
    last = np.maximum.accumulate(np.where(kept, np.arange(len(steps)), -1))
    table["objective"] = np.where(last >= 0, modularity[last], begins) if len(steps) else modularity
    sums = sum_by_iteration(warps, EFFORT, len(steps))
    return table | {name: column[: len(steps)] for name, column in sums.items()}


RECORD = RecordKind(EVENTS, BANDS, communities_timeline)
