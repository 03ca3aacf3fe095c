"""Certificate of communities: the partition, its hierarchy, and its modularity.

Modularity compares the weight inside the communities with that in a random graph of the same
strengths (Newman and Girvan 2004), with a resolution gamma for the latter
(Reichardt and Bornholdt 2006)::

    Q = sum over communities c of   inside(c) / 2m  -  gamma (total(c) / 2m)^2

An edge has two ends. It counts at both of its vertices, and twice in ``inside`` and in ``2m``; so
does a self-loop, both of whose ends are at the same vertex. A loop of weight w, which a
:class:`~gpucore.problems.graph.graph.Graph` stores once, thus adds 2w to its vertex's strength, to
``inside`` and to ``2m``. With that, contraction (a community becomes a vertex, the edges inside it
a loop) leaves ``2m``, every strength and Q as they are, and Q is that of NetworkX, igraph and
NetworKit.

A graph without weight has Q = 0 by convention, where the formula says 0 / 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate, Check, Measured, certificate
from gpucore.certify.reported import with_reported
from gpucore.certify.work import require_memory
from gpucore.errors import ParameterError
from gpucore.families.communities.modularity import (
    CONNECTED_ENTRY,
    CONNECTED_VERTEX,
    disconnected,
)
from gpucore.families.communities.native_proof import count_of, examine
from gpucore.families.communities.variants import CONNECTED, SETTLED, SETTLED_ENTRIES
from gpucore.format import counted
from gpucore.params import is_number

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Relative change of the total weight by contraction that rounding may cause.
WEIGHT_TOLERANCE = 1e-9

#: Absolute error of a modularity that rounding may cause.
MODULARITY_TOLERANCE = 1e-9

#: Gain of a single move that no vertex of some variants may exceed: the search has weights in fixed
#: point and ends when no move gains by these, so what is left is rounding.
GAIN_TOLERANCE = 1e-9


def certify_communities(
    graph: Graph,
    community: np.ndarray,
    levels: Sequence[np.ndarray] = (),
    *,
    resolution: float = 1.0,
    rising: bool = False,
    connected: bool = False,
    raised: bool = False,
    settled: bool = False,
) -> Certificate:
    """Prove, or refute, that a partition and its hierarchy are valid; compute its modularity.

    Parameters
    ----------
    graph : Graph
        The graph whose communities were sought; weights of at least 0.
    community : ndarray of an integer type, shape (n,)
        Community of every vertex, 0 to k - 1, none empty.
    levels : sequence of ndarray of an integer type
        The hierarchy, see :class:`gpucore.families.communities.result.CommunityResult`; may be
        empty.
    resolution : float
        Factor gamma of the expected weight.
    rising : bool
        Whether modularity must not fall from a level to the next, as for every sequential method.
    connected : bool
        Whether every community has to be connected by edges inside it of weight above 0, as for
        the Leiden method.
    raised : bool
        Whether modularity must not be below that of single vertices, with which a search begins.
    settled : bool
        Whether no vertex may be able to gain more than `GAIN_TOLERANCE` by moving alone to a
        neighbouring community. Without loops and at a resolution of at most 1, one of these or its
        own is at least as good as a new community.

    Returns
    -------
    Certificate
        Its figures are ``modularity``, ``communities``, ``levels``, ``total_weight`` (2m),
        ``disconnected`` (communities that are not connected, where `connected` asks for it),
        ``smallest_level_gain`` (of modularity, negative if some level lost; 0 without levels),
        and what single moves could gain: ``improvable`` (vertices that could still gain by
        moving alone to a neighbouring community), ``largest_gain`` and ``sum_of_gains``. A wrong
        partition of whatever shape or type gives a failed certificate, not an error.

    Raises
    ------
    ParameterError
        If `resolution` is not a number above 0.

    Notes
    -----
    Native code on all cores. No contracted graph is built: one pass over the entries adds up the
    weight inside the parts of every level, and the parts' strengths are summed level by level.
    Extra memory is about 20 bytes a vertex and 4 more a level, and on each thread a table for the
    links of one vertex. Sums are those of blocks that depend on the graph only, with the rounding
    errors added at the end, so that no figure depends on the number of threads. With `connected`
    SciPy adds, on one core, up to 26 bytes an entry and 48 a vertex.

    References
    ----------
    .. [1] M. E. J. Newman, M. Girvan, "Finding and evaluating community structure in networks",
       Physical Review E 69 (2004).
    .. [2] J. Reichardt, S. Bornholdt, "Statistical mechanics of community detection", Physical
       Review E 74 (2006).

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    >>> certify_communities(path, np.array([0, 0, 1, 1])).figures["improvable"]
    0
    """
    if not is_number(resolution) or resolution <= 0:
        raise ParameterError(f"resolution must be a number above 0, not {resolution!r}")
    community = np.asarray(community)
    checks = [check_partition(community, graph.num_vertices)]
    if checks[-1].ok:
        checks.append(check_hierarchy(community, [np.asarray(level) for level in levels]))
    if not checks[-1].ok:
        return certificate(checks, {})

    proof = examine(graph, community, [np.asarray(level) for level in levels], resolution)
    totals = [total * graph.unit for total in proof.totals]
    figures: dict[str, float | int] = {
        "modularity": proof.found,
        "communities": count_of(community),
        "levels": len(levels),
        "total_weight": totals[0],
        **({"disconnected": _disconnected(graph, community)} if connected else {}),
        "smallest_level_gain": float(np.diff(proof.path).min(initial=math.inf)) if levels else 0.0,
    }
    checks += _own_faults(totals, proof.found, proof.path[-1] if levels else proof.found)
    if checks[-1].ok and connected:
        apart, text = figures["disconnected"], "communities are not connected by edges inside them"
        checks.append(Check("connected", not apart, f"{apart} of {figures['communities']} {text}"))
    if checks[-1].ok and rising:
        checks.append(_rising(proof.path))
    if checks[-1].ok and raised:
        start, ok = proof.path[0], proof.found >= proof.path[0] - MODULARITY_TOLERANCE
        text = f"{proof.found:.6f}, and {start:.6f} with every vertex alone"
        checks.append(Check("not below its start", ok, text))
    if not checks[-1].ok:
        return certificate(checks, figures)
    figures |= {
        "improvable": proof.improvable,
        "largest_gain": proof.largest_gain,
        "sum_of_gains": proof.sum_of_gains,
    }
    measured = [Measured("modularity", f"{proof.found:.9f}, where 2m = {totals[0]:.12g}")]
    text = _improvable(figures, community.size)
    if settled:
        checks.append(Check("local optimality", proof.largest_gain <= GAIN_TOLERANCE, text))
    else:
        measured.append(Measured("local optimality", text))
    return certificate(checks, figures, measured)


def certify_search(
    graph: Graph, result: Any, *, rising: bool = False, connected: bool = False
) -> Certificate:
    """Certify a result of ours, which is not below what the search began with.

    Communities of some variants have to be connected, and their vertices settled, in any case.
    """
    given = result.params
    variant = given.get("variant")
    settled = variant in SETTLED and given.get("refine") and graph.indices.size <= SETTLED_ENTRIES
    return certify_result(
        graph,
        result,
        rising=rising,
        connected=connected or variant in CONNECTED,
        raised=True,
        settled=bool(settled),
    )


def certify_result(graph: Graph, result: Any, **promises: bool) -> Certificate:
    """Certify a :class:`~gpucore.families.communities.result.CommunityResult` with its figures.

    The resolution is that of the result's parameters, 1 if they have none.

    Parameters
    ----------
    graph, result
        The graph and the result.
    **promises : bool
        As :func:`certify_communities` has them.
    """
    found = certify_communities(
        graph,
        result.community,
        result.levels,
        resolution=float(result.params.get("resolution", 1.0)),
        **promises,
    )
    return with_reported(found, result, absolute=MODULARITY_TOLERANCE)


def _disconnected(graph: Graph, community: np.ndarray) -> int:
    entries, n = graph.indices.size, graph.num_vertices
    require_memory(CONNECTED_ENTRY * entries + CONNECTED_VERTEX * n)
    return disconnected(graph, community)


def _fault(labels: np.ndarray, size: int, name: str) -> str | None:
    """Return what is wrong with `labels`, which number the parts of `size` things without gaps."""
    if labels.shape != (size,):
        return f"{name} has the shape {labels.shape}, {size} members need ({size},)"
    if labels.dtype.kind not in "iu":
        return f"{name} has the dtype {labels.dtype}, not an integer type"
    if not size:
        return None
    outside = np.flatnonzero((labels < 0) | (labels >= size))
    if outside.size:
        at = int(outside[0])
        return f"{name}[{at}] = {labels[at]} is outside 0..{size - 1}; {outside.size} such"
    empty = np.flatnonzero(np.bincount(labels.astype(np.int64)) == 0)
    if empty.size:
        return f"{name} leaves number {empty[0]} unused; {empty.size} such below {labels.max()}"
    return None


def check_partition(community: np.ndarray, n: int) -> Check:
    """Check that labels number the communities of `n` vertices without gaps."""
    if (fault := _fault(community, n, "community")) is not None:
        return Check("partition", False, fault)
    return Check(
        "partition", True, f"{counted(n, 'vertex')} in {counted(count_of(community), 'community')}"
    )


def check_hierarchy(community: NDArray[np.integer], levels: list[np.ndarray]) -> Check:
    """Every level numbers parts of the one before, and the last one is the result."""
    name = "hierarchy"
    reached: np.ndarray | None = None
    size = community.size
    for i, level in enumerate(levels):
        if (fault := _fault(level, size, f"levels[{i}]")) is not None:
            return Check(name, False, fault)
        reached = level if reached is None else level[reached]
        size = count_of(level)
    if reached is None:
        return Check(name, True, "none was given")
    other = np.flatnonzero(reached != community)
    if other.size:
        v = int(other[0])
        text = f"the levels bring vertex {v} to {reached[v]}, the result has {community[v]}"
        return Check(name, False, f"{text}; {other.size} such vertices")
    sizes = [community.size, *(count_of(level) for level in levels)]
    return Check(name, True, "parts of every level: " + ", ".join(map(str, sizes)))


def _own_faults(totals: list[float], found: float, climbed: float) -> list[Check]:
    """Return what is wrong with the computation itself: contraction changes neither 2m nor Q."""
    worst = max(abs(total - totals[0]) for total in totals)
    faults = []
    if worst > WEIGHT_TOLERANCE * totals[0]:
        text = f"2m = {totals[0]:.12g}, but a contraction changes it by {worst:.12g}"
        faults.append(Check("weights conserved", False, text))
    if abs(found - climbed) > MODULARITY_TOLERANCE:
        text = f"{found!r} from the graph, but {climbed!r} after its contractions"
        faults.append(Check("modularity", False, text))
    return faults


def _rising(path: list[float]) -> Check:
    falls = (path[i] < path[i - 1] - MODULARITY_TOLERANCE for i in range(1, len(path)))
    drop = next((i for i, fall in enumerate(falls, 1) if fall), None)
    if drop is not None:
        text = f"modularity falls from {path[drop - 1]!r} to {path[drop]!r} at level {drop}"
        return Check("levels rise", False, text)
    return Check("levels rise", True, " > ".join(f"{value:.4f}" for value in path))


def _improvable(figures: dict[str, float | int], n: int) -> str:
    """Say what single moves could gain."""
    if not figures["improvable"]:
        return "no vertex could gain by moving alone to a neighbouring community"
    return (
        f"{figures['improvable']} of {counted(n, 'vertex')} could still gain by moving alone to a "
        f"neighbouring community, the one most by {figures['largest_gain']:.2e}"
    )
