"""Ratings from Matrix Market files: the entries of a matrix of any shape are the ratings."""

from __future__ import annotations

import numpy as np

from gpucore.errors import GraphError
from gpucore.io.lines import lines_of_entries
from gpucore.io.matrix_market import Entries, read_entries, read_header
from gpucore.io.stream import LineReader, Source
from gpucore.limits import Limits
from gpucore.members import first_number
from gpucore.notes import with_note
from gpucore.problems.ratings.checks import RepeatedRatingError
from gpucore.problems.ratings.csr import Duplicates, check_duplicates
from gpucore.problems.ratings.prepare import BYTES_PER_ENTRY
from gpucore.problems.ratings.ratings import Ratings
from gpucore.progress import Cancel, Progress, check


def read_matrix(
    source: Source,
    *,
    duplicates: Duplicates = "error",
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
) -> Ratings:
    """Read ratings: rows are users, columns are items, stored entries are ratings, zeros included.

    The ratings of a pattern are all 1. A symmetric matrix has the entries of both triangles; those
    above the diagonal of a skew-symmetric matrix have the other sign.

    Parameters
    ----------
    source : Source
        The file.
    duplicates : {"error", "mean", "last"}
        What to do with an entry that is given more than once.
    progress, cancel, limits
        See :func:`gpucore.load`.

    Raises
    ------
    GraphError
        For every invalid file; the text has its name, the line and the cause.
    """
    check_duplicates(duplicates)
    limits = limits or Limits()
    _check_size(source, limits)
    entries = read_entries(
        source, dtype=np.float32, progress=progress, cancel=cancel, limits=limits
    )
    if progress is not None:
        progress("building", 0, 0)
    check(cancel)
    try:
        return _ratings(source, entries, duplicates)
    except RepeatedRatingError as error:
        count = entries.rows.size
        stored = sorted(_stored(entries)[place] for place in error.entries)
        lines = lines_of_entries(source, stored, lambda reader: read_header(reader, Limits()))
        at = stored[1]
        assert at < count
        raise GraphError(
            f"{source.name}, line {lines[1]}: entry ({entries.rows[at] + 1}, "
            f"{entries.columns[at] + 1}) is given a second time, after line {lines[0]}; keep one "
            'of them (in Python: duplicates="last" or "mean" does)'
        ) from None


def _ratings(source: Source, entries: Entries, duplicates: Duplicates) -> Ratings:
    header, i, j = entries.header, entries.rows, entries.columns
    values = np.ones(i.size, np.float32) if entries.values is None else entries.values
    if header.symmetry != "general":
        off = i != j
        sign = -1 if header.symmetry == "skew-symmetric" else 1
        values = np.concatenate((values, sign * values[off]))
        i, j = np.concatenate((i, j[off])), np.concatenate((j, i[off]))
    try:
        return Ratings.from_entries(
            i, j, values, (header.rows, header.columns), duplicates=duplicates,
            name=source.stem,
            source=with_note(source.describe("matrix_market", **first_number(1)), *header.notes),
        )  # fmt: skip
    except RepeatedRatingError:
        raise
    except GraphError as error:
        raise GraphError(f"{source.name}: {error}") from None


def _stored(entries: Entries) -> np.ndarray:
    """Return the number in the file of each entry; mirrored ones follow the others."""
    numbers = np.arange(entries.rows.size)
    if entries.header.symmetry == "general":
        return numbers
    return np.concatenate((numbers, numbers[entries.rows != entries.columns]))


def _check_size(source: Source, limits: Limits) -> None:
    """Raise GraphError if rows and columns together, or both triangles, are too many."""
    with LineReader(source, limits) as reader:
        header = read_header(reader, limits)
        both = 1 if header.symmetry == "general" else 2
        limits.check(
            f"{reader.name}, line {reader.line}",
            header.rows + header.columns,
            both * header.entries,
            BYTES_PER_ENTRY,
        )
