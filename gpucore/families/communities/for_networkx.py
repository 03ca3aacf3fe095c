"""Functions of NetworkX about communities, answered by Louvain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gpucore.drop_in import solve
from gpucore.families.communities.modularity import modularity as modularity_of
from gpucore.families.communities.starts import starts_of
from gpucore.networkx_backend.graph import Given
from gpucore.problems.graph.prepare import for_communities


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

    `weight` was read when the graph was converted.  `seed` has no effect: a small graph is searched
    several times, see :mod:`gpucore.families.communities.starts`.
    """
    if max_level is not None and max_level <= 0:
        raise ValueError("max_level argument must be a positive integer or None")
    found = [*_levels(G, resolution, threshold, device, certify, record)][:max_level]
    return _sets(G, found[-1])


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
    """Yield the partition of every level; see :func:`networkx.community.louvain_partitions`."""
    for level in _levels(G, resolution, threshold, device, certify, record):
        yield _sets(G, level)


def modularity(
    G: Given,
    communities: Any,
    weight: str | None = "weight",
    resolution: float = 1,
) -> float:
    """Return the modularity of a partition; see :func:`networkx.community.modularity`."""
    from networkx.algorithms.community.quality import NotAPartition

    parts = [set(part) for part in communities]
    label = np.full(len(G), -1, np.int64)
    for number, part in enumerate(parts):
        for node in part:
            if node not in G.number or label[G.number[node]] >= 0:
                raise NotAPartition(G.original, parts)
            label[G.number[node]] = number
    if (label < 0).any():
        raise NotAPartition(G.original, parts)
    if not len(G.u):
        raise ZeroDivisionError("division by zero")  # as NetworkX without edges
    return modularity_of(_matrix(G), label, float(resolution))


def _levels(
    graph: Given, resolution: float, threshold: float, device: str, certify: bool, record: Any
) -> list[NDArray[np.integer]]:
    """Return the community of every vertex at each level, at least at one."""
    prepared = for_communities(graph.weighted)
    common = {"resolution": float(resolution)}
    starts = starts_of(prepared.num_vertices, len(prepared.indices), native=True)
    result = solve(
        prepared,
        "louvain",
        "louvain_serial",
        device=device,
        certify=certify,
        record=record,
        params=common,
        method_params=common | {"threshold": float(threshold), "starts": starts},
    )
    levels = [result.at_level(level) for level in range(1, len(result.levels) + 1)]
    return levels or [result.community]


def _sets(graph: Given, label: NDArray[np.integer]) -> list[set[Any]]:
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.diff(label[order], prepend=-1))
    return [graph.named(part) for part in np.split(order, starts[1:])] if len(label) else []


def _matrix(graph: Given) -> sparse.csr_array:
    """Return the matrix in double precision, loops counted twice."""
    rows, columns = np.append(graph.u, graph.v), np.append(graph.v, graph.u)
    weights = np.append(graph.weights, graph.weights)
    size = len(graph), len(graph)
    return sparse.csr_array(sparse.coo_array((weights, (rows, columns)), size))
