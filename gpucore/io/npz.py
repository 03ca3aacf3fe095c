"""NumPy archives: our own (exact and fast) and those of ``scipy.sparse.save_npz``.

No pickle is ever read. Sizes are taken from the archive's directory and from the arrays' own
headers, and compared with each other and with the limits, before an array is allocated.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

import numpy as np

from gpucore.archives import UnsoundArchive, enough_memory, opened, read_array_header
from gpucore.errors import GraphError
from gpucore.former import formats
from gpucore.io.scipy_matrix import matrix_of
from gpucore.io.stream import LineReader, Source
from gpucore.limits import Limits
from gpucore.problem import kinds
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import symmetrise
from gpucore.progress import check

FORMAT = "warplens-graph"
VERSION = 1
_ARRAYS = {"header", "names", "coordinates", "indptr", "indices", "weights"}
_SCIPY = {"format", "shape", "data", "indices", "indptr", "row", "col", "_is_array"}
_GRAPH = _ARRAYS | _SCIPY
_OURS = (
    "no graph has; archives of Warplens's and of SciPy's sparse matrices can be read "
    "(in Python: gpucore.io.files.save and scipy.sparse.save_npz write them)"
)


def save_npz(graph: Graph, stream: BinaryIO) -> None:
    """Write a graph with its name, names, coordinates and source, exactly."""
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "name": graph.name,
        "weighted": graph.weighted,
        "source": dict(graph.source),
        **graph.archive_header(),
    }
    arrays: dict[str, np.ndarray] = {
        "header": _packed(header),
        "indptr": graph.indptr,
        "indices": graph.indices,
        "weights": graph.weights,
        **graph.archive_arrays(),
    }
    if graph.names is not None:
        arrays["names"] = _packed(graph.names)
    if graph.coordinates is not None:
        arrays["coordinates"] = graph.coordinates
    np.savez_compressed(stream, allow_pickle=False, **arrays)


def _packed(value: Any) -> np.ndarray:
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def read_graph(source: Source) -> Graph:
    """Read a graph from an archive of :func:`save_npz` or ``scipy.sparse.save_npz``.

    A saved bipartite graph stays bipartite. A SciPy matrix that is not symmetric becomes the
    undirected union of its entries, as in :func:`gpucore.problems.graph.prepare.symmetrise`.

    Raises
    ------
    GraphError
        If it is not such an archive, damaged, too large, or not a graph.
    """

    def undirected(arrays: Mapping[str, np.ndarray]) -> Graph:
        matrix = matrix_of(arrays, source.limits, max)
        return symmetrise(matrix, name=source.stem, source=source.describe("scipy"))

    return read_with(source, undirected)


def read_with(
    source: Source,
    foreign: Callable[[Mapping[str, np.ndarray]], Graph],
) -> Graph:
    """Read an archive; `foreign` makes a graph from the arrays of a SciPy archive."""
    more = {name for kind in kinds().values() for name in kind.archive_arrays}
    arrays = read_arrays(source, _GRAPH | more)
    try:
        if "header" in arrays:
            return _own(arrays, source.limits)
        return foreign(arrays)
    except GraphError as error:
        raise GraphError(f"{source.name}: {error}") from None


def read_arrays(
    source: Source,
    known: set[str],
) -> dict[str, np.ndarray]:
    """Return the arrays of an archive by name; names that are not `known` are refused.

    Raises
    ------
    GraphError
        If it is not an archive, damaged, too large, or has unknown arrays.
    """
    with (
        enough_memory(source.name, GraphError),
        _stream_of(source) as stream,
    ):
        try:
            with opened(stream) as archive:
                return _read_arrays(source, archive, known)
        except UnsoundArchive as error:
            raise GraphError(
                f"{source.name} is not a sound .npz archive ({error}); save it again"
            ) from None


def names_of_arrays(source: Source) -> set[str]:
    """Return the names of an archive's arrays; empty if it is not an archive."""
    with (
        enough_memory(source.name, GraphError),
        _stream_of(source.quiet) as stream,
    ):
        try:
            with opened(stream) as archive:
                return {name.removesuffix(".npy") for name in archive.namelist()}
        except UnsoundArchive:
            return set()


