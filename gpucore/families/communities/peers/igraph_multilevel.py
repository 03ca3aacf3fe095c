"""igraph's Louvain method (``community_multilevel``), to compare with; it runs on one thread."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import installed
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import hierarchy, make_result
from gpucore.families.communities.params import SeededParams
from gpucore.problems.graph.prepare import for_communities
from gpucore.progress import check
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph

#: igraph has one random number generator for the whole process.
_RANDOM = threading.Lock()


def run(graph: Graph, params: SeededParams, context: Context) -> CommunityResult:
    """Return igraph's communities; the library cannot be interrupted while it runs.

    The measured time does not contain building its graph. `seed` determines the order of vertices.
    """
    import igraph

    graph = for_communities(graph)
    check(context.cancel)
    u, v, w = graph.edges_and_loops()
    theirs = igraph.Graph(n=graph.num_vertices, edges=np.stack((u, v), axis=1))
    weights = w.astype(np.float64).tolist() if graph.weighted else None
    check(context.cancel)
    memberships: list[list[int]] = []
    seconds = 0.0
    if w.size:
        with _RANDOM:
            igraph.set_random_number_generator(random.Random(params.seed))
            try:
                start = time.perf_counter()
                found = theirs.community_multilevel(
                    weights, return_levels=True, resolution=params.resolution
                )
                seconds = time.perf_counter() - start
            finally:
                igraph.set_random_number_generator(random)
        memberships = [clustering.membership for clustering in found]
    check(context.cancel)
    versions = {"igraph": igraph.__version__}
    levels = hierarchy(memberships)
    return make_result(
        "igraph_multilevel", graph, levels, seconds, params=asdict(params), versions=versions
    )


METHOD = Runner(
    name="igraph_multilevel",
    title="igraph's multilevel",
    source="igraph, community_multilevel",
    run=run,
    available=partial(installed, "igraph", "igraph"),
    certify=certify_result,
    params=SeededParams,
    where="library",
)
