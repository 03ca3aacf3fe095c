"""The Suitor algorithm on several threads, a lock per vertex (suitor_omp.cpp)."""

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
    """Return the matching; the figure ``scans`` depends a little on the schedule."""
    return run_native("suitor_omp", graph, choose_threads(threads), cancel, ("scans",))


RUNNER = Runner(
    name="suitor_omp",
    title="Suitor, multicore",
    source="Naim et al., HiPC 2015, Algorithm 3",
    run=run,
    available=native_available,
    certify=certify,
)
