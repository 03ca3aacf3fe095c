"""What the certificate of a matching asks of native code, with NumPy."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from gpucore.certify.pairs import entries
from gpucore.families.matching import certificate
from gpucore.families.matching.native_proof import Proof

from .found import edges, found, matched_weights, pairs


def reference(*arguments, **options):
    """Certify a matching without native code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificate, "examine", examine)
        return certificate.certify_matching(*arguments, **options)


def examine(graph, mate, dominance):
    """Return the weight of each vertex's matched edge, and what was found."""
    weight = matched_weights(graph, mate)
    proof = Proof(pairs(mate, weight), found(np.flatnonzero((mate >= 0) & (weight <= 0))))
    if proof.pairs.outside.count:
        return weight, proof
    strict = get_args(certificate.Dominance)[dominance] == "strict"
    heaviest = np.zeros(mate.size, np.float32)
    blocking, begin = [], 0
    for rows, columns, weights in entries(graph):
        between = rows != columns
        np.maximum.at(heaviest, rows[between], weights[between])
        alive = (rows < columns) & (weights > 0) & (columns != mate[rows])
        at = np.flatnonzero(alive)
        u, v, w = rows[at], columns[at].astype(np.int64), weights[at]
        above = _above(u, v, w, u, mate, weight, strict) & _above(u, v, w, v, mate, weight, strict)
        blocking += zip(u[above].tolist(), (begin + at[above]).tolist(), strict=True)
        begin += rows.size
    proof.blocking = edges(*zip(*blocking, strict=True)) if blocking else edges([], [])
    proof.heaviest = float(heaviest.sum(dtype=np.float64))
    return weight, proof


def _above(u, v, w, end, mate, weight, strict):
    """Whether edges (u, v), u < v, rank above the matched edges of their ends `end`."""
    above = w > weight[end]
    if strict:
        larger, smaller = np.maximum(end, mate[end]), np.minimum(end, mate[end])
        above |= (w == weight[end]) & ((v > larger) | ((v == larger) & (u > smaller)))
    return above
