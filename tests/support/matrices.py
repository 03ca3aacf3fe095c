"""Matrices as Matrix Market files have them."""

import numpy as np
from scipy import sparse

from gpucore.io.matrix_market import read_entries


def matrix_of(given):
    """Read a matrix of any shape, symmetric ones with both triangles, a pattern as ones."""
    entries = read_entries(given)
    i, j, w = entries.mirrored()
    shape = (entries.header.rows, entries.header.columns)
    return sparse.coo_array((np.ones(i.size) if w is None else w, (i, j)), shape=shape)
