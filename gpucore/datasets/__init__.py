"""Small real graphs that come with the package, with source, licence and known answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import io

from gpucore.errors import GraphError
from gpucore.graph import Graph

DATA = Path(__file__).parent / "data"


def datasets() -> list[str]:
    """Return the names of the bundled graphs."""
    return sorted(path.name.removesuffix(".mtx.gz") for path in DATA.glob("*.mtx.gz"))


def load_dataset(name: str) -> Graph:
    """Return the bundled graph called `name`."""
    if name not in datasets():
        raise GraphError(f"there is no data set {name!r}; there are {', '.join(datasets())}")
    matrix = io.mmread(DATA / f"{name}.mtx.gz", spmatrix=False)
    once = matrix.row >= matrix.col
    pattern = bool(np.all(matrix.data == 1))
    return Graph.from_edges(
        matrix.shape[0],
        matrix.row[once],
        matrix.col[once],
        None if pattern else matrix.data[once],
        name=name,
        source={"kind": "dataset", "spec": name},
    )
