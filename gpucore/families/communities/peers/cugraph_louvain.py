"""cuGraph's Louvain and Leiden methods on a GPU (``pylibcugraph``), to compare with.

https://github.com/rapidsai/cugraph, Apache licence 2.0. The wheels of ``pylibcugraph`` come from
https://pypi.nvidia.com. They return only the final communities.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import hierarchy, make_result
from gpucore.problems.graph.prepare import for_communities
from gpucore.progress import check
from gpucore.runner import Context, NoParams, Runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph

#: Bytes of the pool for each entry of the graph's lists, at first; it grows where that is too few.
POOL_BYTES = 128

#: As in cuGraph's own defaults, but for the levels.
MAX_LEVEL, THRESHOLD, RESOLUTION, THETA = 100, 1e-7, 1.0, 1.0


def available() -> str | None:
    """Return None if cuGraph and CuPy are installed, else how to get them."""
    for package in ("pylibcugraph", "cupy"):
        if find_spec(package) is None:
            return (
                f"{package} is not installed, which cuGraph needs; get it with: pip install "
                "pylibcugraph-cu13 --extra-index-url https://pypi.nvidia.com"
            )
    return None


def _run(leiden: bool, graph: Graph, params: NoParams, context: Context) -> CommunityResult:
    """Return cuGraph's communities; building its graph is not timed.

    Raises
    ------
    GraphError, Cancelled
    """
    import cupy
    import pylibcugraph

    graph = for_communities(graph)
    check(context.cancel)
    community = np.empty(graph.num_vertices, np.int32)
    with _memory_pool(cupy, len(graph.indices)):
        handle = pylibcugraph.ResourceHandle()
        theirs = _their_graph(pylibcugraph, cupy, handle, graph)
        synchronize = cupy.cuda.Device().synchronize
        synchronize()
        start = time.perf_counter()
        if leiden:
            found = pylibcugraph.leiden(handle, 42, theirs, MAX_LEVEL, RESOLUTION, THETA, False)
        else:
            found = pylibcugraph.louvain(handle, theirs, MAX_LEVEL, THRESHOLD, RESOLUTION, False)
        synchronize()
        seconds = time.perf_counter() - start
        community[cupy.asnumpy(found[0])] = cupy.asnumpy(found[1])
        del found, theirs, handle  # they live in the pool
    check(context.cancel)
    return make_result(
        "cugraph_leiden" if leiden else "cugraph_louvain",
        graph,
        hierarchy([community]),
        seconds,
        params={"resolution": RESOLUTION},
        versions={"pylibcugraph": str(pylibcugraph.__version__)},
    )


@contextmanager
def _memory_pool(cupy: Any, entries: int) -> Iterator[None]:
    """Let cuGraph take its memory from a pool, as its own documents advise.

    Else each of its many arrays is an allocation of the driver, and it takes four to five times as
    long.
    """
    import rmm.mr

    before = rmm.mr.get_current_device_resource()
    free, _ = cupy.cuda.runtime.memGetInfo()
    size = min(free // 2, POOL_BYTES * entries + (1 << 28)) & ~255
    rmm.mr.set_current_device_resource(
        rmm.mr.PoolMemoryResource(rmm.mr.CudaMemoryResource(), initial_pool_size=size)
    )
    try:
        yield
    finally:
        rmm.mr.set_current_device_resource(before)


def _their_graph(library: Any, cupy: Any, handle: Any, graph: Graph) -> Any:
    """Return cuGraph's graph: both directions of every edge, loops once."""
    (u, v, w), (at, loop) = graph.edges(), graph.loops()
    sources = cupy.asarray(np.concatenate((u, v, at)).astype(np.int32))
    targets = cupy.asarray(np.concatenate((v, u, at)).astype(np.int32))
    weights = cupy.asarray(np.concatenate((w, w, loop)).astype(np.float32))
    return library.SGGraph(
        handle,
        library.GraphProperties(is_symmetric=True, is_multigraph=False),
        sources,
        targets,
        weight_array=weights,
        store_transposed=False,
        renumber=True,
        do_expensive_check=False,
        vertices_array=cupy.arange(graph.num_vertices, dtype=np.int32),
    )


METHODS = tuple(
    Runner(
        name=f"cugraph_{method}",
        title=f"cuGraph's {method.title()} (GPU)",
        source="RAPIDS cuGraph, pylibcugraph",
        run=partial(_run, method == "leiden"),
        certify=certify_result,
        where="library",
        available=available,
    )
    for method in ("louvain", "leiden")
)
