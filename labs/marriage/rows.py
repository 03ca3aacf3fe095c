"""Picture of preference lists: one row for each person, the most preferred first."""

from __future__ import annotations

from html import escape

from gpucore.errors import ParameterError
from gpucore.families.marriage.result import MarriageResult
from gpucore.problems.preferences.preferences import Preferences

from ..kit.pictures import COLOURS, Picture, wrap
from .runs import loaded, name_of

#: Largest number of people of a side whose lists are drawn.
MOST_PEOPLE = 40

_CELL = "padding:1px 7px;text-align:center;background:none"


def rows(problem: Preferences | str, made: MarriageResult | None = None) -> Picture:
    """Draw the lists of both sides.

    Parameters
    ----------
    problem : Preferences or str
        An instance, or a name that :func:`gpucore.problems.preferences.load.load_preferences`
        understands.
    made : MarriageResult, optional
        Its pairs are marked in both lists.

    Raises
    ------
    ParameterError
        A side has too many people for a picture.

    Examples
    --------
    >>> rows("gale_shapley_3")._repr_html_().count("<tr>")
    6
    """
    preferences = loaded(problem)
    men, women = preferences.num_men, preferences.num_women
    if max(men, women) > MOST_PEOPLE:
        raise ParameterError(
            f"{men} men and {women} women are too many for this picture; it has room for "
            f"{MOST_PEOPLE} of each"
        )
    partners: list[set[int]] = [set() for _ in range(men + women)]
    if made is not None:
        for man, woman in zip(made.men.tolist(), made.women.tolist(), strict=True):
            partners[man].add(men + woman)
            partners[men + woman].add(man)
    his, hers = preferences.expanded().lists()
    sides = [_side(preferences, range(men), [[men + w for w in row] for row in his], partners)]
    sides.append(_side(preferences, range(men, men + women), hers, partners))
    return Picture(
        wrap(f'<div class="ws-row" style="gap:32px;align-items:flex-start">{"".join(sides)}</div>')
    )


def _side(
    preferences: Preferences, people: range, lists: list[list[int]], partners: list[set[int]]
) -> str:
    """Return a table of one side; `lists` are in the graph's numbers."""
    lines = []
    for person, row in zip(people, lists, strict=True):
        cells = [f'<th style="{_CELL}">{escape(name_of(preferences, person))}</th>']
        for other in row:
            mark = ""
            if other in partners[person]:
                mark = f";outline:2px solid {COLOURS[2]};outline-offset:-2px;border-radius:4px"
            name = escape(name_of(preferences, other))
            cells.append(f'<td style="{_CELL}{mark}">{name}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f'<table style="margin:0">{"".join(lines)}</table>'
