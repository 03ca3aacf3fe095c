"""Ratings from Matrix Market files: the entries of a matrix of any shape are the ratings."""

from __future__ import annotations

import numpy as np

from gpucore.errors import GraphError
from gpucore.io.lines import lines_of_entries
from gpucore.io.matrix_market import Entries, check_both, described, read_entries, read_header
from gpucore.io.stream import Source
from gpucore.problems.ratings.checks import RepeatedRatingError
from gpucore.problems.ratings.csr import Duplicates, check_duplicates
from gpucore.problems.ratings.prepare import BYTES_PER_ENTRY
from gpucore.problems.ratings.ratings import Ratings


def read_matrix(
    source: Source,
    *,
    duplicates: Duplicates = "error",
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

    Raises
    ------
    GraphError
        For every invalid file; the text has its name, the line and the cause.
    """
    check_duplicates(duplicates)
    check_both(source, bytes_per_entry=BYTES_PER_ENTRY)
    entries = read_entries(source, dtype=np.float32)
    source.building()
    try:
        return _ratings(source, entries, duplicates)
    except RepeatedRatingError as error:
        count = entries.rows.size
        stored = sorted(_stored(entries)[place] for place in error.entries)
        lines = lines_of_entries(source, stored, read_header)
        at = stored[1]
        assert at < count
        raise RepeatedRatingError(
            f"{source.name}, line {lines[1]}: entry ({entries.rows[at] + 1}, "
            f"{entries.columns[at] + 1}) is given a second time, after line {lines[0]}",
            error.entries,
        ) from None


def _ratings(source: Source, entries: Entries, duplicates: Duplicates) -> Ratings:
    header, (i, j, w) = entries.header, entries.mirrored()
    values = np.ones(i.size, np.float32) if w is None else w
    try:
        return Ratings.from_entries(
            i, j, values, (header.rows, header.columns), duplicates=duplicates,
            name=source.stem, source=described(source, header),
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
