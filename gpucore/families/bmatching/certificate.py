"""Certificate of a half-approximate weighted b-matching.

A b-matching is *b-stable* if no edge outside it is one that both of its ends would take: an end
takes an edge if it has room for another mate, or if it prefers the edge to the worst of its own.
Such a b-matching M weighs at least half of a heaviest one, which linear programming duality shows
without knowing the optimum. Give each vertex the price y(v) = weight of its worst matched edge if
it has no room left, else 0, and each matched edge (u, v) the price z = max(0, w - y(u) - y(v)).
Every edge outside M satisfies w <= y(u) + y(v), so the optimum is at most the sum of all b(v) y(v)
and all z. That is the sum of max(w, y(u) + y(v)) over M, at most 2 w(M).

Half of the b(v) heaviest edges at each vertex, summed, is another bound. It needs no b-matching and
often is the tighter one; the certificate states the better of the two.

Methods with other rules for ties have to satisfy a weaker condition: no edge is heavier than the
worst edges of both of its ends. The same bound follows from it.

Edges of weight zero or less add nothing to a b-matching: they do not block, and may not be matched.

A graph whose rows are spread over ranks is certified in parts, see
:mod:`gpucore.certify.stability.parts`; the whole is the case of one part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.reported import with_reported
from gpucore.certify.stability.part import Part
from gpucore.certify.stability.parts import (
    Stability,
    check_stability,
    combine,
    examine,
    finish,
)
from gpucore.families.bmatching import native_proof
from gpucore.families.bmatching.capacity import capacities

if TYPE_CHECKING:
    from gpucore.families.bmatching.result import BMatchingResult
    from gpucore.problems.graph.graph import Graph


def certify_bmatching(
    graph: Graph,
    capacity: np.ndarray,
    starts: np.ndarray,
    mates: np.ndarray,
    *,
    stability: Stability = "strict",
) -> Certificate:
    """Prove, or refute, that a b-matching is b-stable and so half-approximate.

    Parameters
    ----------
    graph : Graph
        The graph that was matched.
    capacity : ndarray of an integer type, shape (n,)
        How many mates each vertex may have.
    starts : ndarray of an integer type, shape (n + 1,)
        ``mates[starts[u]:starts[u + 1]]`` are the mates of ``u``, ascending.
    mates : ndarray of an integer type, shape (2 * pairs,)
        All mates; every pair stands at both of its ends.
    stability : {"strict", "weak", "none"}
        Compare edges in our strict order, by weight alone, or do not check stability.

    Returns
    -------
    Certificate
        Its figures are ``weight`` (float64 sum), ``cardinality``, ``upper_bound`` (no b-matching
        of this graph is heavier) and ``ratio`` (the guaranteed part of the optimum). Wrong arrays
        of whatever shape or type give a failed certificate, not an error.

    Raises
    ------
    ParameterError
        If `stability` is none of the three.

    Notes
    -----
    Our strict order of edges is (weight, larger endpoint, smaller endpoint).
    Native code on all cores, if the arrays have the types of a result. Time is linear in the graph
    but for sorting within rows; extra memory is 8 bytes a vertex and 4 a mate.

    References
    ----------
    .. [1] A. Khan et al., "Efficient approximation algorithms for weighted b-matching", SIAM
       Journal on Scientific Computing 38(5), 2016.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2.0, 3.0, 2.0])
    >>> starts, mates = np.array([0, 1, 3, 4, 4]), np.array([1, 0, 2, 1])
    >>> certify_bmatching(path, np.array([1, 2, 1, 1]), starts, mates).figures["upper_bound"]
    6.0
    """
    check_stability(stability)
    capacity, starts, mates = map(np.asarray, (capacity, starts, mates))
    outcome = native_proof.examine(graph, capacity, starts, mates, stability)
    if outcome is None:  # other types than those of a result
        part = Part.of(graph, capacity, starts, mates)
        examined = examine(part)
        outcome = finish(part, examined, examined.summary, stability=stability)
    return combine([outcome], stability=stability)


def certify_result(
    graph: Graph, result: BMatchingResult, *, stability: Stability = "strict"
) -> Certificate:
    """Certify a result with its figures; its capacities must be those that its b means."""
    asked = _as_asked(graph, result.capacity, result.params.get("b", "given"))
    if not asked.ok:
        return certificate([asked], {})
    found = certify_bmatching(
        graph, result.capacity, result.starts, result.mates, stability=stability
    )
    return with_reported(found, result)


def _as_asked(graph: Graph, capacity: np.ndarray, b: Any) -> Check:
    """Check the capacities of a result against the b of its parameters; "given" is any."""
    name = "capacities as asked"
    if b == "given":
        return Check(name, True, "given for each vertex")
    wanted, found = capacities(graph, b), np.asarray(capacity)
    if found.shape != wanted.shape:
        return Check(name, False, f"shape is {found.shape}, b = {b} means {wanted.shape}")
    other = np.flatnonzero(found != wanted)
    if other.size:
        u = int(other[0])
        more = f" and {other.size - 1} more" if other.size > 1 else ""
        text = f"vertex {u} has the capacity {found[u]}, b = {b} means {wanted[u]}{more}"
        return Check(name, False, text)
    return Check(name, True, f"b = {b}")