def _stream_of(source: Source) -> BinaryIO:
    """Open the archive; a gzip-compressed archive is decompressed into memory."""
    with LineReader(source) as reader:
        if not reader.compressed:
            return source.open()
        parts, size = [], 0
        while part := reader.read(1 << 20):
            parts.append(part)
            size += len(part)
            if size > source.limits.max_bytes // 2:
                raise GraphError(
                    f"{source.name} needs more memory than {source.limits.max_bytes} bytes"
                )
        return io.BytesIO(b"".join(parts))


def _read_arrays(
    source: Source, archive: zipfile.ZipFile, known: set[str]
) -> dict[str, np.ndarray]:
    """Read all arrays; their names must be known."""
    name, limits = source.name, source.limits
    members = archive.infolist()
    total = sum(member.file_size for member in members)
    if 4 * total > limits.max_bytes:
        raise GraphError(
            f"{name}: the archive holds {total} bytes, more than {limits.max_bytes // 4}, a "
            "quarter of the memory allowed here"
        )
    arrays: dict[str, np.ndarray] = {}
    done = 0
    for member in members:
        check(source.cancel)
        key = member.filename.removesuffix(".npy")
        if key not in known or key in arrays:
            if not member.filename.endswith(".npy"):
                raise GraphError(
                    f"{name} is a ZIP archive, with {member.filename!r:.60} in it; unpack it "
                    "(unzip), and name the file of the problem"
                )
            raise GraphError(
                f"{name}: the archive holds {member.filename!r}, which "
                + (_OURS if known >= _GRAPH else f"has no place beside {', '.join(sorted(known))}")
            )
        arrays[key] = _read_array(name, archive, member)
        done += member.file_size
        if source.progress is not None:
            source.progress("reading", done, total)
    return arrays


def _read_array(name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """Read one array after checking its header against the size in the directory."""
    what = f"{name}: the array {member.filename!r}"
    with archive.open(member) as stream:
        try:
            shape, fortran, dtype = read_array_header(stream)
        except UnsoundArchive as error:
            raise GraphError(f"{what} has a bad header ({error}); save it again") from None
        if dtype.hasobject:
            raise GraphError(f"{what} holds Python objects, which are never read; save numbers")
        size = math.prod(shape) * dtype.itemsize
        if size != member.file_size - stream.tell():
            raise GraphError(
                f"{what} declares {size} bytes but holds another number; save it again"
            )
        data = stream.read(size)
    if len(data) != size:
        raise GraphError(f"{what} is truncated; save it again")
    return np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")


def _own(arrays: Mapping[str, np.ndarray], limits: Limits) -> Graph:
    try:
        header = json.loads(arrays["header"].tobytes())
        form, version = header["format"], header["version"]
        attributes = {key: header[key] for key in ("name", "weighted", "source")}
        names = json.loads(arrays["names"].tobytes()) if "names" in arrays else None
        rows = [arrays[key] for key in ("indptr", "indices", "weights")]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise GraphError(f"the archive is incomplete ({error!r}); save it again") from None
    if form not in formats(FORMAT) or version != VERSION:
        raise GraphError(f"the archive is {form} {version}, this program reads {FORMAT} {VERSION}")
    types = {"name": str, "weighted": bool, "source": dict}
    if any(type(attributes[key]) is not kind for key, kind in types.items()):
        raise GraphError("the archive's header is malformed; save it again")
    if names is not None and not (
        isinstance(names, list) and all(isinstance(name, str) for name in names)
    ):
        raise GraphError("the archive's names are no list of texts; save it again")
    limits.check("the graph", max(0, rows[0].size - 1), (rows[1].size + 1) // 2)
    attributes |= {"names": names, "coordinates": arrays.get("coordinates")}
    for kind in kinds().values():
        if kind.archive_key and kind.archive_key in header:
            attributes |= _more_of(arrays, kind.archive_arrays)
            graph: Graph = kind.load(kind.archive)(rows, header, attributes)
            return graph
    return Graph(*rows, **attributes)


def _more_of(arrays: Mapping[str, np.ndarray], names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Return the arrays of these names, or raise GraphError."""
    if missing := [name for name in names if name not in arrays]:
        raise GraphError(f"the array {missing[0]!r} is missing; save it again")
    return {name: arrays[name] for name in names}
