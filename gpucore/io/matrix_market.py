"""Matrix Market coordinate files, read in bounded memory for any header.

Format: R. F. Boisvert, R. Pozo, K. A. Remington, "The Matrix Market Exchange Formats: Initial
Design", NISTIR 5935, 1996. The file is read in blocks of whole lines, each parsed by SciPy's
reader (see :mod:`gpucore.io.columns`) and copied into arrays whose size the header declared and
the limits allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gpucore.errors import GraphError
from gpucore.format import counted
from gpucore.io.columns import data_lines, read_matrix_block
from gpucore.io.stream import LineReader, Source
from gpucore.members import first_number
from gpucore.notes import with_note
from gpucore.problems.graph.checks import MAX_VERTICES

_FIELDS = {
    "pattern": "pattern", "real": "real", "double": "real", "integer": "integer",
    "unsigned-integer": "integer",
}  # fmt: skip
_ONE_SIGN = "The header begins with one % instead of two; it is read as that of Matrix Market."
_ENTRY = ", which looks like an entry: put the size line before it"
_SYMMETRIES = ("general", "symmetric", "skew-symmetric")


@dataclass(frozen=True)
class Header:
    """First line and size line of a coordinate file."""

    rows: int
    columns: int
    entries: int
    field: str
    symmetry: str
    notes: tuple[str, ...] = ()


@dataclass
class Entries:
    """The entries as stored in a file, 0-based; `values` is None for a pattern."""

    header: Header
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    values: NDArray | None

    def mirrored(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray | None]:
        """Return rows, columns and values, those of a symmetric matrix in both triangles."""
        i, j, w = self.rows, self.columns, self.values
        if self.header.symmetry == "general":
            return i, j, w
        off = i != j
        if w is not None:
            w = np.concatenate((w, w[off] if self.header.symmetry == "symmetric" else -w[off]))
        return np.concatenate((i, j[off])), np.concatenate((j, i[off])), w


def described(source: Source, header: Header) -> dict[str, Any]:
    """Return the entry `source` of a problem that a file has."""
    return with_note(source.describe("matrix_market", **first_number(1)), *header.notes)


def check_both(source: Source, **memory: int) -> None:
    """Raise GraphError if rows and columns together, or both triangles, are too many.

    The keywords are those of :meth:`gpucore.limits.Limits.check`.
    """
    with LineReader(source.quiet) as reader:
        header = read_header(reader)
        entries = (1 if header.symmetry == "general" else 2) * header.entries
        what = f"{reader.name}, line {reader.line}"
        source.limits.check(what, header.rows + header.columns, entries, **memory)


def read_header(reader: LineReader) -> Header:
    """Read the header up to the size line and check the sizes against the limits."""
    first = reader.readline()
    if first is None:
        raise GraphError(f"{reader.name} is empty; a Matrix Market file begins with a header line")
    words = first.decode("latin-1").lower().split()
    if not words or words[0] not in ("%%matrixmarket", "%matrixmarket"):
        reader.fail(
            "a Matrix Market file begins with %%MatrixMarket; this is another format: if its lines "
            "are edges 'u v', rename it to .txt"
        )
    notes = () if words[0].startswith("%%") else (_ONE_SIGN,)
    if len(words) != 5 or words[1] != "matrix":
        reader.fail(
            "the header must read %%MatrixMarket matrix coordinate FIELD SYMMETRY, "
            f"this one has {counted(len(words), 'word')}"
        )
    _, _, layout, field, symmetry = words
    if layout != "coordinate":
        reader.fail(
            f"the layout is {layout!r}, a graph needs 'coordinate'; write dense matrices with "
            "scipy.io.mmwrite(path, scipy.sparse.coo_array(matrix))"
        )
    if field not in _FIELDS:
        reader.fail(
            f"the field is {field!r}, a graph needs pattern, real or integer"
            + ("; take the entries' absolute values first" if field == "complex" else "")
        )
    if symmetry not in _SYMMETRIES:
        reader.fail(f"the symmetry is {symmetry!r}, it must be one of {', '.join(_SYMMETRIES)}")
    header = _read_sizes(reader, _FIELDS[field], symmetry)
    return replace(header, notes=notes)


def _read_sizes(reader: LineReader, field: str, symmetry: str) -> Header:
    while (line := reader.readline()) is not None:
        tokens = line.split()
        if tokens and not tokens[0].startswith(b"%"):
            break
    else:
        reader.fail("the file ends before its size line (rows, columns, entries)")
    if len(tokens) != 3 or not all(token.isdigit() and len(token) < 20 for token in tokens):
        reader.fail(
            "the size line must hold three whole numbers (rows, columns, entries), not "
            f"{line[:60].decode('latin-1')!r}{_ENTRY if len(tokens) == 2 else ''}"
        )
    rows, columns, entries = map(int, tokens)
    if symmetry != "general" and rows != columns:
        reader.fail(f"a {symmetry} matrix must be square, not {rows} x {columns}")
    if max(rows, columns) > MAX_VERTICES:
        reader.fail(f"{rows} x {columns} is too large: vertex numbers are 32-bit integers")
    reader.limits.check(f"{reader.name}, line {reader.line}", max(rows, columns), entries)
    if 4 * entries > reader.most_text + 3:  # an entry takes 4 bytes at least: "1 1\n"
        reader.fail(
            f"the size line declares {counted(entries, 'entry')}, but the file is too short for "
            "them: it is truncated or its size line is wrong"
        )
    return Header(rows, columns, entries, field, symmetry)


def read_entries(
    given: Source | str | Path,
    *,
    dtype: DTypeLike | None = None,
) -> Entries:
    """Read the entries as stored in the file, without mirroring symmetric ones.

    Parameters
    ----------
    given : Source, str or Path
        The file, gzip-compressed or not.
    dtype : dtype, optional
        Type of the values; by default float64 for real and int64 for integer files.

    Raises
    ------
    GraphError
        For every invalid file; the text has its name, the line and the cause.
    """
    source = Source.of(given)
    with LineReader(source) as reader:
        header = read_header(reader)
        entries = read_body(reader, header, header.entries, dtype)
        if entries.rows.size < header.entries:
            reader.fail(too_few(header, entries.rows.size))
    return entries


def read_body(
    reader: LineReader, header: Header, most: int, dtype: DTypeLike | None = None
) -> Entries:
    """Read the entries in the lines that a reader has left.

    Parameters
    ----------
    reader : LineReader
        Reader behind the size line, perhaps of some of the lines only.
    header : Header
        The file's header.
    most : int
        Largest number of entries.
    dtype : dtype, optional
        See :func:`read_entries`.

    Raises
    ------
    GraphError
        For an invalid line, and for more than `most` entries.
    """
    if dtype is None:
        dtype = np.int64 if header.field == "integer" else np.float64
    shape = header.rows, header.columns
    rows, columns = np.empty(most, np.int32), np.empty(most, np.int32)
    values = None if header.field == "pattern" else np.empty(most, dtype)
    done = 0
    for block in reader.blocks():
        i, j, w = read_matrix_block(reader, block, shape, header.field)
        if done + i.size > most:
            _fail_at(reader, block, most - done, one_more(header))
        if header.symmetry != "general":
            _check_triangle(reader, block, i, j, header.symmetry)
        part = slice(done, done + i.size)
        rows[part], columns[part] = i, j
        if values is not None and w is not None:
            with np.errstate(over="ignore"):
                values[part] = w
            if not np.isfinite(values[part]).all():
                at = int(np.argmin(np.isfinite(values[part])))
                _fail_at(reader, block, at, f"the weight {w[at]:g} is too large for {values.dtype}")
            vanished = (values[part] == 0) & (w != 0)
            if vanished.any():
                at = int(np.argmax(vanished))
                _fail_at(reader, block, at, f"the weight {w[at]:g} is too small for {values.dtype}")
        done = part.stop
    return Entries(header, rows[:done], columns[:done], None if values is None else values[:done])


def one_more(header: Header) -> str:
    """Return the cause of the error for an entry beyond those that the size line declares."""
    return f"the size line declares {counted(header.entries, 'entry')}, here is one more"


def too_few(header: Header, found: int) -> str:
    """Return the cause of the error for a file with fewer entries than its size line declares."""
    return (
        f"the file ends after {found} of the {header.entries} entries that its size line declares: "
        "it is truncated, get it again"
    )


def _check_triangle(
    reader: LineReader, block: bytes, i: NDArray, j: NDArray, symmetry: str
) -> None:
    """Raise GraphError unless only the lower triangle is stored; a skew matrix has no diagonal."""
    bad = i < j if symmetry == "symmetric" else i <= j
    if bad.any():
        at = int(np.argmax(bad))
        place = "above the diagonal" if i[at] < j[at] else "on the diagonal"
        _fail_at(
            reader, block, at,
            f"entry ({i[at] + 1}, {j[at] + 1}) is {place}, but a {symmetry} file holds only the "
            "entries below it; if the matrix is stored whole, its header must say general",
        )  # fmt: skip


def _fail_at(reader: LineReader, block: bytes, entry: int, cause: str) -> None:
    """Raise GraphError for the line of the block's entry with this number."""
    for number, (offset, _) in enumerate(data_lines(block, "%")):
        if number == entry:
            reader.fail(cause, reader.line + offset)
