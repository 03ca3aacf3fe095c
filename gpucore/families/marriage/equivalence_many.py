"""The claims of the CSC 2016 paper about several mates: b-matching, assignments and fixtures.

See :mod:`gpucore.families.marriage.equivalence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import ParameterError
from gpucore.families.marriage.equivalence_claim import (
    Claim,
    Compared,
    first_difference,
    run_method,
)
from gpucore.format import counted
from gpucore.problems.preferences.preferences import Preferences

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def b_matching(
    graph: Graph, b: int | Sequence[int] | NDArray[np.integer]
) -> Compared[NDArray[np.int32]]:
    """Compare greedy b-matching with the stable many-to-many assignment of G'.

    Parameters
    ----------
    graph : Graph
        The weighted graph.
    b : int or array_like of int, shape (n,)
        Most chosen edges at each vertex, and the capacity of its man and of its woman.

    Returns
    -------
    Compared
        Sorted arrays of int32, shape (k, 2): the edges (u, v), in both directions, and the pairs
        (man, woman).

    Raises
    ------
    ParameterError
        If `b` is not at least 1 everywhere.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> triangle = Graph.from_edges(3, [0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
    >>> b_matching(triangle, [1, 1, 2]).on_graph.tolist()
    [[0, 2], [1, 2], [2, 0], [2, 1]]
    """
    room = _check_capacity(b, graph.num_vertices)
    chosen = run_method("bgreedy", graph, b=room)
    edges = _directed(chosen)
    instance = Preferences.from_graph(graph, man_capacity=room, woman_capacity=room)
    result = run_method("gale_shapley", instance)
    pairs = np.stack([result.men, result.women], axis=1)
    difference = first_difference(edges.tolist(), pairs.tolist())
    detail = f"{counted(chosen.cardinality, 'edge')}, {counted(len(pairs), 'pair')}"
    if difference is not None:
        detail = f"edge {difference[1]} by Greedy, else pair {difference[2]}"
    title = "Greedy b-matching is the stable assignment with the same capacities."
    return Compared(Claim(title, "Section 3", difference is None, detail), edges, pairs)


def fixtures(
    graph: Graph, b: int | Sequence[int] | NDArray[np.integer]
) -> Compared[NDArray[np.int32]]:
    """Compare greedy b-matching with stable fixtures whose lists are by weight.

    The first phase of Irving and Scott's algorithm alone must find it, and no person may have a
    choice left after it. Parameters, result and errors are those of :func:`b_matching`; the pairs
    are of people.

    Examples
    --------
    >>> from gpucore.loading import load
    >>> fixtures(load("karate"), 2).claim.detail
    '22 pairs, no choice left after the first phase'
    """
    room = _check_capacity(b, graph.num_vertices)
    edges = _directed(run_method("bgreedy", graph, b=room))
    result = run_method("irving_scott", graph, b=room)
    pairs, undecided = _directed(result), result.figures["undecided"]
    difference = first_difference(edges.tolist(), pairs.tolist())
    detail = f"{counted(len(edges) // 2, 'pair')}, no choice left after the first phase"
    if undecided:
        detail = f"{counted(undecided, 'person')} had a choice left"
    elif difference is not None:
        detail = f"edge {difference[1]} by Greedy, else pair {difference[2]}"
    title = "Greedy b-matching solves stable fixtures; their second phase has nothing to do."
    holds = difference is None and not undecided
    return Compared(Claim(title, "Section 3", holds, detail), edges, pairs)


def _directed(result: Any) -> NDArray[np.int32]:
    """Return the pairs of a result with several mates, in both directions: shape (2 k, 2)."""
    persons = np.arange(result.starts.size - 1, dtype=np.int32)
    ends = np.repeat(persons, np.diff(result.starts))
    return np.stack([ends, result.mates], axis=1)


def _check_capacity(b: int | Sequence[int] | NDArray[np.integer], n: int) -> NDArray[np.int32]:
    room = np.asarray(b)
    if room.size and (
        room.dtype.kind not in "iu" or room.min() < 1 or room.shape not in ((), (n,))
    ):
        raise ParameterError(f"b must be a whole number of at least 1, or one for each of {n}")
    return np.broadcast_to(room, (n,)).astype(np.int32)
