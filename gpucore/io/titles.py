"""Titles of columns: the columns that they mean, by the names in :mod:`gpucore.io.title_names`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpucore.errors import GraphError
from gpucore.io.title_names import EDGES, IGNORED, MATES, MATRIX, PREFERENCES, Table

#: Titles that may as well be names of vertices.
_WEAK = re.compile(r"(?!to$|id)[a-z]{1,2}[0-9]*")
_PAIR = re.compile(r"(.*?)[ _.-]?([0-9]|[abxy])", re.IGNORECASE)
#: Ends after whose names a title may be a coordinate: bx, by.
_PLACES = frozenset("abxy")
#: Titles in more columns are not looked at.
MOST_COLUMNS = 1000
_FOLLOWS = {"1": "2", "0": "1", "a": "b", "x": "y"}


@dataclass(frozen=True)
class Found:
    """Which column has which role.

    Attributes
    ----------
    places : dict
        Number of the column, from 0, of each role that there is.
    titles : tuple of str
        All titles.
    """

    places: dict[str, int]
    titles: tuple[str, ...]

    def note(self) -> str:
        """Return the sentence that says which columns are read."""
        read = ", ".join(f"{role} = {shown(self.titles[at])}" for role, at in self.places.items())
        rest = [
            (shown(title) if title else "a column without a title")
            + (", a time" if role_of(title) == "time" else "")
            for at, title in enumerate(self.titles)
            if at not in self.places.values()
        ]
        left = f"; not read: {'; '.join(rest)}" if rest else ""
        times = any(role_of(title) == "time" for title in self.titles)
        more = " A time is not taken as a weight." if rest and times else ""
        return f"The columns are read by their titles: {read}{left}.{more}"


def normal(title: str) -> str:
    """Return a title in lower case, without blanks, quotes and signs.

    Examples
    --------
    >>> normal(' "FromNode_ID"'), normal("Unnamed: 0")
    ('fromnodeid', 'unnamed0')
    """
    return re.sub(r"[\W_]+", "", title.lower())


def form_of(name: str) -> str:
    """Return a name with 1 for every number, and for a letter that stands alone at its end.

    Examples
    --------
    >>> form_of("Gene 17"), form_of("person_b"), form_of("bob")
    ('gene 1', 'person_1', 'bob')
    """
    return re.sub(r"[0-9]+|(?<=[ _.-])[a-z]$", "1", name.strip().lower())


def role_of(title: str) -> str | None:
    """Return what a column is that no reader asks for: index, time or label; None for others."""
    word = normal(title)
    return next((role for role, names in IGNORED.items() if word in names), None)


def is_weak(title: str) -> bool:
    """Return whether a title is as short as names of vertices are, such as ``u`` or ``v1``."""
    return bool(_WEAK.fullmatch(normal(title)))


def find(titles: Sequence[str], table: Table) -> Found | None:
    """Return the columns that titles mean; None if they are not known, or mean too much.

    Examples
    --------
    >>> from gpucore.io.title_names import EDGES, RATINGS
    >>> find(["", "source", "target"], EDGES).places
    {'source': 1, 'target': 2}
    >>> find(["movieId", "userId", "rating", "timestamp"], RATINGS).places
    {'user': 1, 'item': 0, 'rating': 2}
    >>> find(["source", "target", "colours"], EDGES) is None  # a weight, perhaps
    True
    """
    if len(titles) > MOST_COLUMNS:
        return None
    words = [normal(title) for title in titles]
    places: dict[str, int] = {}
    for role in table.roles:
        known = [at for at, word in enumerate(words) if word in table.names[role]]
        exact = [at for at in known if words[at] == role]
        chosen = exact if len(exact) == 1 else known
        if len(chosen) > 1:
            return None
        if chosen:
            places[role] = chosen[0]
    if table is EDGES and not {"source", "target"} & set(places):
        places = _numbered_pair(titles) | places
    if len(set(places.values())) < len(places) or not set(table.needs) <= set(places):
        return None
    ordered = {role: places[role] for role in table.roles if role in places}
    unknown = [
        at
        for at, title in enumerate(titles)
        if at not in places.values() and role_of(title) is None
    ]
    if unknown and any(role not in places for role in table.may):
        return None
    return Found(ordered, tuple(titles))


def _numbered_pair(titles: Sequence[str]) -> dict[str, int]:
    """Return the columns of two titles that differ in a number only: ``gene_1`` and ``gene_2``."""
    pairs = {}
    for at, title in enumerate(titles):
        if (one := _PAIR.fullmatch(title.strip())) and one[2].lower() in _FOLLOWS:
            for other, second in enumerate(titles):
                two = _PAIR.fullmatch(second.strip())
                same = two and two[1].lower() == one[1].lower()
                same = same and (one[1] != "" or one[2] in "0a")  # of a data frame without names
                if two and same and two[2].lower() == _FOLLOWS[one[2].lower()]:
                    pairs[at, other] = one[1]
    if len(pairs) != 1:
        return {}
    source, target = next(iter(pairs))
    return {"source": source, "target": target}


def of_ends(titles: Sequence[str]) -> tuple[str, str] | None:
    """Return the titles of two columns that say how many mates the ends of an edge may have.

    Examples
    --------
    >>> of_ends(["source", "target", "weight", "b_source", "b_target"])
    ('b_source', 'b_target')
    >>> of_ends(["source", "target", "capacity"]) is None  # of the edge
    True
    """
    found: dict[str, str] = {}
    for title in titles[:MOST_COLUMNS]:
        word = normal(title)
        ends = {word.removeprefix(mates) for mates in MATES} | {
            word.removesuffix(mates) for mates in MATES
        }
        for role in EDGES.needs:
            if word not in EDGES.names[role] and ends & EDGES.names[role] - _PLACES:
                found.setdefault(role, title)
    return (found["source"], found["target"]) if len(found) == 2 else None


def of_matrix(found: Found) -> tuple[str, str] | None:
    """Return the titles of the ends of edges if they are rows and columns of a matrix."""
    ends = [found.titles[found.places[role]] for role in EDGES.needs if role in found.places]
    words = [normal(title).rstrip("s") for title in ends]
    known = len(words) == 2 and words[0] in MATRIX[0] and words[1] in MATRIX[1]
    return (ends[0], ends[1]) if known else None


def has_known(titles: Sequence[str], table: Table) -> bool:
    """Return whether some title that is no short name is known."""
    names = {name for known in table.names.values() for name in known}
    return any(not is_weak(title) and normal(title) in names for title in titles if title)


def unknown(titles: Sequence[str], table: Table) -> str:
    """Return the cause of the error for titles that are not known, and what to do."""
    listed = ", ".join(f"{at} {shown(title)}" for at, title in enumerate(titles[:12], start=1))
    more = f" and {len(titles) - 12} more" if len(titles) > 12 else ""
    roles = ", ".join(table.roles)
    given = _suggestion(titles, table)
    return (
        f"it is not clear which columns are {roles}; the columns are {listed}{more}: change the "
        f"titles to {roles} (on the command line: --columns {given} names them, by number or "
        f'title; in Python: columns="{given}")'
    )


def _suggestion(titles: Sequence[str], table: Table) -> str:
    """Return columns for the roles: those that are known, and for others what is left, in order."""
    words = [normal(title) for title in titles]
    known = {
        role: places[0]
        for role in table.roles
        if len(places := [at for at, word in enumerate(words) if word in table.names[role]]) == 1
    }
    known = {role: at for role, at in known.items() if list(known.values()).count(at) == 1}
    free = [at for at in range(len(titles)) if at not in known.values()]
    free.sort(key=lambda at: role_of(titles[at]) is not None)
    for role in table.roles:
        wanted = role in table.needs or (table is not PREFERENCES and len(titles) <= 3)
        if role not in known and wanted and free:
            known[role] = free.pop(0)
    return ",".join(f"{role}={known[role] + 1}" for role in table.roles if role in known)


def shown(title: str) -> str:
    """Return a title in quotation marks, shortened."""
    return repr(title if len(title) <= 40 else title[:40] + "...")


def chosen(columns: str | Mapping[str, str | int], table: Table) -> dict[str, str | int]:
    """Return the columns that a caller names, by role: titles, or numbers from 1.

    Raises
    ------
    GraphError
        For an unknown role, a role without a column, and one that is missing.

    Examples
    --------
    >>> chosen("source=from,target=3", EDGES)
    {'source': 'from', 'target': 3}
    """
    roles = ", ".join(table.roles)
    if isinstance(columns, str):
        parts = [part.partition("=") for part in columns.split(",")]
        pairs = [(key.strip(), value.strip()) for key, _, value in parts]
    elif isinstance(columns, Mapping):
        pairs = list(columns.items())  # type: ignore[arg-type]
    else:
        raise GraphError(f"columns are a text such as {_example(table)}, not {columns!r}")
    found: dict[str, str | int] = {}
    for key, value in pairs:
        role = table.also.get(key, key)
        if role not in table.roles:
            raise GraphError(
                f"columns have no role {key!r:.60}; they are given as {_example(table)}, with the "
                f"roles {roles}"
            )
        if role in found:
            raise GraphError(f"columns name the {role} twice; keep one of them")
        number = isinstance(value, str) and re.fullmatch(r"[0-9]{1,6}", value)
        column = int(value) if number else value
        if isinstance(column, bool) or not isinstance(column, str | int) or column in ("", 0):
            raise GraphError(
                f"columns: the {role} is a title or a number from 1, not {column!r:.60}"
            )
        found[role] = column
    for role in table.needs:
        if role not in found:
            raise GraphError(f"columns do not name the {role}; they are given as {_example(table)}")
    return found


def _example(table: Table) -> str:
    return ",".join(f"{role}=COLUMN" for role in table.roles)


def places_of(wanted: Mapping[str, str | int], cells: Sequence[str], titled: bool) -> Found | str:
    """Return the columns that a caller named, in a table whose first line is `cells`.

    Returns
    -------
    Found or str
        The cause of the error, if there are no such columns.
    """
    places: dict[str, int] = {}
    for role, column in wanted.items():
        if isinstance(column, int):
            at = column - 1
            if at >= len(cells):
                return f"there is no column {column} for the {role}, a line has {len(cells)}"
        else:
            same = [i for i, cell in enumerate(cells) if cell.strip() == column]
            same = same or [i for i, cell in enumerate(cells) if normal(cell) == normal(column)]
            if len(same) != 1:
                listed = ", ".join(map(shown, cells[:12]))
                return f"there is no one column {column!r:.60} for the {role}; they are {listed}"
            at = same[0]
        if at in places.values():
            return f"two roles have the column {column!r:.60}; name one column for each"
        places[role] = at
    names = tuple(cells) if titled else tuple(f"column {at + 1}" for at in range(len(cells)))
    return Found(places, names)
