"""NetworKit's Suitor, an independent implementation to compare with.

It runs on one thread. Weights are cast to double without loss. NetworKit has its own rule for ties,
so with equal weights its mates, and even its weight, may differ from ours; with distinct weights
there is only one locally dominant matching. We use its faster variant with sorted neighbours; the
measured time contains neither sorting nor building its graph.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.cpu.common import describe_cpu, installed
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
    theirs = networkit_graph(graph, np.ones(graph.num_vertices, bool))
    networkit.graphtools.sortEdgesByWeight(theirs, True)
    check(context.cancel)
    matcher = networkit.matching.SuitorMatcher(theirs, sortSuitor=True)
    start = time.perf_counter()
    matcher.run()
    seconds = time.perf_counter() - start
    check(context.cancel)
    mate = _mates(matcher.getMatching().getVector(), graph.num_vertices)
    device = describe_cpu(1) | {"networkit": networkit.__version__}
    return make_result(
        "networkit_suitor", graph, mate, seconds, device=device, params={"threads": 1}
    )


def networkit_graph(graph: Graph, wanted: np.ndarray) -> Any:
    """Return the edges above zero between wanted vertices (bool, shape (n,)) as NetworKit's."""
    import networkit

    u, v, w = graph.edges()
    useful = (w > 0) & wanted[u] & wanted[v]
    ends = (u[useful].astype(np.uint64), v[useful].astype(np.uint64))
    weights = w[useful].astype(np.float64)
    return networkit.GraphFromCoo((weights, ends), n=graph.num_vertices, weighted=True)


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
