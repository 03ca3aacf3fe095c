"""Size of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.problem import Size

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def size(graph: Graph) -> Size:
    """Return the numbers of vertices and edges."""
    n, m = graph.num_vertices, graph.num_edges
    return Size({"vertices": n, "edges": m}, f"{n:,} vertices, {m:,} edges")
