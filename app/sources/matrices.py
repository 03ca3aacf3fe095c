"""The sources of matrices: bundled ones, graphs read as matrices, generators, files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gpucore.datasets import catalogue
from gpucore.datasets import names as dataset_names
from gpucore.limits import Limits
from gpucore.loading import load_bytes
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.bipartite.prepare import permute_sides

from .facts import Facts
from .graphs import (
    GENERATORS,
    Generator,
    Shuffle,
    Slider,
    Sources,
)

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def _spec(kind: str, sliders: tuple[Slider, ...]) -> Generator:
    """Return a generator whose parameters have the names of its sliders."""

    def spec(values: dict[str, float]) -> str:
        return f"{kind}:" + ",".join(f"{s.name}={values[s.name]:g}" for s in sliders)

    return Generator(_TITLES[kind], sliders, spec)


_TITLES = {
    "uniform": "Uniform (every row alike)",
    "bip_rmat": "R-MAT (a few full rows)",
    "chain": "Chains (long paths)",
    "layered": "Layers (many phases)",
    "crossing": "Crossing paths (the paper's figure 1)",
}

_SEED = Slider("seed", "Seed", 1, 20, 1)

MATRICES: dict[str, Generator] = {
    "uniform": _spec(
        "uniform",
        (
            Slider("rows", "Rows", 5, 5000, 30, 5),
            Slider("columns", "Columns", 5, 5000, 30, 5),
            Slider("degree", "Entries drawn per row", 1, 16, 2),
            _SEED,
        ),
    ),
    "bip_rmat": _spec(
        "bip_rmat",
        (
            Slider("scale", "Rows, power of 2", 3, 16, 6),
            Slider("edge_factor", "Entries drawn per row", 1, 16, 4),
            _SEED,
        ),
    ),
    "chain": _spec(
        "chain",
        (Slider("length", "Rows of a chain", 2, 1000, 8), Slider("chains", "Chains", 1, 50, 4)),
    ),
    "layered": _spec(
        "layered",
        (Slider("levels", "Levels", 1, 40, 3), Slider("width", "Rows in a layer", 1, 8, 2)),
    ),
    "crossing": _spec(
        "crossing",
        (Slider("ends", "Paths that cross", 1, 12, 2), Slider("copies", "Copies", 1, 50, 1)),
    ),
    "grid": replace(GENERATORS["grid"], title="Grid, read as a matrix"),
    "delaunay": replace(GENERATORS["delaunay"], title="Delaunay triangulation, as a matrix"),
}


def collection() -> list[tuple[str, str]]:
    """Return titles and names of bundled matrices, then of graphs, which are read as matrices."""
    known = catalogue()
    own = [(f"{known[n].title} ({_size(known[n].shape)})", n) for n in dataset_names("bipartite")]
    twins = [
        (f"{known[n].title} ({_size((known[n].vertices,) * 2)})", n) for n in dataset_names("graph")
    ]
    return own + twins


def _size(shape: tuple[int, ...]) -> str:
    return f"{shape[0]:,} × {shape[1]:,}"


def facts_of_matrix(graph: Graph, prepared: Graph) -> Facts:
    """Return the facts of a matrix; matrices need no preparation."""
    assert isinstance(prepared, BipartiteGraph)
    rows, columns = prepared.shape
    sizes = (("rows", f"{rows:,}"), ("columns", f"{columns:,}"))
    remarks = []
    for step in prepared.source.get("prepared", ()):
        if step["step"] == "bipartite_twin":
            remarks.append("a graph, read as its adjacency matrix: an edge is two entries")
        elif step["step"] == "permute_sides":
            remarks.append(f"rows and columns are in random order, seed {step['seed']}")
    degrees = prepared.degrees
    empty = {"row": degrees[:rows] == 0, "column": degrees[rows:] == 0}
    counts = {word: int(where.sum()) for word, where in empty.items()}
    if any(counts.values()):
        counted = (f"{n:,} {word}{'s' * (n > 1)}" for word, n in counts.items() if n)
        remarks.append(f"without an entry: {' and '.join(counted)}")
    return Facts((*sizes, ("entries", f"{prepared.num_edges:,}")), tuple(remarks))


def read(spec: str, *, limits: Limits, **how: Any) -> BipartiteGraph:
    """Return the matrix with a name; see :func:`gpucore.problems.bipartite.load.load_bipartite`."""
    return load_bipartite(spec, limits=_of_matrix(limits), **how)


def read_bytes(name: str, content: bytes, *, limits: Limits, **how: Any) -> BipartiteGraph:
    """Return the matrix in a file.

    See :func:`gpucore.loading.load_bytes`.
    """
    return load_bytes(name, content, limits=_of_matrix(limits), kind="bipartite", **how)


def _of_matrix(limits: Limits) -> Limits:
    """Return limits that count an entry as one edge, not as two directed ones."""
    return replace(limits, max_entries=limits.max_entries // 2)


SOURCES = Sources(
    title="Matrix",
    collection=collection,
    generators=MATRICES,
    read=read,
    read_bytes=read_bytes,
    formats=(
        "Matrix Market: rows by columns, only the pattern is used; SciPy's archive; or a graph "
        "as edge list, METIS or NumPy archive; also gzipped"
    ),
    counted=("rows and columns", "entries"),
    facts=facts_of_matrix,
    shuffle=Shuffle(
        "Rows and columns in random order (RCP)",
        "Rows and columns are permuted independently, which makes most matrices harder: "
        "neighbours in the matrix are no longer neighbours in memory.",
        permute_sides,
    ),
)
