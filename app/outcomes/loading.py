"""Loading a graph for a page: read, prepare for the family, lay out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpucore.problems.graph.graph import Graph
from gpucore.progress import Cancel, Progress

if TYPE_CHECKING:
    from ..limits import PageLimits
    from ..sources.graphs import GraphSource
    from ..view import View


@dataclass(frozen=True)
class Loaded:
    """A graph that is ready for runs.

    Attributes
    ----------
    label : str
        Name of the graph on the page.
    graph, prepared : Graph
        The graph as read, and as prepared for the family.
    positions : ndarray or None
        Positions of its vertices; None if it is too large.
    """

    label: str
    graph: Graph
    prepared: Graph
    positions: np.ndarray | None


def load(
    source: GraphSource, view: View, limits: PageLimits, progress: Progress, cancel: Cancel
) -> Loaded:
    """Read a graph, prepare it for a family's page, and lay it out.

    See :attr:`app.sources.graphs.GraphSource.load`.
    """
    graph = source.load(limits, progress, cancel)
    return laid_out(source.label, graph, view.prepare(graph), limits, progress, cancel)


def laid_out(
    label: str,
    graph: Graph,
    prepared: Graph,
    limits: PageLimits,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Loaded:
    """Add positions to a prepared graph, unless it is too large.

    Raises
    ------
    Cancelled
    """
    # Imported on demand: NetworkX is large, and a page must be shown before it is imported.
    from ..layout.positions import positions_of

    positions = positions_of(
        prepared,
        max_vertices=limits.draw_vertices,
        max_edges=limits.draw_edges,
        progress=progress,
        cancel=cancel,
    )
    return Loaded(label, graph, prepared, positions)
