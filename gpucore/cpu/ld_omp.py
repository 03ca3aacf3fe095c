"""The locally dominant algorithm on several threads, in rounds (ld_omp.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.cpu import Runner
from gpucore.cpu._common import choose_threads, native_available
from gpucore.cpu._matching import certify, run_native

if TYPE_CHECKING:
    from gpucore.graph import Graph
    from gpucore.progress import Cancel
    from gpucore.result import MatchingResult


def run(
    graph: Graph, *, threads: int | None = None, cancel: Cancel | None = None
) -> MatchingResult:
    """Return the matching, with the figures ``scans`` and ``rounds`` of the queues."""
    return run_native("ld_omp", graph, choose_threads(threads), cancel, ("scans", "rounds"))


RUNNER = Runner(
    name="ld_omp",
    title="Locally dominant, multicore",
    source="Naim et al., HiPC 2015, Algorithms 1 and 2",
    run=run,
    available=native_available,
    certify=certify,
)
