"""Load instances of stable roommates from files, generators and graphs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from gpucore.datasets import check_counts, file_of, info_of
from gpucore.errors import GraphError
from gpucore.io.files import read_file
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.preferences.json import named, read_object, side_of
from gpucore.problems.preferences.sides import ending_of, hinted, numbers, shown
from gpucore.problems.roommates.roommates import Roommates

FORM = "roommates_json"


def load_roommates(spec: str | Path, **how: Any) -> Roommates:
    """Return the instance of stable roommates that `spec` specifies.

    Parameters
    ----------
    spec : str or Path
        One of

        - random lists: ``"roommates:n=100,length=8,seed=1"``, complete ones without `length`;
        - the path of a file of JSON, perhaps gzip-compressed: an object whose key ``"people"``
          has an object with a list of names for each name, best first, or a list of lists of
          numbers from 0;
        - any argument of :func:`gpucore.load`: each vertex lists its neighbours from
          the heaviest edge to the lightest, with random weights if the graph has none.
    **how
        As in :func:`gpucore.load`; `seed` is that of random weights.

    Raises
    ------
    GraphError
        If `spec` is not an instance; the text has the cause and the fix.
    Cancelled
        If `cancel` was set.

    Examples
    --------
    >>> load_roommates("roommates:n=6")
    Roommates('roommates:n=6,seed=1', people=6, pairs=15)
    >>> load_roommates("karate")
    Roommates('karate', people=34, pairs=78)
    """
    return load(spec, "roommates", **how)


def load_roommates_dataset(name: str, *, limits: Limits | None = None) -> Roommates:
    """Return the bundled instance called `name`, with the names of its people.

    Raises
    ------
    GraphError
        If there is no such instance, or its file is not what the catalogue says.

    Examples
    --------
    >>> load_roommates_dataset("irving_6")
    Roommates('irving_6', people=6, pairs=15)
    """
    info = info_of(name, "roommates")
    found = _read_json(Source.of(file_of(name, "json"), limits))
    check_counts(name, (found.num_vertices, found.num_pairs), (info.vertices, info.edges))
    about = {"kind": "dataset", "spec": name, "purged": found.source["purged"]}
    return replace(found, name=name, source=about)


def for_run(problem: Roommates, recorded: bool) -> Any:
    """Return the graph of the pairs, which records are opened with, or the lists unchanged."""
    return problem.graph() if recorded else problem


def _random(
    n: int, length: float | None = None, *, seed: int = 1, limits: Limits | None = None
) -> Roommates:
    entries = n * (n - 1 if length is None else length)
    (limits or Limits()).check("roommates", max(n, 0), max(int(entries), 0), 96)
    return Roommates.random(n, length=length, seed=seed)


#: Generators by name.
GENERATORS = {"roommates": _random}


def of_graph(graph: Graph, *, seed: int = 0, limits: Limits | None = None) -> Roommates:
    """Let every vertex rank its neighbours by weight; random weights if the graph has none."""
    return Roommates.from_graph(for_matching(graph, seed=seed))


def read(source: Source, *, form: str | None = None, seed: int = 0, **options: Any) -> Roommates:
    """Read an instance from JSON, or make one from a graph's file."""
    if form == FORM or (form is None and ending_of(source) == ".json"):
        if options:
            raise GraphError(f"format {FORM} has no option {next(iter(options))!r}; it has none")
        return _read_json(source)
    with hinted(source, _HINT):
        graph = read_file(source, form=form, **options)
    return of_graph(graph, seed=seed)


_HINT = 'lists of roommates are read from JSON, {"people": {"ann": ["bob"], "bob": ["ann"]}}'


def _read_json(source: Source) -> Roommates:
    found = read_object(source)
    with named(source):
        if set(found) != {"people"}:
            raise GraphError(
                f'roommates are an object with the one key "people", not {shown(list(found))}'
            )
        people = side_of("people", found["people"])
        entries = sum(map(len, people.choices))
        source.limits.check(source.name, len(people.choices), entries, 96)
        lists = numbers(source.name, people, people)
        for at, row in enumerate(lists):
            if at in row:
                raise GraphError(f"{shown(people.label(at))} lists himself or herself")
        about = source.describe(FORM)
        return Roommates.from_lists(lists, name=source.stem, names=people.names, source=about)
