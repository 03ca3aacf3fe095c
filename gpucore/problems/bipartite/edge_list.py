"""Bipartite graphs from lists of pairs whose two columns are numbered separately."""

from __future__ import annotations

from typing import Any

from gpucore.io.edge_head import read_head
from gpucore.io.edge_list import read_graph, read_sides
from gpucore.io.stream import LineReader, Source
from gpucore.notes import with_note
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.graph import Graph

_ONE_SIDE = (
    "If the two columns of the list are two sides, titles such as user,item or row,column say so "
    "(on the command line: --columns user=1,item=2)."
)


def read_list(source: Source, **options: Any) -> Graph:
    """Read a list of two sides as a bipartite graph, and any other edge list as a graph.

    A list has two sides if its titles are a user and an item, or a row and a column, or if a
    comment says that it is a bipartite one of KONECT. Weights are left out. Of any other list
    every vertex is a row and a column, and a note says how to make two sides.

    Raises
    ------
    GraphError
        With the line and the cause.
    """
    with LineReader(source.quiet) as reader:
        head = read_head(reader, options.get("columns"))
    if head.matrix:
        options["columns"] = dict(zip(("user", "item"), head.matrix, strict=True))
    elif not head.sides:
        graph = read_graph(source, **options)
        return graph.with_attributes(source=with_note(graph.source, _ONE_SIDE))
    ends, rows, about = read_sides(source, **options)
    shape = (rows, len(ends.names or ()) - rows)
    return BipartiteGraph.from_entries(
        ends.u, ends.v - rows, shape, name=source.stem, names=ends.names, source=about
    )
