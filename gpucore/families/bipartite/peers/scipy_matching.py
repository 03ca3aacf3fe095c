"""SciPy's bipartite matching (``scipy.sparse.csgraph.maximum_bipartite_matching``).

It is Hopcroft and Karp's algorithm, but its search in depth does not mark vertices as dead ends
(SciPy's issue 26147, open as of SciPy 1.17). On layered matrices it needs time exponential in the
number of layers: 94 vertices can take seconds, and a permuted stiffness matrix of 4,884 rows
(bcsstk16) took more than a minute. SciPy cannot be interrupted, so it runs in a process of its
own, which is stopped when the caller cancels or the time is up.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import DeviceError, ParameterError
from gpucore.families.bipartite.certificate import certify_result
from gpucore.families.bipartite.native import (
    make_result,
    other_side,
)
from gpucore.params import is_number, settle
from gpucore.problems.bipartite.prepare import as_bipartite
from gpucore.progress import check
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.families.bipartite.result import BipartiteResult
    from gpucore.problems.bipartite.graph import BipartiteGraph
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel

#: Seconds between two checks of the worker and of the caller's request to stop.
_POLL = 0.02
#: Seconds of processor time added to the limit for starting and loading.
_SPARE = 60


@dataclass(frozen=True)
class ScipyParams:
    """Parameters of SciPy's matching.

    Attributes
    ----------
    time_limit : float
        Seconds after which SciPy is stopped, its start included.
    """

    time_limit: float = 60.0

    def __post_init__(self) -> None:
        limit = self.time_limit
        if not is_number(limit) or not 0 < limit <= 1e6:
            raise ParameterError(f"time_limit must be seconds, at most 1e6, not {limit!r}")
        settle(self, time_limit=float(limit))


def run(graph: Graph, params: ScipyParams, context: Context) -> BipartiteResult:
    """Return SciPy's matching of maximum cardinality.

    Returns
    -------
    BipartiteResult
        `seconds` is the time of SciPy's call alone, on a matrix that is ready for it.

    Raises
    ------
    ParameterError
        If SciPy does not finish in time.
    DeviceError
        If its process ends without a result, for example without enough memory.
    GraphError, Cancelled
    """
    matrix = as_bipartite(graph)
    check(context.cancel)
    import scipy

    with tempfile.TemporaryDirectory(prefix="warplens-scipy-") as name:
        folder = Path(name)
        _leave_matrix(matrix, folder)
        _run_worker(folder, params.time_limit, context.cancel)
        row_match, seconds = (
            np.load(folder / "row_match.npy"),
            float(np.load(folder / "seconds.npy")),
        )
    return make_result(
        "scipy_matching",
        row_match,
        other_side(row_match, matrix.num_columns),
        seconds,
        params={"time_limit": params.time_limit},
        versions={"scipy": scipy.__version__},
    )


def _leave_matrix(matrix: BipartiteGraph, folder: Path) -> None:
    indptr, columns = matrix.by_row()
    # SciPy needs one type for all indices, 32 bits by default.
    small = matrix.num_edges <= np.iinfo(np.int32).max
    np.save(folder / "indptr.npy", indptr.astype(np.int32 if small else np.int64))
    np.save(folder / "columns.npy", columns)
    np.save(folder / "shape.npy", np.array(matrix.shape, np.int64))


def _run_worker(folder: Path, limit: float, cancel: Cancel | None) -> None:
    """Run SciPy on the matrix of a folder; its process has ended when this returns or raises."""
    command = [sys.executable, "-m", "gpucore.families.bipartite.peers.scipy_worker"]
    arguments = [str(folder), str(math.ceil(limit) + _SPARE)]
    path = os.pathsep.join(place for place in sys.path if place)
    environment = {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
    complaints = folder / "stderr.txt"
    with complaints.open("wb") as errors:
        worker = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=environment,
        )
        try:
            status = _wait(worker, limit, cancel)
        finally:
            worker.kill()
            worker.wait()
    if status != 0:
        said = complaints.read_text(errors="replace").strip().splitlines()
        why = said[-1] if said else f"its process ended with status {status}"
        raise DeviceError(f"SciPy gave no matching: {why}; take another method, or free memory")


def _wait(worker: subprocess.Popen[bytes], limit: float, cancel: Cancel | None) -> int:
    end = time.monotonic() + limit
    while True:
        try:
            return worker.wait(_POLL)
        except subprocess.TimeoutExpired:
            check(cancel)
        if time.monotonic() > end:
            raise ParameterError(
                f"SciPy did not finish within {limit:g} s (on layered matrices it needs "
                "exponential time); take another method such as hopcroft_karp, or a larger "
                "time_limit"
            )


METHOD = Runner(
    name="scipy_matching",
    title="SciPy's matching",
    source="SciPy, maximum_bipartite_matching",
    run=run,
    certify=certify_result,
    params=ScipyParams,
    where="library",
)
