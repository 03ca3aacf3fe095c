"""Rebuild graphs from the source that a record names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpucore.errors import GraphError, ParameterError
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problem import ProblemKind, kinds
from gpucore.problems.graph.graph import Graph

#: Largest number of preparation steps in a record; families use at most five.
_MOST_STEPS = 16


def rebuild(source: Mapping[str, Any], *, limits: Limits | None = None) -> Graph:
    """Rebuild a graph from its ``source``: a data set or generator, and preparation steps.

    Preferences are rebuilt as :class:`gpucore.problems.preferences.graph.PreferenceGraph`.

    The source comes from a record and is not trusted: only files of data sets are read, and
    `limits` apply.

    Raises
    ------
    GraphError
        For graphs from files or memory, which only their owner has, and for names that are neither
        data sets nor generators.

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
    kind = kind_of_spec(spec)
    if kind is None:
        raise GraphError(
            f"the record's graph {spec[:60]!r} is neither a data set nor generated, and no file "
            "is read because a record names it; open the graph itself"
        )
    try:
        found = load(spec, kind.name, limits=limits)
    except ParameterError as error:
        raise GraphError(f"the record's graph {spec[:60]!r} is not usable: {error}") from None
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


def kind_of_spec(spec: str) -> ProblemKind | None:
    """Return the kind of problem that has this data set or generator, or None."""
    return next((kind for kind in kinds().values() if kind.specifies(spec)), None)


def all_steps() -> dict[str, Callable[..., Graph]]:
    """Return the steps of preparation of all kinds of problems by name."""
    parts = [kind.load(kind.steps) for kind in kinds().values() if kind.steps]
    return {name: step for part in parts for name, step in part.items()}
