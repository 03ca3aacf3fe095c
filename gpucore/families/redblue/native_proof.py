"""The native part of the certificate of a maximal matching, ``proof/redblue_proof.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.certify.native import Edges, Pairs
from gpucore.certify.work import block_count, prove, require_memory
from gpucore.cpu.task import Report, arguments, csr, layout

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


class Proof(Report):
    """See ``Proof`` of redblue_proof.cpp."""

    _fields_ = layout("Pairs pairs, Edges addable, int64 with_edges", Pairs=Pairs, Edges=Edges)


_Task = arguments(
    "proof_maximal", "graph, hooks, int32[] mate, float32[] weight, Proof* found", Proof=Proof
)


def examine(graph: Graph, mate: np.ndarray) -> Proof:
    """Return what native code found about the mates, int32 of shape (n,).

    Raises
    ------
    Cancelled, DeviceError
    """
    n, found = graph.num_vertices, Proof()
    require_memory(4 * n)
    blocks = 2 * block_count(n) + block_count(graph.indices.size + n)
    prove(_Task(*csr(graph), mate, np.empty(n, np.float32), found), graph, blocks)
    found.pairs.weight *= graph.unit
    return found
