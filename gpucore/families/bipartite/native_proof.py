"""The native part of the certificate of a bipartite matching, ``proof/bipartite_proof.cpp``."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpucore.certify.native import Edges, Found, pointer
from gpucore.certify.work import WORK, block_count, prove, require_memory

if TYPE_CHECKING:
    from gpucore.problems.bipartite.graph import BipartiteGraph


class _Matrix(ctypes.Structure):
    """See ``Matrix`` of bipartite_proof.cpp."""

    _fields_ = (
        ("columns", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("indptr", "rows", "row_match", "column_match")),
    )


class _Found(ctypes.Structure):
    """See ``Searched`` of bipartite_proof.cpp."""

    _fields_ = (("missing", Found), ("augmenting", ctypes.c_int))


class Covered(ctypes.Structure):
    """See ``Covered`` of bipartite_proof.cpp."""

    _fields_ = (
        ("rows", ctypes.c_longlong),
        ("columns", ctypes.c_longlong),
        ("outside", Edges),
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
        Whether there is an augmenting path, so that the cover is none.
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
    bytes_of = map(pointer, cover)
    _call("proof_bipartite", graph, (row_match, column_match), *bytes_of, ctypes.byref(found))
    return Searched(found.missing, bool(found.augmenting), cover)


def check_cover(graph: BipartiteGraph, cover: Cover) -> Covered:
    """Count the members of a cover, and find what it does not cover.

    Raises
    ------
    Cancelled, DeviceError
    """
    found, size = Covered(), ctypes.c_int(graph.num_rows)
    _call("proof_cover", graph, (), size, *map(pointer, cover), ctypes.byref(found))
    return found


def _call(
    name: str, graph: BipartiteGraph, matching: tuple[NDArray[np.int32], ...], *arguments: Any
) -> None:
    """Call a function on the matrix by columns and a matching, if there is one."""
    indptr, entries = graph.by_column()
    bounds = np.ascontiguousarray(indptr, np.int64)
    rest = [np.ascontiguousarray(array, np.int32) for array in (entries, *matching)]
    places = [array.ctypes.data for array in rest] + [None, None]
    matrix = _Matrix(graph.num_columns, bounds.ctypes.data, *places[:3])
    blocks = block_count(entries.size + graph.num_columns)
    prove(name, graph, blocks, ctypes.byref(matrix), WORK, *arguments)
