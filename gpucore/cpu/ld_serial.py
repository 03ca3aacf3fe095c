"""The locally dominant algorithm on one thread (ld_serial.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.cpu import Runner
from gpucore.cpu._common import native_available
from gpucore.cpu._matching import certify, run_native

if TYPE_CHECKING:
    from gpucore.graph import Graph
    from gpucore.progress import Cancel
    from gpucore.result import MatchingResult


def run(
    graph: Graph, *, threads: int | None = None, cancel: Cancel | None = None
) -> MatchingResult:
    """Return the matching, with the figures ``scans`` and ``rounds`` of the queue."""
    return run_native("ld_serial", graph, 1, cancel, ("scans", "rounds"))


RUNNER = Runner(
    name="ld_serial",
    title="Locally dominant, serial",
    source="Naim et al., HiPC 2015, Algorithms 1 and 2",
    run=run,
    available=native_available,
    certify=certify,
)
