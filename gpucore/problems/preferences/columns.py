"""Columns of a table of preferences: side, name, capacity and choices, by their titles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpucore.errors import GraphError
from gpucore.io import titles
from gpucore.io.title_names import PREFERENCES

_CHOICE = re.compile(r"(?:choices?|preferences?|prefs?|ranks?|wish|wishes)?([0-9]*)")


@dataclass(frozen=True)
class Order:
    """Where the cells of a person's line are.

    Attributes
    ----------
    side, name : int
        Numbers of columns, from 0.
    capacity : int or None
        None: there is no such column.
    choices : tuple of int
        Columns of the choices, best first.
    beyond : int
        Cells from this column on are choices, too.
    """

    side: int
    name: int
    capacity: int | None
    choices: tuple[int, ...]
    beyond: int

    def arranged(self, cells: Sequence[str]) -> list[str]:
        """Return side, name, capacity if there is such a column, and the choices of a line."""
        first = [self.side, self.name, *([] if self.capacity is None else [self.capacity])]
        picked = [cells[at] if at < len(cells) else "" for at in (*first, *self.choices)]
        picked += cells[self.beyond :]
        while picked and not picked[-1]:
            picked.pop()
        return picked


def has_titles(cells: Sequence[str]) -> bool:
    """Return whether a first line has titles: one of them says that a column is the side."""
    sides = PREFERENCES.names["side"]
    return any(titles.normal(cell) in sides for cell in cells)


def order_of(
    where: str, cells: Sequence[str], columns: str | Mapping[str, str | int] | None
) -> Order:
    """Return where the cells are, from the titles of the first line.

    Parameters
    ----------
    where : str
        File and line, for the error.
    cells : sequence of str
        The titles.
    columns : str, mapping or None
        What the caller says about them, as :func:`gpucore.io.titles.chosen` takes it.

    Raises
    ------
    GraphError
        The titles are not known, or there is no such column.
    """
    found: titles.Found | str | None = None
    if columns is not None:
        found = titles.places_of(titles.chosen(columns, PREFERENCES), cells, True)
        if isinstance(found, str):
            raise GraphError(f"{where}: {found}")
    else:
        places = {}
        for role in PREFERENCES.roles:
            known = [i for i, t in enumerate(cells) if titles.normal(t) in PREFERENCES.names[role]]
            if len(known) == 1:
                places[role] = known[0]
            elif known or role in PREFERENCES.needs:
                raise GraphError(f"{where}: {titles.unknown(cells, PREFERENCES)}")
        found = titles.Found(places, tuple(cells))
    assert isinstance(found, titles.Found)
    taken = set(found.places.values())
    rest = [at for at in range(len(cells)) if at not in taken]
    choices: list[tuple[int, int]] = []
    for at in rest:
        number = _CHOICE.fullmatch(titles.normal(cells[at]))
        if cells[at] and number:
            choices.append((int(number[1][:9] or 0), at))
        elif columns is not None and titles.role_of(cells[at]) != "index":
            choices.append((0, at))
        elif titles.role_of(cells[at]) != "index":
            raise GraphError(
                f"{where}: the header is side, name, capacity, choices, or without the "
                f"capacity, not {', '.join(cells)[:80]}; delete the column "
                f"{titles.shown(cells[at])}, or call it choice"
            )
    last = len(cells) - 1
    open_end = last in taken or any(at == last for _, at in choices)
    if not open_end:
        raise GraphError(
            f"{where}: the last column, {titles.shown(cells[last])}, is no choice; put the choices "
            "last"
        )
    return Order(
        found.places["side"],
        found.places["name"],
        found.places.get("capacity"),
        tuple(at for _, at in sorted(choices)),
        len(cells),
    )
