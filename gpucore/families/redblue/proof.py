"""The native part of the certificate of a maximal matching, ``proof/redblue_proof.cpp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.certify.native import Edges, Pairs
from gpucore.certify.work import Work, block_count, prove, require_memory
from gpucore.cpu.task import Arguments, Report, csr, layout

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


class Proof(Report):
    """See ``Proof`` of redblue_proof.cpp."""

    _fields_ = layout("Pairs pairs, Edges addable, int64 with_edges", Pairs=Pairs, Edges=Edges)


class _Task(Arguments):
    """The parameters of ``proof_maximal``."""

    _fields_ = layout(
        "graph, Work* hooks, int32[] mate, float32[] weight, Proof* found", Work=Work, Proof=Proof
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
    task = _Task(**csr(graph), mate=mate, weight=np.empty(n, np.float32), found=found)
    prove("proof_maximal", task, graph, blocks)
    return found
