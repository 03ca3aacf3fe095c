"""Graphs in the formats of DIMACS: road networks (``a u v w``) and colouring (``e u v``).

A line ``p sp 3 2`` or ``p edge 3 2`` says how many vertices and lines of edges there are; lines
that begin with ``c`` are comments.
"""

from __future__ import annotations

import re

import numpy as np

from gpucore.io.columns import data_lines, read_columns
from gpucore.io.stream import LineReader, Source
from gpucore.members import first_number
from gpucore.notes import with_note
from gpucore.problems.graph.graph import Graph

#: Problems whose lines are edges of a graph, and the letter of such a line.
PROBLEMS = {b"sp": b"a", b"edge": b"e", b"edges": b"e", b"col": b"e"}
_BYTES_PER_EDGE = 80
_START = re.compile(
    rb"(?:[ \t]*\r?\n|c(?:[ \t][^\n]*)?\r?\n)*p[ \t]+[a-z]+[ \t]+[0-9]+[ \t]+[0-9]+"
)
_DIRECTED = (
    "The lines of the file are arcs with directions, which are left out; of two opposite arcs with "
    "other weights the larger weight is kept."
)


def is_dimacs(text: bytes) -> bool:
    """Return whether a text begins like a file of DIMACS."""
    return bool(_START.match(text))


def read_graph(source: Source) -> Graph:
    """Read an undirected graph from lines ``e u v`` or ``a u v weight``.

    Vertices are numbered from 1. The arcs of a road network lose their directions; of those
    between two vertices the weight of largest absolute value is kept.

    Raises
    ------
    GraphError
        With the line and the cause; also if the file has another number of edges than it says.
    """
    with LineReader(source) as reader:
        problem, n, entries = _read_problem(reader)
        parts = []
        done = 0
        letter = PROBLEMS[problem]
        field = "real" if letter == b"a" else "pattern"
        for block in reader.blocks():
            text = _numbers(reader, block, letter)
            u, v, w = read_columns(reader, text, field, "%")
            bad = (u < 1) | (u > n) | (v < 1) | (v > n)
            if w is not None:
                w = w.astype(np.float64, copy=False)
                bad |= ~np.isfinite(w)
            if bad.any():
                _fail_at(reader, text, int(np.argmax(bad)), n)
            done += u.size
            reader.limits.check(f"{reader.name}, line {reader.line + 1}", n, done, _BYTES_PER_EDGE)
            parts.append((u.astype(np.int32), v.astype(np.int32), w))
        if done != entries and (letter == b"a" or entries not in (2 * done, done // 2)):
            reader.fail(
                f"the file ends after {done} of the {entries} edges that its line p declares: get "
                "it again, or correct the line p"
            )
    source.building()
    ends = [np.concatenate([part[i] for part in parts] or [np.zeros(0, np.int32)]) for i in (0, 1)]
    weights = np.concatenate([part[2] for part in parts]) if field == "real" and parts else None
    about = with_note(
        source.describe("dimacs", **first_number(1)), *([_DIRECTED] if letter == b"a" else [])
    )
    return Graph.from_edges(
        n, ends[0] - 1, ends[1] - 1, weights, duplicates="larger", name=source.stem, source=about
    )


def _read_problem(reader: LineReader) -> tuple[bytes, int, int]:
    """Read up to the line ``p``; return the problem, the vertices and the lines of edges."""
    while (line := reader.readline()) is not None:
        words = line.split()
        if words and words[0] != b"c":
            break
    else:
        reader.fail("the file ends before its line 'p sp VERTICES ARCS' or 'p edge VERTICES EDGES'")
    if words[0] != b"p" or len(words) != 4 or not all(map(_is_count, words[2:])):
        reader.fail(
            "a file of DIMACS has a line 'p sp VERTICES ARCS' or 'p edge VERTICES EDGES' before "
            "its edges; put one here"
        )
    if words[1] not in PROBLEMS:
        reader.fail(
            f"the problem is {words[1][:40].decode('latin-1')!r}, a graph has sp, edge or col; "
            "write the edges as lines 'u v' without the other lines, in a file .txt"
        )
    n, entries = int(words[2]), int(words[3])
    reader.limits.check(f"{reader.name}, line {reader.line}", n, 0, _BYTES_PER_EDGE)
    return words[1], n, entries


def _is_count(word: bytes) -> bool:
    return word.isdigit() and len(word) < 19


def _numbers(reader: LineReader, block: bytes, letter: bytes) -> bytes:
    """Return the lines without their letters, and comments as empty lines."""
    text = re.sub(rb"(?m)^[ \t]*(?:[cn](?=[ \t\n])[^\n]*|%[^\n]*)$", b"", block)
    other = re.search(rb"(?m)^[ \t]*(?!" + letter + rb"[ \t])[^ \t\n][^\n]*$", text)
    if other:
        line = reader.line + text.count(b"\n", 0, other.start()) + 1
        shown = other[0][:40].decode("latin-1")
        reader.fail(
            f"{shown!r} does not begin with {letter.decode()!r}, as the lines of edges do; "
            "correct the line",
            line,
        )
    return re.sub(rb"(?m)^[ \t]*" + letter + rb"[ \t]", b"", text)


def _fail_at(reader: LineReader, text: bytes, entry: int, n: int) -> None:
    for number, (offset, tokens) in enumerate(data_lines(text, "%")):
        if number == entry:
            line = b" ".join(tokens).decode()
            reader.fail(
                f"{line!r} has a vertex beyond 1 to {n}, or a weight that is not finite; correct "
                "it, or the line p",
                reader.line + offset,
            )
