"""What the certificate of a bipartite matching asks of native code, with NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.families.bipartite import certificate, native_proof
from gpucore.families.bipartite.alternating import alternating_graph, reach

from .found import edges, found


def reference(*arguments, **options):
    """Certify a bipartite matching without native code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_proof, "search", search)
        patch.setattr(native_proof, "check_cover", check_cover)
        return certificate.certify_bipartite(*arguments, **options)


def _entries(graph):
    """Return the row and the column of every entry, by columns."""
    indptr, rows = graph.by_column()
    return rows, np.repeat(np.arange(graph.num_columns), np.diff(indptr))


def search(graph, row_match, column_match):
    """Check that mutual pairs are entries, and search for the cover."""
    rows, columns = _entries(graph)
    missing = column_match >= 0
    missing[columns[row_match[rows] == columns]] = False
    if missing.any():
        return native_proof.Searched(found(np.flatnonzero(missing)), False, None)
    reached, path = reach(alternating_graph(*graph.by_column(), row_match, column_match))
    # Paths enter a matched column only from its row, and they leave a matched row to its column.
    covered = np.zeros(row_match.size, np.bool_)
    covered[column_match[reached & (column_match >= 0)]] = True
    return native_proof.Searched(found([]), path.size > 0, native_proof.Cover(covered, ~reached))


def check_cover(graph, cover):
    """Count the members of a cover, and find what it does not cover."""
    rows, columns = _entries(graph)
    outside = np.flatnonzero(~(cover.rows[rows] | cover.columns[columns]))
    return native_proof.Covered(
        cover.rows.sum(), cover.columns.sum(), edges(columns[outside], outside)
    )
