"""Size of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.format import counted
from gpucore.members import Members, first_of
from gpucore.problem import Size

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def size(graph: Graph) -> Size:
    """Return the numbers of vertices and edges."""
    n, m = graph.num_vertices, graph.num_edges
    return Size({"vertices": n, "edges": m}, f"{counted(n, 'vertex')}, {counted(m, 'edge')}")


def members(graph: Graph) -> tuple[Members]:
    """Return the vertices, by the names or numbers of the graph's file."""
    return (Members("vertex", graph.num_vertices, graph.names, first_of(graph)),)
