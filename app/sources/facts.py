"""The facts that a page shows about a graph: size, and preparation before the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpucore.format import counted

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class Facts:
    """Size and preparation of a graph.

    Attributes
    ----------
    sizes : tuple of (str, str)
        Labels and values of sizes.
    remarks : tuple of str
        Clauses of one sentence about the preparation.
    """

    sizes: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()


def facts_of_graph(graph: Graph, prepared: Graph) -> Facts:
    """Return the facts of an undirected graph."""
    sizes = (
        ("vertices", f"{graph.num_vertices:,}"),
        ("edges", f"{graph.num_edges:,}"),
        ("max degree", f"{graph.max_degree:,}"),
    )
    remarks = []
    if prepared.num_loops < graph.num_loops:
        loops = counted(graph.num_loops - prepared.num_loops, "self-loop")
        remarks.append(f"without {loops}")
    if prepared.num_edges < graph.num_edges:
        left_out = graph.num_edges - prepared.num_edges
        remarks.append(f"without {counted(left_out, 'edge')} of weight 0 or less")
    if not graph.weighted and prepared.weighted:
        remarks.append("it has no weights, so each edge gets a random one")
    return Facts(sizes, tuple(remarks))
