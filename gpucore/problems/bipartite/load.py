"""One way in for every bipartite graph: data set, generator, matrix file, or a graph's twin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpucore import datasets
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.errors import GraphError
from gpucore.problems.graph.generate import BIPARTITE_GENERATORS, GENERATORS
from gpucore.problems.graph.generate.specification import generate
from gpucore.problems.graph.graph import Graph
from gpucore.io.files import format_of, read_file
from gpucore.problems.graph.load import check_no_preferences, is_no_path, load
from gpucore.problems.bipartite.matrix_market import read_bipartite
from gpucore.io.npz import read_bipartite as read_archive
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.problems.graph.prepare import for_bipartite
from gpucore.progress import Cancel, Progress, check


def load_bipartite(
    spec: str | Path,
    *,
    form: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> BipartiteGraph:
    """Return the bipartite graph that `spec` names.

    Parameters
    ----------
    spec : str or Path
        One of

        - a bundled matrix: ``"southern_women"`` (:func:`gpucore.datasets.bipartite_datasets`);
        - a generator of matrices: ``"uniform:rows=100,columns=80,degree=3,seed=1"``
          (:mod:`gpucore.problems.bipartite.generate`);
        - the path of a file, perhaps gzip-compressed: Matrix Market (.mtx) and SciPy's archives
          (.npz) are read as matrices, square or not, of which the pattern counts: values do not
          matter, and a stored zero is an entry;
        - whatever :func:`gpucore.problems.graph.load` takes: a graph becomes the matrix of its adjacencies
          (:func:`gpucore.problems.graph.prepare.bipartite_twin`).
    form, progress, cancel, limits, **options
        As in :func:`gpucore.problems.graph.load`; vertices are counted as rows and columns together.

    Returns
    -------
    BipartiteGraph
        :func:`gpucore.problems.rebuild` makes it again from its ``source``, unless a file was read.

    Raises
    ------
    GraphError
        For everything that keeps `spec` from being a matrix, with cause and mend.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load_bipartite("southern_women")
    BipartiteGraph('southern_women', rows=18, columns=14, edges=89)
    >>> load_bipartite("path:n=3").to_matrix().toarray().tolist()
    [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    """
    check(cancel)
    if not isinstance(spec, str):
        return _read(Source.of(spec), form, progress, cancel, limits, options)
    if spec in datasets.bipartite_datasets():
        return datasets.load_bipartite_dataset(spec, limits=limits)
    kind, _, parameters = spec.partition(":")
    if kind in BIPARTITE_GENERATORS:
        if progress is not None:
            progress("generating", 0, 0)
        return generate(BIPARTITE_GENERATORS, kind, parameters, limits)
    if spec in datasets.datasets() or kind in GENERATORS:
        return _twin(load(spec, progress=progress, cancel=cancel, limits=limits), limits)
    check_no_preferences(spec)
    if is_no_path(spec):
        raise GraphError(
            f"there is no matrix {spec!r}: it is neither a file, nor a data set "
            f"({', '.join([*datasets.bipartite_datasets(), *datasets.datasets()])}), nor a "
            f"generator ({', '.join([*BIPARTITE_GENERATORS, *GENERATORS])}) with its parameters "
            "after a colon"
        )
    return _read(Source.of(spec), form, progress, cancel, limits, options)


def load_bipartite_bytes(
    name: str,
    data: bytes,
    *,
    form: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> BipartiteGraph:
    r"""Return the bipartite graph in the bytes of a file, for instance of an upload.

    Parameters
    ----------
    name : str
        The file's name; its ending tells the format, and errors begin with it.
    data : bytes
        The file's content.
    form, progress, cancel, limits, **options
        As in :func:`load_bipartite`; ``Limits.public()`` suits uploads by strangers.

    Examples
    --------
    >>> head = b"%%MatrixMarket matrix coordinate pattern general\n"
    >>> load_bipartite_bytes("wide.mtx", head + b"2 3 2\n1 1\n2 3\n")
    BipartiteGraph('wide', rows=2, columns=3, edges=2)
    """
    return _read(Source(name, data=bytes(data)), form, progress, cancel, limits, options)


def _read(
    source: Source,
    form: str | None,
    progress: Progress | None,
    cancel: Cancel | None,
    limits: Limits | None,
    options: dict[str, Any],
) -> BipartiteGraph:
    limits = limits or Limits()
    form = form or format_of(source, limits)
    if form == "matrix_market" and not options:
        return read_bipartite(source, progress=progress, cancel=cancel, limits=limits)
    if form == "npz" and not options:
        graph = read_archive(source, progress=progress, cancel=cancel, limits=limits)
    else:
        graph = read_file(
            source, form=form, progress=progress, cancel=cancel, limits=limits, **options
        )
    return _twin(graph, limits)


def _twin(graph: Graph, limits: Limits | None) -> BipartiteGraph:
    """Return the graph's twin, if it is not bipartite already, within the limits."""
    if not isinstance(graph, BipartiteGraph):
        what = f"the matrix of {graph.name or 'the graph'}"
        (limits or Limits()).check(what, 2 * graph.num_vertices, graph.indices.size)
    return for_bipartite(graph)
