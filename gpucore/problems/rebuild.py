"""Graphs made again from what a record tells of their source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problem import ProblemKind, kinds, load_problem
from gpucore.problems.graph.graph import Graph

#: Steps of preparation that a record may name; families take at most five.
_MOST_STEPS = 16


def rebuild(source: Mapping[str, Any], *, limits: Limits | None = None) -> Graph:
    """Make a graph again from its ``source``: data sets and generators, with prepared steps.

    Preferences are made again as :class:`gpucore.problems.preferences.graph.PreferenceGraph`.

    A source comes out of a record, which anybody may have written. Whatever it says, no file is
    read but those of the data sets, and `limits` hold.

    Raises
    ------
    GraphError
        For graphs from files and from memory, which only their owner has, and for names that
        are neither a data set's nor a generator's.

    Examples
    --------
    >>> from gpucore import load
    >>> from gpucore.problems.graph.prepare import for_matching
    >>> graph = for_matching(load("karate"), seed=5)
    >>> rebuild(graph.source) == graph
    True
    """
    if source.get("kind") not in ("dataset", "generator"):
        raise GraphError(
            f"a graph from {source.get('kind', 'nowhere')} cannot be made again from its record; "
            "open the file itself"
        )
    spec = str(source.get("spec"))
    kind = kind_that_knows(spec)
    if kind is None:
        raise GraphError(
            f"the record's graph {spec[:60]!r} is neither a data set nor generated, and no file "
            "is read because a record names it; open the graph itself"
        )
    found = load_problem(kind.name, spec, limits=limits)
    graph = kind.prepared_for_run(found, recorded=True)
    if not isinstance(graph, Graph):
        raise GraphError(f"records are of graphs, and {spec[:60]!r} is {kind.noun}")
    steps = source.get("prepared", ())
    if len(steps) > _MOST_STEPS:
        raise GraphError(f"a graph is prepared in at most {_MOST_STEPS} steps, not {len(steps)}")
    known = all_steps()
    for given in steps:
        parameters = {key: value for key, value in given.items() if key != "step"}
        if given.get("step") not in known:
            raise GraphError(f"there is no step {given.get('step')!r} of preparation")
        try:
            graph = known[given["step"]](graph, **parameters)
        except TypeError as error:
            raise GraphError(f"the record's step {given['step']} is wrong: {error}") from None
    return graph


def kind_that_knows(spec: str) -> ProblemKind | None:
    """Return the kind of problem whose data set or generator a text names, or None."""
    return next((kind for kind in kinds().values() if kind.knows(spec)), None)


def all_steps() -> dict[str, Callable[..., Graph]]:
    """Return the steps of preparation of all kinds of problems by name."""
    parts = [kind.load(kind.steps) for kind in kinds().values() if kind.steps]
    return {name: step for part in parts for name, step in part.items()}
