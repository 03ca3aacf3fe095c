"""Bipartite graphs from Matrix Market files: rows and columns of the matrix are the vertices."""

from __future__ import annotations

import numpy as np

from gpucore.io.matrix_market import Header, read_entries, read_header
from gpucore.io.stream import LineReader, Source
from gpucore.limits import Limits
from gpucore.members import first_number
from gpucore.notes import with_note
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.progress import Cancel, Progress, check


def read_bipartite(
    source: Source,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
) -> BipartiteGraph:
    """Read the pattern of a matrix of any shape.

    Values are ignored: a stored zero is an entry. A symmetric or skew-symmetric matrix has the
    entries of both triangles; an entry given twice is one edge.

    Raises
    ------
    GraphError
        For every invalid file; the text has its name, the line and the cause.
    """
    limits = limits or Limits()
    _check_size(source, limits)
    entries = read_entries(source, progress=progress, cancel=cancel, limits=limits)
    header, i, j = entries.header, entries.rows, entries.columns
    del entries  # with the values
    if progress is not None:
        progress("building", 0, 0)
    check(cancel)
    if header.symmetry != "general":
        below = i != j
        i, j = np.concatenate((i, j[below])), np.concatenate((j, i[below]))
    return BipartiteGraph.from_entries(
        i, j, (header.rows, header.columns),
        name=source.stem,
        source=with_note(source.describe("matrix_market", **first_number(1)), *header.notes),
    )  # fmt: skip


def _check_size(source: Source, limits: Limits) -> None:
    """Raise GraphError if rows and columns together, or both triangles, are too many."""
    with LineReader(source, limits) as reader:
        header = read_header(reader, limits)
        limits.check(f"{reader.name}, line {reader.line}", *_size(header))


def _size(header: Header) -> tuple[int, int]:
    both = 1 if header.symmetry == "general" else 2
    return header.rows + header.columns, both * header.entries
