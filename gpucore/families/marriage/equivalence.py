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

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.errors import ParameterError
from gpucore.families.marriage.equivalence_claim import (
    Claim,
    Compared,
    Mates,
    first_difference,
    run_method,
)
from gpucore.families.marriage.equivalence_many import b_matching, fixtures
from gpucore.families.marriage.equivalence_runs import (
    Proposals,
    Rounds,
    gale_shapley_rounds,
    mcvitie_wilson_proposals,
    pointer_rounds,
    suitor_proposals,
)
from gpucore.format import counted
from gpucore.problems.preferences.preferences import Preferences

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


__all__ = [
    "Claim",
    "Compared",
    "b_matching",
    "chains",
    "claims",
    "fixtures",
    "lemma_31",
    "pointer",
    "roommates",
]


def lemma_31(graph: Graph) -> Compared[Mates]:
    """Compare the greedy matching of a graph with all stable marriages of its instance.

    The marriage that is best for the men and the one that is best for the women are the same, so
    there is only one; and each man is married to the woman of his vertex's mate.

    Examples
    --------
    >>> from gpucore.loading import load
    >>> lemma_31(load("karate")).claim.detail
    '12 edges, 24 pairs; best for the men and best for the women'
    """
    instance = Preferences.from_graph(graph)
    mate = run_method("greedy", graph).mate
    best_for_men = run_method("gale_shapley", instance).wife
    best_for_women = run_method("gale_shapley", instance, proposers="women").wife
    differing = np.flatnonzero((mate != best_for_men) | (mate != best_for_women))
    pairs = int(np.count_nonzero(best_for_men >= 0))
    sizes = f"{counted(pairs // 2, 'edge')}, {counted(pairs, 'pair')}"
    detail = f"{sizes}; best for the men and best for the women"
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
    mate = run_method("greedy", graph).mate
    result = run_method("irving", graph)
    undecided = result.figures["undecided"]
    differing = np.flatnonzero(mate != result.mate)
    pairs = counted(np.count_nonzero(mate >= 0) // 2, "pair")
    detail = f"{pairs}, no choice left after the first phase"
    if undecided or differing.size:
        detail = (
            f"{counted(undecided, 'person')} had a choice left, and {differing.size} another mate"
        )
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
    difference = first_difference(one.steps(), other.steps())
    count = one.proposer.size
    displacing = np.count_nonzero(one.displaced >= 0)
    detail = f"{counted(count, 'proposal')}, {displacing} of which displace another"
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
    >>> from gpucore.loading import load
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
    detail = f"{counted(len(points.place), 'round')} of pointing, {len(asks.place)} of proposals"
    if behind:
        detail = f"in round {behind[0][0] + 1} vertex {behind[0][1]} is ahead of its man"
    elif not same:
        v = int(np.flatnonzero(points.mate != asks.mate)[0])
        detail = f"vertex {v} has {points.mate[v]}, its man has {asks.mate[v]}"
    title = "The pointer algorithm is Gale and Shapley's, refusing later."
    claim = Claim(title, "Section 3.1", same and fewer and not behind, detail)
    return Compared(claim, points, asks)


def claims(graph: Graph, *, b: int = 2) -> tuple[Claim, ...]:
    """Run every claim on one graph.

    Examples
    --------
    >>> from gpucore.loading import load
    >>> all(claim.holds for claim in claims(load("karate")))
    True
    """
    runs = (
        lemma_31(graph),
        chains(graph),
        pointer(graph),
        roommates(graph),
        b_matching(graph, b),
        fixtures(graph, b),
    )
    return tuple(run.claim for run in runs)


def _check_order(order: ArrayLike | None, n: int) -> NDArray[np.int64]:
    turns = np.arange(n) if order is None else np.asarray(order)
    if turns.size == 0 and n == 0:
        return np.arange(0)
    if turns.dtype.kind not in "iu" or not np.array_equal(np.sort(turns, axis=None), np.arange(n)):
        raise ParameterError(f"order must hold each of the {n} vertices once")
    return turns.astype(np.int64)
