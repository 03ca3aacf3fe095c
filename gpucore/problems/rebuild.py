"""Graphs made again from what a record tells of their source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpucore import datasets
from gpucore.errors import GraphError
from gpucore.problems.graph.generate import BIPARTITE_GENERATORS, GENERATORS
from gpucore.problems.graph.graph import Graph
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.graph.load import load
from gpucore.problems.preferences.load import load_preferences, names_preferences
from gpucore.limits import Limits
from gpucore.problems.graph.prepare import STEPS

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
    kind, colon, _ = spec.partition(":")
    bipartite = spec in datasets.bipartite_datasets() or (colon and kind in BIPARTITE_GENERATORS)
    known = spec in datasets.datasets() or (colon and kind in GENERATORS)
    if not bipartite and not names_preferences(spec) and not known:
        raise GraphError(
            f"the record's graph {spec[:60]!r} is neither a data set nor generated, and no file "
            "is read because a record names it; open the graph itself"
        )
    if names_preferences(spec):
        graph: Graph = load_preferences(spec, limits=limits).graph()
    else:
        graph = (load_bipartite if bipartite else load)(spec, limits=limits)
    steps = source.get("prepared", ())
    if len(steps) > _MOST_STEPS:
        raise GraphError(f"a graph is prepared in at most {_MOST_STEPS} steps, not {len(steps)}")
    for given in steps:
        parameters = {key: value for key, value in given.items() if key != "step"}
        if given.get("step") not in STEPS:
            raise GraphError(f"there is no step {given.get('step')!r} of preparation")
        try:
            graph = STEPS[given["step"]](graph, **parameters)
        except TypeError as error:
            raise GraphError(f"the record's step {given['step']} is wrong: {error}") from None
    return graph
