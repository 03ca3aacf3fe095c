"""Preparation of matrices for matching rows with columns.

The Euro-Par 2013 paper (section 4) uses the matrices of a collection unchanged, and again with rows
and columns permuted at random ("RCP"), which makes most of them harder.
"""

from __future__ import annotations

import numpy as np

from gpucore.errors import GraphError
from gpucore.notes import with_steps
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.checks import check_size
from gpucore.problems.graph.graph import Graph
from gpucore.seeds import generator


def as_bipartite(graph: Graph) -> BipartiteGraph:
    """Return a bipartite graph as it is, or raise GraphError for a graph without two sides."""
    if not isinstance(graph, BipartiteGraph):
        raise GraphError(
            f"{graph!r} has no rows and columns to match; make it a matrix with "
            "gpucore.problems.bipartite.prepare.for_bipartite"
        )
    return graph


def bipartite_twin(graph: Graph) -> BipartiteGraph:
    """Return the adjacency matrix of an undirected graph as a bipartite graph.

    Parameters
    ----------
    graph : Graph
        Graph with n vertices. Weights are ignored; an edge of weight 0 is an entry too.

    Returns
    -------
    BipartiteGraph
        n rows and n columns, both with the names of the vertices. An edge gives the entries
        (u, v) and (v, u), a self-loop one on the diagonal.

    Raises
    ------
    GraphError
        If twice the vertices are more than 2**31 - 1.

    Examples
    --------
    >>> triangle = Graph.from_edges(3, [0, 1, 2], [1, 2, 0])
    >>> bipartite_twin(triangle).to_matrix().toarray().tolist()
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    n, m = graph.num_vertices, graph.indices.size
    check_size(2 * n)
    # The matrix is symmetric: the lists of the columns are those of the rows.
    indices = np.concatenate((graph.indices + np.int32(n), graph.indices))
    indptr = np.concatenate((graph.indptr, graph.indptr[1:] + m))
    step = {"step": "bipartite_twin"}
    return BipartiteGraph._of_rows(
        (indptr, indices, np.ones(2 * m, np.float32)),
        num_rows=n,
        name=graph.name,
        names=None if graph.names is None else graph.names * 2,
        source=with_steps(graph.source, step),
    )


def permute_sides(graph: Graph, seed: int = 0) -> BipartiteGraph:
    """Permute rows and columns at random, independently.

    Parameters
    ----------
    graph : BipartiteGraph
        Its vertices keep their names and coordinates.
    seed : int
        Seed of NumPy's default generator, which draws the permutation of the rows first:
        row i moves to ``permutation(R)[i]``.

    Raises
    ------
    GraphError
        If the graph is not bipartite or the seed is invalid.

    Examples
    --------
    >>> graph = BipartiteGraph.from_matrix([[1, 1, 0]], names=["row", "a", "b", "c"])
    >>> permute_sides(graph, seed=0).names
    ('row', 'b', 'c', 'a')
    """
    matrix = _bipartite(graph, "permute_sides")
    rng = generator(seed)
    rows = rng.permutation(matrix.num_rows).astype(np.int32)
    columns = rng.permutation(matrix.num_columns).astype(np.int32)
    i, j = matrix.entries()
    order = np.concatenate((np.argsort(rows), matrix.num_rows + np.argsort(columns)))
    step = {"step": "permute_sides", "seed": int(seed)}
    return matrix.rearranged(rows[i], columns[j], order, matrix.shape, step)


def transpose(graph: Graph) -> BipartiteGraph:
    """Exchange rows and columns; see :meth:`gpucore.BipartiteGraph.transpose`."""
    return _bipartite(graph, "transpose").transpose()


def for_bipartite(graph: Graph, *, seed: int = 0) -> BipartiteGraph:
    """Prepare a graph for matching rows with columns.

    Parameters
    ----------
    graph : Graph
        A bipartite graph is unchanged; any other is replaced by its twin (:func:`bipartite_twin`).
    seed : int
        Has no effect; all families' preparations have the same signature.

    Examples
    --------
    >>> from gpucore.loading import load
    >>> for_bipartite(load("karate"))
    BipartiteGraph('karate', rows=34, columns=34, edges=156)
    """
    return graph if isinstance(graph, BipartiteGraph) else bipartite_twin(graph)


def _bipartite(graph: Graph, step: str) -> BipartiteGraph:
    if isinstance(graph, BipartiteGraph):
        return graph
    raise GraphError(
        f"{step} takes a bipartite graph, of rows and columns; bipartite_twin of this module "
        "makes one of an undirected graph"
    )


#: Steps by their names in ``source["prepared"]``.
STEPS = {step.__name__: step for step in (bipartite_twin, permute_sides, transpose)}

#: What the steps did to the owner's matrix, see :mod:`gpucore.notes`.
STEP_NOTES = {
    "bipartite_twin": "The graph is taken as a matrix: each vertex is a row and a column.",
    "permute_sides": "Rows and columns are in a random order (seed {seed}).",
    "transpose": "Rows and columns are exchanged.",
}
