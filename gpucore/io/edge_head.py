"""The beginning of an edge list: comments, titles, and in which form its lines are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NoReturn

from gpucore.errors import GraphError
from gpucore.io import titles
from gpucore.io.fields import Fields, cause_of, is_number
from gpucore.io.labels import is_padded
from gpucore.io.layout import Columns, Layout, layout_of
from gpucore.io.stream import LineReader
from gpucore.io.title_names import EDGES, SIDES

COMMENTS = "#%"
SEPARATORS = bytes.maketrans(b",;\t", b"   ")
ROLES = ("source", "target", "weight")
_NODES = re.compile(rb"nodes[:=\s]+([0-9]{1,18})", re.IGNORECASE)
_KONECT = re.compile(rb"%\s*(sym|asym|bip)\s+(\w+)", re.IGNORECASE)
#: What an empty cell between others looks like, or one at the beginning of a line.
_EMPTY = (b",,", b";;", b"\n,", b"\n;")
_KONECT_COLUMNS = (
    "The file says that it is of KONECT: its columns are source, target, weight and time"
)


@dataclass(frozen=True)
class Head:
    """What the first lines of an edge list say.

    Attributes
    ----------
    weighted : bool
        Whether its lines have weights.
    declared : int
        Vertices that a comment declares, or 0.
    fields : Fields
        Form of its lines.
    titled : bool
        Whether the columns are read by titles, or by what the caller says.
    order : tuple of int or None
        Columns that are read; None: lines of two or three numbers as they are.
    named : bool
        Whether vertices are texts.
    dicts : bool
        Whether lines end in a dictionary, as NetworkX writes them.
    sides : bool
        Whether the two columns are numbered separately.
    matrix : tuple of str or None
        The titles of the two columns, if these are rows and columns of a matrix.
    notes : tuple of str
        What was assumed.
    """

    weighted: bool
    declared: int
    fields: Fields
    titled: bool
    order: tuple[int, ...] | None
    named: bool
    dicts: bool
    sides: bool
    notes: tuple[str, ...]
    matrix: tuple[str, str] | None = None


def read_head(reader: LineReader, columns: Columns | None = None) -> Head:
    """Skip comments and titles; return the form of the lines that follow.

    Raises
    ------
    GraphError
        There are no edges, the titles are not known, or the lines have another form.
    """
    declared, konect = 0, None
    while (line := reader.readline()) is not None:
        if line.lstrip()[:1] in (b"#", b"%"):
            found = _NODES.search(line)
            declared = max(declared, int(found[1])) if found else declared
            konect = konect or _KONECT.match(line)
        elif line.strip():
            return _head_of(reader, line, declared, konect, columns)
    if not declared:
        raise _empty(reader)
    return Head(False, declared, Fields(None, 2, ROLES), False, None, False, False, False, ())


def _empty(reader: LineReader) -> GraphError:
    return GraphError(f"{reader.name} holds no edges; a line of an edge list is 'u v [weight]'")


def _head_of(
    reader: LineReader, line: bytes, declared: int, konect: re.Match[bytes] | None,
    columns: Columns | None,
) -> Head:  # fmt: skip
    """Return what the first line that is no comment says, with the comments before it."""
    layout = _layout(reader, line, columns)
    if not layout.titled:
        reader.unread(line)
    elif layout.first is None and not declared:
        raise _empty(reader)
    first = layout.first or b""
    bare = without_dict(first)
    dicts, text = bare is not None, _without_comment(first) if bare is None else bare
    order, count, cells = _order(reader, layout, text, konect)
    ends = [cells[at] for at in (order or (0, 1)) if at < len(cells)][:2]
    named = any(end and (is_padded(end) or not is_number(end)) for end in ends)
    for end in ends:
        if end and not any(map(str.isalnum, end)):
            reader.fail(
                f"{titles.shown(end)} is no vertex; write the two ends of an edge, with one "
                "separator between them",
                reader.line + 1,
            )
    weighted = count == 3 if order is None else len(order) > 2
    sides = bool(layout.found and "user" in layout.found.places)
    sides = sides or bool(konect and konect[1].lower() == b"bip")
    if order is None and not dicts and (named or sides or b'"' in text):
        order = (0, 1, 2)[: len(cells)]
    notes = list(_notes(layout, order, konect, cells))
    if count == 4 and layout.found is None:
        notes.append(f"{_KONECT_COLUMNS}; the time is not read.")
    fields = replace(layout.fields, count=len(cells)) if not layout.titled else layout.fields
    named_columns = layout.found is not None
    matrix = titles.of_matrix(layout.found) if layout.titled and layout.found else None
    return Head(
        weighted, declared, fields, named_columns, order, named, dicts, sides, tuple(notes), matrix
    )


def _order(
    reader: LineReader, layout: Layout, text: bytes, konect: re.Match[bytes] | None
) -> tuple[tuple[int, ...] | None, int, list[str]]:
    """Return the columns to read, how many columns there are, and the cells of the first line."""
    tokens = text.translate(SEPARATORS).split()
    numbers = bool(tokens) and all(is_number(token.decode(errors="replace")) for token in tokens)
    order = layout.order
    usual = order is None or (layout.titled and order == tuple(range(layout.fields.count)))
    if numbers and usual and len(tokens) in (2, 3) and order in (None, (0, 1, 2)[: len(tokens)]):
        return None, len(tokens), [token.decode() for token in tokens]
    try:
        cells = layout.fields.split(text) if text else []
    except ValueError as error:
        reader.fail(cause_of(error), reader.line + 1)
    if order is not None:
        if text and max(order) >= len(cells):
            reader.fail(
                f"{layout.fields.count} fields are expected here, there are {len(cells)}",
                reader.line + 1,
            )
        return order, len(cells), cells
    if len(cells) == 4 and konect and numbers:
        return (0, 1, 2), 4, cells
    if len(cells) not in (2, 3):
        _fail_count(reader, len(tokens) if numbers else len(cells))
    return None, len(cells), cells


def _notes(
    layout: Layout, order: tuple[int, ...] | None, konect: re.Match[bytes] | None, cells: list[str]
) -> Iterator[str]:
    """Yield the sentences about what was assumed."""
    if layout.found is not None and layout.order != tuple(range(len(layout.found.titles))):
        yield layout.found.note()
    if konect and konect[1].lower() == b"asym":
        yield "The file says that its edges have directions, which are left out."
    if konect and b"multi" in konect[2].lower():
        yield (
            "The file says that edges are repeated; a repeated edge is one edge, with the weight "
            "of largest absolute value."
        )
    if layout.doubtful:
        shown = " and ".join(map(titles.shown, cells[:2]))
        yield (
            f"The vertices are names; the first line, {shown}, is read as an edge, not as titles."
        )


def _layout(reader: LineReader, line: bytes, columns: Columns | None) -> Layout:
    """Return the columns; those of a user and an item, if titles say so."""
    bare = without_dict(line)
    text = _without_comment(line) if bare is None else bare
    try:
        fields = Fields.of(text)
        cells = fields.split(text)
    except ValueError as error:
        reader.fail(cause_of(error))
    if bare is not None:  # a line of NetworkX is no line of titles
        return Layout(replace(fields, roles=ROLES), False, None, line)
    table = EDGES
    if columns is None and (mates := titles.of_ends(cells)):
        reader.fail(
            f"{titles.shown(mates[0])} and {titles.shown(mates[1])} seem to say how many mates a "
            "vertex may have, which no list of edges does: for a b-matching write them to a file "
            "of their own, one whole number a vertex (-p b=FILE; in Python: b, a list); for a "
            "plain graph delete them, or name the columns to read (on the command line: --columns "
            "source=1,target=2,weight=3; in Python: columns=)"
        )
    if columns is None:
        sides = titles.find(cells, table) is None and titles.find(cells, SIDES) is not None
    else:
        sides = _names_sides(columns)
    found = layout_of(reader, text, SIDES if sides else table, columns, bare=not sides)
    return replace(
        found,
        fields=replace(found.fields, roles=ROLES),
        first=found.first if found.titled else line,
    )


def _names_sides(columns: Columns) -> bool:
    """Return whether a caller names columns of users or items."""
    if isinstance(columns, str):
        return any(part.strip().startswith(("user=", "item=")) for part in columns.split(","))
    return isinstance(columns, Mapping) and bool({"user", "item"} & set(columns))


def _without_comment(line: bytes) -> bytes:
    return re.split(rb"[#%]", line, maxsplit=1)[0] if line.strip() else line


def without_dict(line: bytes) -> bytes | None:
    """Return what precedes a dictionary at the end of a line; None if there is none."""
    at = line.find(b"{")
    if at < 0 or not line.rstrip().endswith(b"}"):
        return None
    return line[:at].rstrip().rstrip(b",;").rstrip()


def check_cells(reader: LineReader, block: bytes) -> None:
    """Raise GraphError for the first line with an empty cell before another cell.

    Separators count as blanks where lines are numbers only, so such a line would lose a column.
    """
    if b"," not in block and b";" not in block:  # the usual case; longer words are slow to find
        return
    if not any(sign in block for sign in _EMPTY) and block[:1] not in (b",", b";"):
        return
    for offset, line in enumerate(block.split(b"\n"), start=1):
        cells = re.split(rb"[#%]", line, maxsplit=1)[0].rstrip(b" \t,;\r")
        if cells[:1] in (b",", b";") or any(sign in cells for sign in _EMPTY):
            reader.fail("a cell is empty here, and others follow; fill it in", reader.line + offset)


def _fail_count(reader: LineReader, count: int) -> NoReturn:
    more = ""
    if count > 3:
        more = (
            "; delete the others, or put a line of titles before them, such as "
            "'source target weight time' (on the command line: --columns "
            "source=1,target=2,weight=3 names them; in Python: columns=). If this is a matrix, "
            "write a line with source, target and weight for each entry"
        )
    reader.fail(
        f"2 or 3 columns are expected (u v [weight]), there are {count}{more}", reader.line + 1
    )
