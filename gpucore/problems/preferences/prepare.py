"""Preparation steps that convert graphs and matrices to instances of stable marriage."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.notes import with_steps
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.preferences import Preferences
from gpucore.rows import row_starts
from gpucore.seeds import generator


def marriage_of_graph(graph: Graph) -> PreferenceGraph:
    """Return the instance whose only stable marriage is the graph's greedy matching.

    Lemma 3.1 of the CSC 2016 paper; see
    :meth:`gpucore.problems.preferences.preferences.Preferences.from_graph`.

    Parameters
    ----------
    graph : Graph
        Weighted graph; only edges of weight above 0 become pairs.

    Raises
    ------
    GraphError
        There would be more than two million pairs.

    Examples
    --------
    >>> triangle = Graph.from_edges(3, [0, 1, 2], [1, 2, 0], [3.0, 2.0, 1.0])
    >>> marriage_of_graph(triangle).preferences.lists()[0]
    [[1, 2], [0, 2], [1, 0]]
    """
    return Preferences.from_graph(graph).graph()


def random_preferences(graph: Graph, seed: int = 0) -> PreferenceGraph:
    """Make an instance from a matrix: rows are men, columns are women, ranks are random.

    Parameters
    ----------
    graph : BipartiteGraph
        Its entries are the pairs.
    seed : int
        Seed of NumPy's default generator, which shuffles the entries for the men, then for the
        women.

    Raises
    ------
    GraphError
        If the graph is not bipartite, the seed is invalid, or there are more than two million
        pairs.

    Examples
    --------
    >>> square = BipartiteGraph.from_entries([0, 0, 1, 1], [0, 1, 0, 1], shape=(2, 2))
    >>> random_preferences(square, seed=1).preferences.lists()
    ([[0, 1], [0, 1]], [[0, 1], [1, 0]])
    """
    if not isinstance(graph, BipartiteGraph):
        raise GraphError(
            "random_preferences takes a bipartite graph, of rows and columns; of an undirected "
            "graph marriage_of_graph makes an instance"
        )
    rng = generator(seed)
    rows, columns = graph.entries()
    his = _shuffled(rng, rows, columns, graph.num_rows)
    hers = _shuffled(rng, columns, rows, graph.num_columns)
    step = {"step": "random_preferences", "seed": int(seed)}
    return Preferences.from_csr(
        *his,
        *hers,
        name=graph.name,
        names=graph.names,
        source=with_steps(graph.source, step),
    ).graph()


def _shuffled(
    rng: np.random.Generator, own: NDArray[np.int32], others: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return compressed rows of the pairs in random order."""
    indptr = row_starts(np.bincount(own, minlength=count))
    order = rng.permutation(own.size)
    return indptr, others[order[np.argsort(own[order], kind="stable")]]


def for_marriage(graph: Graph, *, seed: int = 0) -> PreferenceGraph:
    """Prepare a graph for stable marriage.

    Parameters
    ----------
    graph : Graph
        A graph of preferences is unchanged. The entries of a bipartite graph are ranked at random
        (:func:`random_preferences`). Any other graph is prepared for weighted matching
        (:func:`gpucore.problems.graph.prepare.for_matching`) and becomes the instance of Lemma 3.1
        (:func:`marriage_of_graph`).
    seed : int
        Seed of random weights or ranks.

    Examples
    --------
    >>> from gpucore.loading import load
    >>> for_marriage(load("karate"))
    PreferenceGraph('karate', men=34, women=34, pairs=156)
    """
    if isinstance(graph, PreferenceGraph):
        return graph
    if isinstance(graph, BipartiteGraph):
        return random_preferences(graph, seed)
    return marriage_of_graph(for_matching(graph, seed=seed))


def swapped(graph: Graph) -> PreferenceGraph:
    """Exchange men and women of a graph of preferences; see ``Preferences.swapped``."""
    return as_preferences(graph).swapped().graph()


#: Steps by their names in ``source["prepared"]``.
STEPS = {step.__name__: step for step in (marriage_of_graph, random_preferences, swapped)}

#: What the steps did to the owner's instance, see :mod:`gpucore.notes`.
STEP_NOTES = {
    "marriage_of_graph": "Each vertex is a man and a woman, who rank neighbours by weight.",
    "random_preferences": "The lists are in a random order (seed {seed}).",
    "swapped": "The sides are exchanged: the second one proposes.",
}


def as_preferences(problem: Preferences | Graph) -> Preferences:
    """Return the problem as an instance, or raise GraphError.

    Examples
    --------
    >>> as_preferences(Preferences.shared([0], [1]).graph())
    Preferences(men=1, women=1, pairs=1)
    """
    if isinstance(problem, Preferences):
        return problem
    if isinstance(problem, PreferenceGraph):
        return problem.preferences
    raise GraphError(
        f"stable marriage takes preferences, not {problem!r}; for_marriage of this module makes "
        "them of a graph"
    )
