"""igraph's Louvain method (``community_multilevel``), to compare with; it runs on one thread."""

from __future__ import annotations

import random
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import installed
from gpucore.errors import MissingDependency
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import (
    check_number,
    check_whole,
    hierarchy,
    make_result,
)
from gpucore.family import Method
from gpucore.problems.graph.prepare import for_communities
from gpucore.progress import check

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel

#: igraph has one random number generator for the whole process.
_RANDOM = threading.Lock()


available = partial(installed, "igraph", "igraph")


def run(
    graph: Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    resolution: float = 1.0,
    seed: int = 1,
) -> CommunityResult:
    """Return igraph's communities; the library cannot be interrupted while it runs.

    The measured time does not contain building its graph. `seed` determines the order of vertices.
    """
    if (reason := available()) is not None:
        raise MissingDependency(reason)
    import igraph

    params = {
        "resolution": check_number("resolution", resolution, positive=True),
        "seed": check_whole("seed", seed),
    }
    graph = for_communities(graph)
    check(cancel)
    (u, v, w), (at, loop) = graph.edges(), graph.loops()
    ends = np.stack((np.concatenate((u, at)), np.concatenate((v, at))), axis=1)
    theirs = igraph.Graph(n=graph.num_vertices, edges=ends)
    weights = np.concatenate((w, loop)).astype(np.float64).tolist() if graph.weighted else None
    check(cancel)
    memberships: list[list[int]] = []
    seconds = 0.0
    if len(ends):
        with _RANDOM:
            igraph.set_random_number_generator(random.Random(params["seed"]))
            try:
                start = time.perf_counter()
                found = theirs.community_multilevel(
                    weights, return_levels=True, resolution=params["resolution"]
                )
                seconds = time.perf_counter() - start
            finally:
                igraph.set_random_number_generator(random)
        memberships = [clustering.membership for clustering in found]
    check(cancel)
    versions = {"igraph": igraph.__version__}
    levels = hierarchy(memberships)
    return make_result(
        "igraph_multilevel", graph, levels, seconds, params=params, versions=versions
    )


METHOD = Method(
    name="igraph_multilevel",
    title="igraph's multilevel",
    source="igraph, community_multilevel",
    run=run,
    available=available,
    certify=certify_result,
)
