"""Bipartite graphs from lists of pairs whose two columns are numbered separately."""

from __future__ import annotations

from typing import Any

from gpucore.io.edge_head import read_head
from gpucore.io.edge_list import read_graph, read_sides
from gpucore.io.stream import LineReader, Source
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.graph import Graph


def read_list(source: Source, **options: Any) -> Graph:
    """Read a list of two sides as a bipartite graph, and any other edge list as a graph.

    A list has two sides if its titles are a user and an item, or if a comment says that it is a
    bipartite one of KONECT. Weights are left out.

    Raises
    ------
    GraphError
        With the line and the cause.
    """
    with LineReader(source.quiet) as reader:
        sides = read_head(reader, options.get("columns")).sides
    if not sides:
        return read_graph(source, **options)
    ends, rows, about = read_sides(source, **options)
    shape = (rows, len(ends.names or ()) - rows)
    return BipartiteGraph.from_entries(
        ends.u, ends.v - rows, shape, name=source.stem, names=ends.names, source=about
    )
