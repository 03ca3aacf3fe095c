"""Titles of columns: which names are known for each role, and the columns that titles mean.

This is the only table of names. Readers of edge lists, of ratings and of preferences ask it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gpucore.errors import GraphError

_SOURCE = (
    "source u src from a i x tail start begin origin head1 parent follower citing row rows s v1 "
    "fromnode fromnodeid fromid fromvertex sourceid sourcenode sourcevertex srcid startnode "
    "startid sender node1 nodea node1id nodeid1 vertex1 vertexa n1 id1 first one left "
    "protein1 gene1 interactora actor1 author1 person1 user1 userid1 player1 station1 city1 item1"
).split()
_TARGET = (
    "target v dst to b j y head end destination dest child followee cited column columns col cols "
    "t v2 tonode tonodeid toid tovertex targetid targetnode targetvertex dstid endnode endid "
    "destinationid receiver recipient node2 nodeb node2id nodeid2 vertex2 vertexb n2 id2 second "
    "two right protein2 gene2 interactorb actor2 author2 person2 user2 userid2 player2 station2 "
    "city2 item2"
).split()
_WEIGHT = (
    "weight w weights wt value val cost distance dist length len strength capacity similarity "
    "score count frequency freq amount flow probability confidence combinedscore affinity "
    "closeness multiplicity"
).split()
_USER = (
    "user userid username users uid u customer customerid reviewer reviewerid rater raterid "
    "member memberid client clientid person personid reader readerid viewer listener"
).split()
_ITEM = (
    "item itemid itemname items iid i movie movieid movietitle film filmid product productid asin "
    "parentasin book bookid isbn song songid track trackid artist artistid album albumid business "
    "businessid restaurant restaurantid joke jokeid anime animeid game gameid recipe recipeid show"
).split()
_RATING = "rating r ratings stars star score grade mark overall userrating bookrating".split()
_INDEX = "unnamed0 index id idx nr rownames rowname edgeid eid edge".split()
_TIME = (
    "time timestamp ts date datetime year unixtime unixreviewtime reviewtime epoch created "
    "createdat ratingtime ratedat"
).split()
_LABEL = (
    "label labels name type kind relation rel relationship color colour genre genres comment tag "
    "tags review text title timeset interval attributes"
).split()
#: Columns that are known not to be asked for, and the words for them.
_IGNORED = {"index": {"", *_INDEX}, "time": set(_TIME), "label": set(_LABEL)}
#: Titles that may as well be names of vertices.
_LETTERS = re.compile(r"[a-z]")
_PAIR = re.compile(r"(.*?)[ _.-]?([0-9]|[abxy])", re.IGNORECASE)
_FOLLOWS = {"1": "2", "0": "1", "a": "b", "x": "y"}


@dataclass(frozen=True)
class Table:
    """What the columns of a kind of table are.

    Attributes
    ----------
    needs, may : tuple of str
        Roles that a table must have, and those that it may have.
    names : mapping
        Known titles of each role, in the form of :func:`normal`; the role's own name is the first.
    also : mapping
        Other names of roles in ``columns=``.
    """

    needs: tuple[str, ...]
    may: tuple[str, ...]
    names: Mapping[str, frozenset[str]]
    also: Mapping[str, str] = field(default_factory=dict)

    @property
    def roles(self) -> tuple[str, ...]:
        """All roles."""
        return self.needs + self.may


EDGES = Table(
    ("source", "target"),
    ("weight",),
    {"source": frozenset(_SOURCE), "target": frozenset(_TARGET), "weight": frozenset(_WEIGHT)},
)
_SIDES = {
    "user": frozenset({*_USER, *_SOURCE} - {"i"}),
    "item": frozenset({*_ITEM, *_TARGET}),
    "rating": frozenset({*_RATING, *_WEIGHT}),
}
_AS_EDGES = {"source": "user", "target": "item", "weight": "rating"}
RATINGS = Table(("user", "item", "rating"), (), _SIDES, _AS_EDGES)
#: Two sides with numbers of their own, whose titles say so; ratings are not needed.
SIDES = Table(
    ("user", "item"),
    ("rating",),
    {
        "user": frozenset({*_USER} - {"u"}),
        "item": frozenset({*_ITEM} - {"i"}),
        "rating": _SIDES["rating"],
    },
    _AS_EDGES,
)
PREFERENCES = Table(
    ("side", "name"),
    ("capacity",),
    {
        "side": frozenset({"side", "sex", "gender"}),
        "name": frozenset({"name", "person", "personname"}),
        "capacity": frozenset({"capacity", "quota", "seats", "places", "capacities"}),
    },
)


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


def role_of(title: str) -> str | None:
    """Return what a column is that no reader asks for: index, time or label; None for others."""
    word = normal(title)
    return next((role for role, names in _IGNORED.items() if word in names), None)


def is_letter(title: str) -> bool:
    """Return whether a title is one letter, which may as well be the name of a vertex."""
    return bool(_LETTERS.fullmatch(normal(title)))


def find(titles: Sequence[str], table: Table) -> Found | None:
    """Return the columns that titles mean; None if they are not known, or mean too much.

    Examples
    --------
    >>> find(["", "source", "target"], EDGES).places
    {'source': 1, 'target': 2}
    >>> find(["movieId", "userId", "rating", "timestamp"], RATINGS).places
    {'user': 1, 'item': 0, 'rating': 2}
    >>> find(["source", "target", "colours"], EDGES) is None  # a weight, perhaps
    True
    """
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
                if two and same and two[2].lower() == _FOLLOWS[one[2].lower()]:
                    pairs[at, other] = one[1]
    if len(pairs) != 1:
        return {}
    source, target = next(iter(pairs))
    return {"source": source, "target": target}


def has_known(titles: Sequence[str], table: Table) -> bool:
    """Return whether some title of more than a letter is known."""
    names = {name for known in table.names.values() for name in known}
    return any(not is_letter(title) and normal(title) in names for title in titles if title)


def unknown(titles: Sequence[str], table: Table) -> str:
    """Return the cause of the error for titles that are not known, and what to do."""
    listed = ", ".join(f"{at} {shown(title)}" for at, title in enumerate(titles[:12], start=1))
    more = f" and {len(titles) - 12} more" if len(titles) > 12 else ""
    roles = ", ".join(table.roles)
    given = ",".join(f"{role}={at}" for at, role in enumerate(table.roles, start=1))
    given = given if len(titles) >= len(table.roles) else given.rpartition(",")[0]
    return (
        f"it is not clear which columns are {roles}; the columns are {listed}{more}: change the "
        f"titles to {roles} (on the command line: --columns {given} names them, by number or "
        f'title; in Python: columns="{given}")'
    )


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
            raise GraphError(
                f"columns do not name the {role}; they are given as {_example(table)}"
            )
    return found


def _example(table: Table) -> str:
    return ",".join(f"{role}=COLUMN" for role in table.roles)


def places_of(
    wanted: Mapping[str, str | int], cells: Sequence[str], titled: bool
) -> Found | str:
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
