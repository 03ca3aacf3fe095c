"""NetworKit's parallel Louvain method (PLM), to compare with.

C. L. Staudt, H. Meyerhenke, "Engineering parallel algorithms for community detection in massive
networks", IEEE Transactions on Parallel and Distributed Systems 27 (2016); the paper's reference
[21]. It returns only the final communities, so its hierarchy has one level. With more than one
thread its result depends on their order.
"""

from __future__ import annotations

import threading
import time
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.cpu.common import installed
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import hierarchy, make_result
from gpucore.families.communities.params import ResolutionParams
from gpucore.last import keeps_last
from gpucore.problems.graph.prepare import for_communities
from gpucore.progress import check
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph

#: NetworKit has one number of threads for the whole process.
_THREADS = threading.Lock()


def run(graph: Graph, params: ResolutionParams, context: Context) -> CommunityResult:
    """Return NetworKit's communities; the library cannot be interrupted while it runs.

    The measured time does not contain building its graph.
    """
    import networkit

    chosen = context.workers
    graph = for_communities(graph)
    check(context.cancel)
    theirs, size = _form(graph)
    check(context.cancel)
    memberships: list[list[int]] = []
    seconds = 0.0
    if size:
        method = networkit.community.PLM(theirs, gamma=params.resolution)
        with _THREADS:
            before = networkit.getMaxNumberOfThreads()
            networkit.setNumberOfThreads(chosen)
            try:
                start = time.perf_counter()
                method.run()
                seconds = time.perf_counter() - start
            finally:
                networkit.setNumberOfThreads(before)
        memberships = [method.getPartition().getVector()]
    check(context.cancel)
    return make_result(
        "networkit_plm",
        graph,
        hierarchy(memberships),
        seconds,
        params=asdict(params),
        threads=chosen,
        versions={"networkit": networkit.__version__},
    )


@keeps_last
def _form(graph: Graph) -> tuple[Any, int]:
    """Return NetworKit's form of a graph, and the number of its edges and loops."""
    import networkit

    u, v, w = graph.edges_and_loops()
    entries = (w.astype(np.float64), (u.astype(np.uint64), v.astype(np.uint64)))
    form = networkit.GraphFromCoo(entries, n=graph.num_vertices, weighted=True)
    return form, w.size


METHOD = Runner(
    name="networkit_plm",
    title="NetworKit's PLM",
    source="NetworKit, PLM; Staudt and Meyerhenke, TPDS 2016",
    run=run,
    available=partial(installed, "networkit", "NetworKit"),
    certify=certify_result,
    params=ResolutionParams,
    where="library",
)
