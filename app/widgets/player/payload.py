"""The one message that the player plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record, Timeline
from gpucore.record.ranks import ranks_of
from gpucore.record.replay import timeline_of
from gpucore.record.wire import encode
from gpucore.record.words import naming, sentence_columns

from ...clock import shown_time
from .axis import axis_of

if TYPE_CHECKING:
    from ...view import View

EVENT_COLUMNS = ("kind", "a", "b", "c", "value", "iteration", "warp")


#: Graphs too large to be drawn send their edges up to here (12 bytes each), so that the
#: neighbourhood of a vertex can be drawn.
NEIGHBOURHOOD_EDGES = 1_000_000


def player_payload(
    view: View,
    graph: Graph,
    record: Record,
    *,
    positions: np.ndarray | None,
    timeline: Timeline | None = None,
    title: str = "",
) -> bytes:
    """Pack a record and its graph for :class:`app.widgets.Player`.

    Parameters
    ----------
    view : View
        The view of the record's family, see :func:`app.pages.get_view`.
    graph : Graph
        The graph of the run, n vertices and m edges.
    record : Record
        The record of the run.
    positions : ndarray, shape (n, 2), or None
        Where to draw the vertices, the y-axis pointing up, see
        :func:`app.layout.positions.positions_of`; None for a graph too large to be drawn: it is
        shown as cells, and neighbourhoods are drawn.
    timeline : Timeline, optional
        Timeline of the record, if it exists already; else its algorithm makes it.
    title : str
        Display label of the replay, also for screen readers.

    Returns
    -------
    bytes
        See :mod:`gpucore.record.wire`.  The browser plays from views into it, and holds besides
        at most 32 bytes for each event, 64 for each vertex, and the page itself; where a
        message does not begin at a multiple of four bytes, once more its arrays.

    Raises
    ------
    RecordError
        The record is damaged, or belongs to another graph.
    """
    expected = record.header["graph"]
    if graph.fingerprint != expected.get("fingerprint"):
        raise RecordError(
            f"the record was made on another graph ({expected['name'] or 'unnamed'}, "
            f"{expected['n']} vertices, {expected['m']} edges); load that one"
        )
    if timeline is None:
        timeline = timeline_of(record)
    objective = view.objective(timeline)
    arrays = {
        **_timeline_arrays(timeline),
        **{
            f"events/{name}": record.events[name]
            for name in (*EVENT_COLUMNS, *sentence_columns(record), *view.columns, *_rank(record))
            if name in record.events
        },
        "series/objective": objective.astype(np.float32),
    }
    time, unit = shown_time(record)
    if unit:
        arrays["series/time"] = time
    if positions is not None:
        arrays |= {
            "layout/x": positions[:, 0].astype(np.float32),
            "layout/y": positions[:, 1].astype(np.float32),
        }
    if positions is not None or graph.num_edges <= NEIGHBOURHOOD_EDGES:
        u, v, weight = graph.edges()
        arrays |= {
            "edges/u": u.astype(np.int32),
            "edges/v": v.astype(np.int32),
            "edges/weight": weight.astype(np.float32),
        }
    axis, intervals = axis_of(record)
    meta, arrays = _meta(graph, record, timeline, title, unit, view.turn) | axis, arrays | intervals
    if view.extras is not None:
        words, more = view.extras(graph, record.header)
        meta, arrays = meta | words, arrays | more
    return encode(meta, arrays)


def _meta(
    graph: Graph, record: Record, timeline: Timeline, title: str, unit: str, turn: str
) -> dict[str, Any]:
    header = record.header
    return {
        "title": title or f"{header['algorithm']} on {graph.name or 'a graph'}",
        "n": graph.num_vertices,
        "m": graph.num_edges,
        "fields": list(timeline.fields),
        "doubt": timeline.doubt,
        "unit": unit,
        "turn": turn,
        **naming(record, graph.names),
        **({"ranks": {"bounds": header["ranks"]["bounds"]}} if _rank(record) else {}),
    }


def _rank(record: Record) -> tuple[str, ...]:
    """Return the column of the ranks of a run on several."""
    return ("rank",) if ranks_of(record) > 1 else ()


def _timeline_arrays(timeline: Timeline) -> dict[str, np.ndarray]:
    """Return a timeline's arrays; offsets in 32 bits, since browsers are slow with 64."""
    if len(timeline.new) >= 1 << 32:
        raise RecordError("the record has too many events for a browser; record a smaller run")
    return {
        "changes/offsets": timeline.offsets.astype(np.uint32),
        "changes/field": timeline.field,
        "changes/index": timeline.index,
        "changes/old": timeline.old,
        "changes/new": timeline.new,
        **{f"state/{name}": values for name, values in timeline.fields.items()},
    }
