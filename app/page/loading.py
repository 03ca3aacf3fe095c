"""A graph on its way to a page: read, prepared for the family, laid out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpucore.problems.graph.graph import Graph

if TYPE_CHECKING:
    from gpucore.progress import Cancel, Progress

    from ..limits import Limits
    from ..sources.graphs import Source
    from ..view import View


@dataclass(frozen=True)
class Loaded:
    """A graph that is ready to be run on.

    Attributes
    ----------
    label : str
        Names it on the page.
    graph, prepared : Graph
        As it came, and as the family wants it.
    positions : ndarray or None
        Where its vertices are drawn; None if it is too large.
    """

    label: str
    graph: Graph
    prepared: Graph
    positions: np.ndarray | None


def load(source: Source, view: View, limits: Limits, progress: Progress, cancel: Cancel) -> Loaded:
    """Read a graph and make it ready for a family's page.

    See :meth:`app.sources.graphs.Source.load`.
    """
    graph = source.load(limits, progress, cancel)
    return laid_out(source.label, graph, view.prepare(graph), limits, progress, cancel)


def laid_out(
    label: str, graph: Graph, prepared: Graph, limits: Limits, progress: Progress, cancel: Cancel
) -> Loaded:
    """Find a place for every vertex of a prepared graph, unless there are too many.

    Raises
    ------
    Cancelled
    """
    # Imported when it is needed: NetworkX is large, and a page shall be there before it is.
    from ..layout.layout import positions_of

    positions = positions_of(
        prepared,
        max_vertices=limits.draw_vertices,
        max_edges=limits.draw_edges,
        progress=progress,
        cancel=cancel,
    )
    return Loaded(label, graph, prepared, positions)
