"""Functions of NetworkX about communities, answered by Louvain and Leiden."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gpucore.errors import WarplensError
from gpucore.families.communities.certificate import certify_communities
from gpucore.families.communities.modularity import modularity as modularity_of
from gpucore.families.communities.starts import ROUNDING, starts_of
from gpucore.networkx_backend.answer import answer
from gpucore.networkx_backend.graph import Given
from gpucore.params import is_number
from gpucore.problems.graph.prepare import for_communities

#: What our Leiden makes large.
MODULARITY = "modularity"

#: Total weights whose square, which modularity divides by, is a number of 64 bits.
LEAST_TOTAL, MOST_TOTAL = 1e-150, 1e150


def louvain_communities(
    G: Given,  # NetworkX's name
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: Any = None,
    *,
    device: str = "auto",
    certify: bool = True,
    record: Any = None,
) -> list[set[Any]]:
    """Return the communities; see :func:`networkx.community.louvain_communities`.

    `seed` has no effect: a small graph is searched
    several times, see :mod:`gpucore.families.communities.starts`.
    """
    _check_level(max_level)
    G = G.weighing(weight)
    return _last(G, _louvain(G, resolution, threshold, device, certify, record), max_level)


def louvain_partitions(
    G: Given,
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    seed: Any = None,
    *,
    device: str = "auto",
    certify: bool = True,
    record: Any = None,
) -> Iterator[list[set[Any]]]:
    """Yield the partition of every level; see :func:`networkx.community.louvain_partitions`.

    All levels are computed before the first one is asked for, so that every error comes at once.
    """
    G = G.weighing(weight)
    levels = _louvain(G, resolution, threshold, device, certify, record)
    return (_sets(G, level) for level in levels)


def leiden_communities(
    G: Given,
    weight: str | None = "weight",
    resolution: float = 1,
    max_level: int | None = None,
    seed: Any = None,
    metric: str = MODULARITY,
    theta: float = 0.01,
    *,
    device: str = "auto",
    certify: bool = True,
    record: Any = None,
) -> list[set[Any]]:
    """Return the communities; see :func:`networkx.community.leiden_communities`."""
    _check_metric(metric)
    _check_level(max_level)
    G = G.weighing(weight)
    return _last(G, _leiden(G, resolution, device, certify, record), max_level)


def leiden_partitions(
    G: Given,
    weight: str | None = "weight",
    resolution: float = 1,
    seed: Any = None,
    metric: str = MODULARITY,
    theta: float = 0.01,
    *,
    device: str = "auto",
    certify: bool = True,
    record: Any = None,
) -> Iterator[list[set[Any]]]:
    """Yield the parts of every level, and last the communities.

    See :func:`networkx.community.leiden_partitions`, and :func:`louvain_partitions`.
    """
    _check_metric(metric)
    G = G.weighing(weight)
    levels = _leiden(G, resolution, device, certify, record)
    return (_sets(G, level) for level in levels)


def modularity(
    G: Given,
    communities: Any,
    weight: str | None = "weight",
    resolution: float = 1,
) -> float:
    """Return the modularity of a partition; see :func:`networkx.community.modularity`."""
    from networkx.algorithms.community.quality import NotAPartition

    if not is_number(resolution):
        raise NotImplementedError("resolution has to be a finite number")
    G = G.weighing(weight)
    total = abs(G.weights.sum())
    if G.weights.any() and (not LEAST_TOTAL <= total <= MOST_TOTAL or _cancels(G.weights)):
        raise NotImplementedError(f"the weights have to sum to {LEAST_TOTAL} to {MOST_TOTAL}")
    parts = list(communities)  # an iterator is read only where NetworkX need not read it again
    sizes = np.fromiter(map(len, parts), np.int64, len(parts))
    number = G.number
    try:
        members = np.array([number[node] for node in chain.from_iterable(parts)], np.int64)
    except (KeyError, TypeError):  # a node that the graph does not have, or that no graph can have
        raise NotAPartition(G.original, parts) from None
    if members.size != len(G) or not np.bincount(members, minlength=len(G)).all():
        raise NotAPartition(G.original, parts)
    if not G.weights.any():
        # NetworkX raises ZeroDivisionError, and returns 0 from 3.7 on.
        raise NotImplementedError("a graph without weight has no modularity")
    label = np.empty(len(G), np.int64)
    label[members] = np.repeat(np.arange(len(parts)), sizes)
    return modularity_of(_matrix(G), label, float(resolution))


def _cancels(weights: NDArray[np.float64]) -> bool:
    """Return whether positive and negative weights nearly cancel, so that rounding decides."""
    return bool(abs(weights.sum()) < 1e-6 * np.abs(weights).sum())


def _check_metric(metric: str) -> None:
    """Leave other metrics to NetworkX, which has them from 3.7 on."""
    if metric != MODULARITY:
        raise NotImplementedError(f"Leiden's metric is {MODULARITY!r} here, not {metric!r}")


def _check_level(max_level: Any) -> None:
    if max_level is not None and max_level <= 0:
        raise ValueError("max_level argument must be a positive integer or None")


def _last(graph: Given, levels: list[NDArray[np.integer]], max_level: int | None) -> list[set[Any]]:
    return _sets(graph, [*islice(levels, max_level)][-1])


def _louvain(
    graph: Given, resolution: Any, threshold: Any, device: str, certify: bool, record: Any
) -> list[NDArray[np.integer]]:
    """Return the community of every vertex at each level of Louvain, at least at one."""
    if not is_number(threshold) or not 0 <= threshold <= 1:
        raise NotImplementedError("threshold has to be a number from 0 to 1")
    size = len(graph), 2 * len(graph.u)
    method_params = {"threshold": float(threshold), "starts": starts_of(*size, native=True)}
    options = {"device": device, "certify": certify, "record": record}
    return _levels(graph, "louvain_serial", resolution, {}, method_params, options)


def _leiden(
    graph: Given, resolution: Any, device: str, certify: bool, record: Any
) -> list[NDArray[np.integer]]:
    """Return the part of every vertex at each level of Leiden, and last its community.

    Levels that lose modularity are left out.
    """
    options = {"device": device, "certify": certify, "record": record}
    levels = _levels(graph, "leiden_serial", resolution, {"variant": "leiden"}, {}, options)
    kept = _rising(graph, levels, float(resolution))
    if certify and kept[-1] is not levels[-1]:
        prepared = for_communities(graph.weighted)
        proof = certify_communities(prepared, kept[-1], resolution=resolution, connected=True)
        if not proof.ok:
            raise WarplensError(f"the answer of Leiden is wrong: {proof.failure}; please report it")
    return kept


def _rising(
    graph: Given, levels: list[NDArray[np.integer]], resolution: float
) -> list[NDArray[np.integer]]:
    """Return the levels of higher modularity than all before, as NetworkX promises.

    The last communities can have less than the parts of a level before: each stage starts from the
    communities of the stage before, not from its parts.
    """
    matrix, best, kept = _matrix(graph), -math.inf, []
    for level in levels:
        reached = modularity_of(matrix, level.astype(np.int64), resolution)
        if reached > best + ROUNDING:
            best = reached
            kept.append(level)
    return kept


def _levels(
    graph: Given,
    method: str,
    resolution: Any,
    params: dict[str, Any],
    method_params: dict[str, Any],
    options: dict[str, Any],
) -> list[NDArray[np.integer]]:
    if not is_number(resolution) or not 0 < resolution <= 1e6:
        raise NotImplementedError("resolution has to be a number above 0, at most 1e6")
    if len(graph.u) and not graph.weights.any():
        raise NotImplementedError("modularity is not defined where all weights are 0")
    common = {"resolution": float(resolution)}
    result = answer(
        for_communities(graph.weighted),
        "louvain",
        method,
        params=common | params,
        method_params=common | method_params,
        **options,
    )
    levels = [result.at_level(level) for level in range(1, len(result.levels) + 1)]
    return levels or [result.community]


def _sets(graph: Given, label: NDArray[np.integer]) -> list[set[Any]]:
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.diff(label[order], prepend=-1))
    if not len(label):
        return []
    return [graph.named(part.tolist()) for part in np.split(order, starts[1:])]


def _matrix(graph: Given) -> sparse.csr_array:
    """Return the matrix in double precision, loops counted twice."""
    rows, columns = np.append(graph.u, graph.v), np.append(graph.v, graph.u)
    weights = np.append(graph.weights, graph.weights)
    size = len(graph), len(graph)
    return sparse.csr_array(sparse.coo_array((weights, (rows, columns)), size))
