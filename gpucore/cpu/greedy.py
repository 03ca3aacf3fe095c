"""Greedy matching: edges from the heaviest to the lightest (greedy.cpp)."""

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
    """Return the greedy matching, which every locally dominant method has to equal."""
    return run_native("greedy", graph, 1, cancel)


RUNNER = Runner(
    name="greedy",
    title="Greedy",
    source="D. Avis, Networks 13, 1983",
    run=run,
    available=native_available,
    certify=certify,
)
