"""The page that compares runs of one graph: choose, run all, and watch them on one clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ipywidgets as w
import numpy as np

from gpucore.progress import Progress

from ..limits import PageLimits
from ..links.words import Wanted, graph_of, set_graph
from ..page import cards
from ..page.base import Page
from ..page.controls import show
from ..page.devices import gpu_present
from ..page.jobs import Stop
from ..page.loading import Loaded
from ..page.replay import still
from ..pages import get_view
from ..widgets.side_by_side import SideBySide, side_by_side_payload
from .chooser import ComparisonChooser
from .clock import Track
from .link import CompareLink
from .results import (
    Side,
    players,
    run_all,
    table_card,
    verdict_card,
)


class ComparePage(Page):
    """The page on which runs of one family are compared.

    Parameters
    ----------
    family : str
        See :mod:`app.view`.
    limits : PageLimits, optional
        By default those that the server set.
    """

    def __init__(self, family: str, limits: PageLimits | None = None) -> None:
        super().__init__(get_view(family), limits)
        self._remark = w.HTML()
        self.chooser = ComparisonChooser(self.view, gpu_present(), self._take_graph, self.guard)
        self.side_by_side = SideBySide((family,), placeholder="Choose a graph to see it here.")
        self.link: CompareLink = CompareLink(self.graphs, self.chooser, self.run, self.guard)
        self._verdict = w.HTML().add_class("ws-card")
        self._table = w.HTML().add_class("ws-card")
        self.widget = self._arrange()
        self._clear_results()

    def _arrange(self) -> Any:
        left = [self.graphs.widget, self.chooser.widget, self.bar.widget]
        stage = self._stage(self.side_by_side, self._remark, self.link.widget)
        return self._columns(left, [self._verdict, stage, self._table])

    def _take_graph(self, name: str) -> None:
        set_graph(self.graphs, Wanted(*graph_of(name, self.view.sources)))
        self.graphs.announce()

    def _clear(self) -> None:
        self.side_by_side.payload = b""
        self._clear_results()

    def _clear_results(self) -> None:
        self._remark.value = ""
        show(self._verdict, False)
        show(self._table, False)

    def _leave_graph(self) -> None:
        self.link.clear()

    def _graph_loaded(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self.graphs.show_facts(loaded.graph, loaded.prepared)
        self._clear_results()
        alone = still(loaded.prepared, loaded.positions, self.view, loaded.label)
        self.side_by_side.payload = side_by_side_payload(
            [alone],
            [loaded.label],
            [Track(np.empty(0, np.int32))],
            vertices=loaded.prepared.num_vertices,
            compared=(),
        )

    def run(self) -> None:
        """Start the runs that the form describes on the loaded graph."""
        loaded = self._loaded
        if loaded is None or self.jobs.busy:
            return
        if refusal := self.chooser.refusal:
            self.link.failed()
            self.show_error("There is nothing to compare", refusal)
            return
        self.link.started()
        contenders = self.chooser.contenders()

        def work(progress: Progress, stop: Stop) -> ComparedRuns:
            sides = run_all(contenders, loaded.prepared, self.view, self.limits, progress, stop)
            message, remark = players(
                sides, loaded.prepared, loaded.positions, self.view, self.limits
            )
            return ComparedRuns(loaded, sides, message, remark)

        self.start_work(work, self._show)

    def _show(self, runs: ComparedRuns) -> None:
        loaded = runs.loaded
        if runs.message:
            self.side_by_side.payload = runs.message
        else:
            self._graph_loaded(loaded)
        self.link.show(bool(runs.message))
        self._verdict.value = verdict_card(runs.sides, self.view)
        self._table.value = table_card(runs.sides, loaded.prepared, self.view)
        self._remark.value = cards.note(runs.remark)
        show(self._verdict, True)
        show(self._table, True)


@dataclass(frozen=True)
class ComparedRuns:
    """Finished runs, ready to be shown.

    Attributes
    ----------
    loaded : Loaded
    sides : list of Side
    message : bytes
        For the players; empty if nothing is played.
    remark : str
        Which runs are not played, and why.
    """

    loaded: Loaded
    sides: list[Side]
    message: bytes
    remark: str
