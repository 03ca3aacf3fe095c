"""Greedy matching is a stable marriage: the claims of section 3 of the CSC 2016 paper, to be run.

A weighted graph G gives an instance G' of stable marriage in which every vertex is a man and a
woman, and both rank the neighbours by weight
(:meth:`gpucore.problems.preferences.preferences.Preferences.from_graph`). Each function here runs
both sides of one claim on any given graph and compares them, as a whole or step by step. The two
sides share no code: one reads the graph's weights, the other only ranks.

References
----------
.. [1] F. Manne, M. Naim, H. Lerring, M. Halappanavar, "On stable marriages and greedy matchings",
   CSC 2016.
.. [2] F. Manne, R. H. Bisseling, "A parallel approximation algorithm for the weighted maximum
   matching problem", PPAM 2007: the pointer algorithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.errors import ParameterError
from gpucore.families.marriage.equivalence_runs import (
    Proposals,
    Rounds,
    gale_shapley_rounds,
    mcvitie_wilson_proposals,
    pointer_rounds,
    suitor_proposals,
)
from gpucore.families.marriage.methods import gale_shapley
from gpucore.family import get_method
from gpucore.problems.preferences.preferences import Preferences

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


Side = TypeVar("Side")

#: The partner of every vertex, or of its man, or -1: int32, shape (n,).
Mates = NDArray[np.int32]


def _run(name: str, graph: Graph, **params: Any) -> Any:
    """Return the result of a method of another family."""
    return get_method(name).run(graph, **params)


@dataclass(frozen=True)
class Claim:
    """A claim of the paper and whether it holds on a graph.

    Attributes
    ----------
    title : str
        The claim in one sentence.
    source : str
        Section or lemma of the paper.
    holds : bool
        Whether the two sides agree.
    detail : str
        The comparison; if the claim fails, the place where the sides first differ.
    """

    title: str
    source: str
    holds: bool
    detail: str


@dataclass(frozen=True)
class Compared(Generic[Side]):
    """Both sides of a claim.

    Attributes
    ----------
    claim : Claim
    on_graph, on_preferences
        The steps or the result of the method on the graph, and of that on its instance.
    """

    claim: Claim
    on_graph: Side
    on_preferences: Side


def lemma_31(graph: Graph) -> Compared[Mates]:
    """Compare the greedy matching of a graph with all stable marriages of its instance.

    The marriage that is best for the men and the one that is best for the women are the same, so
    there is only one; and each man is married to the woman of his vertex's mate.

    Examples
    --------
    >>> from gpucore.problems.graph.load import load
    >>> lemma_31(load("karate")).claim.detail
    '12 edges, 24 pairs; best for the men and best for the women'
    """
    instance = Preferences.from_graph(graph)
    mate = _run("greedy", graph).mate
    best_for_men = gale_shapley.run(instance).wife
    best_for_women = gale_shapley.run(instance, proposers="women").wife
    differing = np.flatnonzero((mate != best_for_men) | (mate != best_for_women))
    pairs = int(np.count_nonzero(best_for_men >= 0))
    detail = f"{pairs // 2} edges, {pairs} pairs; best for the men and best for the women"
    if differing.size:
        v = int(differing[0])
        detail = (
            f"vertex {v} has {mate[v]} by Greedy, its man has {best_for_men[v]} at best and "
            f"{best_for_women[v]} at worst"
        )
    title = "The greedy matching is the only stable marriage of the graph's instance."
    return Compared(Claim(title, "Lemma 3.1", not differing.size, detail), mate, best_for_men)


def roommates(graph: Graph) -> Compared[Mates]:
    """Compare the greedy matching with stable roommates whose lists are by weight.

    Irving's first phase alone must find it, and no person may have a choice left after it.
    """
    mate = _run("greedy", graph).mate
    result = _run("irving", graph)
    undecided = result.figures["undecided"]
    differing = np.flatnonzero(mate != result.mate)
    detail = f"{np.count_nonzero(mate >= 0) // 2} pairs, no choice left after the first phase"
    if undecided or differing.size:
        detail = f"{undecided} persons had a choice left, {differing.size} have another mate"
    title = "Irving's first phase finds the greedy matching; the second has nothing to do."
    claim = Claim(title, "Section 3.1", not undecided and not differing.size, detail)
    return Compared(claim, mate, result.mate)


def chains(graph: Graph, order: ArrayLike | None = None) -> Compared[Proposals]:
    """Compare the proposals of Suitor with those of McVitie and Wilson's algorithm on G'.

    Parameters
    ----------
    graph : Graph
        A small graph: both sides are plain Python, step by step.
    order : array_like of int, shape (n,), optional
        The order in which vertices, and men, take their first turn; default: by number.

    Raises
    ------
    ParameterError
        If `order` does not hold every vertex once.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [1.0, 2.0, 3.0])
    >>> found = chains(path)
    >>> found.claim.holds, found.on_graph.steps()
    (True, [(0, 1, -1), (1, 2, -1), (2, 3, -1), (3, 2, 1), (1, 0, -1)])
    """
    turns = _check_order(order, graph.num_vertices)
    one = suitor_proposals(graph, turns)
    other = mcvitie_wilson_proposals(Preferences.from_graph(graph), turns)
    difference = _first_difference(one.steps(), other.steps())
    count = one.proposer.size
    detail = f"{count} proposals, {np.count_nonzero(one.displaced >= 0)} of which displace somebody"
    if difference is not None:
        detail = f"proposal {difference[0] + 1} is {difference[1]} by Suitor, else {difference[2]}"
    title = "Suitor is McVitie and Wilson's algorithm: the same proposals, one by one."
    return Compared(Claim(title, "Section 3.1", difference is None, detail), one, other)


def pointer(graph: Graph) -> Compared[Rounds]:
    """Compare the pointer algorithm with Gale and Shapley's rounds on G'.

    A vertex that points at another proposes to it; it is refused once the other one is matched. A
    woman refuses a man as soon as she holds a better one. So in every round each man is at least as
    far down his list as his vertex, and at the end both are equally far.

    Examples
    --------
    >>> from gpucore.problems.graph.load import load
    >>> pointer(load("karate")).claim.holds
    True
    """
    points, asks = pointer_rounds(graph), gale_shapley_rounds(Preferences.from_graph(graph))
    common = min(len(points.place), len(asks.place))
    behind = [
        (i, int(v)) for i in range(common) for v in np.flatnonzero(points.place[i] > asks.place[i])
    ]
    same = np.array_equal(points.mate, asks.mate)
    fewer = len(asks.place) <= len(points.place)
    detail = f"{len(points.place)} rounds of pointing, {len(asks.place)} of proposals"
    if behind:
        detail = f"in round {behind[0][0] + 1} vertex {behind[0][1]} is ahead of its man"
    elif not same:
        v = int(np.flatnonzero(points.mate != asks.mate)[0])
        detail = f"vertex {v} has {points.mate[v]}, its man has {asks.mate[v]}"
    title = "The pointer algorithm is Gale and Shapley's, refusing later."
    claim = Claim(title, "Section 3.1", same and fewer and not behind, detail)
    return Compared(claim, points, asks)


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
    chosen = _run("bgreedy", graph, b=room)
    ends = np.repeat(np.arange(graph.num_vertices, dtype=np.int32), np.diff(chosen.starts))
    edges = np.stack([ends, chosen.mates], axis=1)
    instance = Preferences.from_graph(graph, man_capacity=room, woman_capacity=room)
    result = gale_shapley.run(instance)
    pairs = np.stack([result.men, result.women], axis=1)
    difference = _first_difference(edges.tolist(), pairs.tolist())
    detail = f"{chosen.cardinality} edges, {len(pairs)} pairs"
    if difference is not None:
        detail = f"edge {difference[1]} by Greedy, else pair {difference[2]}"
    title = "Greedy b-matching is the stable assignment with the same capacities."
    return Compared(Claim(title, "Section 3", difference is None, detail), edges, pairs)


def claims(graph: Graph, *, b: int = 2) -> tuple[Claim, ...]:
    """Run every claim on one graph.

    Examples
    --------
    >>> from gpucore.problems.graph.load import load
    >>> all(claim.holds for claim in claims(load("karate")))
    True
    """
    runs = (lemma_31(graph), chains(graph), pointer(graph), roommates(graph), b_matching(graph, b))
    return tuple(run.claim for run in runs)


def _check_order(order: ArrayLike | None, n: int) -> NDArray[np.int64]:
    turns = np.arange(n) if order is None else np.asarray(order)
    if turns.size == 0 and n == 0:
        return np.arange(0)
    if turns.dtype.kind not in "iu" or not np.array_equal(np.sort(turns, axis=None), np.arange(n)):
        raise ParameterError(f"order must hold each of the {n} vertices once")
    return turns.astype(np.int64)


def _check_capacity(b: int | Sequence[int] | NDArray[np.integer], n: int) -> NDArray[np.int32]:
    room = np.asarray(b)
    if room.size and (
        room.dtype.kind not in "iu" or room.min() < 1 or room.shape not in ((), (n,))
    ):
        raise ParameterError(f"b must be a whole number of at least 1, or one for each of {n}")
    return np.broadcast_to(room, (n,)).astype(np.int32)


def _first_difference(one: list, other: list) -> tuple[int, object, object] | None:
    """Return the first difference of two lists and their items there, None for a list's end."""
    if one == other:
        return None
    for i in range(max(len(one), len(other))):
        a, b = (rows[i] if i < len(rows) else None for rows in (one, other))
        if a != b:
            return i, a, b
    return None
