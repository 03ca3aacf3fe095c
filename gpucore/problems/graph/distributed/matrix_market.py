"""Graphs from Matrix Market files: each rank reads a range of bytes.

The result is that of :mod:`gpucore.io.matrix_graph`, cut into parts. A rank parses the lines that
begin in its range, and sends each entry in both directions to the ranks that own its ends; at first
ranks own equally many vertices, at the end equally much work.

Measured for 1.9 million weighted edges on 1 to 4 ranks: at the peak 70 to 77 bytes for each entry
of a part; the part itself takes 8 of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.io.columns import data_lines
from gpucore.io.matrix_graph import repeated, square_header
from gpucore.io.matrix_market import Entries, described, one_more, read_body, too_few
from gpucore.io.ranges import RangeReader, line_starts
from gpucore.io.stream import Source
from gpucore.notes import with_steps
from gpucore.problems.graph.csr import Arrays, combine
from gpucore.problems.graph.distributed.balance import rebalanced
from gpucore.problems.graph.distributed.exchange import Ranks, agreed, before, exchanged
from gpucore.problems.graph.distributed.prepare import row_numbers
from gpucore.problems.graph.part import GraphPart


class _Lines:
    """The lines of one rank.

    Attributes
    ----------
    source : Source
        The file.
    header : Header
        Its header, the same on all ranks.
    first, total : int
        Lines before those of the rank, and of the whole file.
    """

    def __init__(self, source: Source, ranks: Ranks) -> None:
        self.source = source
        self.header, begin, above = agreed(ranks, lambda: square_header(source))
        starts = agreed(ranks, lambda: line_starts(source, begin, ranks.size))
        self._range = starts[ranks.rank], starts[ranks.rank + 1]
        self.first = above
        self._count = agreed(ranks, self._count_lines)
        earlier, lines = before(ranks, self._count)
        self.first, self.total = above + earlier, above + lines

    def reader(self) -> RangeReader:
        """Return a reader of the rank's lines."""
        return RangeReader(self.source, *self._range, self.first)

    def _count_lines(self) -> int:
        with self.reader() as reader:
            return reader.count_lines()

    def entries(self) -> Entries:
        """Return the entries in the rank's lines."""
        with self.reader() as reader:
            return read_body(reader, self.header, self._count, np.float32)

    def numbered(self) -> list[tuple[int, list[bytes]]]:
        """Return the numbers and the words of the rank's lines with entries; for errors only."""
        with self.reader() as reader:
            return [
                (reader.line + offset, words)
                for block in reader.blocks()
                for offset, words in data_lines(block, "%")
            ]


