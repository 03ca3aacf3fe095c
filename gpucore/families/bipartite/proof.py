"""The native part of the certificate of a bipartite matching, ``proof/bipartite_proof.cpp``."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

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


class Proof(ctypes.Structure):
    """See ``Proof`` of bipartite_proof.cpp."""

    _fields_ = (
        ("missing", Found),
        ("augmenting", ctypes.c_int),
        ("cover_rows", ctypes.c_longlong),
        ("cover_columns", ctypes.c_longlong),
        ("outside", Edges),
    )


def examine(
    graph: BipartiteGraph, row_match: NDArray[np.int32], column_match: NDArray[np.int32]
) -> Proof:
    """Return what native code found about mutual pairs; the cover is not kept.

    Raises
    ------
    Cancelled, DeviceError
    """
    require_memory(5 * graph.num_columns + graph.num_rows)
    indptr, entries = graph.by_column()
    bounds = np.ascontiguousarray(indptr, np.int64)
    rest = [np.ascontiguousarray(array, np.int32) for array in (entries, row_match, column_match)]
    places = (bounds.ctypes.data, *(array.ctypes.data for array in rest))
    matrix = _Matrix(graph.num_columns, *places)
    rows, columns = np.zeros(graph.num_rows, np.uint8), np.empty(graph.num_columns, np.uint8)
    found = Proof()
    prove(
        "proof_bipartite",
        graph,
        2 * block_count(entries.size + graph.num_columns),
        ctypes.byref(matrix),
        WORK,
        ctypes.c_int(graph.num_rows),
        pointer(rows),
        pointer(columns),
        ctypes.byref(found),
    )
    return found
