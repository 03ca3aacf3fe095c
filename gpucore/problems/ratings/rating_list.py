"""Lists of ratings: lines of a user, an item, a rating, and perhaps a time, as MovieLens has them.

Blocks of plain lines (whole numbers as users and items) are parsed by NumPy. Other blocks are read
line by line, which also finds the line and the cause of an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.io.fields import Fields, NotNumbersError, cause_of, parse
from gpucore.io.labels import Labels, Numbers, Texts
from gpucore.io.layout import Columns, Layout, layout_of
from gpucore.io.lines import lines_of_entries
from gpucore.io.projection import project, separator_of
from gpucore.io.stream import LineReader, Source
from gpucore.io.times import time_note
from gpucore.io.title_names import RATINGS
from gpucore.io.titles import Found
from gpucore.notes import with_note
from gpucore.problems.ratings.checks import RepeatedRatingError
from gpucore.problems.ratings.csr import Duplicates, check_duplicates
from gpucore.problems.ratings.prepare import BYTES_PER_ENTRY
from gpucore.problems.ratings.ratings import Ratings

_DECLARED = re.compile(rb"users:\s*([0-9]{1,18})\s+items:\s*([0-9]{1,18})", re.IGNORECASE)


@dataclass(frozen=True)
class _Head:
    """What the first lines of a file say: the form of its lines, and the columns that are read."""

    fields: Fields
    declared: tuple[int, int] | None
    found: Found | None = None

    @property
    def order(self) -> tuple[int, ...] | None:
        """Columns that are read; None if those are the first three."""
        order = None if self.found is None else tuple(self.found.places.values())
        return None if order == (0, 1, 2) and self.fields.are_enough else order


def read_list(
    source: Source,
    *,
    duplicates: Duplicates = "error",
    columns: Columns | None = None,
) -> Ratings:
    """Read ratings from lines ``user item rating`` or ``user item rating time``.

    The separator is the first of ``::``, tab, comma, semicolon and blanks that occurs in the first
    line of data. Lines that begin with ``#`` or ``%`` are comments; times are not read. Where the
    first line has titles, the columns are read by them, in any order, and other columns are left
    out (:mod:`gpucore.io.titles` has the names that are known). Users and items are numbers or
    texts of any kind, and each side is numbered in ascending order: as numbers, if all of the side
    are whole numbers and none begins with a zero, else as texts. Their labels in the file become
    `names`.

    After a comment ``# Users: 6 Items: 4``, as :func:`gpucore.io.files.save` writes it, users and
    items are numbers from 0 already, and stay as they are.

    Parameters
    ----------
    source : Source
        The file.
    duplicates : {"error", "mean", "last"}
        What to do if a user rates an item more than once.
    columns : str or mapping, optional
        Which columns to read, by title or by number from 1: ``"user=1,item=2,rating=5"``.

    Raises
    ------
    GraphError
        With the line and the cause.
    """
    check_duplicates(duplicates)
    try:
        users, items, values, head = _read(source, False, columns)
    except NotNumbersError:
        users, items, values, head = _read(source, True, columns)
    source.building()
    i, j, shape, names = _numbered(source, users, items, head.declared)
    source.limits.check(source.name, sum(shape), i.size, BYTES_PER_ENTRY)
    noted = head.found is not None and head.order is not None
    notes = [head.found.note()] if head.found is not None and noted else []
    notes += time_note(values, "ratings") if head.found is None else []
    about = with_note(source.describe("rating_list"), *notes)
    try:
        return Ratings.from_entries(
            i, j, values, shape, duplicates=duplicates,
            name=source.stem, names=names, source=about,
        )  # fmt: skip
    except RepeatedRatingError as error:
        lines = lines_of_entries(source, error.entries, lambda reader: _read_head(reader, columns))
        raise RepeatedRatingError(
            f"{source.name}, line {lines[1]}: the user has rated this item already, in line "
            f"{lines[0]}",
            error.entries,
        ) from None
    except GraphError as error:
        raise GraphError(f"{source.name}: {error}") from None


def _read(
    source: Source, texts: bool, columns: Columns | None
) -> tuple[Labels, Labels, NDArray[np.float64], _Head]:
    """Return the labels of users and items, the ratings, and what the first lines say."""
    users, items = (Texts(), Texts()) if texts else (Numbers(), Numbers())
    parts: list[NDArray[np.float64]] = []
    entries = 0
    with LineReader(source) as reader:
        head = _read_head(reader, columns)
        fields, order = head.fields, head.order
        if order is not None:
            fields = replace(fields, separator=separator_of(fields), count=3)
        for block in reader.blocks():
            text = block if order is None else project(reader, block, head.fields, order)
            i, j, values = parse(reader, text, fields, texts)
            users.add(i)
            items.add(j)
            parts.append(values)
            entries += values.size
            reader.limits.check(
                f"{reader.name}, line {reader.line + 1}", 0, entries, BYTES_PER_ENTRY
            )
    return users, items, np.concatenate(parts), head


def _numbered(
    source: Source, users: Labels, items: Labels, declared: tuple[int, int] | None
) -> tuple[NDArray, NDArray, tuple[int, int], list[str] | None]:
    """Return users and items as numbers from 0, how many there are, and their names."""
    if declared is None:
        try:
            (i, user_names), (j, item_names) = users.numbered(), items.numbered()
        except ValueError as error:
            raise GraphError(f"{source.name}: {error}") from None
        return i, j, (len(user_names), len(item_names)), user_names + item_names
    if isinstance(users, Numbers) and isinstance(items, Numbers):
        return users.joined(), items.joined(), declared, None
    raise GraphError(
        f"{source.name}: a comment declares {declared[0]} users and {declared[1]} items, so they "
        "must be whole numbers; correct them, or remove the comment"
    )


def _read_head(reader: LineReader, columns: Columns | None) -> _Head:
    """Read comments and titles; return the form of the lines that follow."""
    declared = None
    while (line := reader.readline()) is not None:
        if line.lstrip()[:1] in (b"#", b"%"):
            found = _DECLARED.search(line)
            declared = (int(found[1]), int(found[2])) if found else declared
            continue
        if not line.strip():
            continue
        layout = layout_of(reader, line, RATINGS, columns)
        if layout.titled and layout.first is None:
            break
        if not layout.titled:
            reader.unread(line)
        fields = _fields_of(reader, layout)
        if layout.found is None and not fields.are_enough:
            reader.fail(
                "3 or 4 fields are expected (user, item, rating, perhaps a time), there are "
                f"{fields.count}; put a line of titles before them, such as 'user,item,rating' "
                "(on the command line: --columns user=1,item=2,rating=3 names them; in Python: "
                "columns=)",
                reader.line + 1,
            )
        return _Head(fields, declared, layout.found)
    raise GraphError(f"{reader.name} holds no ratings; a line of a list is 'user,item,rating'")


def _fields_of(reader: LineReader, layout: Layout) -> Fields:
    """Return the form of the lines of data; titles may be separated otherwise."""
    if not layout.titled:
        return layout.fields
    line = layout.first or b""
    try:
        if len(layout.fields.split(line)) == layout.fields.count:
            return layout.fields
        first = Fields.of(line)
    except ValueError as error:
        reader.fail(cause_of(error), reader.line + 1)
    return first if first.count == layout.fields.count else layout.fields
