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
from gpucore.certify.pairs import (
    NAMED,
    entries,
    figures_of,
    mutual,
    name_mates,
    pairs_are_edges,
    reported,
)
from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Treatment of equal weights in the test for blocking edges; "none" omits the test.
Dominance = Literal["strict", "weak", "none"]


def certify_matching(
    graph: Graph,
    mate: np.ndarray,
    *,
    dominance: Dominance = "strict",
    weight: float | None = None,
    cardinality: int | None = None,
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
    weight, cardinality : float and int, optional
        The figures that the method itself reported, to be checked too.

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
    Time is linear in the graph, extra memory linear in its vertices.

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
    checks = mutual(mate, graph.num_vertices)
    if not checks[-1].ok:
        return certificate(checks, {})

    mate = mate.astype(np.int64)
    matched_weight, heaviest = _weights_at_vertices(graph, mate)
    checks.append(pairs_are_edges(mate, matched_weight))
    if not checks[-1].ok:
        return certificate(checks, {})

    figures = figures_of(mate, matched_weight)
    checks.append(_positive(mate, matched_weight))
    if checks[-1].ok and dominance != "none":
        checks.append(_no_blocking_edge(graph, mate, matched_weight, dominance))
    if checks[-1].ok:
        figures |= _bound(figures["weight"], heaviest, dominance)
        checks.append(_guarantee(figures, dominance))
    if checks[-1].ok and (weight is not None or cardinality is not None):
        checks.append(reported(figures, weight, cardinality))
    return certificate(checks, figures)


def _weights_at_vertices(graph: Graph, mate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return per vertex the weights of its matched edge and of its heaviest edge.

    An unmatched vertex has 0, a pair that is no edge NaN; the heaviest edge counts at least 0.
    """
    matched = np.where(mate >= 0, np.float32(np.nan), np.float32(0.0))
    heaviest = np.zeros(mate.size, np.float32)
    for rows, columns, weights in entries(graph):
        hit = columns == mate[rows]
        matched[rows[hit]] = weights[hit]
        between = rows != columns
        np.maximum.at(heaviest, rows[between], weights[between])
    return matched, heaviest


def _positive(mate: np.ndarray, matched_weight: np.ndarray) -> Check:
    name = "pairs gain"
    useless = np.flatnonzero((mate >= 0) & (matched_weight <= 0))
    if useless.size:
        return Check(name, False, f"weight not above zero: {name_mates(mate, useless)}")
    return Check(name, True, "every matched edge has a weight above zero")


def _no_blocking_edge(
    graph: Graph, mate: np.ndarray, matched_weight: np.ndarray, dominance: Dominance
) -> Check:
    name = "locally dominant"
    found: list[str] = []
    count = 0
    for chunk in entries(graph):
        # The weight alone excludes nearly every edge; only the others are compared in full.
        rows, columns, weights = chunk
        alive = (rows < columns) & (weights > 0) & (columns != mate[rows])
        alive &= (weights >= matched_weight[rows]) & (weights >= matched_weight[columns])
        u, v, w = rows[alive], columns[alive].astype(np.int64), weights[alive]
        outranks = _above(u, v, w, u, mate, matched_weight, dominance)
        outranks &= _above(u, v, w, v, mate, matched_weight, dominance)
        blocking = np.flatnonzero(outranks)
        count += blocking.size
        for i in blocking[: NAMED - len(found)]:
            at_u, at_v = _holds(u[i], mate, matched_weight), _holds(v[i], mate, matched_weight)
            found.append(f"({u[i]}, {v[i]}) of weight {w[i]:g} while {at_u} and {at_v}")
    if count:
        return Check(
            name, False, f"{count} blocking edge{'s' if count > 1 else ''}: {'; '.join(found)}"
        )
    return Check(name, True, "each edge is outranked at one of its ends, or matched")


def _above(
    u: np.ndarray,
    v: np.ndarray,
    w: np.ndarray,
    end: np.ndarray,
    mate: np.ndarray,
    matched_weight: np.ndarray,
    dominance: Dominance,
) -> np.ndarray:
    """Whether edges (u, v), u < v, rank above the matched edges of their ends `end`."""
    held = matched_weight[end]
    above = w > held  # 0 for an unmatched vertex
    if dominance == "strict":
        other = mate[end]
        larger, smaller = np.maximum(end, other), np.minimum(end, other)
        above |= (w == held) & ((v > larger) | ((v == larger) & (u > smaller)))
    return above


def _bound(weight: float, heaviest: np.ndarray, dominance: Dominance) -> dict[str, float]:
    bound = float(heaviest.sum(dtype=np.float64)) / 2.0
    if dominance != "none":
        # The prices of the matched edges are feasible only because no edge blocks.
        bound = min(bound, 2.0 * weight)
    return {"upper_bound": bound, "ratio": weight / bound if bound > 0 else 1.0}


def _guarantee(figures: dict[str, float | int], dominance: Dominance) -> Check:
    weight, bound, ratio = figures["weight"], figures["upper_bound"], figures["ratio"]
    text = f"weight {weight:.9g}, the optimum is at most {bound:.9g}: ratio at least {ratio:.4f}"
    if dominance == "none":
        return Check("bounded", True, text)
    # The bound sums the same numbers in another order, so rounding may differ.
    return Check("half-approximate", bool(ratio >= 0.5 * (1 - 1e-9)), text)


def _holds(u: int, mate: np.ndarray, matched_weight: np.ndarray) -> str:
    if mate[u] < 0:
        return f"{u} is unmatched"
    return f"{u} has {mate[u]} by {matched_weight[u]:g}"
