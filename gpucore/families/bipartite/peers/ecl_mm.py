"""ECL-MM on a GPU, to compare with.

A. Mongandampulath Akathoott, M. Burtscher, "A bidirectional GPU algorithm for computing maximum
matchings in bipartite graphs", IPDPS 2025: https://github.com/burtscher/ECL-MM, BSD 3-clause
licence. Its authors' instructions are there. The program has to print its matching: its function
``printEdgesInMatching`` and the call of it are comments in the sources, which have to be switched
on; CUDA 13 has no ``clockRate`` and no ``memoryBusWidth``, so with it the lines that read them go.
See :mod:`gpucore.cpu.programs` for where the program, ``ecl-mm``, is looked for. It takes square
matrices only, and starts with a matching of its own.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.programs import Program
from gpucore.errors import DeviceError, ParameterError
from gpucore.families.bipartite.certificate import certify_result
from gpucore.families.bipartite.native import make_result
from gpucore.families.bipartite.result import other_side
from gpucore.problems.bipartite.prepare import as_bipartite
from gpucore.progress import check
from gpucore.runner import Context, NoParams, Runner

if TYPE_CHECKING:
    from gpucore.families.bipartite.result import BipartiteResult
    from gpucore.problems.graph.graph import Graph

PROGRAM = Program(
    "ecl-mm",
    "ECL-MM (GPU)",
    "https://github.com/burtscher/ECL-MM",
    "with its function printEdgesInMatching and the call of it, which are comments, switched on",
)
_SECONDS = re.compile(r"^(?P<name>initRuntime|totalRunTime): (?P<value>[0-9.]+) s", re.M)
_PAIRS = "Edges in the maximum matching:"


def run(graph: Graph, params: NoParams, context: Context) -> BipartiteResult:
    """Return its matching of a square matrix; its time begins with the matrix on the GPU.

    Raises
    ------
    ParameterError
        The matrix is not square, or has too many entries for its numbers of 32 bits.
    DeviceError
        The program gives no result, for example without a GPU.
    GraphError, Cancelled
    """
    matrix = as_bipartite(graph)
    if matrix.num_rows != matrix.num_columns or len(matrix.indices) > np.iinfo(np.int32).max:
        raise ParameterError(
            f"ecl_mm takes square matrices of less than 2^30 entries, this one is "
            f"{matrix.num_rows} × {matrix.num_columns}; take another method such as hopcroft_karp"
        )
    check(context.cancel)
    if not matrix.num_edges:
        nothing = np.full(matrix.num_rows, -1, np.int32)
        return make_result("ecl_mm", nothing, nothing.copy(), 0.0, params={})
    with tempfile.TemporaryDirectory(prefix="warplens-ecl-") as place:
        source = Path(place) / "matrix.egr"
        write_graph(matrix, source)
        said = PROGRAM.run(source, cancel=context.cancel)
    seconds = {found["name"]: float(found["value"]) for found in _SECONDS.finditer(said)}
    _, marker, listed = said.partition(_PAIRS)
    if not marker or len(seconds) < 2:
        raise DeviceError(
            f"{PROGRAM.title} wrote no matching; build it with its pairs printed, see "
            f"{PROGRAM.home}"
        )
    pairs = np.fromstring(listed, np.int64, sep=" ").reshape(-1, 2)
    row_match = np.full(matrix.num_rows, -1, np.int32)
    row_match[pairs[:, 0]] = pairs[:, 1] - matrix.num_rows
    return make_result(
        "ecl_mm",
        row_match,
        other_side(row_match, matrix.num_columns),
        seconds["totalRunTime"],
        params={},
        figures={"initial_seconds": seconds["initRuntime"]},
        versions={"program": PROGRAM.name},
    )


def write_graph(graph: Graph, path: Path) -> None:
    """Write the adjacency of rows and columns in ECL's binary form: 32-bit sizes, rows, ends."""
    with path.open("wb") as file:
        np.array([graph.num_vertices, len(graph.indices)], "<i4").tofile(file)
        np.asarray(graph.indptr).astype("<i4").tofile(file)
        np.asarray(graph.indices, "<i4").tofile(file)


METHOD = Runner(
    name="ecl_mm",
    title=PROGRAM.title,
    source="Mongandampulath Akathoott and Burtscher, IPDPS 2025; its own code",
    run=run,
    certify=certify_result,
    where="library",
    available=PROGRAM.missing,
)
