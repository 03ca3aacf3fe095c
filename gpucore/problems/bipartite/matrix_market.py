"""Bipartite graphs from Matrix Market files: rows and columns of the matrix are the vertices."""

from __future__ import annotations

from dataclasses import replace

from gpucore.io.matrix_market import check_both, described, read_entries
from gpucore.io.stream import Source
from gpucore.problems.bipartite.graph import BipartiteGraph


def read_bipartite(source: Source) -> BipartiteGraph:
    """Read the pattern of a matrix of any shape.

    Values are ignored: a stored zero is an entry. A symmetric or skew-symmetric matrix has the
    entries of both triangles; an entry given twice is one edge.

    Raises
    ------
    GraphError
        For every invalid file; the text has its name, the line and the cause.
    """
    check_both(source)
    entries = replace(read_entries(source), values=None)
    source.building()
    header, (i, j, _) = entries.header, entries.mirrored()
    return BipartiteGraph.from_entries(
        i, j, (header.rows, header.columns), name=source.stem, source=described(source, header)
    )
