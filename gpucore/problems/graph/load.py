"""Load any graph: by the name of a data set, a generator's specification, or a path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpucore.datasets import check_counts, coordinates, file_of, info_of, lines
from gpucore.io.files import read_file
from gpucore.io.matrix_graph import read_graph
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.problem import load_bytes_as, load_problem
from gpucore.problems.graph.distributed.slabs import is_slabs, load_whole
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Cancel, Progress


def load(
    spec: str | Path,
    *,
    form: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Graph:
    """Return the graph that `spec` specifies.

    Parameters
    ----------
    spec : str or Path
        One of

        - a bundled data set: ``"karate"`` (:func:`gpucore.datasets.names` lists them);
        - a generator: ``"rmat:scale=10,edge_factor=16,seed=1"``, ``"grid:rows=8,columns=8"``
          (:mod:`gpucore.problems.graph.generate`);
        - the path of a file, perhaps gzip-compressed: Matrix Market (.mtx), edge list (.txt,
          .csv, .tsv, .edges, .edgelist, .el), METIS (.graph, .metis), NumPy archive (.npz);
        - a folder of slabs (:mod:`gpucore.problems.graph.distributed.slabs`).
    form : {"matrix_market", "edge_list", "metis", "npz"}, optional
        Format of a file, if its name does not show it.
    progress, cancel
        See :mod:`gpucore.progress`. The phases are "reading" (compressed bytes) or
        "generating", and "building".
    limits : Limits, optional
        Larger graphs are refused before memory is taken; by default what fits in free memory.
    **options
        Options of the format: `base`, `weights`, `compact` for edge lists
        (:func:`gpucore.io.edge_list.read_graph`).

    Returns
    -------
    Graph

    Raises
    ------
    GraphError
        If `spec` is no graph; the text has the cause and the fix.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load("karate")
    Graph('karate', vertices=34, edges=78)
    >>> load("path:n=3").edges()[0].tolist()
    [0, 1]
    """
    common: dict[str, Any] = {"progress": progress, "cancel": cancel, "limits": limits}
    graph: Graph = load_problem("graph", spec, form=form, **common, **options)
    return graph


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
        The file's name; its ending determines the format, and error texts begin with it.
    data : bytes
        The file's content.
    form, progress, cancel, limits, **options
        As in :func:`load`; use ``Limits.public()`` for untrusted uploads.

    Examples
    --------
    >>> load_bytes("triangle.txt", b"1 2\n2 3\n3 1\n")
    Graph('triangle', vertices=3, edges=3)
    """
    common: dict[str, Any] = {"progress": progress, "cancel": cancel, "limits": limits}
    graph: Graph = load_bytes_as("graph", name, data, form=form, **common, **options)
    return graph


def read(source: Source, *, seed: int = 0, **options: Any) -> Graph:
    """Read a graph from a file, an upload or a folder of slabs; nothing is random in it."""
    if source.path is not None and is_slabs(source.path):
        return load_whole(source.path, options.get("limits"))
    return read_file(source, **options)


def load_dataset(name: str, *, limits: Limits | None = None) -> Graph:
    """Return the bundled graph called `name`, with names and coordinates where it has them.

    Raises
    ------
    GraphError
        If there is no such graph, or its file is not what the catalogue says.
    """
    info = info_of(name, "graph")
    graph = read_graph(Source.of(file_of(name, "mtx.gz")), limits=limits)
    counts = (graph.num_vertices, graph.num_edges, graph.num_loops, graph.weighted)
    check_counts(name, counts, (info.vertices, info.edges, info.loops, info.weighted))
    return graph.with_attributes(
        name=name,
        names=lines(name, "names"),
        coordinates=coordinates(name),
        source={"kind": "dataset", "spec": name},
    )
