"""Matrix Market files that are read into a device's memory by ranges of bytes.

The graph is that of :mod:`gpucore.io.matrix_graph`. The host parses a range of lines at a time, and
the device has the entries; every range is parsed twice: to count the entries of the rows, and to
put them into their places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from gpucore.device import Device
from gpucore.errors import GraphError
from gpucore.io.columns import data_lines
from gpucore.io.matrix_graph import repeated, square_header
from gpucore.io.matrix_market import Entries, Header, described, read_body, too_few
from gpucore.io.ranges import RangeReader, line_starts
from gpucore.io.stream import Source
from gpucore.limits import WIDE_ENTRIES, Limits
from gpucore.notes import with_steps
from gpucore.problems.graph.chunks import CHUNK, row_chunks
from gpucore.problems.graph.part import GraphPart

#: Bytes of the file that are parsed at a time, with about six times as much in arrays.
PIECE = 64 << 20
#: Bytes of temporaries on the device for each entry that is placed or sorted at a time.
_BYTES = 80
#: The device's memory bounds a graph, not the host's.
_LIMITS = Limits(max_entries=WIDE_ENTRIES, max_bytes=1 << 62)


@dataclass(frozen=True)
class _File:
    """An uncompressed file: its header, lines before its entries, and where its ranges begin."""

    source: Source
    header: Header
    above: int
    starts: list[int]

    @classmethod
    def of(cls, source: Source) -> _File:
        header, begin, above = square_header(source)
        with source.open() as file:
            size = file.seek(0, 2)
        ranges = max(1, -(-(size - begin) // PIECE))
        return cls(source, header, above, line_starts(source, begin, ranges))

    def readers(self) -> Iterator[RangeReader]:
        """Yield a reader for each range; its line number is right."""
        line = self.above
        for start, stop in zip(self.starts, self.starts[1:], strict=False):
            with RangeReader(self.source.quiet, start, stop, line) as reader:
                yield reader
                line = reader.line
            if self.source.progress is not None:
                self.source.progress("reading", stop, self.starts[-1])

    def entries(self) -> Iterator[Entries]:
        """Yield the entries of each range; GraphError unless there are as many as declared."""
        left, line = self.header.entries, self.above
        for reader in self.readers():
            most = min(left, reader.most_text // 4 + 1)  # an entry takes 4 bytes at least
            found = read_body(reader, self.header, most, np.float32)
            left -= found.rows.size
            line = reader.line
            yield found
        if left:
            total = self.header.entries - left
            raise GraphError(f"{self.source.name}, line {line}: {too_few(self.header, total)}")

    def fail_repeated(self, u: int, v: int) -> NoReturn:
        """Raise the error for the entry (u, v), with the numbers of its lines."""
        wanted = {(u, v)} if self.header.symmetry == "general" else {(u, v), (v, u)}
        found: list[tuple[int, int, int]] = []
        for reader in self.readers():
            for block in reader.blocks():
                for offset, words in data_lines(block, "%"):
                    pair = int(words[0]) - 1, int(words[1]) - 1
                    if pair in wanted:
                        found.append((reader.line + offset, *pair))
        first, second = found[:2]
        raise repeated(self.source, first[0], second[0], second[1:])


def matrix_on_device(given: Source | str | Path, device: Device) -> GraphPart:
    """Read the undirected graph in a file into the memory of one device.

    Parameters
    ----------
    given : Source, str or Path
        The file, not compressed.
    device : Device
        Its memory takes 24 bytes a row, 16 for each entry of the file (8 for each of its two
        directions), and 2.5 GiB for the entries at hand.

    Raises
    ------
    GraphError
        For every invalid file; the text has its name, the line and the cause.
    DeviceError
        The device has not enough memory; nothing was read but the header then.
    """
    source = replace(Source.of(given), limits=_LIMITS)
    file = _File.of(source)
    header, xp = file.header, device.xp
    n, most = header.rows, 2 * header.entries
    need = 24 * (n + 1) + 8 * most + _BYTES * min(most, max(CHUNK, PIECE // 2))
    device.require_memory(need, f"the graph in {source.name}")
    indptr = xp.zeros(n + 1, dtype=np.int64)
    for entries in file.entries():
        _count(indptr[1:], _both(entries, device)[0], xp)
    xp.cumsum(indptr, out=indptr)
    total = int(indptr[-1])
    longest = int((indptr[1:] - indptr[:-1]).max()) if n else 0
    device.require_memory(8 * total + 8 * n + _BYTES * longest, f"the rows of {source.name}")
    columns = xp.empty(total, dtype=np.uint32)
    weights = xp.empty(total, dtype=np.float32)
    cursors = indptr[:-1].copy()
    for entries in file.entries():
        _place(*_both(entries, device), cursors, columns, weights, xp)
    del cursors
    kept = _sort(file, indptr, columns, weights, xp)
    indices, weights = columns.view(np.int32)[:kept], weights[:kept]
    describe = described(source, header)
    if header.symmetry == "skew-symmetric" and _any_below(weights):
        describe = with_steps(describe, {"step": "absolute_values"})
        xp.abs(weights, out=weights)
    return GraphPart(
        n, np.array([0, n], np.int64), 0, indptr, indices, weights,
        name=source.stem, weighted=header.field != "pattern", source=describe,
    )  # fmt: skip


def _any_below(weights: Any) -> bool:
    return any(bool((weights[at : at + CHUNK] < 0).any()) for at in range(0, weights.size, CHUNK))


def _both(entries: Entries, device: Device) -> tuple[Any, Any, Any]:
    """Return row, column with a mark, and weight of the entries in both directions.

    The mark is the lowest bit: 1 if the file has the entry in this direction.
    """
    xp = device.xp
    i, j = (device.asarray(one).astype(np.int64) for one in (entries.rows, entries.columns))
    if entries.values is None:
        values = xp.ones(i.size, dtype=np.float32)
    else:
        values = device.asarray(entries.values)
    off = i != j
    rows = xp.concatenate((i, j[off]))
    columns = xp.concatenate((j << 1 | 1, i[off] << 1)).astype(np.uint32)
    return rows, columns, xp.concatenate((values, values[off]))


def _place(
    rows: Any, marked: Any, values: Any, cursors: Any, columns: Any, weights: Any, xp: Any
) -> None:
    """Put entries behind those that their rows have."""
    if not rows.size:
        return
    order = xp.argsort(rows)
    rows = rows[order]
    places = xp.arange(rows.size, dtype=np.int64)
    places += cursors[rows] - xp.searchsorted(rows, rows)
    columns[places], weights[places] = marked[order], values[order]
    _count(cursors, rows, xp)


def _count(numbers: Any, rows: Any, xp: Any) -> None:
    """Add the number of entries of each row."""
    xp.add.at(numbers.view(np.uint64), rows, np.uint64(1))  # CuPy adds no signed 64-bit numbers


def _sort(file: _File, indptr: Any, columns: Any, weights: Any, xp: Any) -> int:
    """Sort the rows in place and keep each neighbour once; return the number of entries.

    Of two weights the one of larger absolute value stays, of opposite ones the positive one.
    """
    kept = last = 0
    # An entry of a symmetric file may not be there in either direction; of a general one, not twice
    # in the same direction.
    compared = 0 if file.header.symmetry == "general" else 1
    for first, last, start, stop in row_chunks(indptr, CHUNK, xp):
        begins = indptr[first:last] - start
        places = xp.arange(stop - start, dtype=np.int64)
        keys = xp.searchsorted(begins, places, side="right") - 1
        keys = keys.astype(np.int64, copy=False) << 32
        keys |= columns[start:stop]
        order = xp.argsort(keys)
        keys, values = keys[order], weights[start:stop][order]
        if file.header.symmetry != "skew-symmetric":
            twice = keys[1:][keys[1:] >> compared == keys[:-1] >> compared]
            # One of its two places: as the file has it, or above the diagonal.
            upper = (twice & 0xFFFFFFFF) >> 1 >= (twice >> 32) + first
            twice = twice[upper if compared else (twice & 1).astype(bool)]
            if twice.size:
                row, marked = divmod(int(twice[0]), 1 << 32)
                file.fail_repeated(row + first, marked >> 1)
        keys >>= 1
        fresh = xp.ones(keys.size, dtype=np.bool_)
        fresh[1:] = keys[1:] != keys[:-1]
        keys = keys[fresh]
        values = _larger(values, xp.cumsum(fresh, dtype=np.int64) - 1, keys.size, xp)
        rows = xp.arange(last - first, dtype=np.int64) << 31
        indptr[first:last] = xp.searchsorted(keys, rows) + kept
        columns[kept : kept + keys.size] = (keys & 0x7FFFFFFF).astype(np.uint32)
        weights[kept : kept + keys.size] = values
        kept += int(keys.size)
    indptr[last:] = kept
    return kept


def _larger(values: Any, group: Any, groups: int, xp: Any) -> Any:
    """Return of each group the value of larger absolute value, the positive one of two opposite."""
    if values.size == groups:
        return values
    largest = xp.full(groups, -np.inf, dtype=np.float32)
    smallest = xp.full(groups, np.inf, dtype=np.float32)
    xp.maximum.at(largest, group, values)
    xp.minimum.at(smallest, group, values)
    return xp.where(largest >= -smallest, largest, smallest)
