"""How large a problem is, for programs and for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpucore.graph import Graph


def sizes(graph: Graph) -> dict[str, int]:
    """Return the numbers of vertices and edges; of a bipartite graph also of rows and columns."""
    from gpucore.bipartite import BipartiteGraph

    found = {"vertices": graph.num_vertices, "edges": graph.num_edges}
    if isinstance(graph, BipartiteGraph):
        found |= {"rows": graph.num_rows, "columns": graph.num_columns}
    return found


def size_in_words(graph: Graph) -> str:
    """Return the same as a phrase: rows and columns are the vertices of a bipartite graph."""
    found = sizes(graph)
    names = ("rows", "columns", "edges") if "rows" in found else ("vertices", "edges")
    return ", ".join(f"{found[name]:,} {name}" for name in names)
