"""The native part of the certificate of a bipartite matching, ``proof/bipartite_proof.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpucore.certify.native import Edges, Found
from gpucore.certify.work import block_count, prove, require_memory
from gpucore.cpu.task import Report, Struct, arguments, layout, struct

if TYPE_CHECKING:
    from gpucore.problems.bipartite.graph import BipartiteGraph


_Matrix = struct("Matrix", "int32 columns, int64[] indptr, int32[] rows row_match column_match")


class _Found(Report):
    """See ``Searched`` of bipartite_proof.cpp."""

    _fields_ = layout("Found missing, int32 augmenting", Found=Found)


class Covered(Report):
    """See ``Covered`` of bipartite_proof.cpp."""

    _fields_ = layout("int64 rows columns, Edges outside", Edges=Edges)


_Search = arguments(
    "proof_bipartite",
    "Matrix* matrix, hooks, uint8[] rows columns, Found* found",
    Matrix=_Matrix,
    Found=_Found,
)
_Check = arguments(
    "proof_cover",
    "Matrix* matrix, hooks, int32 row_count, uint8[] rows columns, Covered* found",
    Matrix=_Matrix,
    Covered=Covered,
)


class Cover(NamedTuple):
    """The rows and the columns of a cover, a byte each."""

    rows: NDArray[np.uint8]
    columns: NDArray[np.uint8]


class Searched(NamedTuple):
    """What the search found.

    Attributes
    ----------
    missing : Found
        Columns whose pair is not an entry.
    augmenting : bool
        Whether there is an augmenting path, so that the cover does not cover all entries.
    cover : Cover
    """

    missing: Found
    augmenting: bool
    cover: Cover


def search(
    graph: BipartiteGraph, row_match: NDArray[np.int32], column_match: NDArray[np.int32]
) -> Searched:
    """Check that mutual pairs are entries, and search for the cover.

    Raises
    ------
    Cancelled, DeviceError
    """
    require_memory(5 * graph.num_columns + graph.num_rows)
    cover = Cover(np.zeros(graph.num_rows, np.uint8), np.zeros(graph.num_columns, np.uint8))
    found = _Found()
    matrix, blocks = _matrix(graph, row_match, column_match)
    prove(_Search(matrix, *cover, found), graph, blocks)
    return Searched(found.missing, bool(found.augmenting), cover)


def check_cover(graph: BipartiteGraph, cover: Cover) -> Covered:
    """Count the members of a cover, and find what it does not cover.

    Raises
    ------
    Cancelled, DeviceError
    """
    found = Covered()
    matrix, blocks = _matrix(graph, None, None)
    prove(_Check(matrix, graph.num_rows, *cover, found), graph, blocks)
    return found


def _matrix(graph: BipartiteGraph, *matching: NDArray[np.int32] | None) -> tuple[Struct, int]:
    """Return the matrix by columns with a matching, or None for each side, and its blocks."""
    indptr, rows = graph.by_column()
    bounds, entries = np.ascontiguousarray(indptr, np.int64), np.ascontiguousarray(rows, np.int32)
    matrix = _Matrix(graph.num_columns, bounds, entries, *matching)
    return matrix, block_count(rows.size + graph.num_columns)
