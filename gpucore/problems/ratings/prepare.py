"""Preparation steps that make ratings of graphs and matrices, or choose among ratings."""

from __future__ import annotations

import numpy as np

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.notes import with_steps
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.prepare import bipartite_twin
from gpucore.problems.graph.graph import Graph
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.ratings.split import training_part
from gpucore.problems.ratings.synthetic import check_synthetic, synthetic_values
from gpucore.seeds import generator

#: Memory in bytes that an entry takes at the peak while ratings are made of it.
BYTES_PER_ENTRY = 96


def synthetic_ratings(
    graph: Graph, seed: int = 0, k: int = 8, noise: float = 0.5, round: int = 0
) -> Ratings:
    """Give every entry of a matrix a made-up rating.

    Parameters
    ----------
    graph : BipartiteGraph
        Rows are users, columns are items.
    seed : int
        Seed of NumPy's default generator, see
        :func:`gpucore.problems.ratings.synthetic.synthetic_values`.
    k, noise, round
        See there: number of factors, deviation of the noise, 1 for whole numbers from 1 to 5.

    Raises
    ------
    GraphError
        The graph is not bipartite or has no edges, or a parameter is invalid.

    Examples
    --------
    >>> pattern = BipartiteGraph.from_entries([0, 1], [0, 1], (2, 2))
    >>> synthetic_ratings(pattern, seed=1, round=1).values
    array([5., 3.], dtype=float32)
    """
    check_synthetic(k, noise, round)
    matrix = _matrix(graph, "synthetic_ratings")
    users, items = matrix.entries()
    values = synthetic_values(generator(seed), users, items, matrix.shape, k, noise, round)
    step = {"step": "synthetic_ratings", "seed": int(seed), "k": k, "noise": noise, "round": round}
    return _rated(matrix, values, step)


def weights_as_ratings(graph: Graph) -> Ratings:
    """Take the weights of a graph's edges as ratings; without weights all ratings are 1.

    An undirected graph becomes its adjacency matrix: an edge gives two ratings, a self-loop one.

    Examples
    --------
    >>> weights_as_ratings(Graph.from_edges(2, [0], [1], [0.5])).to_matrix().toarray()
    array([[0. , 0.5],
           [0.5, 0. ]], dtype=float32)
    """
    if isinstance(graph, Ratings):
        return graph
    step: dict[str, object] = {"step": "weights_as_ratings"}
    if isinstance(graph, BipartiteGraph):
        return _rated(graph, np.ones(graph.num_edges, np.float32), step)
    # One step, since the twin alone has no weights.
    twin = bipartite_twin(graph).with_attributes(source=graph.source)
    return _rated(twin, graph.weights, step)


def for_ratings(graph: Graph, *, seed: int = 0) -> Ratings:
    """Prepare any graph for factorisation.

    Parameters
    ----------
    graph : Graph
        Ratings are unchanged. The entries of a bipartite graph, or of a graph's adjacency matrix,
        get made-up ratings (:func:`synthetic_ratings`); weights are ignored.
    seed : int
        Seed of the made-up ratings.

    Examples
    --------
    >>> from gpucore.loading import load
    >>> for_ratings(load("karate"))
    Ratings('karate', users=34, items=34, ratings=156)
    """
    if isinstance(graph, Ratings):
        return graph
    return synthetic_ratings(
        graph if isinstance(graph, BipartiteGraph) else bipartite_twin(graph), seed
    )


def with_ratings(graph: Graph, *, seed: int = 0, limits: Limits | None = None) -> Ratings:
    """Return :func:`for_ratings` of a graph, within the limits."""
    if not isinstance(graph, Ratings):
        what = f"the ratings of {graph.name or 'the graph'}"
        twin = isinstance(graph, BipartiteGraph)
        vertices = graph.num_vertices if twin else 2 * graph.num_vertices
        entries = graph.num_edges if twin else graph.indices.size
        (limits or Limits()).check(what, vertices, entries, BYTES_PER_ENTRY)
    return for_ratings(graph, seed=seed)


def _matrix(graph: Graph, step: str) -> BipartiteGraph:
    if isinstance(graph, BipartiteGraph):
        return graph
    raise GraphError(
        f"{step} takes a bipartite graph, of rows and columns (in Python: "
        "gpucore.problems.bipartite.prepare.bipartite_twin makes one of an undirected graph)"
    )


def _rated(matrix: BipartiteGraph, values: np.ndarray, step: dict[str, object]) -> Ratings:
    """Return a matrix with ratings in row order, and add the step to its source."""
    return Ratings._of_rows(
        (matrix.indptr, matrix.indices, matrix.weights),
        num_rows=matrix.num_rows,
        values=values,
        name=matrix.name,
        names=matrix.names,
        coordinates=matrix.coordinates,
        source=with_steps(matrix.source, step),
    )


#: Steps by their names in ``source["prepared"]``.
STEPS = {step.__name__: step for step in (synthetic_ratings, weights_as_ratings, training_part)}

#: What the steps did to the owner's matrix, see :mod:`gpucore.notes`.
STEP_NOTES = {"synthetic_ratings": "The ratings are made up (seed {seed})."}
