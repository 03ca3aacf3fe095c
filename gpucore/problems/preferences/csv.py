"""Preferences as a table with one line per person."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import NamedTuple

from gpucore.errors import GraphError
from gpucore.io.layout import Columns
from gpucore.io.stream import LineReader, Source
from gpucore.problems.preferences.columns import Order, has_titles, order_of
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.preferences.sides import (
    SIDES,
    Side,
    instance,
    read_text,
    shown,
)

FORM = "preferences_csv"
#: Nouns for the side of a line, and the side of SIDES that each means.
_WORDS = {
    "man": (0, 0), "men": (0, 0), "m": (0, 0),
    "woman": (0, 1), "women": (0, 1), "w": (0, 1),
    "resident": (1, 0), "residents": (1, 0), "r": (1, 0),
    "hospital": (1, 1), "hospitals": (1, 1), "h": (1, 1),
}  # fmt: skip
#: Bytes from the beginning of a text in which a table is recognised.
_START = 1 << 16
#: Bytes of Python objects per cell, besides its text.
_CELL = 72
LONGEST_NAME = 1000


class _Line(NamedTuple):
    """Content of a person's line: the capacity, if given, and the choices."""

    capacity: int | None
    choices: list[str]


def read_csv(
    source: Source,
    *,
    columns: Columns | None = None,
) -> Preferences:
    r"""Read an instance from a table whose cells are separated by commas, semicolons or tabs.

    Parameters
    ----------
    source : Source
        Each line describes one person: the side (man or woman, resident or hospital), the name, and
        then the names of the choices, best first. With the header
        ``side,name,capacity,choices`` the third cell is how many partners the person may have,
        1 if it is empty; without ``capacity``, or without a header, the choices follow the name.
        The columns of a header may have any order; a column of row numbers is left out.
        Empty lines, lines that begin with #, and empty cells at the end of a line are ignored.
        Cells that contain separators are quoted. The people of a side have the order of their
        lines; if their names are the numbers from 0 in this order, the instance has no names.
    columns : str or mapping, optional
        Columns of a header with other titles, by title or by number from 1:
        ``"side=2,name=1,capacity=3"``; all others are choices.

    Raises
    ------
    GraphError
        For a line without a person, an unknown or a repeated name; the text names the line.

    Examples
    --------
    >>> text = "man,Adam,Eve\nwoman,Eve,Adam\nwoman,Lilith\n"
    >>> read_csv(Source("eden.csv", data=text.encode()))
    Preferences('eden', men=1, women=2, pairs=1)
    """
    text = read_text(source)
    separator = separator_of(text) or (_any_separator(text) if columns is not None else None)
    if separator is None:
        raise GraphError(
            f"{source.name}: no line begins with a side (man, woman, resident, hospital) and a "
            "separator (comma, semicolon or tab)"
        )
    need = 2 * len(text) + _CELL * (text.count(separator) + text.count("\n"))
    if need > source.limits.max_bytes:
        raise GraphError(
            f"{source.name}: to read it takes about {need >> 20} MiB of memory, more than the "
            f"{source.limits.max_bytes >> 20} allowed here; take a smaller instance"
        )
    sides = _sides(source.name, text, separator, columns)
    source.building()
    return instance(source, sides, form=FORM)


def separator_of(text: str) -> str | None:
    r"""Return the separator after the side in the first relevant line; None if there is no side.

    Examples
    --------
    >>> separator_of("# ours\n\nWoman;Eve;Adam"), separator_of("1,2")
    (';', None)
    """
    for line in io.StringIO(text):
        if line.strip() and not line.startswith("#"):
            found = re.match(r'\s*"?(\w+)"?\s*([,;\t])', line)
            if found and found[1].lower() in _WORDS:
                return found[2]
            mark = _mark_in(line)
            cells = line.replace('"', "").split(mark) if mark else []
            return mark if has_titles(cells) else None
    return None


def _any_separator(text: str) -> str | None:
    """Return the separator in the first relevant line."""
    lines = (line for line in io.StringIO(text) if line.strip() and not line.startswith("#"))
    return _mark_in(next(lines, ""))


def _mark_in(line: str) -> str | None:
    return next((mark for mark in "\t;," if mark in line), None)


def is_table(source: Source) -> bool:
    """Return whether a text begins like a table of preferences."""
    with LineReader(source.quiet) as reader:
        start = reader.read(_START)
    return separator_of(start.decode("utf-8-sig", errors="replace")) is not None


def _sides(where: str, text: str, separator: str, columns: Columns | None) -> tuple[Side, Side]:
    """Return the two sides of a table."""
    sides: dict[tuple[int, int], dict[str, _Line]] = {}
    order: Order | None = None
    for line, given in _lines(where, text, separator):
        if not sides and order is None and (columns is not None or has_titles(given)):
            order = order_of(f"{where}, line {line}", given, columns)
            continue
        cells = given if order is None else order.arranged(given)
        with_capacity = order is not None and order.capacity is not None
        side = _WORDS.get(cells[0].lower()) if cells else None
        if side is None:
            raise GraphError(
                f"{where}, line {line}: {shown(cells[0] if cells else '')} is no side; a line "
                "begins with man, woman, resident or hospital"
            )
        if any(known[0] != side[0] for known in sides):
            raise GraphError(
                f"{where}, line {line}: {cells[0]} does not go with the lines before, which are "
                "of the other kind of instance"
            )
        name, content = _person(f"{where}, line {line}", cells, with_capacity)
        people = sides.setdefault(side, {})
        if name in people:
            raise GraphError(
                f"{where}, line {line}: {shown(name)} has a line already; every "
                f"{cells[0].lower()} has one line and a name of its own"
            )
        people[name] = content
    kind = next((kind for kind, _ in sides), 0)
    first, second = (_side(word, sides.get((kind, at), {})) for at, word in enumerate(SIDES[kind]))
    return first, second


def _lines(where: str, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of every relevant line, without empty cells at its end."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    before = 0
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise GraphError(f"{where}, line {reader.line_num}: {error}") from None
        if cells is None:
            return
        line, before = before + 1, reader.line_num
        cells = [cell.strip() for cell in cells]
        while cells and not cells[-1]:
            cells.pop()
        if cells and not cells[0].startswith("#"):
            yield line, cells


def _person(where: str, cells: list[str], with_capacity: bool) -> tuple[str, _Line]:
    """Return the name and the content of a line."""
    name = cells[1] if len(cells) > 1 else ""
    if not name or len(name) > LONGEST_NAME:
        raise GraphError(f"{where}: the {cells[0]} needs a name of up to {LONGEST_NAME} letters")
    capacity = None
    if with_capacity and len(cells) > 2 and cells[2]:
        if not re.fullmatch(r"0*[1-9][0-9]{0,8}", cells[2]):
            raise GraphError(
                f"{where}: the capacity of {shown(name)} must be a whole number of at least 1, not "
                f"{shown(cells[2])}"
            )
        capacity = int(cells[2])
    choices = cells[2 + with_capacity :]
    if "" in choices:
        raise GraphError(
            f"{where}: choice {choices.index('') + 1} of {shown(name)} is empty, and others follow"
        )
    return name, _Line(capacity, choices)


def _side(word: str, people: dict[str, _Line]) -> Side:
    given = [line.capacity for line in people.values()]
    capacities = [capacity or 1 for capacity in given] if any(given) else None
    choices = [line.choices for line in people.values()]
    return Side(word, list(people), choices, capacities=capacities)
