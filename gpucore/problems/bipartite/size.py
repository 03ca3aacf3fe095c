"""Size of a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.format import counted
from gpucore.members import Members, two_sides
from gpucore.problem import Size

if TYPE_CHECKING:
    from gpucore.problems.bipartite.graph import BipartiteGraph


def size(graph: BipartiteGraph) -> Size:
    """Return the numbers of rows, columns and entries; rows and columns are the vertices."""
    rows, columns, m = graph.num_rows, graph.num_columns, graph.num_edges
    numbers = {"vertices": rows + columns, "edges": m, "rows": rows, "columns": columns}
    return Size(
        numbers, f"{counted(rows, 'row')}, {counted(columns, 'column')}, {counted(m, 'edge')}"
    )


def members(graph: BipartiteGraph) -> tuple[Members, Members]:
    """Return the rows and the columns."""
    return two_sides(graph, ("row", graph.num_rows), ("column", graph.num_columns))
