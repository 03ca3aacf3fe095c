"""Small graphs and preferences that come with the package: source, licence, known answers.

>>> load_dataset("karate")
Graph('karate', vertices=34, edges=78)
>>> catalogue()["karate"].answers["max_matching"]
13
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.errors import GraphError
from gpucore.problems.graph.graph import Graph
from gpucore.problems.bipartite.matrix_market import read_bipartite
from gpucore.io.matrix_graph import read_graph
from gpucore.io.matrix_market import read_matrix_market
from gpucore.problems.preferences.json import read_json
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.problems.preferences.preferences import Preferences

_FOLDER = Path(__file__).parent
_DATA = _FOLDER / "data"
#: What is a list in the catalogue.
_LISTS = ("shape", "groups")


@dataclass(frozen=True)
class DatasetInfo:
    """What the catalogue knows of a data set.

    Attributes
    ----------
    name, title : str
        For programs and for people.
    kind : {"graph", "bipartite", "preferences"}
        Bipartite sets are matrices of rows by columns; :func:`load_bipartite_dataset` and
        :func:`load_matrix` read them. Preferences are instances of stable marriage, which
        :func:`load_preference_dataset` reads.
    vertices, edges, loops : int
        Size; `vertices` counts rows and columns of a bipartite set, men and women of
        preferences, whose `edges` are the pairs that list each other.
    weighted : bool
        Whether the data has weights.
    domain, source, licence, citation : str
        Where it comes from, and on which terms.
    answers : mapping
        Known exact or published results, such as "max_matching" (largest number of edges of a
        matching), "max_weight" (largest weight of a matching on absolute weights),
        "modularity" (best known), "stable" (number of stable marriages) and "considered" (sum of
        the ranks of the women, or hospitals, in the one that is best for the men).
    shape : tuple of int
        Rows and columns of a bipartite set, men and women of preferences; empty for a graph.
    groups : tuple of str
        Names of the groups that the vertices are known to belong to; see :func:`ground_truth`.
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


@cache
def catalogue() -> dict[str, DatasetInfo]:
    """Return all data sets by name, from small to large."""
    table: dict[str, dict[str, Any]] = tomllib.loads((_FOLDER / "catalogue.toml").read_text())
    found = [
        DatasetInfo(name=name, **entry | {key: tuple(entry.get(key, ())) for key in _LISTS})
        for name, entry in table.items()
    ]
    return {info.name: info for info in sorted(found, key=lambda info: (info.edges, info.name))}


@cache
def datasets() -> tuple[str, ...]:
    """Return the names of the bundled undirected graphs, from small to large."""
    return tuple(name for name, info in catalogue().items() if info.kind == "graph")


def load_dataset(name: str, *, limits: Limits | None = None) -> Graph:
    """Return the bundled graph called `name`, with names and coordinates where it has them.

    Raises
    ------
    GraphError
        If there is no such graph, or its file is not what the catalogue says.
    """
    info = _info(name, "graph")
    graph = read_graph(_source(name), limits=limits)
    counts = (graph.num_vertices, graph.num_edges, graph.num_loops, graph.weighted)
    _check_counts(name, counts, (info.vertices, info.edges, info.loops, info.weighted))
    return graph.with_attributes(
        name=name,
        names=_lines(name, "names"),
        coordinates=_coordinates(name),
        source={"kind": "dataset", "spec": name},
    )


@cache
def bipartite_datasets() -> tuple[str, ...]:
    """Return the names of the bundled matrices, from small to large."""
    return tuple(name for name, info in catalogue().items() if info.kind == "bipartite")


def load_bipartite_dataset(name: str, *, limits: Limits | None = None) -> BipartiteGraph:
    """Return the bundled matrix called `name` as a bipartite graph, with names where it has them.

    Raises
    ------
    GraphError
        If there is no such matrix, or its file is not what the catalogue says.

    Examples
    --------
    >>> load_bipartite_dataset("southern_women").names[-1]
    'E14'
    """
    info = _info(name, "bipartite")
    graph = read_bipartite(_source(name), limits=limits)
    _check_counts(name, (*graph.shape, graph.num_edges), (*info.shape, info.edges))
    source = {"kind": "dataset", "spec": name}
    return graph.with_attributes(name=name, names=_lines(name, "names"), source=source)


@cache
def preference_datasets() -> tuple[str, ...]:
    """Return the names of the bundled instances of stable marriage, from small to large."""
    return tuple(name for name, info in catalogue().items() if info.kind == "preferences")


def load_preference_dataset(name: str, *, limits: Limits | None = None) -> Preferences:
    """Return the bundled instance called `name`, with the names of its people.

    Raises
    ------
    GraphError
        If there is no such instance, or its file is not what the catalogue says.

    Examples
    --------
    >>> load_preference_dataset("gale_shapley_3").names
    ('α', 'β', 'γ', 'A', 'B', 'C')
    """
    info = _info(name, "preferences")
    found = read_json(Source.of(_DATA / f"{name}.json"), limits=limits)
    counts = (found.num_men, found.num_women, found.num_pairs)
    _check_counts(name, counts, (*info.shape, info.edges))
    about = {"kind": "dataset", "spec": name, "purged": found.source["purged"]}
    return replace(found, name=name, source=about)


def load_matrix(name: str) -> sparse.coo_array:
    """Return the bundled bipartite data set called `name` as a matrix of rows by columns."""
    info = _info(name, "bipartite")
    matrix = read_matrix_market(_source(name))
    _check_counts(name, (*matrix.shape, matrix.nnz), (*info.shape, info.edges))
    return matrix


def matrix_names(name: str) -> tuple[list[str], list[str]]:
    """Return the names of the rows and of the columns of a bipartite data set."""
    _info(name, "bipartite")
    lines = _lines(name, "names") or []
    rows = load_matrix(name).shape[0]
    return lines[:rows], lines[rows:]


def ground_truth(name: str) -> np.ndarray | None:
    """Return the group that each vertex of a bundled graph is known to belong to.

    Parameters
    ----------
    name : str
        Of the data set; ``catalogue()[name].groups`` names the groups.

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
    info = _info(name, "graph")
    lines = _lines(name, "groups")
    if lines is None:
        return None
    groups = np.array(lines, np.int32)
    _check_counts(name, (groups.size, np.unique(groups).size), (info.vertices, len(info.groups)))
    return groups


def _info(name: str, kind: str) -> DatasetInfo:
    known = [info.name for info in catalogue().values() if info.kind == kind]
    if name not in known:
        raise GraphError(f"there is no {kind} data set {name!r}; there are {', '.join(known)}")
    return catalogue()[name]


def _source(name: str) -> Source:
    return Source.of(_DATA / f"{name}.mtx.gz")


def _check_counts(name: str, found: tuple[int, ...], expected: tuple[int, ...]) -> None:
    if found != expected:
        raise GraphError(
            f"the data set {name} is damaged: counts {found} instead of {expected}; "
            "install the package anew"
        )


def _lines(name: str, what: str) -> list[str] | None:
    """Return the lines of a side file, one for each vertex, or None if there is none."""
    path = _DATA / f"{name}.{what}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else None


def _coordinates(name: str) -> np.ndarray | None:
    lines = _lines(name, "xy")
    return None if lines is None else np.array([line.split() for line in lines], np.float64)
