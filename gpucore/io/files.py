"""Formats of files: detect the format, read and write graphs."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from scipy import io

from gpucore.errors import GraphError
from gpucore.io import dimacs, edge_list, formats, matrix_graph, metis, npz
from gpucore.io.endings import ENDINGS
from gpucore.io.stream import Source
from gpucore.problems.graph.graph import Graph
from gpucore.saving import replacing


class _Format(NamedTuple):
    read: Callable[..., Graph]
    options: tuple[str, ...] = ()


#: Formats of graphs; :data:`gpucore.io.endings.ENDINGS` has their names' endings.
FORMATS = {
    "matrix_market": _Format(matrix_graph.read_graph),
    "edge_list": _Format(edge_list.read_graph, ("base", "weights", "compact", "columns")),
    "dimacs": _Format(dimacs.read_graph),
    "metis": _Format(metis.read_graph),
    "npz": _Format(npz.read_graph),
}

#: Separators of edge lists by ending; others have a blank.
_SEPARATORS = {".csv": ",", ".tsv": "\t"}


def read_file(
    source: Source,
    *,
    form: str | None = None,
    **options: Any,
) -> Graph:
    """Read a graph from a file or an upload; see :func:`gpucore.load`."""
    form = form or format_of(source)
    if form not in FORMATS:
        raise GraphError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
    for option in options:
        if option not in FORMATS[form].options:
            raise GraphError(
                f"format {form} has no option {option!r}; it has "
                + (", ".join(FORMATS[form].options) or "none")
            )
    return FORMATS[form].read(source, **options)


def format_of(source: Source) -> str:
    """Return the format by the name's ending, or else by the first bytes."""
    return formats.format_of(source, {form: ENDINGS[form] for form in FORMATS})


def save(graph: Graph, path: str | Path) -> None:
    """Write a graph; the format follows from the name's ending, ``.gz`` compresses.

    ``.npz`` stores everything; the text formats store vertices, edges and weights (exactly, as the
    shortest decimals that give the same float32). For a bipartite graph, Matrix Market stores the
    matrix, which :func:`gpucore.problems.bipartite.load.load_bipartite` reads; other text formats
    store its vertices and edges.

    Parameters
    ----------
    graph : Graph
        The graph; METIS has no self-loops, so a graph with loops is refused there.
    path : str or Path
        Ends in .npz, .mtx, .graph, .metis, .txt, .csv, .tsv, .edges, .edgelist or .el.

    Raises
    ------
    GraphError
        Unknown ending, self-loops in METIS, or a file that cannot be written.
    """
    path = Path(path)
    zipped = path.suffix == ".gz"
    ending = path.with_suffix("").suffix if zipped else path.suffix
    form = next((form for form in FORMATS if ending in ENDINGS[form]), None)
    if form in (None, "dimacs") or (zipped and form == "npz"):
        raise GraphError(f"{path.name} must end in a known format's ending, not {path.suffix!r}")
    form = str(form)
    graph.check_format(form)
    write = {
        "matrix_market": _write_matrix_market,
        "edge_list": _write_edge_list,
        "metis": _write_metis,
        "npz": _write_npz,
    }[form]
    with replacing(path) as file, _stream(file, zipped) as stream:
        write(graph, stream, _SEPARATORS.get(ending, " "))


def _stream(file: BinaryIO, zipped: bool) -> AbstractContextManager[BinaryIO]:
    """Return a file to write into, whose bytes are compressed on their way if `zipped`."""
    if not zipped:
        return nullcontext(file)
    return cast("AbstractContextManager[BinaryIO]", gzip.GzipFile("", "wb", 6, file))


def _write_npz(graph: Graph, stream: BinaryIO, _: str) -> None:
    npz.save_npz(graph, stream)


def _write_matrix_market(graph: Graph, stream: BinaryIO, _: str) -> None:
    matrix, field, symmetry = graph.to_matrix_market()
    io.mmwrite(stream, matrix, field=field, symmetry=symmetry)  # type: ignore[arg-type]


def _write_edge_list(graph: Graph, stream: BinaryIO, separator: str) -> None:
    comment, columns = graph.edge_list()
    stream.write(f"{comment}\n".encode())
    texts = (column.astype(str) for column in columns)
    lines = (separator.join(line) for line in zip(*texts, strict=True))
    stream.writelines(f"{line}\n".encode() for line in lines)


def _write_metis(graph: Graph, stream: BinaryIO, _: str) -> None:
    kind = " 001" if graph.weighted else ""
    stream.write(f"{graph.num_vertices} {graph.num_edges}{kind}\n".encode())
    width = 1 + graph.weighted
    tokens = [""] * (width * graph.indices.size)
    tokens[::width] = (graph.indices + 1).astype(str).tolist()
    if graph.weighted:
        tokens[1::2] = graph.weights.astype(str).tolist()
    bounds = (width * graph.indptr).tolist()
    for start, end in itertools.pairwise(bounds):
        stream.write((" ".join(tokens[start:end]) + "\n").encode())
