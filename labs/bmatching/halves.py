"""How bad greedy can be: a graph of the reader's, and the best b-matching by trying all.

Source: Mestre, "Greedy in approximation algorithms", ESA 2006: greedy b-matching has at least half
of the greatest weight.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import gpucore
from gpucore.errors import WarplensError
from gpucore.families.bmatching.capacity import capacities
from gpucore.problems.graph.graph import Graph

from ..kit.book import exercise
from ..kit.exercises import Verdict
from ..kit.graphs import graph_of

#: Limits of the reader's graph; all sets of its edges are tried.
MOST_VERTICES, MOST_EDGES = 24, 18
#: The share of the optimum to get below.
WANTED = 0.55


@exercise("bmatching/halves-bad", start=([(0, 1, 1.0), (1, 2, 1.01), (2, 3, 1.0)], 2))
def bad(edges: Iterable[Any], b: int) -> Verdict:
    """Check that greedy has less than 55 percent of the greatest weight on a reader's graph.

    Parameters
    ----------
    edges : iterable of tuple
        Two vertices, from 0, and the weight if it is not 1.
    b : int
        How many mates each vertex may have.
    """
    try:
        graph = graph_of(edges, MOST_VERTICES, MOST_EDGES)
        greedy, best = weights(graph, b)
    except (WarplensError, TypeError, ValueError) as error:
        return Verdict(False, f"This is no graph for us: {error}.")
    share = greedy / best
    result = f"Greedy: {greedy:g}. The best of all {2**graph.num_edges:,} sets of edges: {best:g}."
    if share >= WANTED:
        why = (
            "One edge that greedy takes should keep two others out, one at each end, each almost "
            "as heavy; and both ends must be full by such edges."
        )
        seen = f"{result} That is {share:.1%}."
        return Verdict(False, f"{seen} {why}", hint=seen)
    return Verdict(
        True,
        f"{result} That is {share:.1%}. It cannot be below one half: each edge that greedy leaves "
        "out finds an end that is full of heavier edges, and an edge of greedy has two ends.",
    )


def weights(graph: Graph, b: int) -> tuple[float, float]:
    """Return the weight of greedy, and that of the best b-matching, found by trying all.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> weights(Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2.0, 3.0, 2.0]), 1)
    (3.0, 4.0)
    """
    greedy: Any = gpucore.run("bgreedy", graph, certify=False, b=b)
    u, v, weight = graph.edges()
    chosen = (np.arange(2 ** len(u))[:, None] >> np.arange(len(u))) & 1
    incidence = np.zeros((len(u), graph.num_vertices), np.int64)
    incidence[np.arange(len(u)), u] = incidence[np.arange(len(u)), v] = 1
    allowed = (chosen @ incidence <= capacities(graph, b)).all(axis=1)
    best = float((chosen[allowed] @ weight.astype(np.float64)).max())
    return float(greedy.weight), best
