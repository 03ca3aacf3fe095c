"""NetworkX's Hopcroft-Karp algorithm, in plain Python, to compare with on small matrices."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import ParameterError
from gpucore.families.bipartite.certificate import certify_result
from gpucore.families.bipartite.native import (
    make_result,
    other_side,
)
from gpucore.problems.bipartite.prepare import as_bipartite
from gpucore.progress import check
from gpucore.runner import Context, NoParams, Runner

if TYPE_CHECKING:
    from gpucore.families.bipartite.result import BipartiteResult
    from gpucore.problems.graph.graph import Graph

#: Most entries of a matrix; building NetworkX's graph and matching take seconds for them.
MAX_ENTRIES = 100_000


def run(graph: Graph, params: NoParams, context: Context) -> BipartiteResult:
    """Return NetworkX's matching of maximum cardinality; building its graph is not timed.

    Raises
    ------
    ParameterError
        If the matrix has more than :data:`MAX_ENTRIES` entries, or if NetworkX's recursive
        search goes deeper than Python allows, as it does on paths of some hundreds of pairs.
    GraphError, Cancelled
    """
    matrix = as_bipartite(graph)
    if matrix.num_edges > MAX_ENTRIES:
        raise ParameterError(
            f"networkx_hopcroft_karp takes matrices of up to {MAX_ENTRIES:,} entries, this one has "
            f"{matrix.num_edges:,}; take a smaller one, or another method such as hopcroft_karp"
        )
    check(context.cancel)
    import networkx as nx  # slow to import: only where it is used

    theirs = nx.Graph()
    theirs.add_nodes_from(range(matrix.num_vertices))
    rows, columns = matrix.entries()
    ends = zip(rows.tolist(), (columns + np.int32(matrix.num_rows)).tolist(), strict=True)
    theirs.add_edges_from(ends)
    of_columns = range(matrix.num_rows, matrix.num_vertices)
    start = time.perf_counter()
    try:
        mates = nx.bipartite.hopcroft_karp_matching(theirs, top_nodes=of_columns)
    except RecursionError:
        raise ParameterError(
            "networkx_hopcroft_karp searches by recursion, and the paths of this matrix are longer "
            "than Python's stack is deep; take another method such as hopcroft_karp"
        ) from None
    seconds = time.perf_counter() - start
    check(context.cancel)
    column_match = np.array([mates.get(v, -1) for v in of_columns], np.int32)
    return make_result(
        "networkx_hopcroft_karp",
        other_side(column_match, matrix.num_rows),
        column_match,
        seconds,
        params={},
        versions={"networkx": nx.__version__},
    )


METHOD = Runner(
    name="networkx_hopcroft_karp",
    title="NetworkX's Hopcroft-Karp",
    source="NetworkX, hopcroft_karp_matching",
    run=run,
    certify=certify_result,
    where="library",
)
