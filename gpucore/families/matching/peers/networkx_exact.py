"""An exact heaviest matching by NetworkX, the reference for half-approximations.

``networkx.max_weight_matching`` is Edmonds' blossom algorithm as described by Z. Galil,
"Efficient algorithms for finding maximum matching in graphs", ACM Computing Surveys 18, 1986.
It is exact for integers only, so the weights are scaled to integers first, without rounding.
For integers NetworkX also verifies its solution against the dual one before it returns.
"""

from __future__ import annotations

import time
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import describe_cpu
from gpucore.errors import ParameterError
from gpucore.families.matching.certificate import certify_result
from gpucore.families.matching.native import make_result
from gpucore.progress import check
from gpucore.runner import Context, NoParams, Runner

if TYPE_CHECKING:
    import networkx as nx

    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph

#: Largest product of vertices and edges: with it pure Python needs about twenty seconds.
MAX_WORK = 10_000_000


def run(graph: Graph, params: NoParams, context: Context) -> MatchingResult:
    """Return a heaviest matching of a small graph.

    Raises
    ------
    ParameterError
        If vertices times edges exceed :data:`MAX_WORK`; NetworkX cannot be interrupted.
    """
    work = graph.num_vertices * graph.num_edges
    if work > MAX_WORK:
        raise ParameterError(
            f"networkx_exact takes graphs up to vertices x edges = {MAX_WORK:,}, this one has "
            f"{work:,}; take a smaller graph, or a half-approximate method such as suitor_omp"
        )
    check(context.cancel)
    import networkx as nx  # slow to import: only where it is used

    theirs = _integer_graph(graph)
    start = time.perf_counter()
    pairs = nx.max_weight_matching(theirs)
    seconds = time.perf_counter() - start
    check(context.cancel)
    mate = np.full(graph.num_vertices, -1, np.int32)
    for u, v in pairs:
        mate[u], mate[v] = v, u
    device = describe_cpu(1) | {"networkx": nx.__version__}
    return make_result("networkx_exact", graph, mate, seconds, device=device, params={"threads": 1})


def _integer_graph(graph: Graph) -> nx.Graph:
    """Return the edges above zero, all weights scaled to integers by one power of two."""
    u, v, w = graph.edges()
    useful = w > 0
    exact = [Fraction(weight) for weight in w[useful].tolist()]
    scale = max((weight.denominator for weight in exact), default=1)
    whole = [int(weight * scale) for weight in exact]
    import networkx as nx

    theirs = nx.Graph()
    theirs.add_nodes_from(range(graph.num_vertices))
    ends = zip(u[useful].tolist(), v[useful].tolist(), whole, strict=True)
    theirs.add_weighted_edges_from(ends)
    return theirs


METHOD = Runner(
    name="networkx_exact",
    title="Exact, NetworkX",
    source="NetworkX, max_weight_matching",
    run=run,
    certify=partial(certify_result, dominance="none"),
    where="library",
)
