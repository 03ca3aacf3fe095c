"""The page that compares runs of one graph: choose, run all, and watch them on one clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ipywidgets as w
import numpy as np

from gpucore.progress import Progress

from .. import cards
from ..cards.ending import Ending
from ..charts.slot import import_ahead
from ..clock import Track
from ..devices import gpu_present
from ..jobs import Stop
from ..limits import PageLimits
from ..links.words import Wanted, graph_of, set_graph
from ..outcomes.loading import Loaded
from ..outcomes.replay import still
from ..page.base import Page
from ..pages import get_view
from ..sources.graphs import clean_name
from ..widgets.local_export import LocalExport
from ..widgets.present import Present
from ..widgets.side_by_side import SideBySide, side_by_side_payload
from .chooser import ComparisonChooser
from .link import CompareLink
from .results import Side, players, run_all, solutions_of, table_card, verdict_card, with_warps

if TYPE_CHECKING:
    from ..charts.loads import LoadPanel

_WAITS = "How the runs end, and their measures, are shown when the replays have reached the end."


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
        guard = self.guard
        self._remark = w.HTML()
        self.chooser = ComparisonChooser(self.view, gpu_present(), self._take_graph, guard)
        self.side_by_side = SideBySide((family,), placeholder="Choose a graph to see it here.")
        self.link: CompareLink = CompareLink(self.graphs, self.chooser, self.run, guard)
        self.export = LocalExport(runs=True)
        self._verdict = w.HTML().add_class("ws-card")
        self._table = w.HTML().add_class("ws-card")
        self._take_home = w.HTML().add_class("ws-card")
        self._loads: LoadPanel | None = None
        #: Whether no runs were started yet; the first ones start once the browser is there.
        self._arriving = True
        self._load_box = w.VBox()
        self.ending = Ending(
            w.VBox([self._verdict, self._table, self._take_home]).add_class("ws-stack"),
            _WAITS,
            guard,
        )
        self.side_by_side.observe(guard(lambda change: self._ended(change["new"])), "ended")
        self.browser.on_msg(guard(lambda _, content, __: self._arrive(content)))
        self.themed(self._recolour)
        self.widget = self._arrange()
        self._clear_results()

    def _arrange(self) -> w.Box:
        left = [self.graphs.widget, self.chooser.widget, self.bar.widget]
        below = [self._remark, self.link.widget, self.export]
        stage = self._stage(Present(), self.side_by_side, *below)
        return self._columns(left, [stage, self.ending.widget, self._load_box])

    def _arrive(self, content: dict[str, Any]) -> None:
        if content.get("kind") == "here":
            self.jobs.when_idle(self._run_first)

    def _run_first(self) -> None:
        """Run what the form describes, unless a link or the visitor has run something."""
        if self._arriving:
            self.run()
            self.side_by_side.plays = True

    def _take_graph(self, name: str) -> None:
        set_graph(self.graphs, Wanted(*graph_of(name, self.view.sources)))
        self.graphs.announce()

    def _clear(self) -> None:
        self.side_by_side.payload = b""
        self._clear_results()

    def _clear_results(self) -> None:
        self._remark.value = ""
        self.ending.clear()
        self._loads = None
        self._load_box.children = []

    def _recolour(self, dark: bool) -> None:
        if self._loads is not None:
            self._loads.recolour(dark)

    def _show_loads(self, sides: Sequence[Side]) -> None:
        """Show the warps of the runs that have them, if there is something to compare."""
        runs = with_warps(sides)
        if len(runs) < 2:
            return
        # Imported on call: the page is shown before Bokeh is there.
        from ..charts.loads import LoadPanel

        self._loads = LoadPanel(self.view, runs, self.guard, dark=self.browser.dark)
        self._load_box.children = [self._loads.widget]

    def _ended(self, ended: bool) -> None:
        if ended:
            self.ending.reached(1)

    def _graph_loaded(self, loaded: Loaded) -> None:
        self.link.clear()
        self._loaded = loaded
        self.graphs.show_facts(loaded.graph, loaded.prepared)
        self._show_alone(loaded)
        import_ahead()

    def _show_alone(self, loaded: Loaded) -> None:
        """Show a graph without players."""
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
        self._arriving = self.side_by_side.plays = False
        self.link.started()
        contenders = self.chooser.contenders()

        def work(progress: Progress, stop: Stop) -> ComparedRuns:
            sides = run_all(contenders, loaded.prepared, self.view, self.limits, progress, stop)
            message, remark = players(
                sides, loaded.prepared, loaded.positions, self.view, self.limits
            )
            return ComparedRuns(loaded, sides, message, remark)

        self.services.start(work, self._show)

    def _show(self, runs: ComparedRuns) -> None:
        loaded = runs.loaded
        if not runs.message:
            self._show_alone(loaded)
        self._verdict.value = verdict_card(runs.sides, self.view)
        self._table.value = table_card(runs.sides, loaded.prepared, self.view)
        self._take_home.value = solutions_of(runs.sides, loaded.prepared, self.view)
        self.side_by_side.ended = False
        # Before the players: the browser may reach their end while the maps are made.
        self.ending.show(int(bool(runs.message)))
        if runs.message:
            self.side_by_side.payload = runs.message
        self.link.show(bool(runs.message))
        self._remark.value = cards.note(runs.remark)
        self.export.name = f"{clean_name(loaded.label)}-compared"
        self._show_loads(runs.sides)


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
