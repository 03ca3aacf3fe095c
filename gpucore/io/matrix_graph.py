"""Undirected graphs from Matrix Market files: the matrix is the graph's adjacency matrix.

Measured on two cores of an AMD EPYC, busy with other work: a G(n, p) of 4 million vertices and
30 million edges, whose graph takes 0.48 GiB. As a pattern (156 MB of gzip, 463 MB of text) it
loads in 12 s with 1.1 GiB of resident memory at the peak, with real weights (317 MB, 498 MB) in
23 s with 1.3 GiB.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.io.lines import lines_of_entries
from gpucore.io.matrix_market import Entries, Header, described, read_entries, read_header
from gpucore.io.stream import LineReader, Source
from gpucore.problems.graph.checks import DuplicateError
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import absolute_values


def read_graph(source: Source) -> Graph:
    """Read an undirected graph: the square matrix is its adjacency matrix.

    A general (directed or asymmetric) or skew-symmetric matrix becomes the undirected union of its
    entries: there is an edge u -- v if either direction is stored, with the weight of larger
    absolute value (the positive one of two opposite ones). The diagonal becomes self-loops; stored
    zeros become edges of weight 0
    (:func:`gpucore.problems.graph.prepare.drop_zeros`).

    Raises
    ------
    GraphError
        Also for a rectangular matrix and for an entry that is given more than once.
    """
    entries = read_entries(source)
    header = entries.header
    check_square(source, header)
    source.building()
    weighted, directed = entries.values is not None, header.symmetry != "symmetric"
    if header.symmetry == "general":
        _check_repeats(source, entries)
    try:
        graph = Graph.from_edges(
            header.rows, entries.rows, entries.columns, entries.values,
            weighted=weighted, duplicates="larger" if directed else "error",
            name=source.stem,
            source=described(source, header),
        )  # fmt: skip
    except DuplicateError as error:
        _fail_repeated(source, entries, *error.entry)
    return graph if header.symmetry != "skew-symmetric" else absolute_values(graph)


def check_square(source: Source, header: Header) -> None:
    """Raise GraphError for a rectangular matrix."""
    if header.rows != header.columns:
        raise GraphError(
            f"{source.name}: a {header.rows} x {header.columns} matrix is no undirected graph, "
            "which takes a square one; rectangular matrices are for the bipartite algorithms, "
            "which match rows with columns (in Python: "
            "gpucore.problems.bipartite.load.load_bipartite)"
        )


def square_header(source: Source) -> tuple[Header, int, int]:
    """Return a graph's header, and the bytes and lines before its entries, which ranges follow."""
    with LineReader(source.quiet) as reader:
        if reader.compressed:
            reader.fail("a compressed file has no ranges to read; decompress it first")
        header = read_header(reader)
        check_square(source, header)
        return header, reader.position, reader.line


def _check_repeats(source: Source, entries: Entries) -> None:
    """Raise GraphError if an entry of a general matrix is given twice."""
    shape = (entries.header.rows, entries.header.columns)
    ones = np.ones(entries.rows.size, np.int32)
    counts = sparse.coo_array((ones, (entries.rows, entries.columns)), shape=shape).tocsr()
    if counts.nnz < ones.size:
        at = int(np.argmax(counts.data > 1))
        row = int(np.searchsorted(counts.indptr, at, side="right")) - 1
        _fail_repeated(source, entries, row, int(counts.indices[at]))


def _fail_repeated(source: Source, entries: Entries, u: int, v: int) -> NoReturn:
    """Raise GraphError for the repeated entry (u, v), with the numbers of its lines."""
    i, j = entries.rows, entries.columns
    same = (i == u) & (j == v)
    if entries.header.symmetry != "general":
        same |= (i == v) & (j == u)
    first, second = (int(at) for at in np.flatnonzero(same)[:2])
    earlier, later = lines_of_entries(source, (first, second), read_header)
    raise repeated(source, earlier, later, (int(i[second]), int(j[second])))


def repeated(source: Source, first: int, second: int, entry: tuple[int, int]) -> GraphError:
    """Return the error for an entry in line `first` that line `second` has again."""
    return GraphError(
        f"{source.name}, line {second}: entry ({entry[0] + 1}, {entry[1] + 1}) is given a second "
        f"time, after line {first}; keep one of them"
    )
