"""How large a problem is, for programs and for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def sizes(graph: Graph) -> dict[str, int]:
    """Return the numbers of vertices and edges, and what the two sides of some problems have.

    A bipartite graph has rows and columns; preferences have men and women (or, to share rooms,
    persons), pairs for edges, and one-sided entries that were left out.
    """
    from gpucore.problems.bipartite.graph import BipartiteGraph
    from gpucore.problems.preferences.graph import PreferenceGraph
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.problems.roommates.roommates import Roommates

    if isinstance(graph, Roommates):
        persons, purged = graph.num_vertices, int(graph.source.get("purged", 0))
        return {
            "vertices": persons, "edges": graph.num_pairs, "persons": persons, "purged": purged
        }  # fmt: skip
    found = {"vertices": graph.num_vertices, "edges": graph.num_edges}
    if isinstance(graph, PreferenceGraph | Preferences):
        given = graph if isinstance(graph, Preferences) else graph.preferences
        found |= {"men": given.num_men, "women": given.num_women}
        if "purged" in given.source:
            found["purged"] = int(given.source["purged"])
    elif isinstance(graph, BipartiteGraph):
        found |= {"rows": graph.num_rows, "columns": graph.num_columns}
    return found


def size_in_words(graph: Graph) -> str:
    """Return the same as a phrase: rows and columns are the vertices of a bipartite graph.

    Of preferences the edges are called pairs.
    """
    found = sizes(graph)
    if people := [
        f"{found[name]:,} {name}" for name in ("men", "women", "persons") if name in found
    ]:
        left_out = found.get("purged", 0)
        note = f", {left_out:,} one-sided entries left out" if left_out else ""
        return f"{', '.join(people)}, {found['edges']:,} pairs{note}"
    names = ("rows", "columns", "edges") if "rows" in found else ("vertices", "edges")
    return ", ".join(f"{found[name]:,} {name}" for name in names)
