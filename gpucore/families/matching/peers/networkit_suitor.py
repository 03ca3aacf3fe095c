"""NetworKit's Suitor, an independent implementation to compare with.

It runs on one thread. Weights are cast to double without loss. NetworKit has its own rule for ties,
so with equal weights its mates, and even its weight, may differ from ours; with distinct weights
there is only one locally dominant matching. We use its faster variant with sorted neighbours; the
measured time contains neither sorting nor building its graph.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import installed
from gpucore.families.matching.certificate import certify_result
from gpucore.families.matching.native import make_result
from gpucore.progress import check
from gpucore.runner import Context, NoParams, Runner

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph


def run(graph: Graph, params: NoParams, context: Context) -> MatchingResult:
    """Return NetworKit's matching; the library cannot be interrupted while it runs."""
    import networkit

    check(context.cancel)
    u, v, w = graph.edges()
    useful = w > 0
    coordinates = (u[useful].astype(np.uint64), v[useful].astype(np.uint64))
    theirs = networkit.GraphFromCoo(
        (w[useful].astype(np.float64), coordinates), n=graph.num_vertices, weighted=True
    )
    networkit.graphtools.sortEdgesByWeight(theirs, True)
    check(context.cancel)
    matcher = networkit.matching.SuitorMatcher(theirs, sortSuitor=True)
    start = time.perf_counter()
    matcher.run()
    seconds = time.perf_counter() - start
    check(context.cancel)
    mate = _mates(matcher.getMatching().getVector(), graph.num_vertices)
    versions = {"networkit": networkit.__version__}
    return make_result("networkit_suitor", graph, mate, seconds, threads=1, versions=versions)


def _mates(vector: list[int], n: int) -> np.ndarray:
    """NetworKit's "none" is the largest 64-bit number; ours is -1."""
    theirs = np.array(vector, np.uint64)
    matched = theirs < n
    mate = np.full(n, -1, np.int32)
    mate[matched] = theirs[matched]
    return mate


METHOD = Runner(
    name="networkit_suitor",
    title="NetworKit's Suitor",
    source="NetworKit, SuitorMatcher",
    run=run,
    certify=partial(certify_result, dominance="weak"),
    where="library",
    available=partial(installed, "networkit", "NetworKit"),
)
