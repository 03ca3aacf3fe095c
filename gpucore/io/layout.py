"""The columns of a table: decided from its first line, the next one, and what the caller names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gpucore.io import titles
from gpucore.io.fields import Fields, cause_of, is_number
from gpucore.io.lines import data_lines
from gpucore.io.stream import LineReader
from gpucore.io.title_names import Table

#: A cell such as 0,5 between semicolons.
_DECIMAL_COMMA = re.compile(rb"(?:^|;)[ \t]*[-+]?[0-9]+,[0-9]+[ \t]*(?:;|\r?$)")
Columns = str | Mapping[str, str | int]


@dataclass(frozen=True)
class Layout:
    """Form of a table.

    Attributes
    ----------
    fields : Fields
        Form of its lines.
    titled : bool
        Whether the first line has titles.
    found : Found or None
        Which columns are read; None if the table has no titles, and the caller named none.
    first : bytes or None
        The first line of data, None if there is none.
    doubtful : bool
        Whether the first line is data that may as well have been titles.
    """

    fields: Fields
    titled: bool
    found: titles.Found | None
    first: bytes | None
    doubtful: bool = False

    @property
    def order(self) -> tuple[int, ...] | None:
        """Numbers of the columns that are read, from 0, in the order of their roles."""
        return None if self.found is None else tuple(self.found.places.values())


def layout_of(
    reader: LineReader,
    line: bytes,
    table: Table,
    columns: Columns | None,
    *,
    bare: bool = False,
) -> Layout:
    """Return the form of a table.

    Parameters
    ----------
    reader : LineReader
        Reader that has handed out the first line, and nothing after it.
    line : bytes
        The first line that is neither blank nor a comment.
    table : Table
        The roles of columns.
    columns : str, mapping or None
        What the caller says about them, as :func:`gpucore.io.titles.chosen` takes it.
    bare : bool
        Whether lines of two names are data, not titles: an edge list whose vertices have names.

    Raises
    ------
    GraphError
        For titles that are not known, with the columns and what to do.
    """
    try:
        fields = Fields.of(line)
        cells = fields.split(line)
    except ValueError as error:
        reader.fail(cause_of(error))
    next_line = _next_line(reader)
    after = None if next_line is None else _split(fields, next_line)
    quoted = next_line is not None and next_line.lstrip()[:1] == b'"'
    if quoted and after is not None and len(after) == len(cells) + 1:
        cells = ["", *cells]  # R writes the names of the rows without a title
        fields = replace(fields, count=fields.count + 1)
    _check_form(reader, line, next_line, cells, after)
    if columns is not None:
        wanted = titles.chosen(columns, table)
        titled, given = _as_named(reader, cells, after, wanted, table)
        return Layout(fields, titled, given, next_line if titled else line)
    contrast = after is not None and any(map(is_number, after))
    if cells[0] and any(map(is_number, cells)):
        return Layout(fields, False, None, line)
    found = titles.find(cells, table)
    as_titles = Layout(fields, True, found, next_line)
    if found is not None and (contrast or not bare):
        return as_titles
    if fields.count < len(table.needs):
        return Layout(fields, False, None, line)
    if not bare or not cells[0] or contrast:
        reader.fail(titles.unknown(cells, table))
    as_data = Layout(fields, False, None, line, doubtful=True)
    if _recurs(reader, cells[:2]):
        return as_data
    if found is not None and not _are_weak(found) and not _continues(cells, after, found):
        return as_titles
    if found is not None or fields.separator is not None or titles.has_known(cells, table):
        separator = (fields.separator or b" ").decode()
        reader.fail(
            f"{titles.unknown(cells, table)}; if this line is an edge, put a line "
            f"{separator.join(table.needs)!r} before it"
        )
    return as_data


def _check_form(
    reader: LineReader,
    line: bytes,
    next_line: bytes | None,
    cells: Sequence[str],
    after: Sequence[str] | None,
) -> None:
    """Raise GraphError for decimal commas, and for a matrix whose rows and columns have titles."""
    texts = (text for text in (line, next_line or b"") if b";" in text and b'"' not in text)
    if any(map(_DECIMAL_COMMA.search, texts)):
        reader.fail("numbers are written with a comma here; write them with a point")
    labels = len(cells) > 1 and not cells[0] and not is_number(cells[1])
    if labels and after and after[0] == cells[1]:
        reader.fail(
            "this looks like a matrix with titles of rows and columns, and a list is expected; "
            "write a line with source, target and weight for each entry"
        )


def _as_named(
    reader: LineReader,
    cells: Sequence[str],
    after: Sequence[str] | None,
    wanted: Mapping[str, str | int],
    table: Table,
) -> tuple[bool, titles.Found]:
    """Return whether a table has titles, and the columns that the caller names."""
    known = titles.find(cells, table)
    titled = any(isinstance(column, str) for column in wanted.values())
    titled = titled or not cells[0] or (known is not None and not _are_weak(known))
    found = titles.places_of(wanted, cells, titled)
    if isinstance(found, str):
        reader.fail(found)
    if not titled and after is not None and len(after) == len(cells):
        places = found.places
        pairs = [(cells[at], after[at]) for at in places.values()]
        contrasts = [is_number(below) and not is_number(above) for above, below in pairs]
        ends, rest = contrasts[:2], contrasts[2:]
        titled = all(ends) or any(rest)
        found = replace(found, titles=tuple(cells)) if titled else found
    return titled, found


def _split(fields: Fields, line: bytes) -> list[str] | None:
    """Return the fields of a line; None if it cannot be read, which its reader will say."""
    try:
        return fields.split(line)
    except ValueError:
        return None


def _are_weak(found: titles.Found) -> bool:
    """Return whether all titles that are read may as well be names of vertices."""
    return all(titles.is_weak(found.titles[at]) for at in found.places.values())


def _next_line(reader: LineReader) -> bytes | None:
    """Return the next line that is neither blank nor a comment, without taking it."""
    text = reader.following()
    for _, line in data_lines(text):
        return line.removesuffix(b"\r")
    return None


def _continues(cells: Sequence[str], after: Sequence[str] | None, found: titles.Found) -> bool:
    """Return whether the next line has ends of the same form: gene1,gene2, and then gene3,gene4."""
    if after is None or len(after) != len(cells):
        return False
    ends = list(found.places.values())[:2]
    return all(titles.form_of(cells[at]) == titles.form_of(after[at]) for at in ends)


def _recurs(reader: LineReader, cells: Sequence[str]) -> bool:
    """Return whether one of two words occurs again in what follows."""
    text = reader.following().decode(errors="replace")
    words = set(text.replace('"', " ").replace(",", " ").replace(";", " ").split("\n"))
    tokens = {word.strip() for line in words for word in (line, *line.split(), *line.split("\t"))}
    return any(cell in tokens for cell in cells)
