"""A card that is computed in the background after a run."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from .. import cards
from ..fields import show
from .run_card import RunCard

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.result import Result

    from ..view import Services

Work = Callable[["Graph", "Result", Event], Any]


class BackgroundCard(RunCard[Event]):
    """A card that is computed after a run, in a thread of its own; the latest run counts.

    Parameters
    ----------
    services : Services
        Services of the page, see :mod:`app.view`.
    title, about : str
        Display text.
    work : callable
        ``work(graph, result, stop)`` computes the data of the card; `stop` fits
        :class:`gpucore.progress.Cancel`.
    picture : callable
        Returns the data as HTML.
    more : sequence of widget
        Widgets above the picture.

    Attributes
    ----------
    widget : widget
        The card.
    """

    def __init__(
        self,
        services: Services,
        title: str,
        about: str,
        work: Work,
        picture: Callable[[Any], str] = str,
        more: tuple[w.Widget, ...] = (),
    ) -> None:
        self._find, self._picture = work, picture
        self._stop = Event()
        self.found: Any = None
        self._body, self._more = w.HTML(), more
        super().__init__(services, title, about, [*more, self._body])
        self.clear()

    def clear(self) -> None:
        """Hide the card, and stop its computation."""
        self._stop.set()
        self.found = None
        self._body.value = ""
        super().clear()

    def show(self, graph: Graph, result: Result) -> None:
        """Compute and show the card, unless the graph is too large."""
        self.clear()
        if graph.num_edges > self._services.limits.record_edges or not graph.num_edges:
            return
        stop = self._stop = Event()
        for widget in self._more:
            show(widget, False)
        self._body.value = cards.note("Computing …")
        self._appear(stop)
        self._compute(lambda: self._find(graph, result, stop), self._shown)

    def _shown(self, found: Any) -> None:
        self.found = found
        for widget in self._more:
            show(widget, True)
        self.redraw()

    def redraw(self) -> None:
        """Draw the computed data again."""
        if self.found is not None:
            self._body.value = self._picture(self.found)
