"""Preparation of matrices as in the papers, one function per step.

The papers mention briefly how they prepare the matrices of a collection (HiPC 2015, section 5.1:
negative weights made positive, zeros and the diagonal dropped, random weights where there are
none). Here each step is a function that adds itself to ``graph.source["prepared"]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import numpy as np
from scipy import sparse

from gpucore.arrays import sound, wide
from gpucore.errors import GraphError
from gpucore.notes import with_steps
from gpucore.problems.graph.csr import Arrays
from gpucore.problems.graph.graph import Graph
from gpucore.rows import row_numbers, row_starts
from gpucore.seeds import generator

#: Any of SciPy's sparse arrays and matrices, which have no common typed base.
Matrix = Any


def symmetrise(
    matrix: Matrix,
    *,
    combine: Literal["larger", "sum"] = "larger",
    name: str = "",
    source: Mapping[str, Any] | None = None,
) -> Graph:
    """Convert a square sparse matrix, symmetric or not, to an undirected graph.

    Parameters
    ----------
    matrix : sparse array or matrix, shape (n, n)
        Real; entries given twice are added up first, as SciPy does.
    combine : {"larger", "sum"}
        Weight of an edge with entries in both directions: the entry of larger absolute value
        (the positive one of two opposite ones), or their sum. A symmetric matrix keeps its
        weights with "larger" and doubles them (but not its loops') with "sum".
    name, source
        See :class:`gpucore.Graph`.

    Returns
    -------
    Graph
        The diagonal becomes self-loops; a matrix of booleans makes an unweighted graph.

    Raises
    ------
    GraphError
        If the matrix is not square or not real.

    Examples
    --------
    >>> symmetrise(sparse.coo_array([[0, 2, 0], [-3, 0, 1], [0, 0, 0]])).to_scipy().toarray()
    array([[ 0., -3.,  0.],
           [-3.,  0.,  1.],
           [ 0.,  1.,  0.]], dtype=float32)
    """
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise GraphError(f"a graph takes a square matrix, not one of shape {matrix.shape}")
    entries = sparse.coo_array(wide(sound(matrix)), copy=True)
    entries.sum_duplicates()
    weights = None if entries.dtype == np.bool_ else entries.data
    return Graph.from_edges(
        matrix.shape[0],
        entries.row,
        entries.col,
        weights,
        duplicates=combine if weights is not None else "first",
        name=name,
        source=source,
    )


def absolute_values(graph: Graph) -> Graph:
    """Replace every weight by its absolute value.

    Examples
    --------
    >>> absolute_values(Graph.from_edges(2, [0], [1], [-4])).weights
    array([4., 4.], dtype=float32)
    """
    if not (graph.weights < 0).any():
        return graph
    rows = (graph.indptr, graph.indices, np.abs(graph.weights))
    return _derived(graph, rows, {"step": "absolute_values"})


def drop_negative(graph: Graph) -> Graph:
    """Remove the edges of negative weight, which no heaviest matching has.

    Examples
    --------
    >>> drop_negative(Graph.from_edges(3, [0, 1], [1, 2], [-3, 7]))
    Graph(vertices=3, edges=1, weighted)
    """
    if not (graph.weights < 0).any():
        return graph
    return _filtered(graph, graph.weights >= 0, {"step": "drop_negative"})


def drop_loops(graph: Graph) -> Graph:
    """Remove the self-loops (a matrix's diagonal).

    Examples
    --------
    >>> drop_loops(Graph.from_edges(2, [0, 0], [0, 1]))
    Graph(vertices=2, edges=1)
    """
    if graph.num_loops == 0:
        return graph
    return _filtered(graph, row_numbers(graph.indptr) != graph.indices, {"step": "drop_loops"})


def drop_zeros(graph: Graph) -> Graph:
    """Remove the edges of weight 0 (zeros that a file stores explicitly).

    Examples
    --------
    >>> drop_zeros(Graph.from_edges(3, [0, 1], [1, 2], [0, 7]))
    Graph(vertices=3, edges=1, weighted)
    """
    if graph.weights.all():
        return graph
    return _filtered(graph, graph.weights != 0, {"step": "drop_zeros"})


def random_weights(graph: Graph, seed: int = 0) -> Graph:
    """Give every edge a random weight, uniform in (0, 1].

    Parameters
    ----------
    graph : Graph
        Its own weights are discarded.
    seed : int
        Seed of NumPy's default generator. Edge ``k`` of :meth:`Graph.edges` gets
        ``1 - random(float32)[k]``; self-loops follow in the order of their vertices.

    Returns
    -------
    Graph

    Examples
    --------
    >>> path = Graph.from_edges(3, [0, 1], [1, 2])
    >>> random_weights(path, seed=1).edges()[2]
    array([0.52681136, 0.48817843], dtype=float32)
    """
    count = graph.num_edges + graph.num_loops
    numbers = 1 - generator(seed).random(count, dtype=np.float32)
    return _weighted(graph, numbers, {"step": "random_weights", "seed": seed})


def integer_weights(graph: Graph, seed: int = 0, most: int = 100) -> Graph:
    """Give every edge a random integer from 1 to `most` as its weight; such weights have many ties.

    Examples
    --------
    >>> path = Graph.from_edges(3, [0, 1], [1, 2])
    >>> integer_weights(path, seed=1).edges()[2]
    array([48., 52.], dtype=float32)
    """
    if not 1 <= most <= 1 << 24:
        raise GraphError(f"integer weights must lie between 1 and {1 << 24}, not reach {most}")
    count = graph.num_edges + graph.num_loops
    numbers = generator(seed).integers(1, most, count, endpoint=True)
    step = {"step": "integer_weights", "seed": seed, "most": most}
    return _weighted(graph, numbers.astype(np.float32), step)


#: What negative weights mean for a matching: such edges are worth nothing, or, as in the papers,
#: which take matrices, they count by their absolute values.
Weights = Literal["positive", "absolute"]


def for_matching(graph: Graph, *, seed: int = 0, weights: Weights = "positive") -> Graph:
    """Prepare a graph for weighted matching.

    Drops the self-loops and the edges of weight 0 or less, which add nothing to a matching, and
    gives random weights in (0, 1] if the graph has none.

    Parameters
    ----------
    graph : Graph
        Any graph.
    seed : int
        Seed of random weights.
    weights : {"positive", "absolute"}
        "absolute" takes the absolute values of negative weights, as the papers do with matrices
        (HiPC 2015, section 5.1).

    Raises
    ------
    GraphError
        If `weights` is neither of the two.

    Examples
    --------
    >>> triangle = Graph.from_edges(3, [0, 1, 2], [1, 2, 0], [-3, 4, -9])
    >>> for_matching(triangle)
    Graph(vertices=3, edges=1, weighted)
    >>> for_matching(triangle, weights="absolute")
    Graph(vertices=3, edges=3, weighted)
    """
    if weights not in get_args(Weights):
        known = " or ".join(get_args(Weights))
        raise GraphError(f"weights of a matching are {known}, not {weights!r}")
    positive = drop_negative if weights == "positive" else absolute_values
    graph = drop_zeros(positive(drop_loops(graph)))
    return graph if graph.weighted else random_weights(graph, seed)


def for_communities(graph: Graph, *, seed: int = 0) -> Graph:
    """Prepare a graph for the search for communities: only edges of weight 0 are dropped.

    Self-loops stay, and without weights every edge has weight 1. Negative weights are refused,
    since modularity is not defined for them.

    Parameters
    ----------
    graph : Graph
        Any graph, also one without edges.
    seed : int
        Has no effect; all families' preparations have the same signature.

    Raises
    ------
    GraphError
        A weight is negative; the message names the edge.

    Examples
    --------
    >>> for_communities(Graph.from_edges(3, [0, 1, 2], [1, 2, 2], [0, 2, 1]))
    Graph(vertices=3, edges=1, loops=1, weighted)
    """
    if (graph.weights < 0).any():
        at = int(np.argmax(graph.weights < 0))
        u, v = int(row_numbers(graph.indptr)[at]), int(graph.indices[at])
        raise GraphError(
            f"edge ({u}, {v}) has the weight {graph.weights[at]:g}; communities by modularity need "
            "weights of at least 0; leave such edges out (in Python: or take "
            "gpucore.problems.graph.prepare.absolute_values(graph))"
        )
    return drop_zeros(graph)


#: Steps by their names in ``source["prepared"]``.
STEPS: dict[str, Callable[..., Graph]] = {
    step.__name__: step
    for step in (
        absolute_values,
        drop_negative,
        drop_loops,
        drop_zeros,
        random_weights,
        integer_weights,
    )
}

#: What the steps did to the owner's graph, see :mod:`gpucore.notes`.
STEP_NOTES = {
    "absolute_values": "Negative weights count by their absolute values.",
    "drop_negative": "Edges of negative weight are left out: no heaviest matching has one.",
    "drop_loops": "Self-loops are left out.",
    "drop_zeros": "Edges of weight 0 are left out.",
    "random_weights": "The weights are random (seed {seed}).",
    "integer_weights": "The weights are random integers from 1 to {most} (seed {seed}).",
}


def _weighted(graph: Graph, numbers: np.ndarray, step: dict[str, Any]) -> Graph:
    """Assign weights to the edges in the order of ``graph.edges()``, then to the loops."""
    n, m = graph.num_vertices, graph.num_edges
    rows = row_numbers(graph.indptr)
    weights = np.empty_like(graph.weights)
    upper = rows < graph.indices
    weights[upper] = numbers[:m]
    weights[rows == graph.indices] = numbers[m:]
    # In row order, the lower half is the transpose of the upper one.
    starts = row_starts(upper)[graph.indptr]
    half = sparse.csr_array((numbers[:m], graph.indices[upper], starts), shape=(n, n))
    weights[rows > graph.indices] = half.tocsc().data
    return _derived(graph, (graph.indptr, graph.indices, weights), step, weighted=True)


def _filtered(graph: Graph, keep: np.ndarray, step: dict[str, Any]) -> Graph:
    indptr = row_starts(keep)
    rows = (indptr[graph.indptr], graph.indices[keep], graph.weights[keep])
    return _derived(graph, rows, step)


def _derived(graph: Graph, rows: Arrays, step: dict[str, Any], **changed: Any) -> Graph:
    """Return a graph with other rows and the same attributes, and add the step to its source."""
    kept = ("name", "weighted", "coordinates", "names")
    attributes = {name: getattr(graph, name) for name in kept} | changed
    return Graph._of_rows(rows, **attributes, source=with_steps(graph.source, step))
