"""Write preferences as JSON and as tables, for ``load_preferences``."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore.errors import GraphError
from gpucore.problems.preferences.csv import LONGEST_NAME
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.preferences.sides import SIDES, shown
from gpucore.saving import replacing

if TYPE_CHECKING:
    from gpucore.problems.preferences.graph import PreferenceGraph

#: Formats by the ending of a name; a table's separator.
_SEPARATORS = {".csv": ",", ".tsv": "\t"}


def save_preferences(problem: Preferences | PreferenceGraph, path: str | Path) -> None:
    """Write an instance; the format follows from the name's ending, ``.gz`` compresses.

    Parameters
    ----------
    problem : Preferences or PreferenceGraph
        Instance with at most 2 million pairs; one in the shared form is written with all its lists.
    path : str or Path
        Ends in .json, .csv or .tsv.

    Raises
    ------
    GraphError
        Unknown ending, too many pairs, names that the format cannot hold, or a file that cannot
        be written.
    """
    path = Path(path)
    zipped = path.suffix == ".gz"
    ending = path.with_suffix("").suffix if zipped else path.suffix
    text = preferences_text(problem, ending)
    with replacing(path) as file:
        file.write(gzip.compress(text.encode(), 6) if zipped else text.encode())


def preferences_text(problem: Preferences | PreferenceGraph, ending: str = ".json") -> str:
    """Return the text that :func:`save_preferences` writes into a file of this ending.

    Examples
    --------
    >>> problem = Preferences.from_lists([[0, 1]], [[0], [0]], names=("Adam", "Eve", "Lilith"))
    >>> print(preferences_text(problem, ".csv"), end="")
    side,name,choices
    man,Adam,Eve,Lilith
    woman,Eve,Adam
    woman,Lilith,Adam
    """
    preferences = problem if isinstance(problem, Preferences) else problem.preferences
    if ending not in (".json", *_SEPARATORS):
        raise GraphError(f"preferences are written as .json, .csv or .tsv, not as {ending!r}")
    sides = _Sides(preferences)
    return _json(sides) if ending == ".json" else _table(sides, _SEPARATORS[ending])


class _Sides:
    """Both sides of an instance with names for all people.

    Attributes
    ----------
    name : str
        Name of the instance.
    words : tuple of str
        Nouns of the sides.
    names : list of list of str
        Names of the members; their numbers if they have no names (see `named`).
    lists, capacities : list
        List of each member, by numbers; number of partners that each may have, or None.
    """

    def __init__(self, preferences: Preferences) -> None:
        men = preferences.num_men
        self.name = preferences.name
        self.lists: Sequence[list[list[int]]] = preferences.lists()
        self.capacities = [
            None if given is None else given.tolist()
            for given in (preferences.man_capacity, preferences.woman_capacity)
        ]
        self.words = SIDES[self.capacities[0] is None and self.capacities[1] is not None]
        self.named = preferences.names is not None
        every = preferences.names or [
            str(at) for count in (men, preferences.num_women) for at in range(count)
        ]
        self.names = [list(every[:men]), list(every[men:])]
        for word, names in zip(self.words, self.names, strict=True):
            if len(set(names)) < len(names):
                twice = next(name for at, name in enumerate(names) if name in names[:at])
                raise GraphError(
                    f"two of the {word} are called {shown(twice)}; in a file everybody needs a "
                    "name of their own"
                )

    def chosen(self, side: int) -> list[list[str]]:
        """Return the lists of a side as names."""
        others = self.names[1 - side]
        return [[others[at] for at in row] for row in self.lists[side]]


def _json(sides: _Sides) -> str:
    """Return JSON with a line for each person."""
    parts = [f'"name": {_dumped(sides.name)}'] if sides.name else []
    for side, word in enumerate(sides.words):
        if sides.named:
            members = zip(sides.names[side], sides.chosen(side), strict=True)
            lines = [f"{_dumped(name)}: {_dumped(row)}" for name, row in members]
        else:
            lines = [_dumped(row) for row in sides.lists[side]]
        begin, end = "{}" if sides.named else "[]"
        body = ",\n".join(f"    {line}" for line in lines)
        parts.append(f'"{word}": {begin}\n{body}\n  {end}' if lines else f'"{word}": {begin}{end}')
    capacities: dict[str, Any] = {}
    for word, names, given in zip(sides.words, sides.names, sides.capacities, strict=True):
        if given is not None:
            capacities[word] = dict(zip(names, given, strict=True)) if sides.named else given
    if capacities:
        parts.append(f'"capacities": {_dumped(capacities)}')
    return "{\n  " + ",\n  ".join(parts) + "\n}\n"


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _table(sides: _Sides, separator: str) -> str:
    for name in (*sides.names[0], *sides.names[1]):
        if not name or name != name.strip() or len(name) > LONGEST_NAME:
            raise GraphError(
                f"the name {shown(name)} is empty, too long, or has spaces around it, which tables "
                "do not keep; save as .json"
            )
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
    with_capacity = any(given is not None for given in sides.capacities)
    writer.writerow(["side", "name", *(["capacity"] if with_capacity else []), "choices"])
    for side, word in enumerate(("man", "woman") if sides.words == SIDES[0] else _HOSPITALS):
        given = sides.capacities[side]
        for at, (name, row) in enumerate(zip(sides.names[side], sides.chosen(side), strict=True)):
            capacity = "" if given is None else str(given[at])
            writer.writerow([word, name, *([capacity] if with_capacity else []), *row])
    return stream.getvalue()


_HOSPITALS = ("resident", "hospital")
