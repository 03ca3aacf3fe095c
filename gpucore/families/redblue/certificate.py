"""Certificate of a maximal matching: no further edge can be added to it.

A matching is maximal if no edge has both ends free. It then has at least half as many pairs as any
other matching: each pair of the other one shares an end with a pair of this one, and a pair has
only two ends. Coarsening needs no more, and the method promises no more: the certificate
says nothing about weights, and edges of every weight count. Loops do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.native import as_mates, figures_of, pair_checks
from gpucore.certify.pairs import mutual
from gpucore.certify.reported import with_reported
from gpucore.families.redblue.native_proof import Proof, examine
from gpucore.format import counted

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def certify_maximal(graph: Graph, mate: np.ndarray) -> Certificate:
    """Prove, or refute, that `mate` is a maximal matching.

    Parameters
    ----------
    graph : Graph
        The graph that was matched.
    mate : ndarray of an integer type, shape (n,)
        ``mate[u]`` is the vertex matched to ``u``, or -1.

    Returns
    -------
    Certificate
        Its figures are ``weight`` (float64 sum), ``cardinality``, ``largest`` (no matching of this
        graph has more pairs) and ``ratio`` (cardinality over that). A wrong `mate` of whatever
        shape or type gives a failed certificate, not an error.

    Notes
    -----
    Time is linear in the graph; native code on all cores. Extra memory is 4 bytes a vertex.

    References
    ----------
    .. [1] B. O. Fagginger Auer, R. H. Bisseling, "A GPU algorithm for greedy graph matching",
       Facing the Multicore-Challenge II, 2012, sections 1 and 2.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    >>> print(certify_maximal(path, np.array([-1, 2, 1, -1])).figures["ratio"])
    0.5
    >>> print(certify_maximal(path, np.array([1, 0, -1, -1])).failure.detail)
    1 edge with both ends free: (2, 3)
    """
    mate = np.asarray(mate)
    readable = as_mates(mate, graph.num_vertices)
    if readable is None:
        return certificate(mutual(mate, graph.num_vertices), {})
    found = examine(graph, readable)
    checks = pair_checks(mate, found.pairs)
    if not checks[-1].ok:
        return certificate(checks, {})
    figures = figures_of(found.pairs)
    checks.append(_maximal(graph, found))
    if checks[-1].ok:
        figures |= _bound(found, int(figures["cardinality"]))
    return certificate(checks, figures)


def certify_result(graph: Graph, result: Any) -> Certificate:
    """Certify a ``MatchingResult`` with the figures that it reports."""
    return with_reported(certify_maximal(graph, result.mate), result)


def _maximal(graph: Graph, found: Proof) -> Check:
    name, count = "maximal", found.addable.entries.count
    if not count:
        return Check(name, True, "every edge has a matched end")
    named = [f"({u}, {graph.indices[entry]})" for u, entry in found.addable.named]
    more = f" and {count - len(named)} more" if count > len(named) else ""
    edges = counted(count, "edge")
    return Check(name, False, f"{edges} with both ends free: {', '.join(named)}{more}")


def _bound(found: Proof, cardinality: int) -> dict[str, float | int]:
    """Bound the pairs of any matching: twice as many as here, or half of those with an edge."""
    largest = min(2 * cardinality, int(found.with_edges) // 2)
    return {"largest": largest, "ratio": cardinality / largest if largest else 1.0}
