"""Read graphs: bundled ones, files, and folders of slabs."""

from __future__ import annotations

from typing import Any

from gpucore.datasets import check_counts, coordinates, file_of, info_of, lines
from gpucore.io.files import read_file
from gpucore.io.matrix_graph import read_graph
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.problems.graph.distributed.slabs import is_slabs, load_whole
from gpucore.problems.graph.graph import Graph


def read(source: Source, *, seed: int = 0, **options: Any) -> Graph:
    """Read a graph from a file, an upload or a folder of slabs; nothing is random in it."""
    if source.path is not None and is_slabs(source.path):
        return load_whole(source.path, source.limits)
    return read_file(source, **options)


def load_dataset(name: str, *, limits: Limits | None = None) -> Graph:
    """Return the bundled graph called `name`, with names and coordinates where it has them.

    Raises
    ------
    GraphError
        If there is no such graph, or its file is not what the catalogue says.
    """
    info = info_of(name, "graph")
    graph = read_graph(Source.of(file_of(name, "mtx.gz"), limits))
    counts = (graph.num_vertices, graph.num_edges, graph.num_loops, graph.weighted)
    check_counts(name, counts, (info.vertices, info.edges, info.loops, info.weighted))
    return graph.with_attributes(
        name=name,
        names=lines(name, "names"),
        coordinates=coordinates(name),
        source={"kind": "dataset", "spec": name},
    )
