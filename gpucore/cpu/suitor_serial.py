"""The Suitor algorithm on one thread (suitor_serial.cpp)."""

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
    """Return the matching; the figure ``scans`` counts walks over a vertex's neighbours."""
    return run_native("suitor_serial", graph, 1, cancel, ("scans",))


RUNNER = Runner(
    name="suitor_serial",
    title="Suitor, serial",
    source="Manne and Halappanavar, IPDPS 2014; Naim et al., HiPC 2015, Algorithm 3",
    run=run,
    available=native_available,
    certify=certify,
)
