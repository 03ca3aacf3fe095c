"""Preparation steps that convert graphs to instances of stable roommates."""

from __future__ import annotations

from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.roommates.graph import RoommatesGraph
from gpucore.problems.roommates.roommates import Roommates


def roommates_of_graph(graph: Graph) -> RoommatesGraph:
    """Return the instance in which each vertex prefers heavier edges.

    See :meth:`gpucore.problems.roommates.roommates.Roommates.from_graph`.

    Examples
    --------
    >>> roommates_of_graph(Graph.from_edges(3, [0, 1], [1, 2], [1.0, 2.0])).roommates.lists()
    [[1], [2, 0], [1]]
    """
    return Roommates.from_graph(graph).graph()


def for_roommates(graph: Graph, *, seed: int = 0) -> RoommatesGraph:
    """Prepare a graph for stable roommates; the seed is that of random weights if it has none.

    Examples
    --------
    >>> from gpucore.loading import load
    >>> for_roommates(load("karate"))
    RoommatesGraph('karate', people=34, pairs=78)
    """
    if isinstance(graph, RoommatesGraph):
        return graph
    return roommates_of_graph(for_matching(graph, seed=seed))


#: Steps by their names in ``source["prepared"]``.
STEPS = {roommates_of_graph.__name__: roommates_of_graph}

#: What the steps did to the owner's graph, see :mod:`gpucore.notes`.
STEP_NOTES = {"roommates_of_graph": "Each vertex ranks its neighbours by weight."}
