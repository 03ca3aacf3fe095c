"""The native part of the certificate of a matching, ``proof/matching_proof.cpp``."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from gpucore.certify.native import Edges, Found, Pairs, pointer
from gpucore.certify.work import WORK, block_count, prove, require_memory
from gpucore.cpu.common import rows_of

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


class Proof(ctypes.Structure):
    """See ``Proof`` of matching_proof.cpp."""

    _fields_ = (
        ("pairs", Pairs),
        ("useless", Found),
        ("blocking", Edges),
        ("heaviest", ctypes.c_double),
    )


def examine(graph: Graph, mate: np.ndarray, dominance: int) -> tuple[np.ndarray, Proof]:
    """Return the weight of each vertex's matched edge, and what was found.

    Parameters
    ----------
    graph : Graph
    mate : ndarray of int32, shape (n,)
    dominance : int
        Place in :data:`gpucore.families.matching.certificate.Dominance`.

    Raises
    ------
    Cancelled, DeviceError
    """
    n, found = graph.num_vertices, Proof()
    require_memory(4 * n)
    matched_weight = np.empty(n, np.float32)
    blocks = 2 * block_count(n) + 2 * block_count(graph.indices.size + n)
    prove(
        "proof_matching",
        graph,
        blocks,
        *rows_of(graph),
        WORK,
        pointer(mate),
        ctypes.c_int(dominance),
        pointer(matched_weight),
        ctypes.byref(found),
    )
    return matched_weight, found
