"""Edge lists: two columns of vertex numbers and an optional weight, as published by SNAP."""

from __future__ import annotations

import re
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.io.columns import data_lines, read_columns
from gpucore.io.stream import LineReader, Source
from gpucore.limits import Limits
from gpucore.members import first_number
from gpucore.problems.graph.checks import MAX_VERTICES
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Cancel, Progress, check

COMMENTS = "#%"
_SEPARATORS = bytes.maketrans(b",;\t", b"   ")
_NODES = re.compile(rb"nodes[:=\s]+([0-9]+)", re.IGNORECASE)
_TITLE = re.compile(rb'"?[A-Za-z_][A-Za-z0-9_ .-]*"?')
#: Peak memory in bytes per line: its numbers in parts and joined, and building the graph.
_BYTES_PER_EDGE = 80


def read_graph(
    source: Source,
    *,
    base: Literal[0, 1, "auto"] = "auto",
    weights: bool | Literal["auto"] = "auto",
    compact: bool = False,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
) -> Graph:
    """Read an undirected graph from lines ``u v`` or ``u v weight``.

    Blanks, tabs, commas and semicolons separate; ``#`` and ``%`` begin comments; a first line of
    column titles is skipped. An edge that is listed more than once, in one or both directions,
    is one edge with the weight of largest absolute value. A comment ``Nodes: 34``, as SNAP
    writes it, can only raise the number of vertices above the largest one that occurs.

    Parameters
    ----------
    source : Source
        The file.
    base : {0, 1, "auto"}
        Number of the first vertex; "auto": 0 if a vertex 0 occurs, else 1.
    weights : bool or "auto"
        Whether to read a third column as weights; "auto": if there is one.
    compact : bool
        Renumber the vertices that occur as 0, 1, ... in ascending order; their numbers in the file
        become `names`. Useful for lists with large gaps.
    progress, cancel, limits
        See :func:`gpucore.load`.

    Raises
    ------
    GraphError
        With the line and the cause.
    """
    if base not in (0, 1, "auto"):
        raise GraphError(f'base must be 0, 1 or "auto", not {base!r}')
    limits = limits or Limits()
    with LineReader(source, limits, progress=progress, cancel=cancel) as reader:
        columns, declared = _read_head(reader)
        if weights is True and columns == 2:
            reader.fail("there is no third column to take the weights from", reader.line + 1)
        u, v, w = _read_body(reader, columns, limits)
    if progress is not None:
        progress("building", 0, 0)
    check(cancel)
    names, first = None, 0
    if compact:
        present, ends = np.unique(np.concatenate((u, v)), return_inverse=True)
        u, v = ends[: u.size], ends[u.size :]
        n, names = present.size, [str(number) for number in present]
    else:
        first = base if base != "auto" else int(min(u.min(initial=1), v.min(initial=1)) > 0)
        u, v = u - first, v - first
        n = max(declared, int(max(u.max(initial=-1), v.max(initial=-1))) + 1)
    _check_vertices(source.name, n, u, v, limits)
    return Graph.from_edges(
        n, u, v, w if weights else None, duplicates="larger", names=names, name=source.stem,
        source=source.describe("edge_list", **first_number(0 if compact else first)),
    )  # fmt: skip


def _read_head(reader: LineReader) -> tuple[int, int]:
    """Skip comments and titles; return the number of columns and the vertices declared, or 0."""
    declared, titles = 0, False
    while (line := reader.readline()) is not None:
        if line.lstrip()[:1] in (b"#", b"%"):
            found = _NODES.search(line)
            declared = max(declared, int(found[1])) if found else declared
            continue
        tokens = next((t for _, t in data_lines(line.translate(_SEPARATORS), COMMENTS)), [])
        if not tokens:
            continue
        if not titles and _are_titles(tokens):
            titles = True
            continue
        if len(tokens) not in (2, 3):
            reader.fail(f"2 or 3 columns are expected (u v [weight]), there are {len(tokens)}")
        reader.unread(line)
        return len(tokens), declared
    if not declared:
        raise GraphError(f"{reader.name} holds no edges; a line of an edge list is 'u v [weight]'")
    return 2, declared


def _are_titles(tokens: list[bytes]) -> bool:
    """Return whether a first line reads like "source,target,weight"."""
    return len(tokens) in (2, 3) and all(_TITLE.fullmatch(token) for token in tokens)


def _read_body(
    reader: LineReader, columns: int, limits: Limits
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64] | None]:
    """Read the edges, with the vertex numbers of the file."""
    field = "pattern" if columns == 2 else "real"
    parts: list[tuple[NDArray, NDArray, NDArray]] = []
    entries = 0
    for block in reader.blocks():
        text = block.translate(_SEPARATORS)
        u, v, w = read_columns(reader, text, field, COMMENTS)
        weights = np.ones(u.size, np.int8) if w is None else w.astype(np.float64, copy=False)
        _check_numbers(reader, text, u, v, weights)
        entries += u.size
        limits.check(f"{reader.name}, line {reader.line + 1}", 0, entries, _BYTES_PER_EDGE)
        narrow = np.int32 if max(u.max(initial=0), v.max(initial=0)) < 2**31 else np.int64
        parts.append((u.astype(narrow), v.astype(narrow), weights))
    ends = [np.concatenate([part[i] for part in parts] or [np.empty(0, np.int32)]) for i in (0, 1)]
    if columns == 2:
        return ends[0], ends[1], None
    return ends[0], ends[1], np.concatenate([part[2] for part in parts])


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


def _check_vertices(name: str, n: int, u: NDArray, v: NDArray, limits: Limits) -> None:
    if min(u.min(initial=0), v.min(initial=0)) < 0:
        raise GraphError(f"{name}: a vertex 0 occurs, so base=1 is wrong; pass base=0")
    if n > MAX_VERTICES or n > limits.max_vertices:
        raise GraphError(
            f"{name}: the largest vertex number makes {n} vertices, more than the "
            f"{min(MAX_VERTICES, limits.max_vertices)} allowed here; number the vertices "
            "without gaps (in Python: compact=True does)"
        )
    limits.check(name, n, u.size, _BYTES_PER_EDGE)
