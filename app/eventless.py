"""Which runs cannot be recorded event by event, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.problems.preferences.graph import PreferenceGraph

if TYPE_CHECKING:
    from app.limits import Limits
    from gpucore.problems.graph.graph import Graph


def why_eventless(graph: Graph, limits: Limits) -> str:
    """Return why runs on a graph are recorded as counters; empty if they have events."""
    if isinstance(graph, PreferenceGraph) and graph.preferences.has_capacities:
        return (
            "Where somebody may have several partners, runs are recorded as counters: the picture "
            "is that of the result, and there are no events to play."
        )
    if graph.num_edges <= limits.record_edges:
        return ""
    return (
        f"Graphs of more than {limits.record_edges:,} edges are recorded as counters, and this one "
        f"has {graph.num_edges:,}: the charts show every warp, but there are no events to play."
    )
