"""Matrices in NumPy archives: our own, and those of ``scipy.sparse.save_npz``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gpucore.io.npz import read_with
from gpucore.io.scipy_matrix import matrix_of
from gpucore.io.stream import Source
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.graph import Graph


def read_archive(source: Source) -> Graph:
    """Read an archive like ``read_graph``, but a SciPy matrix as a bipartite graph."""

    def bipartite(arrays: Mapping[str, np.ndarray]) -> Graph:
        matrix = matrix_of(arrays, source.limits, sum)
        about = source.describe("scipy")
        return BipartiteGraph.from_matrix(matrix, name=source.stem, source=about)

    return read_with(source, bipartite)


def restore(
    rows: list[np.ndarray], header: Mapping[str, Any], attributes: Mapping[str, Any]
) -> BipartiteGraph:
    """Return the bipartite graph in one of our archives."""
    return BipartiteGraph(*rows, num_rows=header["num_rows"], **attributes)
