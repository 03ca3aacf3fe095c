"""One way in for every graph: by the name of a data set, a generator's specification, a path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpucore import datasets
from gpucore.errors import GraphError
from gpucore.problems.graph.generate import BIPARTITE_GENERATORS, GENERATORS, PREFERENCE_GENERATORS
from gpucore.problems.graph.generate.specification import generate
from gpucore.problems.graph.graph import Graph
from gpucore.io.files import read_file
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.progress import Cancel, Progress, check


def load(
    spec: str | Path,
    *,
    form: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Graph:
    """Return the graph that `spec` names.

    Parameters
    ----------
    spec : str or Path
        One of

        - a bundled data set: ``"karate"`` (:func:`gpucore.datasets.datasets` lists them);
        - a generator: ``"rmat:scale=10,edge_factor=16,seed=1"``, ``"grid:rows=8,columns=8"``
          (:mod:`gpucore.problems.graph.generate`);
        - the path of a file, perhaps gzip-compressed: Matrix Market (.mtx), edge list (.txt,
          .csv, .tsv, .edges, .edgelist, .el), METIS (.graph, .metis), NumPy archive (.npz).
    form : {"matrix_market", "edge_list", "metis", "npz"}, optional
        Format of a file whose name does not tell.
    progress, cancel
        See :mod:`gpucore.progress`. The phases are "reading" (compressed bytes) or
        "generating", and "building".
    limits : Limits, optional
        Larger graphs are refused before memory is taken; by default what fits in free memory.
    **options
        Of the format: `base`, `weights`, `compact` for edge lists
        (:func:`gpucore.io.edge_list.read_graph`).

    Returns
    -------
    Graph

    Raises
    ------
    GraphError
        For everything that keeps `spec` from being a graph, with cause and mend.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load("karate")
    Graph('karate', vertices=34, edges=78)
    >>> load("path:n=3").edges()[0].tolist()
    [0, 1]
    """
    check(cancel)
    if isinstance(spec, str):
        if spec in datasets.datasets():
            return datasets.load_dataset(spec, limits=limits)
        kind, _, parameters = spec.partition(":")
        if kind in GENERATORS:
            if progress is not None:
                progress("generating", 0, 0)
            return generate(GENERATORS, kind, parameters, limits)
        if spec in datasets.bipartite_datasets() or kind in BIPARTITE_GENERATORS:
            raise GraphError(
                f"{kind} is a matrix of rows and columns, not an undirected graph; it is for the "
                "bipartite algorithms, gpucore.io.load_bipartite loads it"
            )
        check_no_preferences(spec)
        if is_no_path(spec):
            raise GraphError(
                f"there is no graph {spec!r}: it is neither a file, nor a data set "
                f"({', '.join(datasets.datasets())}), nor a generator ({', '.join(GENERATORS)}) "
                "with its parameters after a colon"
            )
    return read_file(
        Source.of(spec), form=form, progress=progress, cancel=cancel, limits=limits, **options
    )


def load_bytes(
    name: str,
    data: bytes,
    *,
    form: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Graph:
    r"""Return the graph in the bytes of a file, for instance of an upload.

    Parameters
    ----------
    name : str
        The file's name; its ending tells the format, and errors begin with it.
    data : bytes
        The file's content.
    form, progress, cancel, limits, **options
        As in :func:`load`; ``Limits.public()`` suits uploads by strangers.

    Examples
    --------
    >>> load_bytes("triangle.txt", b"1 2\n2 3\n3 1\n")
    Graph('triangle', vertices=3, edges=3)
    """
    source = Source(name, data=bytes(data))
    return read_file(source, form=form, progress=progress, cancel=cancel, limits=limits, **options)


def check_no_preferences(spec: str) -> None:
    """Raise GraphError if a text names preferences, which are no graph."""
    kind = spec.partition(":")[0]
    if spec in datasets.preference_datasets() or (kind != spec and kind in PREFERENCE_GENERATORS):
        raise GraphError(
            f"{kind} is an instance of stable marriage, not a graph; it is for that family's "
            "algorithms, gpucore.io.load_preferences loads it"
        )


def is_no_path(spec: str) -> bool:
    """Return True if a text names no file and does not look as if it were meant to."""
    path = Path(spec)
    kind, colon, parameters = spec.partition(":")
    bare = not path.suffix and path.name == spec
    return not path.exists() and (bare or bool(colon and len(kind) > 1 and "=" in parameters))
