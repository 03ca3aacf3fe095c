"""Load any bipartite graph: a data set, generator, matrix file, or a graph's twin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpucore.datasets import check_counts, file_of, info_of, lines
from gpucore.io.files import format_of, read_file
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problems.bipartite.archive import read_archive
from gpucore.problems.bipartite.edge_list import read_list
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.matrix_market import read_bipartite
from gpucore.problems.bipartite.prepare import for_bipartite
from gpucore.problems.graph.graph import Graph


def load_bipartite(spec: str | Path, **how: Any) -> BipartiteGraph:
    """Return the bipartite graph that `spec` specifies.

    Parameters
    ----------
    spec : str or Path
        One of

        - a bundled matrix: ``"southern_women"`` (:func:`gpucore.datasets.names`);
        - a generator of matrices: ``"uniform:rows=100,columns=80,degree=3,seed=1"``
          (:mod:`gpucore.problems.bipartite.generate`);
        - the path of a file, perhaps gzip-compressed: Matrix Market (.mtx) and SciPy's archives
          (.npz) are read as patterns of matrices, square or not: values are ignored, and a stored
          zero is an entry;
        - any argument of :func:`gpucore.load`: a graph becomes its adjacency matrix
          (:func:`gpucore.problems.bipartite.prepare.bipartite_twin`).
    **how
        As in :func:`gpucore.load`; the number of vertices is rows plus columns.

    Returns
    -------
    BipartiteGraph
        :func:`gpucore.problems.rebuild.rebuild` makes it again from its ``source``, unless it is
        from a file.

    Raises
    ------
    GraphError
        If `spec` is not a matrix; the text has the cause and the fix.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load_bipartite("southern_women")
    BipartiteGraph('southern_women', rows=18, columns=14, edges=89)
    >>> load_bipartite("path:n=3").to_matrix().toarray().tolist()
    [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    """
    return load(spec, "bipartite", **how)


def read(
    source: Source, *, form: str | None = None, seed: int = 0, **options: Any
) -> BipartiteGraph:
    """Read a matrix, or the twin of a graph, from a file or an upload; nothing is random in it."""
    form = form or format_of(source)
    if form == "matrix_market" and not options:
        return read_bipartite(source)
    if form == "npz" and not options:
        graph = read_archive(source)
    elif form == "edge_list" and not set(options) - {"columns"}:
        graph = read_list(source, **options)
    else:
        graph = read_file(source, form=form, **options)
    return twin(graph, limits=source.limits)


def twin(graph: Graph, *, seed: int = 0, limits: Limits | None = None) -> BipartiteGraph:
    """Return the graph's twin, if it is not bipartite already, within the limits."""
    if not isinstance(graph, BipartiteGraph):
        what = f"the matrix of {graph.name or 'the graph'}"
        (limits or Limits()).check(what, 2 * graph.num_vertices, graph.indices.size)
    return for_bipartite(graph)


def load_bipartite_dataset(name: str, *, limits: Limits | None = None) -> BipartiteGraph:
    """Return the bundled matrix called `name` as a bipartite graph, with names where it has them.

    Raises
    ------
    GraphError
        If there is no such matrix, or its file is not what the catalogue says.

    Examples
    --------
    >>> load_bipartite_dataset("southern_women").names[-1]
    'E14'
    """
    info = info_of(name, "bipartite")
    graph = read_bipartite(Source.of(file_of(name, "mtx.gz"), limits))
    check_counts(name, (*graph.shape, graph.num_edges), (*info.shape, info.edges))
    source = {"kind": "dataset", "spec": name}
    return graph.with_attributes(name=name, names=lines(name, "names"), source=source)
