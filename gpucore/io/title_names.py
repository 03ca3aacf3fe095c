"""The names of columns that are known for each role: the only table of them.

Readers of edge lists, of ratings and of preferences ask it, through :mod:`gpucore.io.titles`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SOURCE = _names(
    """
    source u src from a i x tail start begin origin head1 parent follower citing row rows s v1
    fromnode fromnodeid fromid fromvertex sourceid sourcenode sourcevertex srcid startnode
    startid sender node1 nodea node1id nodeid1 vertex1 vertexa n1 id1 first one left protein1
    gene1 interactora actor1 author1 person1 user1 userid1 player1 station1 city1 item1
    """
)
_TARGET = _names(
    """
    target v dst to b j y head end destination dest child followee cited column columns col cols
    t v2 tonode tonodeid toid tovertex targetid targetnode targetvertex dstid endnode endid
    destinationid receiver recipient node2 nodeb node2id nodeid2 vertex2 vertexb n2 id2 second
    two right protein2 gene2 interactorb actor2 author2 person2 user2 userid2 player2 station2
    city2 item2
    """
)
_WEIGHT = _names(
    """
    weight w weights wt value val cost distance dist length len strength capacity similarity
    score count frequency freq amount flow probability confidence combinedscore affinity
    closeness multiplicity
    """
)
_USER = _names(
    """
    user userid username users uid u customer customerid reviewer reviewerid rater raterid
    member memberid client clientid person personid reader readerid viewer listener
    """
)
_ITEM = _names(
    """
    item itemid itemname items iid i movie movieid movietitle film filmid product productid asin
    parentasin book bookid isbn song songid track trackid artist artistid album albumid business
    businessid restaurant restaurantid joke jokeid anime animeid game gameid recipe recipeid
    show
    """
)
_RATING = _names(
    """
    rating r ratings stars star score grade mark overall userrating bookrating
    """
)
_INDEX = _names(
    """
    unnamed0 index id idx nr rownames rowname edgeid eid edge
    """
)
_TIME = _names(
    """
    time timestamp ts date datetime year unixtime unixreviewtime reviewtime epoch created
    createdat ratingtime ratedat
    """
)
_LABEL = _names(
    """
    label labels name type kind relation rel relationship color colour genre genres comment tag
    tags review text title timeset interval attributes
    """
)
#: Words for how many mates a vertex may have; with the name of an end, a column beside the edges.
MATES = _names("b bvalue capacity cap quota seats maxmates")
#: Titles of the two ends of an edge that is an entry of a matrix, without the plural.
MATRIX = (_names("row"), _names("col column"))
#: Columns that are known not to be asked for, and the words for them.
IGNORED = {"index": _INDEX | {""}, "time": _TIME, "label": _LABEL}


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
    {"source": _SOURCE, "target": _TARGET, "weight": _WEIGHT},
)
_SIDES = {
    "user": (_USER | _SOURCE) - {"i"},
    "item": _ITEM | _TARGET,
    "rating": _RATING | _WEIGHT,
}
_AS_EDGES = {"source": "user", "target": "item", "weight": "rating"}
RATINGS = Table(("user", "item", "rating"), (), _SIDES, _AS_EDGES)
#: Two sides with numbers of their own, whose titles say so; ratings are not needed.
SIDES = Table(
    ("user", "item"),
    ("rating",),
    {
        "user": _USER - {"u"},
        "item": _ITEM - {"i"},
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
