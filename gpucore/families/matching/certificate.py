"""Certificate of a half-approximate weighted matching.

A matching is *locally dominant* if no edge outside it is preferred, at both of its ends, to what
the ends have (Preis 1999; Manne and Halappanavar 2014). Such a matching M weighs at least half
of a heaviest one, which linear programming duality shows without knowing the optimum: give each
vertex u the price y(u) = weight of its matched edge, or 0. Every edge (u, v) then satisfies
y(u) + y(v) >= w(u, v), so the optimum is at most the sum of all prices, which is 2 w(M).

Half of the heaviest edge at each vertex is another feasible pricing. It needs no matching and often
gives the tighter bound; the certificate states the better of the two.

Methods with other rules for ties have to satisfy a weaker condition: no edge is heavier than the
matched edges of both of its ends. The same bound follows from it. A matching that is not dominant,
such as an exact one, can be certified as a matching only.

Edges of weight zero or less add nothing to a matching: they do not block, and may not be matched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.guarantee import guarantee
from gpucore.certify.native import (
    as_mates,
    figures_of,
    more,
    pair_checks,
)
from gpucore.certify.pairs import mutual, name_mates
from gpucore.certify.reported import with_reported
from gpucore.errors import ParameterError
from gpucore.families.matching.native_proof import Proof, examine

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph

#: Treatment of equal weights in the test for blocking edges; "none" omits the test.
Dominance = Literal["strict", "weak", "none"]


def certify_matching(
    graph: Graph,
    mate: np.ndarray,
    *,
    dominance: Dominance = "strict",
) -> Certificate:
    """Prove, or refute, that `mate` is a locally dominant and so half-approximate matching.

    Parameters
    ----------
    graph : Graph
        The graph that was matched.
    mate : ndarray of an integer type, shape (n,)
        ``mate[u]`` is the vertex matched to ``u``, or -1.
    dominance : {"strict", "weak", "none"}
        Compare edges in our strict order, by weight alone, or do not check dominance.

    Returns
    -------
    Certificate
        Its figures are ``weight`` (float64 sum), ``cardinality``, ``upper_bound`` (no matching
        of this graph is heavier) and ``ratio`` (the guaranteed part of the optimum). A wrong
        `mate` of whatever shape or type gives a failed certificate, not an error.

    Raises
    ------
    ParameterError
        If `dominance` is none of the three.

    Notes
    -----
    Our strict order of edges is (weight, larger endpoint, smaller endpoint).
    Time is linear in the graph; native code on all cores. Extra memory is 4 bytes a vertex.

    References
    ----------
    .. [1] R. Preis, "Linear time 1/2-approximation algorithm for maximum weighted matching in
       general graphs", STACS 1999.
    .. [2] F. Manne and M. Halappanavar, "New effective multithreaded matching algorithms",
       IPDPS 2014.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2.0, 3.0, 2.0])
    >>> print(certify_matching(path, np.array([-1, 2, 1, -1])).figures["ratio"])
    0.6
    """
    if dominance not in get_args(Dominance):
        known = ", ".join(get_args(Dominance))
        raise ParameterError(f"dominance must be one of {known}, not {dominance!r}")
    mate = np.asarray(mate)
    readable = as_mates(mate, graph.num_vertices)
    if readable is None:
        return certificate(mutual(mate, graph.num_vertices), {})
    matched_weight, found = examine(graph, readable, get_args(Dominance).index(dominance))
    checks = pair_checks(mate, found.pairs)
    if not checks[-1].ok:
        return certificate(checks, {})

    figures = figures_of(found.pairs)
    checks.append(_positive(mate, found))
    if checks[-1].ok and dominance != "none":
        checks.append(_no_blocking_edge(graph, mate, matched_weight, found))
    if not checks[-1].ok:
        return certificate(checks, figures)
    figures |= _bound(figures["weight"], found.heaviest, dominance)
    return certificate(checks, figures, [guarantee(figures, stable=dominance != "none")])


def certify_result(
    graph: Graph, result: MatchingResult, *, dominance: Dominance = "strict"
) -> Certificate:
    """Certify a result with the figures that it reports; see :func:`certify_matching`."""
    return with_reported(certify_matching(graph, result.mate, dominance=dominance), result)


def _positive(mate: np.ndarray, found: Proof) -> Check:
    name, useless = "pairs gain", found.useless
    if useless.count:
        named = name_mates(mate, useless.named) + more(useless)
        return Check(name, False, f"weight not above zero: {named}")
    return Check(name, True, "every matched edge has a weight above zero")


def _no_blocking_edge(
    graph: Graph, mate: np.ndarray, matched_weight: np.ndarray, found: Proof
) -> Check:
    name, count = "locally dominant", found.blocking.entries.count
    if not count:
        return Check(name, True, "each edge is outranked at one of its ends, or matched")
    words = []
    for u, entry in found.blocking.named:
        v, w = graph.indices[entry], graph.weights[entry]
        at_u, at_v = _holds(u, mate, matched_weight), _holds(v, mate, matched_weight)
        words.append(f"({u}, {v}) of weight {w:g} while {at_u} and {at_v}")
    text = f"{count} blocking edge{'s' if count > 1 else ''}: {'; '.join(words)}"
    return Check(name, False, text)


def _bound(weight: float, heaviest: float, dominance: Dominance) -> dict[str, float]:
    bound = heaviest / 2.0
    if dominance != "none":
        # The prices of the matched edges are feasible only because no edge blocks.
        bound = min(bound, 2.0 * weight)
    return {"upper_bound": bound, "ratio": weight / bound if bound > 0 else 1.0}


def _holds(u: int, mate: np.ndarray, matched_weight: np.ndarray) -> str:
    if mate[u] < 0:
        return f"{u} is unmatched"
    return f"{u} has {mate[u]} by {matched_weight[u]:g}"
