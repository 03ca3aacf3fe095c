"""Edge lists: two columns of vertices and an optional weight, as published by SNAP and others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.format import counted
from gpucore.io.columns import data_lines, read_columns
from gpucore.io.dicts import has_weight, without_dicts
from gpucore.io.edge_head import COMMENTS, SEPARATORS, Head, check_cells, read_head
from gpucore.io.labels import has_padded, is_padded
from gpucore.io.layout import Columns
from gpucore.io.named import read_named
from gpucore.io.projection import project
from gpucore.io.stream import LineReader, Source
from gpucore.io.times import time_note
from gpucore.members import first_number
from gpucore.notes import with_note
from gpucore.problems.graph.checks import MAX_VERTICES
from gpucore.problems.graph.graph import Graph

#: Peak memory in bytes per line: its numbers in parts and joined, and building the graph.
_BYTES_PER_EDGE = 80
#: Vertex numbers are renumbered where so many times as many are left out as occur.
_GAPS = 4
#: Vertices without an edge that are kept in the smallest lists.
_FEW = 1000
_REPEATED = (
    "Lines of the list repeat an edge, in one direction or the other ({} of them): the weight of "
    "largest absolute value counts."
)
_MATRIX = (
    "this looks like a matrix of three rows and columns, and a list is expected; write a line with "
    "source, target and weight for each entry, or put the line 'source target weight' before a list"
)
_HINT = (
    ", as the vertices of the first line are; correct it, or put it first if vertices have names"
)


class Ends(NamedTuple):
    """The edges of a list: numbers of vertices, weights or None, and names or None."""

    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[np.float64] | None
    names: list[str] | None = None


def read_graph(
    source: Source,
    *,
    base: Literal[0, 1, "auto"] = "auto",
    weights: bool | Literal["auto"] = "auto",
    compact: bool | Literal["auto"] = "auto",
    columns: Columns | None = None,
) -> Graph:
    """Read an undirected graph from lines ``u v`` or ``u v weight``.

    Blanks, tabs, commas and semicolons separate; ``#`` and ``%`` begin comments. Where the first
    line has titles, the columns are read by them, in any order, and other columns are left out
    (:mod:`gpucore.io.titles` has the names that are known). An edge that is listed more than once,
    in one or both directions, is one edge with the weight of largest absolute value. A comment
    ``Nodes: 34``, as SNAP writes it, can only raise the number of vertices above the largest one
    that occurs. Vertices that are texts are numbered in ascending order, and the texts become
    `names`. Lines may end in a dictionary, as NetworkX writes them, or have four columns if a
    comment says that the file is of KONECT. What was assumed is in ``source["notes"]``.

    Parameters
    ----------
    source : Source
        The file.
    base : {0, 1, "auto"}
        Number of the first vertex; "auto": 0 if a vertex 0 occurs, else 1.
    weights : bool or "auto"
        Whether to read a third column as weights; "auto": if there is one.
    compact : bool or "auto"
        Renumber the vertices that occur as 0, 1, ... in ascending order; their numbers in the file
        become `names`. "auto": if the numbers have large gaps, or a comment declares as many
        vertices as occur.
    columns : str or mapping, optional
        Which columns to read, by title or by number from 1:
        ``"source=from,target=to,weight=3"``.

    Raises
    ------
    GraphError
        With the line and the cause.
    """
    if base not in (0, 1, "auto"):
        raise GraphError(f'base must be 0, 1 or "auto", not {base!r}')
    with LineReader(source) as reader:
        head = read_head(reader, columns)
        ends, notes = _read_ends(reader, head, weights)
        is_list = head.titled or head.declared or weights != "auto"
        if not is_list and _is_matrix(ends):
            raise GraphError(f"{source.name}: {_MATRIX}")
    source.building()
    first = 0
    if ends.names is None:
        ends, n, first = _numbered(source, ends, head.declared, base, compact, notes)
    else:
        n = len(ends.names)
    _check_vertices(source, n, ends.u, ends.v)
    graph = Graph.from_edges(
        n, ends.u, ends.v, ends.w if weights else None, duplicates="larger", names=ends.names,
        name=source.stem,
        source=with_note(source.describe("edge_list", **first_number(first)), *notes),
    )  # fmt: skip
    repeated = ends.u.size - graph.num_edges - graph.num_loops
    if not repeated or not graph.weighted:
        return graph
    return graph.with_attributes(source=with_note(graph.source, _REPEATED.format(repeated)))


def _is_matrix(ends: Ends) -> bool:
    """Return whether three lines of three numbers are the adjacency matrix of three vertices.

    As a list it would give its last edge the weight 0, and have a loop or an edge twice.
    """
    if ends.names is not None or ends.w is None or ends.u.size != 3:
        return False
    rows = np.column_stack((ends.u, ends.v, ends.w))
    return not rows.diagonal().any() and bool(np.array_equal(rows, rows.T) or rows.max() <= 1)


def read_sides(
    source: Source,
    *,
    columns: Columns | None = None,
) -> tuple[Ends, int, dict[str, Any]]:
    """Read a list whose two columns are numbered separately.

    Returns
    -------
    ends : Ends
        Vertices of the first column from 0, then those of the second.
    rows : int
        Number of vertices of the first column.
    source : dict
        The entry `source` of a graph.
    """
    with LineReader(source) as reader:
        head = read_head(reader, columns)
        ends, notes = _read_ends(reader, head, False)
    rows = int(ends.u.max(initial=-1)) + 1
    _check_vertices(source, len(ends.names or ()), ends.u, ends.v)
    return ends, rows, with_note(source.describe("edge_list"), *notes)


def _read_ends(
    reader: LineReader, head: Head, weights: bool | Literal["auto"]
) -> tuple[Ends, list[str]]:
    """Read the lines after the head; return the edges and what was assumed."""
    dict_notes: set[str] = set()
    weighted: bool | None = head.weighted
    if head.dicts:
        weighted = has_weight(_first(reader)) if weights is not False else None
    if weights is True and not weighted:
        reader.fail("there is no third column to take the weights from", reader.line + 1)
    if head.named or head.sides:
        weighted = weighted if weights is not False else None
    blocks = _blocks(reader, head, weighted, dict_notes)
    if head.named or head.sides:
        ends = Ends(*read_named(reader, blocks, head, bool(weighted)))
    else:
        ends = _read_body(reader, blocks, bool(weighted))
    notes = [*head.notes, *sorted(dict_notes)]
    if ends.w is not None and weights and not head.titled and not head.dicts:
        notes += time_note(ends.w)
    if head.sides:
        notes.append(
            "The two columns are numbered separately, as two sides: those of the first column come "
            f"first, {counted(int(ends.u.max(initial=-1)) + 1, 'vertex')}."
        )
    return ends, notes


def _first(reader: LineReader) -> bytes:
    """Return the line that is next."""
    return reader.following().split(b"\n", 1)[0]


def _blocks(
    reader: LineReader, head: Head, weighted: bool | None, notes: set[str]
) -> Iterator[bytes]:
    """Yield blocks of lines with only the columns that are read."""
    for block in reader.blocks():
        text = block
        if head.dicts:
            mark = head.fields.separator or b" "
            text = without_dicts(reader, text, mark, weighted, notes)
        if head.order is not None and not head.dicts:
            order = head.order[: 3 if weighted else 2]
            text = project(reader, text, head.fields, order, inline=not head.named)
        elif not head.dicts:
            check_cells(reader, text)
        yield text


def _numbered(
    source: Source, ends: Ends, declared: int, base: Any, compact: Any,
    notes: list[str],
) -> tuple[Ends, int, int]:  # fmt: skip
    """Return the edges with vertices from 0, how many vertices there are, and the first number."""
    u, v = ends.u, ends.v
    first = base if base != "auto" else int(min(u.min(initial=1), v.min(initial=1)) > 0)
    most = int(max(u.max(initial=-1), v.max(initial=-1)))
    n = max(declared, most - first + 1)
    wide = n > min(MAX_VERTICES, source.limits.max_vertices) or n > _GAPS * 2 * u.size + (1 << 20)
    # Without a comment on their number, vertices between two far numbers are not meant.
    wide |= n > declared and n > _GAPS * 2 * u.size + _FEW
    beyond = 0 < declared < most - first + 1
    if compact is True or (compact == "auto" and (wide or beyond)):
        present, places = np.unique(np.concatenate((u, v)), return_inverse=True)
        if compact is True or wide or present.size == declared:
            source.limits.check(source.name, present.size, u.size, _BYTES_PER_EDGE)
            if compact == "auto":
                notes.append(
                    f"The vertex numbers have gaps: {present.size} of the numbers up to {most} "
                    "occur. The vertices are renumbered, and their names are the numbers of the "
                    "file."
                )
            names = [str(number) for number in present]
            return Ends(places[: u.size], places[u.size :], ends.w, names), present.size, 0
    return Ends(u - first, v - first, ends.w), n, first


def _read_body(reader: LineReader, blocks: Iterator[bytes], weighted: bool) -> Ends:
    """Read the edges, with the vertex numbers of the file."""
    field = "real" if weighted else "pattern"
    parts: list[tuple[NDArray, NDArray, NDArray]] = []
    entries = 0
    for block in blocks:
        text = block.translate(SEPARATORS)
        u, v, w = read_columns(reader, text, field, COMMENTS, hint=_HINT)
        _check_zeros(reader, text)
        weights = np.ones(u.size, np.int8) if w is None else w.astype(np.float64, copy=False)
        _check_numbers(reader, text, u, v, weights)
        entries += u.size
        reader.limits.check(f"{reader.name}, line {reader.line + 1}", 0, entries, _BYTES_PER_EDGE)
        narrow = np.int32 if max(u.max(initial=0), v.max(initial=0)) < 2**31 else np.int64
        parts.append((u.astype(narrow), v.astype(narrow), weights))
    ends = [np.concatenate([part[i] for part in parts] or [np.empty(0, np.int32)]) for i in (0, 1)]
    if not weighted:
        return Ends(ends[0], ends[1], None)
    return Ends(ends[0], ends[1], np.concatenate([part[2] for part in parts]))


def _check_zeros(reader: LineReader, text: bytes) -> None:
    """Raise GraphError if a vertex number begins with a zero: the first line has none."""
    if not has_padded(text, b" "):
        return
    for offset, tokens in data_lines(text, COMMENTS):
        for word in map(bytes.decode, tokens[:2]):
            if is_padded(word):
                reader.fail(
                    f"vertex {word} begins with a zero, as names do; write it as {int(word)}, or "
                    "put this line first if vertices have names",
                    reader.line + offset,
                )


def _check_numbers(
    reader: LineReader, text: bytes, u: NDArray, v: NDArray, weights: NDArray
) -> None:
    negative = (u < 0) | (v < 0)
    bad = negative | ~np.isfinite(weights)
    if bad.any():
        at = int(np.argmax(bad))
        cause = "a vertex number is negative" if negative[at] else "the weight is not finite"
        for number, (offset, tokens) in enumerate(data_lines(text, COMMENTS)):
            if number == at:
                reader.fail(f"{cause}: {b' '.join(tokens).decode()!r}", reader.line + offset)


def _check_vertices(source: Source, n: int, u: NDArray, v: NDArray) -> None:
    name, limits = source.name, source.limits
    if min(u.min(initial=0), v.min(initial=0)) < 0:
        raise GraphError(f"{name}: a vertex 0 occurs, so base=1 is wrong; pass base=0")
    if n > MAX_VERTICES or n > limits.max_vertices:
        raise GraphError(
            f"{name}: the largest vertex number makes {n} vertices, more than the "
            f"{min(MAX_VERTICES, limits.max_vertices)} allowed here; number the vertices "
            "without gaps (in Python: compact=True does)"
        )
    limits.check(name, n, u.size, _BYTES_PER_EDGE)
