"""The sources of matrices: bundled ones, graphs read as matrices, generators, files."""

from __future__ import annotations

from dataclasses import replace

from gpucore.datasets import names as dataset_names
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.prepare import permute_sides
from gpucore.problems.graph.graph import Graph

from .facts import Facts
from .graphs import (
    GENERATORS,
    SEED,
    Generator,
    Shuffle,
    Slider,
    Sources,
    by_rows,
    generator,
    readers,
)

MATRICES: dict[str, Generator] = {
    "uniform": generator(
        "uniform",
        "Uniform (every row alike)",
        Slider("rows", "Rows", 5, 5000, 30, 5),
        Slider("columns", "Columns", 5, 5000, 30, 5),
        Slider("degree", "Entries drawn per row", 1, 16, 2),
        SEED,
    ),
    "bip_rmat": generator(
        "bip_rmat",
        "R-MAT (a few full rows)",
        Slider("scale", "Rows, power of 2", 3, 16, 6),
        Slider("edge_factor", "Entries drawn per row", 1, 16, 4),
        SEED,
    ),
    "chain": generator(
        "chain",
        "Chains (long paths)",
        Slider("length", "Rows of a chain", 2, 1000, 8),
        Slider("chains", "Chains", 1, 50, 4),
    ),
    "layered": generator(
        "layered",
        "Layers (many phases)",
        Slider("levels", "Levels", 1, 40, 3),
        Slider("width", "Rows in a layer", 1, 8, 2),
    ),
    "crossing": generator(
        "crossing",
        "Crossing paths (the paper's figure 1)",
        Slider("ends", "Paths that cross", 1, 12, 2),
        Slider("copies", "Copies", 1, 50, 1),
    ),
    "grid": replace(GENERATORS["grid"], title="Grid, read as a matrix"),
    "delaunay": replace(GENERATORS["delaunay"], title="Delaunay triangulation, as a matrix"),
}


def collection() -> list[tuple[str, str]]:
    """Return titles and names of bundled matrices, then of graphs, which are read as matrices."""
    return by_rows("×", (*dataset_names("bipartite"), *dataset_names("graph")))


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


SOURCES = Sources(
    title="Matrix",
    collection=collection,
    generators=MATRICES,
    **readers("bipartite"),
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
    draws=False,
)
