"""The benchmark matrices: fixed patterns of 6 to 31 million entries, permuted ones, small siblings.

============== ============================================ ========= ========== ===========
name           what                                              rows    entries cardinality
============== ============================================ ========= ========== ===========
uni3           3 draws a row, anywhere; repeats merged      2,000,000  5,999,997   1,855,562
uni5           5 draws a row                                2,000,000  9,999,992   1,985,107
bip_delaunay20 adjacency matrix of benchmark graph          1,048,576  6,291,372   1,048,576
               delaunay20 (:mod:`gpucore.problems.graph.benchmarks`)
bip_grid       that of grid                                 4,194,304 15,089,816
bip_rmat20     that of rmat20                               1,048,576 31,404,194     384,512
============== ============================================ ========= ========== ===========

All are square. ``NAME_perm`` is NAME with its rows and its columns permuted at random,
independently: the paper's set RCP, in which methods cannot profit from the order. Uniform matrices
have a random order already, so they belong to both sets.

Published times were measured on exactly these matrices, so the seeds, the generator (PCG64) and the
order and type of every draw are part of the definition. Any benchmark graph and any size is
available: ``bip_rgg14_perm``, ``uni3k20`` (20,000 rows).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from gpucore.errors import GraphError
from gpucore.problem import Benchmarks
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.graph.benchmarks import generate, is_benchmark_graph

#: The matrices of the published tables, and the permuted ones.
STANDARD = (
    "bip_delaunay20",
    "bip_delaunay20_perm",
    "uni3",
    "uni5",
    "bip_grid",
    "bip_grid_perm",
    "bip_rmat20",
    "bip_rmat20_perm",
)
#: Siblings small enough for the host device.
SMALL = (
    "uni3k5",
    "bip_delaunay12",
    "bip_delaunay12_perm",
    "bip_grid64",
    "bip_grid64_perm",
    "bip_rmat12",
    "bip_rmat12_perm",
)
#: (rows, entries) of the published tables; generated matrices are checked against them.
PUBLISHED = {
    "uni3": (2_000_000, 5_999_997),
    "uni5": (2_000_000, 9_999_992),
    "bip_delaunay20": (1_048_576, 6_291_372),
    "bip_grid": (4_194_304, 15_089_816),
    "bip_rmat20": (1_048_576, 31_404_194),
}
#: Published sizes of maximum matchings, by the name without ``_perm``.
CARDINALITY = {
    "uni3": 1_855_562,
    "uni5": 1_985_107,
    "bip_delaunay20": 1_048_576,
    "bip_rmat20": 384_512,
}
UNIFORM_SEED, PERMUTATION_SEED = 7, 8

_NAME = re.compile(r"(?:uni(?P<draws>[1-9]\d?)(?:k(?P<thousands>\d+))?|bip_(?P<graph>.+?))(_perm)?")


def is_benchmark_matrix(name: str) -> bool:
    """Return True if `name` is a benchmark matrix of any size."""
    match = _NAME.fullmatch(name)
    return match is not None and (match["graph"] is None or is_benchmark_graph(match["graph"]))


def original(name: str) -> str:
    """Return the name of the matrix before it was permuted.

    >>> original("bip_grid_perm"), original("uni3")
    ('bip_grid', 'uni3')
    """
    return name.removesuffix("_perm")


def sets(name: str) -> list[str]:
    """Return the sets of the paper to which a matrix belongs: "original", "permuted", or both.

    >>> sets("bip_grid"), sets("bip_grid_perm"), sets("uni3")
    (['original'], ['permuted'], ['original', 'permuted'])
    """
    if name.endswith("_perm"):
        return ["permuted"]
    uniform = is_benchmark_matrix(name) and name.startswith("uni")
    return ["original", "permuted"] if uniform else ["original"]


def generate_matrix(name: str) -> BipartiteGraph:
    """Generate the benchmark matrix called `name`.

    Raises
    ------
    GraphError
        If there is no such matrix, or if this NumPy or SciPy draws another one than the
        published one.
    """
    size, rows, columns = _entries(original(name))
    if name.endswith("_perm"):
        rows, columns = permuted(rows, columns, (size, size))
    source = {"kind": "benchmark", "spec": name}
    matrix = BipartiteGraph.from_entries(rows, columns, (size, size), name=name, source=source)
    published = PUBLISHED.get(original(name), (size, matrix.num_edges))
    if (size, matrix.num_edges) != published:
        raise GraphError(
            f"{name} came out with {size} rows and {matrix.num_edges} entries instead of "
            f"{published[0]} and {published[1]}: this NumPy or SciPy draws other numbers, so its "
            "times cannot be compared"
        )
    return matrix


def _entries(name: str) -> tuple[int, np.ndarray, np.ndarray]:
    """Return size, rows and columns of a matrix that is not permuted; entries may repeat."""
    match = _NAME.fullmatch(name)
    if match is None or not is_benchmark_matrix(name):
        raise GraphError(
            f"there is no benchmark matrix {name!r}; the published ones are {', '.join(STANDARD)}, "
            f"small ones are {', '.join(SMALL)}"
        )
    if match["graph"] is not None:
        edges = generate(match["graph"])
        return edges.n, np.concatenate([edges.u, edges.v]), np.concatenate([edges.v, edges.u])
    thousands = int(match["thousands"] or 2000)
    if not 1 <= thousands <= 20_000:
        raise GraphError(f"{name!r} must have between 1 and 20000 thousand rows")
    size = thousands * 1000
    draws = int(match["draws"]) * size
    rng = np.random.default_rng(UNIFORM_SEED)
    rows = rng.integers(0, size, draws)
    return size, rows, rng.integers(0, size, draws)


def permuted(
    rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return entries of a matrix of `shape` after its rows and its columns were permuted."""
    rng = np.random.default_rng(PERMUTATION_SEED)
    # Row r of the permuted matrix is row order[r]: an entry moves to the new place of its row.
    return _places(rng.permutation(shape[0]))[rows], _places(rng.permutation(shape[1]))[columns]


def _places(order: np.ndarray) -> np.ndarray:
    """Return the place of each number in a permutation."""
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return places


def _arrays(name: str) -> dict[str, np.ndarray]:
    """Return the lists of the rows and the columns, without the weights, which are all 1."""
    graph = generate_matrix(name)
    rows = np.array(graph.num_rows, np.int64)
    return {"indptr": graph.indptr, "indices": graph.indices, "num_rows": rows}


def _problem(arrays: Mapping[str, np.ndarray], name: str, source: dict[str, Any]) -> BipartiteGraph:
    indices = arrays["indices"]
    rows = (arrays["indptr"], indices, np.ones(indices.size, np.float32))
    num_rows = int(arrays["num_rows"])
    return BipartiteGraph._of_rows(rows, num_rows=num_rows, name=name, source=source)


BENCHMARKS = Benchmarks(is_benchmark_matrix, _arrays, _problem)
