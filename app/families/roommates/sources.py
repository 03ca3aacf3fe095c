"""The instances of stable roommates that the pages offer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gpucore.limits import Limits
from gpucore.problems.graph.graph import Graph
from gpucore.problems.roommates.graph import RoommatesGraph

from ...sources.facts import Facts
from ...sources.graphs import (
    ENDINGS,
    GENERATORS,
    SEED,
    Slider,
    Sources,
    bundled,
    generator,
    readers,
)

if TYPE_CHECKING:
    from gpucore.problems.roommates.roommates import Roommates


def facts(graph: Graph, prepared: Graph) -> Facts:
    """Return the facts of an instance; instances need no preparation."""
    sizes = (("people", f"{prepared.num_vertices:,}"), ("pairs", f"{prepared.num_edges:,}"))
    steps = {step["step"] for step in prepared.source.get("prepared", ())}
    remarks = []
    if "random_weights" in steps:
        remarks.append("the graph has no weights, so each edge gets a random one")
    if "roommates_of_graph" in steps:
        remarks.append("a graph: every vertex lists its neighbours, the heaviest edge first")
    if purged := int(prepared.source.get("purged", 0)):
        remarks.append(f"entries that only one of the two lists are left out: {purged:,}")
    return Facts(sizes, tuple(remarks))


def _graph(found: Roommates, limits: Limits) -> RoommatesGraph:
    return found.graph()


SOURCES = Sources(
    title="Lists",
    collection=lambda: bundled("roommates") + bundled("graph"),
    generators={
        "roommates": generator(
            "roommates", "Complete random lists", Slider("n", "People", 2, 300, 12), SEED
        ),
        "delaunay": replace(GENERATORS["delaunay"], title="Delaunay triangulation, by weight"),
        "rmat": replace(GENERATORS["rmat"], title="R-MAT (a few hubs), by weight"),
    },
    **readers("roommates", _graph),
    formats=(
        "Lists as JSON, an object whose key “people” has a list of names for each name, best "
        "first; or a graph, as Matrix Market, edge list, METIS or archive; also gzipped"
    ),
    counted=("people", "pairs"),
    facts=facts,
    endings=(".json", *ENDINGS),
    draws=False,
)
