"""The native part of the certificate of a matching, ``proof/matching_proof.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.certify.native import Edges, Found, Pairs
from gpucore.certify.work import block_count, prove, require_memory
from gpucore.cpu.task import Report, arguments, csr, layout

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


class Proof(Report):
    """See ``Proof`` of matching_proof.cpp."""

    _fields_ = layout(
        "Pairs pairs, Found useless, Edges blocking, float64 heaviest",
        Pairs=Pairs,
        Found=Found,
        Edges=Edges,
    )


_Task = arguments(
    "proof_matching",
    "graph, hooks, int32[] mate, int32 dominance, float32[] weight, Proof* found",
    Proof=Proof,
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
    prove(_Task(*csr(graph), mate, dominance, matched_weight, found), graph, blocks)
    found.pairs.weight *= graph.unit
    found.heaviest *= graph.unit
    return matched_weight, found
