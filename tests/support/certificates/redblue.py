"""What the certificate of a maximal matching asks of native code, with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.certify.pairs import entries
from gpucore.families.redblue import certificate
from gpucore.families.redblue.native_proof import Proof

from .found import edges, matched_weights, pairs


def reference(*arguments, **options):
    """Certify a maximal matching without native code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificate, "examine", examine)
        return certificate.certify_maximal(*arguments, **options)


def examine(graph, mate):
    """Return what was found about the mates."""
    free, addable, begin = mate < 0, [], 0
    for rows, columns, _ in entries(graph):
        at = np.flatnonzero(free[rows] & free[columns] & (rows < columns))
        addable += zip(rows[at].tolist(), (begin + at).tolist(), strict=True)
        begin += rows.size
    found = edges(*zip(*addable, strict=True)) if addable else edges([], [])
    with_edges = int(np.count_nonzero(graph.degrees))
    return Proof(pairs(mate, matched_weights(graph, mate)), found, with_edges)
