"""The messages to the player: a graph without a run, or a graph with a record to play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.format import human_bytes
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record, Timeline
from gpucore.record.replay import record_kind
from gpucore.record.words import parts_of

from ..limits import PageLimits
from ..widgets.player.payload import EVENT_COLUMNS, player_payload

if TYPE_CHECKING:
    from ..view import View

#: Types of the event columns that are not int32.
_TYPES: dict[str, type] = {"kind": np.uint8, "value": np.float32}


def no_events_reason(view: View, graph: Graph, limits: PageLimits) -> str:
    """Return why runs on a graph are recorded as counters; empty if they have events."""
    if why := view.no_events_reason(graph):
        return why
    if graph.num_edges <= limits.record_edges:
        return ""
    return (
        f"Graphs of more than {limits.record_edges:,} edges are recorded as counters, and this one "
        f"has {graph.num_edges:,}: the charts show every warp, but there are no events to play."
    )


def still(
    graph: Graph,
    positions: np.ndarray | None,
    view: View,
    title: str,
    state: dict[str, np.ndarray] | None = None,
) -> bytes:
    """Return the message for a graph without events: the initial state, or the given one."""
    columns: dict[str, np.ndarray] = {
        name: np.empty(0, _TYPES.get(name, np.int32)) for name in EVENT_COLUMNS
    }
    header: dict[str, Any] = {
        "family": view.family,
        "algorithm": view.algorithm,
        "graph": {
            "name": graph.name,
            "n": graph.num_vertices,
            "m": graph.num_edges,
            "fingerprint": graph.fingerprint,
        },
        "lost": {"events": 0, "rows": 0},
    }
    if graph.sides:
        first, second = graph.sides
        header["parts"] = parts_of(first, second, record_kind(view.family).sides)
    record = Record(header, steps={}, warps={}, events=columns, initial={}, final={})
    nothing = np.empty(0, np.int32)
    timeline = Timeline(
        fields=view.state(graph.num_vertices) if state is None else state,
        offsets=np.zeros(1, np.int64),
        field=np.empty(0, np.uint8),
        index=nothing,
        old=nothing,
        new=nothing,
    )
    return player_payload(view, graph, record, timeline=timeline, positions=positions, title=title)


def replay(
    view: View,
    graph: Graph,
    positions: np.ndarray | None,
    record: Record,
    timeline: Timeline,
    *,
    title: str,
    limits: PageLimits,
) -> tuple[bytes, str]:
    """Return the message for a recorded run, or the reason for not sending it.

    Returns
    -------
    message : bytes
        Empty if it would be too large for the browser.
    refusal : str
        Empty if there is a message.
    """
    message = player_payload(
        view, graph, record, timeline=timeline, positions=positions, title=title
    )
    if len(message) <= limits.payload_bytes:
        return message, ""
    return b"", (
        f"The record takes {human_bytes(len(message))} in the browser, more than the "
        f"{human_bytes(limits.payload_bytes)} that are played here. Charts and results show all "
        "of it; take a smaller graph to play it."
    )
