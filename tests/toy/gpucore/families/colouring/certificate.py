"""Certificate of a greedy colouring: neighbours differ, and no vertex could take a smaller colour.

It shares no code with the algorithm. Self-loops do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.reported import with_reported

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: How many offenders a failed check names.
NAMED = 5


def certify_colouring(graph: Graph, colour: np.ndarray) -> Certificate:
    """Prove, or refute, that `colour` is what a greedy method may return.

    Parameters
    ----------
    graph : Graph
        The graph that was coloured, n vertices.
    colour : ndarray of an integer type, shape (n,)
        Colour of each vertex, from 0.

    Returns
    -------
    Certificate
        Its figure is ``colours``, counted here.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> path = Graph.from_edges(3, [0, 1], [1, 2])
    >>> certify_colouring(path, np.array([0, 1, 0])).figures
    {'colours': 2}
    >>> print(certify_colouring(path, np.array([0, 1, 1])).failure.detail)
    1 edge with equal ends: (1, 2)
    >>> print(certify_colouring(path, np.array([0, 1, 2])).failure.detail)
    1 vertex could take a smaller colour: 2
    """
    colour = np.asarray(colour)
    checks = [_well_formed(colour, graph.num_vertices)]
    if not checks[0].ok:
        return certificate(checks, {})
    figures = {"colours": len(np.unique(colour))}
    u, v, _ = graph.edges()
    checks.append(_proper(colour, u, v))
    if checks[-1].ok:
        checks.append(_greedy(colour, u, v))
    return certificate(checks, figures)


def certify_result(graph: Graph, result: Any) -> Certificate:
    """Certify a ``ColouringResult`` with the figures that it reports."""
    return with_reported(certify_colouring(graph, result.colour), result)


def _well_formed(colour: np.ndarray, n: int) -> Check:
    name = "well formed"
    if colour.shape != (n,) or colour.dtype.kind not in "iu":
        return Check(name, False, f"{colour.dtype} of shape {colour.shape} for {n} vertices")
    without = np.flatnonzero(colour < 0)
    if without.size:
        return Check(name, False, f"{_count(without, 'vertex', 'vertices')} without a colour")
    return Check(name, True, f"every one of {n} vertices has a colour")


def _proper(colour: np.ndarray, u: np.ndarray, v: np.ndarray) -> Check:
    equal = np.flatnonzero(colour[u] == colour[v])
    named = ", ".join(f"({u[i]}, {v[i]})" for i in equal[:NAMED])
    detail = f"{_count(equal, 'edge', 'edges')} with equal ends: {named}"
    return Check("proper", not equal.size, detail if equal.size else "no edge has equal ends")


def _greedy(colour: np.ndarray, u: np.ndarray, v: np.ndarray) -> Check:
    """Check that a vertex of colour c has neighbours of all the colours 0 to c - 1."""
    one, other = np.concatenate([u, v]), np.concatenate([v, u])
    below = colour[other] < colour[one]
    seen = np.unique(np.stack([one[below], colour[other][below]]), axis=1)[0]
    lacking = np.flatnonzero(np.bincount(seen, minlength=len(colour)) < colour)
    named = ", ".join(map(str, lacking[:NAMED]))
    detail = f"{_count(lacking, 'vertex', 'vertices')} could take a smaller colour: {named}"
    return Check("greedy", not lacking.size, detail if lacking.size else "no colour is too large")


def _count(found: np.ndarray, one: str, more: str) -> str:
    return f"{found.size:,} {one if found.size == 1 else more}"
