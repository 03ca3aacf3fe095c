"""Graphs in which hubs propose after the first round, on any schedule."""

from __future__ import annotations

import itertools

import numpy as np

from gpucore.problems.graph.graph import Graph


def hubs_in_chains(hubs, b=1, leaves=1030, first=64):
    """Return a graph in which each of some hubs is displaced by a vertex that waits.

    The hub proposes to a target, of which it is the worst suitor after the first round. A rival
    prefers another vertex, where it loses in the first round. Then it proposes to the target, and
    so displaces the hub.

    Parameters
    ----------
    hubs : int
        How many.
    b : int
        Capacity of all vertices.
    leaves : int
        Further neighbours of each hub.
    first : int
        Number of the first rival; others follow.

    Returns
    -------
    graph : Graph
    hubs, rivals : range
        Their vertices.
    """
    assert hubs <= first, "hubs are numbered below the rivals"
    centres, rivals = range(hubs), range(first, first + hubs)
    fresh = itertools.count(first + hubs)
    edges = []
    for hub, rival in zip(centres, rivals, strict=True):
        target, crowded = next(fresh), next(fresh)
        edges.append((hub, target, 10))
        edges += [(next(fresh), target, 14) for _ in range(b - 1)]
        edges.append((rival, target, 11))
        edges.append((rival, crowded, 12))
        edges += [(rival, next(fresh), 12.5) for _ in range(b - 1)]
        edges += [(next(fresh), crowded, 13) for _ in range(b)]
    return with_leaves(edges, centres, next(fresh), leaves), centres, rivals


def hubs_that_wait(hubs, b=1, leaves=1030):
    """Return a graph in which hubs lose all proposals of the first round, and displace others.

    A hub prefers `b` vertices, each of which has `b` better suitors. Then it proposes to `b`
    targets that have `b` worse suitors each. Who is displaced there proposes to a vertex that is
    free.

    Parameters
    ----------
    hubs : int
        How many.
    b : int
        Capacity of all vertices.
    leaves : int
        Further neighbours of each hub.

    Returns
    -------
    graph : Graph
    hubs : range
        Their vertices.
    """
    centres, fresh = range(hubs), itertools.count(hubs)
    edges = []
    for hub in centres:
        for _ in range(b):
            crowded, target = next(fresh), next(fresh)
            edges += [(hub, crowded, 10), (hub, target, 9)]
            edges += [(next(fresh), crowded, 13) for _ in range(b)]
            for suitor in [next(fresh) for _ in range(b)]:
                edges.append((suitor, target, 8.5))
                edges += [(suitor, next(fresh), 2) for _ in range(b)]
    return with_leaves(edges, centres, next(fresh), leaves), centres


def with_leaves(edges, centres, first, leaves):
    """Return the graph of the edges and of light ones from each centre to the leaves."""
    rim = first + np.arange(leaves)
    u, v, w = (np.array(column) for column in zip(*edges, strict=True))
    weights = 1 + 7 * np.random.default_rng(3).random(len(centres) * leaves)
    return Graph.from_edges(
        int(rim[-1]) + 1,
        np.concatenate([u, np.repeat(centres, leaves)]),
        np.concatenate([v, np.tile(rim, len(centres))]),
        np.concatenate([w, weights]).astype(np.float32),
    )
