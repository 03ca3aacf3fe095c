"""Benchmarks of greedy colouring."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from gpucore.bench.suite import Case, Contest, Experiment, Suite
from gpucore.problems.graph.benchmarks import SMALL, STANDARD

if TYPE_CHECKING:
    from gpucore.families.colouring.run import ColouringResult
    from gpucore.problems.graph.graph import Graph

OURS = Case("by hash", "colouring")
NETWORKX = Case("NetworkX, largest first", "networkx_colouring", where="cpu")


def _least_bytes(graph: Graph) -> int:
    return len(graph.indices) * 4 + (graph.num_vertices + 1) * 8 + graph.num_vertices * 4


def _digest(result: ColouringResult) -> str:
    return hashlib.sha256(result.colour.astype("<i4").tobytes()).hexdigest()[:16]


SUITE = Suite(
    family="colouring",
    graphs=STANDARD,
    small_graphs=SMALL,
    experiments=(
        Experiment(
            "contest",
            "The device beside NetworkX",
            "ours; the orders differ, so the colourings do",
            lambda cores: [OURS, NETWORKX],
            plot="bars",
        ),
    ),
    contest=Contest(OURS.label, "contest", ("contest",), agree="nothing"),
    least_bytes=_least_bytes,
    least_bytes_why=(
        "every neighbour read once (4 bytes), every row pointer read once (8 bytes), every colour "
        "written once (4 bytes)"
    ),
    quality_format="{:.0f}",
    digest=_digest,
)
