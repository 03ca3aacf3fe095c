"""Ratings in NumPy archives: our own, and those of ``scipy.sparse.save_npz``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gpucore.io.npz import read_with
from gpucore.io.scipy_matrix import matrix_of
from gpucore.io.stream import Source
from gpucore.problems.graph.graph import Graph
from gpucore.problems.ratings.csr import Duplicates
from gpucore.problems.ratings.prepare import weights_as_ratings
from gpucore.problems.ratings.ratings import Ratings


def read_archive(
    source: Source,
    *,
    duplicates: Duplicates = "error",
) -> Ratings:
    """Read ratings, a SciPy matrix of ratings, or a graph, whose weights are the ratings.

    Raises
    ------
    GraphError
        If it is not such an archive, damaged, too large, or not a matrix of ratings.
    """

    def of_scipy(arrays: Mapping[str, np.ndarray]) -> Graph:
        matrix = matrix_of(arrays, source.limits, sum)
        about = source.describe("scipy")
        return Ratings.from_matrix(matrix, duplicates=duplicates, name=source.stem, source=about)

    return weights_as_ratings(read_with(source, of_scipy))


def restore(
    rows: list[np.ndarray], header: Mapping[str, Any], attributes: Mapping[str, Any]
) -> Ratings:
    """Return the ratings in one of our archives."""
    return Ratings(*rows, num_rows=header["num_users"], **attributes)
