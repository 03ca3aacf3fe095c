"""The native part of the certificate of a maximal matching, ``proof/redblue_proof.cpp``."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from gpucore.certify.native import Edges, Pairs, pointer
from gpucore.certify.work import WORK, block_count, prove, require_memory
from gpucore.cpu.common import rows_of

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


class Proof(ctypes.Structure):
    """See ``Proof`` of redblue_proof.cpp."""

    _fields_ = (("pairs", Pairs), ("addable", Edges), ("with_edges", ctypes.c_longlong))


def examine(graph: Graph, mate: np.ndarray) -> Proof:
    """Return what native code found about the mates, int32 of shape (n,).

    Raises
    ------
    Cancelled, DeviceError
    """
    n, found = graph.num_vertices, Proof()
    require_memory(4 * n)
    weight = np.empty(n, np.float32)
    prove(
        "proof_maximal",
        graph,
        2 * block_count(n) + block_count(graph.indices.size + n),
        *rows_of(graph),
        WORK,
        pointer(mate),
        pointer(weight),
        ctypes.byref(found),
    )
    return found