def read_part(given: Source | str | Path, ranks: Ranks) -> GraphPart:
    """Read this rank's part of the undirected graph in a file.

    Parameters
    ----------
    given : Source, str or Path
        The file, not compressed; all ranks see the same one. Its limits are those of the whole
        graph.
    ranks : Ranks
        All ranks call.

    Returns
    -------
    GraphPart
        NumPy arrays, the same as ``cut(load(file), ranks.size)[ranks.rank]``.

    Raises
    ------
    GraphError
        On all ranks, for every invalid file; the text has its name, the line and the cause, and
        the rank if only some found it.
    """
    source = Source.of(given)
    lines = _Lines(source, ranks)
    entries = agreed(ranks, lines.entries)
    _check_count(lines, ranks, entries.rows.size)
    n, weighted = lines.header.rows, entries.values is not None
    bounds = np.array([n * rank // ranks.size for rank in range(ranks.size + 1)], np.int64)
    came = _sent(ranks, bounds, entries)
    del entries
    _check_repeats(lines, ranks, came)
    indptr, indices, weights = _rows(came, bounds, ranks.rank)
    del came
    describe = described(source, lines.header)
    skew = lines.header.symmetry == "skew-symmetric"
    if skew and any(ranks.allgather(bool((weights < 0).any()))):
        describe = with_steps(describe, {"step": "absolute_values"})
        weights = np.abs(weights)
    part = GraphPart(
        n, bounds, ranks.rank, indptr, indices, weights,
        name=source.stem, weighted=weighted, source=describe,
    )  # fmt: skip
    loops = int(np.count_nonzero(row_numbers(part) == indices))
    edges = before(ranks, indices.size - loops)[1] // 2
    return rebalanced(replace(part, num_edges=edges), ranks)


@dataclass
class _Came:
    """Entries that came to the rank of their row, in the order of the file.

    Attributes
    ----------
    rows, columns, weights : ndarray
        The entries.
    stored : ndarray of bool
        Whether the file has the entry in this direction.
    """

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    weights: NDArray[np.float32]
    stored: NDArray[np.bool_]


def _sent(ranks: Ranks, bounds: NDArray[np.int64], entries: Entries) -> _Came:
    """Send every entry to the rank of its row, and its mirror image to that of its column."""
    i, j = entries.rows, entries.columns
    weights = np.ones(i.size, np.float32) if entries.values is None else entries.values
    # Directions alternate, so that every rank gets its entries in the order of the file.
    both = np.stack((np.ones(i.size, np.bool_), i != j), axis=1).ravel()
    rows = np.stack((i, j), axis=1).ravel()[both]
    columns = np.stack((j, i), axis=1).ravel()[both]
    stored = np.tile([True, False], i.size)[both]
    owners = np.searchsorted(bounds, rows, side="right") - 1
    return _Came(*exchanged(ranks, owners, (rows, columns, np.repeat(weights, 2)[both], stored)))


def _rows(came: _Came, bounds: NDArray[np.int64], rank: int) -> Arrays:
    """Sort the entries into rows; of equal ones the weight of larger absolute value stays."""
    first, last = bounds[rank], bounds[rank + 1]
    keys = (came.rows - first) << 32 | came.columns
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    weights = combine(came.weights[order], starts, "larger")
    keys = keys[starts]
    indptr = np.searchsorted(keys, np.arange(last - first + 1) << 32).astype(np.int64)
    return indptr, (keys & 0x7FFFFFFF).astype(np.int32), weights


def _check_count(lines: _Lines, ranks: Ranks, count: int) -> None:
    """Raise GraphError on all ranks unless the file has as many entries as it declares."""
    header, (earlier, total) = lines.header, before(ranks, count)

    def check() -> None:
        if total < header.entries:
            raise GraphError(f"{lines.source.name}, line {lines.total}: " + too_few(header, total))
        if earlier <= header.entries < earlier + count:
            line = lines.numbered()[header.entries - earlier][0]
            raise GraphError(f"{lines.source.name}, line {line}: {one_more(header)}")

    agreed(ranks, check)


def _check_repeats(lines: _Lines, ranks: Ranks, came: _Came) -> None:
    """Raise GraphError on all ranks if the file has an entry twice, as the ordinary reader does."""
    symmetry = lines.header.symmetry
    if symmetry == "skew-symmetric":
        return
    chosen = came.stored if symmetry == "general" else came.rows <= came.columns
    keys = np.sort(came.rows[chosen].astype(np.int64) << 32 | came.columns[chosen])
    again = np.flatnonzero(keys[1:] == keys[:-1])
    found = ranks.allgather(int(keys[again[0]]) if again.size else None)
    if twice := [key for key in found if key is not None]:
        _fail_repeated(lines, ranks, twice[0] >> 32, twice[0] & 0x7FFFFFFF)


def _fail_repeated(lines: _Lines, ranks: Ranks, u: int, v: int) -> NoReturn:
    """Raise GraphError on all ranks for the entry (u, v), with the numbers of its lines."""
    wanted = {(u, v)} if lines.header.symmetry == "general" else {(u, v), (v, u)}
    pairs = ((line, int(words[0]) - 1, int(words[1]) - 1) for line, words in lines.numbered())
    own = [(line, i, j) for line, i, j in pairs if (i, j) in wanted]
    first, second = [one for some in ranks.allgather(own) for one in some][:2]
    error = repeated(lines.source, first[0], second[0], second[1:])
    error.names_ranks = True  # type: ignore[attr-defined]  # it is the same on all of them
    raise error
