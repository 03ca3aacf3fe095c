"""Small graphs, preferences and ratings by name: source, licence, known answers.

The package has the files of those that its licence covers; a set with an address
(:attr:`DatasetInfo.url`) is fetched (:mod:`gpucore.datasets.remote`).

>>> catalogue()["karate"].answers["max_matching"]
13
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore.errors import GraphError

if TYPE_CHECKING:  # the command line takes half of its time for NumPy, and shows help without it
    import numpy as np

_FOLDER = Path(__file__).parent
_DATA = _FOLDER / "data"
#: Entries that are lists in the catalogue.
_LISTS = ("shape", "groups", "columns")


@dataclass(frozen=True)
class DatasetInfo:
    """Catalogue entry of a data set.

    Attributes
    ----------
    name, title : str
        Identifier and display label.
    kind : {"graph", "bipartite", "preferences", "roommates", "ratings"}
        See :mod:`gpucore.problems`, which loads them.
    vertices, edges, loops : int
        Size; `vertices` counts rows and columns of a bipartite set, men and women of
        preferences, whose `edges` are the pairs that list each other as those of roommates are,
        users and items of ratings.
    weighted : bool
        Whether the data has weights.
    domain, source, citation : str
        Its origin.
    licence : str
        An SPDX expression, "public domain" or "facts of a publication".
    answers : mapping
        Known exact or published results, such as "max_matching" (largest number of edges of a
        matching), "max_weight" (largest weight of a matching on absolute weights),
        "modularity" (best known), "stable" (number of stable marriages, or of
        stable matchings of roommates) and "considered" (sum of
        the ranks of the women, or hospitals, in the one that is best for the men), "max_degree"
        (largest number of ratings of a user or an item).
    shape : tuple of int
        Rows and columns of a bipartite set, men and women of preferences, users and items of
        ratings; empty for a graph.
    groups : tuple of str
        Names of the groups that the vertices are known to belong to; see :func:`ground_truth`.
    url, sha256 : str
        Address and digest of a CSV file that the package does not have; else empty.
    columns : tuple of str
        Its columns of users, items and ratings.
    """

    name: str
    title: str
    vertices: int
    edges: int
    weighted: bool
    domain: str
    source: str
    licence: str
    citation: str
    loops: int = 0
    kind: str = "graph"
    answers: Mapping[str, float] = field(default_factory=dict)
    shape: tuple[int, ...] = ()
    groups: tuple[str, ...] = ()
    url: str = ""
    sha256: str = ""
    columns: tuple[str, ...] = ()


@cache
def catalogue() -> dict[str, DatasetInfo]:
    """Return all data sets by name, from small to large."""
    table: dict[str, dict[str, Any]] = tomllib.loads(
        (_FOLDER / "catalogue.toml").read_text("utf-8")
    )
    found = [
        DatasetInfo(name=name, **entry | {key: tuple(entry.get(key, ())) for key in _LISTS})
        for name, entry in table.items()
    ]
    return {info.name: info for info in sorted(found, key=lambda info: (info.edges, info.name))}


@cache
def names(kind: str) -> tuple[str, ...]:
    """Return the names of the problems of a kind, from small to large.

    Examples
    --------
    >>> names("bipartite")[0]
    'southern_women'
    """
    return tuple(name for name, info in catalogue().items() if info.kind == kind)


def bundled(kind: str) -> tuple[str, ...]:
    """Return the names of those problems of a kind that the package has the files of.

    Examples
    --------
    >>> set(names("ratings")) - set(bundled("ratings"))
    {'insteval'}
    """
    return tuple(name for name in names(kind) if not catalogue()[name].url)


def ground_truth(name: str) -> np.ndarray | None:
    """Return the group that each vertex of a bundled graph is known to belong to.

    Parameters
    ----------
    name : str
        Name of the data set; ``catalogue()[name].groups`` are the names of the groups.

    Returns
    -------
    ndarray of int32, shape (n,), or None
        Numbers of groups from 0; None if nothing is known.

    Raises
    ------
    GraphError
        If there is no such graph, or its file is not what the catalogue says.

    Examples
    --------
    >>> catalogue()["karate"].groups[ground_truth("karate")[33]]
    'Officer'
    """
    info = info_of(name, "graph")
    found = lines(name, "groups")
    if found is None:
        return None
    import numpy as np

    groups = np.array(found, np.int32)
    check_counts(name, (groups.size, np.unique(groups).size), (info.vertices, len(info.groups)))
    return groups


def info_of(name: str, kind: str) -> DatasetInfo:
    """Return the catalogue entry of a data set of a kind, or raise GraphError."""
    if name not in names(kind):
        raise GraphError(
            f"there is no {kind} data set {name!r}; there are {', '.join(names(kind))}"
        )
    return catalogue()[name]


def file_of(name: str, ending: str) -> Path:
    """Return the path of a data set's file."""
    return _DATA / f"{name}.{ending}"


def check_counts(name: str, found: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """Raise GraphError unless a data set is as large as the catalogue says."""
    if found != expected:
        raise GraphError(
            f"the data set {name} is damaged: counts {found} instead of {expected}; "
            "install the package again"
        )


def lines(name: str, what: str) -> list[str] | None:
    """Return the lines of a side file, one for each vertex, or None if there is none."""
    path = file_of(name, f"{what}.txt")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else None


def coordinates(name: str) -> np.ndarray | None:
    """Return the coordinates of a data set's vertices, or None if it has none: (n, 2)."""
    found = lines(name, "xy")
    if found is None:
        return None
    import numpy as np

    return np.array([line.split() for line in found], np.float64)
