"""NetworKit's parallel Louvain method (PLM), to compare with.

C. L. Staudt, H. Meyerhenke, "Engineering parallel algorithms for community detection in massive
networks", IEEE Transactions on Parallel and Distributed Systems 27 (2016); the paper's reference
[21]. It returns only the final communities, so its hierarchy has one level. With more than one
thread its result depends on their order.
"""

from __future__ import annotations

import threading
import time
import weakref
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.cpu.common import installed
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import hierarchy, make_result
from gpucore.families.communities.peers.params import ResolutionParams
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
    theirs, size = _LAST.get(graph)
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


class _Last:
    """NetworKit's form of the last graph, while that lives: building it takes longer than a run."""

    def __init__(self) -> None:
        self._of: weakref.ref[Graph] | None = None
        self._form: tuple[Any, int] | None = None

    def get(self, graph: Graph) -> tuple[Any, int]:
        """Return NetworKit's form of a graph, and the number of its edges and loops."""
        kept = self._form
        if kept is None or self._of is None or self._of() is not graph:
            kept = _convert(graph)
            self._form, self._of = kept, weakref.ref(graph, self._forget)
        return kept

    def _forget(self, of: weakref.ref[Graph]) -> None:
        if of is self._of:
            self._form = self._of = None


def _convert(graph: Graph) -> tuple[Any, int]:
    import networkit

    (u, v, w), (at, loop) = graph.edges(), graph.loops()
    ends = (np.concatenate((u, at)).astype(np.uint64), np.concatenate((v, at)).astype(np.uint64))
    weights = np.concatenate((w, loop)).astype(np.float64)
    form = networkit.GraphFromCoo((weights, ends), n=graph.num_vertices, weighted=True)
    return form, weights.size


_LAST = _Last()


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
