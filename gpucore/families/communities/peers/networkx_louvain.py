"""NetworkX's Louvain method, in plain Python, to compare with on small graphs."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import ParameterError
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import hierarchy, make_result
from gpucore.families.communities.params import SeededParams
from gpucore.problems.graph.prepare import for_communities
from gpucore.progress import check
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph

#: Most edges; pure Python needs about twenty seconds for them.
MAX_EDGES = 50_000


def run(graph: Graph, params: SeededParams, context: Context) -> CommunityResult:
    """Return NetworkX's communities; `seed` determines the order of vertices.

    Raises
    ------
    ParameterError
        If the graph has more than :data:`MAX_EDGES` edges.
    GraphError, Cancelled
    """
    graph = for_communities(graph)
    if graph.num_edges > MAX_EDGES:
        raise ParameterError(
            f"networkx_louvain takes graphs of up to {MAX_EDGES:,} edges, this one has "
            f"{graph.num_edges:,}; take a smaller graph, or another method such as louvain_serial"
        )
    check(context.cancel)
    import networkx as nx  # slow to import: only where it is used

    theirs = graph.to_networkx()
    memberships: list[np.ndarray] = []
    start = time.perf_counter()
    if theirs.size():  # NetworkX divides by the weight of the edges
        for partition in nx.community.louvain_partitions(
            theirs, resolution=params.resolution, seed=params.seed % (1 << 32)
        ):
            check(context.cancel)
            labels = np.empty(graph.num_vertices, np.int32)
            for number, members in enumerate(partition):
                labels[list(members)] = number
            memberships.append(labels)
    seconds = time.perf_counter() - start
    versions = {"networkx": nx.__version__}
    levels = hierarchy(memberships)
    return make_result(
        "networkx_louvain", graph, levels, seconds, params=asdict(params), versions=versions
    )


METHOD = Runner(
    name="networkx_louvain",
    title="NetworkX's Louvain",
    source="NetworkX, louvain_partitions",
    run=run,
    certify=certify_result,
    params=SeededParams,
    where="library",
)
