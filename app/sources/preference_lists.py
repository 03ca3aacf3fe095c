"""The sources of preferences: classic instances, graphs read as preferences, generators, files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gpucore.datasets import names as dataset_names
from gpucore.limits import Limits
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.graph import PreferenceGraph

from .facts import Facts
from .graphs import (
    ENDINGS,
    GENERATORS,
    SEED,
    Generator,
    Slider,
    Sources,
    by_rows,
    generator,
    readers,
)

if TYPE_CHECKING:
    from gpucore.problems.preferences.preferences import Preferences


def _couples(low: int, high: int, value: int, step: int = 1) -> Slider:
    return Slider("n", "Men, and as many women", low, high, value, step)


PREFERENCES: dict[str, Generator] = {
    "easy": generator("easy", "Easy (short random lists)", _couples(10, 5000, 30, 10), SEED),
    "hard": generator("hard", "Hard (all want the same)", _couples(2, 300, 12), SEED),
    "classic": generator("classic", "Complete random lists", _couples(2, 300, 12), SEED),
    "cycles": Generator(
        "Cycles (what men want, women do not)",
        (_couples(4, 2000, 12, 4), Slider("length", "Couples in a cycle", 2, 32, 4), SEED),
        lambda v: f"cycles:n={v['n']:g},length={min(v['length'], v['n']):g},seed={v['seed']:g}",
    ),
    "hospitals": Generator(
        "Hospitals and residents",
        (
            Slider("residents", "Residents", 5, 2000, 30, 5),
            Slider("hospitals", "Hospitals", 2, 200, 8),
            Slider("capacity", "Places in a hospital", 1, 20, 3),
            Slider("length", "Hospitals that a resident ranks", 1, 12, 4),
            SEED,
        ),
        lambda v: (
            f"hospitals:residents={v['residents']:g},hospitals={v['hospitals']:g},"
            f"capacity={v['capacity']:g},length={min(v['length'], v['hospitals']):g},"
            f"seed={v['seed']:g}"
        ),
    ),
    "delaunay": replace(GENERATORS["delaunay"], title="Delaunay triangulation, by weight"),
    "rmat": replace(GENERATORS["rmat"], title="R-MAT (a few hubs), by weight"),
}


def collection() -> list[tuple[str, str]]:
    """Return titles and names of bundled preferences, then of graphs and matrices.

    Graphs and matrices become preferences: each vertex of a graph is a man and a woman, the rows
        of a matrix are men and its columns women.
    """
    names = (*dataset_names("preferences"), *dataset_names("bipartite"), *dataset_names("graph"))
    return by_rows("+", names)


def facts_of_preferences(graph: Graph, prepared: Graph) -> Facts:
    """Return the facts of an instance; instances need no preparation."""
    assert isinstance(prepared, PreferenceGraph)
    given = prepared.preferences
    hospitals = given.man_capacity is None and given.woman_capacity is not None
    words = ("residents", "hospitals") if hospitals else ("men", "women")
    sizes = [
        (words[0], f"{given.num_men:,}"),
        (words[1], f"{given.num_women:,}"),
        ("pairs", f"{given.num_pairs:,}"),
    ]
    if given.woman_capacity is not None:
        sizes.append(("places", f"{int(given.woman_capacity.sum(dtype=int)):,}"))
    lists = prepared.degrees
    without = (int((lists[: given.num_men] == 0).sum()), int((lists[given.num_men :] == 0).sum()))
    remarks = _origin(given.source)
    if purged := int(given.source.get("purged", 0)):
        remarks.append(f"entries that only one side lists are left out: {purged:,}")
    if any(without):
        counted = (f"{n:,} of the {word}" for word, n in zip(words, without, strict=True) if n)
        remarks.append(f"empty lists: {' and '.join(counted)}")
    return Facts(tuple(sizes), tuple(remarks))


def _origin(source: Mapping[str, Any]) -> list[str]:
    """Return remarks on how an instance was made from a graph or matrix."""
    remarks = []
    for step in source.get("prepared", ()):
        if step["step"] == "random_weights":
            remarks.append("the graph has no weights, so each edge gets a random one")
        elif step["step"] == "marriage_of_graph":
            remarks.append(
                "a graph: every vertex is a man and a woman, who list their neighbours from the "
                "heaviest edge to the lightest"
            )
        elif step["step"] == "random_preferences":
            remarks.append("a matrix: rows and columns rank their entries at random")
    return remarks


def _graph(found: Preferences, limits: Limits) -> PreferenceGraph:
    """Return the graph of an instance; lists that many people share become one list for each."""
    what = f"the preferences {found.name}".strip()
    limits.check(what, found.num_men + found.num_women, found.num_pairs)
    return found.graph()


SOURCES = Sources(
    title="Preferences",
    collection=collection,
    generators=PREFERENCES,
    **readers("preferences", _graph),
    formats=(
        "Lists as JSON, or as a table (CSV) with a line for each person: side, name, choices; "
        "ranks as NumPy archive; or a graph or matrix, as Matrix Market, edge list, METIS or "
        "archive; also gzipped"
    ),
    counted=("people", "pairs"),
    facts=facts_of_preferences,
    endings=(".json", *ENDINGS),
    draws=False,
)
