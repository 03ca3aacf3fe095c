"""What native code of certificates returns, made with NumPy."""

from __future__ import annotations

import ctypes

import numpy as np

from gpucore.certify.native import Edges, Found, Pairs
from gpucore.certify.pairs import NAMED, entries


def found(places) -> Found:
    """Return places that violate a property, the first of them by number."""
    places = np.asarray(places)
    return Found(places.size, (ctypes.c_longlong * NAMED)(*places[:NAMED].tolist()))


def edges(rows, at) -> Edges:
    """Return entries of an adjacency that violate a property, and their rows."""
    return Edges(found(at), (ctypes.c_int * NAMED)(*np.asarray(rows)[:NAMED].tolist()))


def pairs(mate, matched_weight) -> Pairs:
    """Return what is wrong with pairs of vertices; a pair without an edge has the weight NaN."""
    n = mate.size
    outside = np.flatnonzero((mate < -1) | (mate >= n))
    if outside.size:
        return Pairs(outside=found(outside))
    matched = np.flatnonzero(mate >= 0)
    once = mate > np.arange(n)
    return Pairs(
        found(outside),
        found(np.flatnonzero(mate == np.arange(n))),
        found(matched[mate[mate[matched]] != matched]),
        found(np.flatnonzero(np.isnan(matched_weight))),
        matched.size,
        float(matched_weight[once].sum(dtype=np.float64)),
    )


def matched_weights(graph, mate):
    """Return the weight of each vertex's matched edge: 0 without a mate, NaN without an edge."""
    weight = np.where(mate >= 0, np.float32(np.nan), np.float32(0.0))
    for rows, columns, weights in entries(graph):
        hit = columns == mate[rows]
        weight[rows[hit]] = weights[hit]
    return weight
