"""METIS graph files: line ``v`` after the header lists the neighbours of vertex ``v``.

Format: G. Karypis, "METIS, a software package for partitioning unstructured graphs", manual of
version 5, section 4.1.1. Every edge is in the lines of both its ends. Weights may be real, as some
tools write them; vertex weights and sizes are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.format import counted
from gpucore.io.stream import LineReader, Source
from gpucore.members import first_number
from gpucore.notes import with_note
from gpucore.problems.graph.checks import AsymmetryError, DuplicateError
from gpucore.problems.graph.graph import Graph

#: Largest length of a line, which holds the whole neighbourhood of a hub.
_MAX_LINE = 256 << 20
#: Peak memory in bytes per edge: both directions, sorted by two transpositions.
_BYTES_PER_EDGE = 96
#: Largest number.
_LARGEST = float(np.finfo(np.float64).max)
_WHOLE = re.compile(rb"[0-9]{1,18}")
_REAL = re.compile(rb"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class _Header:
    vertices: int
    edges: int
    edge_weights: bool
    #: Numbers that precede the neighbours in each line: a size and weights of the vertex.
    skip: int

    @property
    def width(self) -> int:
        """Numbers for each neighbour."""
        return 1 + self.edge_weights


def read_graph(source: Source) -> Graph:
    """Read an undirected graph; it is weighted if the header says so.

    Raises
    ------
    GraphError
        With the line and the cause; also if an edge is in only one of its two lines, or has
        different weights.
    """
    with LineReader(source, max_line=_MAX_LINE) as reader:
        header = _read_header(reader)
        indptr, indices, weights = _read_rows(reader, header)
    source.building()
    notes = ("Weights and sizes of vertices are not read.",) if header.skip else ()
    try:
        return Graph.from_csr(
            indptr, indices, weights, weighted=header.edge_weights, name=source.stem,
            source=with_note(source.describe("metis", **first_number(1)), *notes),
        )  # fmt: skip
    except (AsymmetryError, DuplicateError) as error:
        u, v = (end + 1 for end in error.entry)
        cause = (
            f"vertex {u} lists the neighbour {v} twice"
            if isinstance(error, DuplicateError)
            else f"vertex {u} lists the neighbour {v}, but {v} does not list {u} equally"
        )
        raise GraphError(
            f"{source.name}, line {_line_of(source, u)}: {cause}; every edge stands once in the "
            "lines of both its ends, with one weight"
        ) from None


def _read_header(reader: LineReader) -> _Header:
    while (line := reader.readline()) is not None:
        if line.strip() and not line.lstrip().startswith(b"%"):
            break
    else:
        raise GraphError(f"{reader.name} is empty; a METIS file begins with 'vertices edges'")
    tokens = line.split()
    if not 2 <= len(tokens) <= 4 or not all(_WHOLE.fullmatch(token) for token in tokens):
        reader.fail(
            "the header must be 'vertices edges [format [weights per vertex]]', not "
            f"{line[:60].decode('latin-1')!r}"
        )
    n, m = int(tokens[0]), int(tokens[1])
    flags = tokens[2].decode().zfill(3) if len(tokens) > 2 else "000"
    if len(flags) != 3 or set(flags) - {"0", "1"}:
        reader.fail(f"the format must be three digits 0 or 1, not {flags!r}")
    sizes, vertex_weights, edge_weights = (flag == "1" for flag in flags)
    per_vertex = int(tokens[3]) if len(tokens) == 4 else 1
    reader.limits.check(f"{reader.name}, line {reader.line}", n, m, _BYTES_PER_EDGE)
    if max(n - 1, 4 * m * (1 + edge_weights)) > reader.most_text + 3:
        reader.fail(
            f"the header declares {counted(n, 'vertex')} and {counted(m, 'edge')}, but the file is "
            "too short for them: it is truncated or its header is wrong"
        )
    return _Header(n, m, edge_weights, sizes + vertex_weights * per_vertex)


def _read_rows(
    reader: LineReader, header: _Header
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64] | None]:
    """Read the neighbours of all vertices, in the order of the file."""
    n, entries = header.vertices, 2 * header.edges
    indptr = np.zeros(n + 1, np.int64)
    indices = np.empty(entries, np.int32)
    weights = np.empty(entries) if header.edge_weights else None
    vertex = done = 0
    for block in reader.blocks():
        counts, numbers = _parse(reader, block, header, vertex)
        size = numbers.size // header.width
        if done + size > entries:
            reader.fail(
                f"{_declared(header)}, so there must be {entries} neighbours, "
                f"but there are more by line {_last_line(reader, block)}"
            )
        indptr[vertex + 1 : vertex + 1 + counts.size] = counts // header.width
        vertex += counts.size
        indices[done : done + size] = numbers[:: header.width] - 1
        if weights is not None:
            weights[done : done + size] = numbers[1::2]
        done += size
    if vertex < n:
        reader.fail(f"the file ends after {vertex} of {n} vertices: it is truncated, get it again")
    if done < entries:
        reader.fail(
            f"{_declared(header)}, so there must be {entries} neighbours, but there "
            f"are {done}; every edge stands in the lines of both its ends"
        )
    return np.cumsum(indptr), indices, weights


def _parse(
    reader: LineReader, block: bytes, header: _Header, vertex: int
) -> tuple[NDArray[np.int64], NDArray]:
    """Return the count of numbers in each line, and all numbers except vertex weights and sizes."""
    text = block
    if b"%" in block:
        text = b"".join(line for line in block.splitlines(True) if not _is_comment(line))
    if text.translate(None, b"0123456789+-.eE \t\n"):
        _explain(reader, block, header, vertex)
    characters = np.frombuffer(text, np.uint8)
    blank = characters <= 32
    starts = ~blank
    starts[1:] &= blank[:-1]
    ends = np.cumsum(characters == 10)
    lines = int(ends[-1]) if ends.size else 0
    counts = np.bincount(ends[starts], minlength=lines)
    whole = not (text.translate(None, b"0123456789 \t\n"))
    numbers = _convert(text, np.int64 if whole else np.float64)
    left = header.vertices - vertex
    if lines > left:  # only blank lines may follow the last vertex
        if counts[left:].any():
            _explain(reader, block, header, vertex)
        counts = counts[:left]
    if numbers.size != counts.sum() or (counts < header.skip).any():
        _explain(reader, block, header, vertex)
    if header.skip:
        first = np.cumsum(counts) - counts
        place = np.arange(numbers.size) - np.repeat(first, counts)
        numbers, counts = numbers[place >= header.skip], counts - header.skip
    ids = numbers[:: header.width]
    if (
        (counts % header.width).any()
        or (ids.size and (ids.min() < 1 or ids.max() > header.vertices))
        or (not whole and (ids != np.floor(ids)).any())
        or np.abs(numbers).max(initial=0) > _LARGEST
    ):
        _explain(reader, block, header, vertex)
    return counts, numbers


def _convert(text: bytes, dtype: type) -> NDArray:
    """Return the numbers in `text`, up to the first malformed one."""
    if not text.strip():
        return np.empty(0, dtype)
    try:
        return np.fromstring(text, dtype, sep=" ")
    except (ValueError, DeprecationWarning):
        return np.empty(0, dtype)


def _declared(header: _Header) -> str:
    return f"the header declares {counted(header.edges, 'edge')}"


def _last_line(reader: LineReader, block: bytes) -> int:
    return reader.line + block.count(b"\n")


def _is_comment(line: bytes) -> bool:
    return line.lstrip().startswith(b"%")


def _vertex_lines(block: bytes) -> Iterator[tuple[int, list[bytes]]]:
    for offset, line in enumerate(block.split(b"\n")[:-1], start=1):
        if not _is_comment(line):
            yield offset, line.split()


def _explain(reader: LineReader, block: bytes, header: _Header, vertex: int) -> NoReturn:
    """Find the first bad line of a block and raise GraphError for it."""
    for offset, tokens in _vertex_lines(block):
        vertex += 1
        if cause := _fault(tokens, header, vertex):
            reader.fail(cause, reader.line + offset)
    reader.fail(f"cannot be read up to line {_last_line(reader, block)}", reader.line + 1)


def _fault(tokens: list[bytes], header: _Header, vertex: int) -> str | None:
    """Return the error in the line of a vertex (counted from 1), None if there is none."""
    n = header.vertices
    if vertex > n:
        more = f"the header declares {counted(n, 'vertex')}, here is one more"
        return more if tokens else None
    for token in tokens:
        if not _REAL.fullmatch(token):
            return f"{token.decode('latin-1')!r} is not a number"
        if abs(float(token)) > _LARGEST:
            return f"{token.decode()} is too large"
    if len(tokens) < header.skip:
        return f"{header.skip} numbers of the vertex must precede its neighbours"
    neighbours = tokens[header.skip :]
    if len(neighbours) % header.width:
        return "a neighbour has no weight, although the header says that edges have weights"
    for token in neighbours[:: header.width]:
        if not _WHOLE.fullmatch(token) or not 1 <= int(token) <= n:
            return f"neighbour {token.decode()} is out of range, vertices are numbered 1 to {n}"
    return None


def _line_of(source: Source, vertex: int) -> int:
    """Read the file again to find the line of a vertex (counted from 1)."""
    with LineReader(source.quiet, max_line=_MAX_LINE) as reader:
        _read_header(reader)
        for block in reader.blocks():
            for offset, _ in _vertex_lines(block):
                vertex -= 1
                if vertex == 0:
                    return reader.line + offset
    return reader.line
