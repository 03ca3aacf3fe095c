"""SciPy's bipartite matching in a process of its own, which can be stopped; see scipy_matching.py.

Run as ``python -m gpucore.families.bipartite.peers.scipy_worker FOLDER SECONDS``. The folder has
the matrix's rows in ``indptr.npy`` and ``columns.npy`` and its shape in ``shape.npy``;
``row_match.npy`` and ``seconds.npy`` are put beside them.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import maximum_bipartite_matching

_PR_SET_PDEATHSIG = 1


def end_with_the_parent(seconds: int) -> None:
    """Make sure that this process ends after its parent.

    On Linux it ends together with the parent, elsewhere when it has used its processor time.
    """
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def match(folder: Path) -> None:
    """Match the matrix of a folder."""
    rows, columns = np.load(folder / "shape.npy").tolist()
    indptr, indices = np.load(folder / "indptr.npy"), np.load(folder / "columns.npy")
    matrix = sparse.csr_array((np.ones(indices.size, np.int8), indices, indptr), (rows, columns))
    start = time.perf_counter()
    # "column": the columns that are matched to the rows
    row_match = maximum_bipartite_matching(matrix, perm_type="column")
    seconds = time.perf_counter() - start
    np.save(folder / "row_match.npy", row_match.astype(np.int32))
    np.save(folder / "seconds.npy", seconds)


if __name__ == "__main__":
    end_with_the_parent(int(sys.argv[2]))
    match(Path(sys.argv[1]))
