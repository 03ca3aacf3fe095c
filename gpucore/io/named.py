"""Edge lists whose vertices are texts, or numbers of two sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.io.edge_head import Head
from gpucore.io.fields import parse
from gpucore.io.labels import Texts
from gpucore.io.projection import separator_of
from gpucore.io.stream import LineReader

#: Peak memory in bytes per line: its labels as texts, its numbers, and building the graph.
BYTES_PER_LINE = 160


def read_named(
    reader: LineReader,
    blocks: Iterator[bytes],
    head: Head,
    weighted: bool,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64] | None, list[str]]:
    """Read the edges of a list whose vertices are labels.

    Parameters
    ----------
    reader : LineReader
        The file.
    blocks : iterator of bytes
        Its lines, with the fields that are read only.
    head : Head
        What its first lines say; with `sides` the labels of the two columns are numbered apart.
    weighted : bool
        Whether the third field is a weight.

    Returns
    -------
    u, v : ndarray of int32
        Vertices from 0, in the ascending order of labels; those of the second side follow.
    w : ndarray of float64, or None
    names : list of str

    Raises
    ------
    GraphError
        With the line and the cause.
    """
    firsts, seconds = (Texts() for _ in range(2))
    parts: list[NDArray[np.float64]] = []
    entries = 0
    mark = separator_of(head.fields) if head.order is not None else head.fields.separator
    form = replace(head.fields, separator=mark, count=2 + weighted)
    for block in blocks:
        one, two, values = parse(reader, block, form, texts=True)
        firsts.add(one)
        (seconds if head.sides else firsts).add(two)
        parts.append(values)
        entries += values.size
        reader.limits.check(f"{reader.name}, line {reader.line + 1}", 0, entries, BYTES_PER_LINE)
    weights = np.concatenate(parts or [np.ones(0, np.float64)]) if weighted else None
    try:
        (i, names), (j, more) = firsts.numbered(), seconds.numbered()
    except ValueError as error:
        raise GraphError(f"{reader.name}: {error}") from None
    if head.sides:
        return i, j + np.int32(len(names)), weights, names + more
    sizes = [part.size for part in parts for _ in (0, 1)]
    pieces = np.split(i, np.cumsum(sizes)[:-1]) if sizes else [i, i]
    u = np.concatenate(pieces[0::2])
    return u, np.concatenate(pieces[1::2]), weights, names
