"""The page of one family: choose, run, play.

The left column holds the controls, the right one the screen: player and code beside each other, and
below them results and charts. All work runs in a thread; the :class:`~app.view.View` declares what
is specific to the family.
"""

from __future__ import annotations

from typing import Any

import ipywidgets as w

import gpucore
from gpucore.device import get_device
from gpucore.errors import ParameterError
from gpucore.family import get_family
from gpucore.progress import Progress
from gpucore.result import Result

from .. import cards
from ..cards.ending import Ending
from ..cards.solution_card import solution_card
from ..charts.slot import ChartSlot, import_ahead
from ..charts.spec import CURSORS
from ..code.card import CodePanel
from ..devices import gpu_present
from ..fields.run_chooser import RunChooser
from ..gallery import entry
from ..jobs import Stop
from ..limits import PageLimits
from ..links import permalink
from ..links.permalink import Link
from ..links.run_link import RunLink
from ..outcomes.loading import Loaded
from ..outcomes.outcome import Outcome, outcome_of, where
from ..outcomes.replay import no_events_reason, still
from ..page.base import Page
from ..pages import get_view
from ..stories.desk import StoryDesk
from ..widgets.player import Player
from ..widgets.present import Present
from ..widgets.tabs import tabbed
from .export import Export
from .saved_runs import SavedRuns

_OFFER = "Run computes this graph and plays what every warp does."
_WAITS = "The result and its certificate are shown when the replay has reached its end."


class Dashboard(Page):
    """The page of one family.

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
        own = get_family(family)
        known = own.load_algorithms() or {n: r for n, r in own.load_methods().items() if r.records}
        if self.view.algorithm not in known:
            raise ParameterError(f"the algorithm {self.view.algorithm!r} is not installed")
        self._remark = w.HTML()
        #: Whether the run that is shown next begins to play by itself.
        self._plays = False
        self.runs = RunChooser(known, self.view, gpu_present(), self.bar, guard)
        #: What the form described for the run that is shown; None without a run.
        self._described: tuple[Any, ...] | None = None
        for field in self.runs.fields:
            field.observe(guard(lambda _: self._mark()), "value")
        self.player = Player(
            (family,), cursors=list(CURSORS), placeholder="Choose a graph to see it here."
        )
        self.charts = ChartSlot(self.view, guard)
        self.present = Present()
        self.code = CodePanel(self.view, self.services)
        self.panels = [make(self.services) for make in self.view.load_panels()]
        self.themed(self.charts.recolour)
        self.measures = w.HTML().add_class("ws-card")
        self.certificate = w.HTML().add_class("ws-card")
        self.take_home = w.HTML().add_class("ws-card")
        results = w.HBox([self.measures, self.certificate, self.take_home]).add_class("ws-row")
        self.ending = Ending(results, _WAITS, guard)
        self.player.observe(guard(lambda change: self.ending.reached(change["new"])), "position")
        self.saved_runs = SavedRuns(
            self.view,
            self.services,
            self.reporter,
            self.graphs,
            self.runs,
            loaded=lambda: self._loaded,
            opened=self._opened,
        )
        self.stories = StoryDesk(
            family,
            play=lambda story: self.link.follow(permalink.of_story(story)),
            hide=self.ending.hold,
            guard=guard,
        )
        self.saved_runs.gallery.observe(guard(lambda change: self._note(change["new"])), "value")
        self.link: RunLink = RunLink(
            self.graphs, self.runs, self.run, self.saved_runs.play, self.stories
        )
        self.export = Export(guard)
        self.export.widget.observe(guard(lambda change: self._arrive(change["new"])), "search")
        self.widget = self._arrange()

    def _arrange(self) -> w.Box:
        left = [self.graphs.widget, self.runs.widget, self.saved_runs.widget]
        look = self.saved_runs.look
        bar = w.HBox([self.stories.widget, look, self.present]).add_class("ws-bar")
        live = [self.export.classroom] if self.export.classroom is not None else []
        above = w.VBox([bar, *live]).add_class("ws-above")
        stage = self._stage(self.player, self._remark, self.export.widget)
        places = self.charts.places
        aside = w.VBox([self.code.widget, places.side]).add_class("ws-aside")
        screen = w.HBox([above, stage, aside]).add_class("ws-screen")
        own = [(panel.title, panel.widget) for panel in self.panels]
        charts = tabbed("Charts", [*places.tabs.items(), *own])
        return self._columns(left, [screen, self.ending.widget, charts, places.tools])

    def start(self) -> None:
        """Play the first record of the family's gallery; without one, run what the form shows."""
        self._plays = True
        self.link.follow(Link({}, self.saved_runs.first))

    def _arrive(self, search: str) -> None:
        """Open the link in the page's address; its run replaces the one that the page opens on."""

        def open_link() -> None:
            self._plays = False
            try:
                if self.link.open(search):
                    self._clear()
            finally:
                self.player.plays = False

        self.jobs.between(open_link)

    def _clear(self) -> None:
        """Show no graph: the requested one could not be loaded."""
        self._say("")
        self.ending.clear()
        self._clear_charts()
        self.code.preview(self.runs.algorithm.value, self.runs.variant.value)
        self._clear_export()
        self.player.payload = b""

    def _clear_charts(self) -> None:
        self.charts.clear()
        for panel in self.panels:
            panel.clear()

    def _clear_export(self) -> None:
        self.link.clear()
        self.export.clear()
        self.stories.clear()

    # Loading a graph

    def _mark(self) -> None:
        self.bar.mark(self._described is not None and self._described != self.runs.described)

    def _graph_loaded(self, loaded: Loaded) -> None:
        self._described = None
        self._mark()
        self.saved_runs.forget()
        self._clear_export()
        self._loaded = loaded
        self.code.preview(self.runs.algorithm.value, self.runs.variant.value)
        self.graphs.show_facts(loaded.graph, loaded.prepared)
        self.ending.clear()
        self._clear_charts()
        self._say("")
        if not self.saved_runs.graph_loaded(loaded):
            self._show_still(loaded)
            self._say(_OFFER)
        # Only after the graph is loaded: both need the interpreter lock.
        import_ahead()

    def _show_still(self, loaded: Loaded, result: Result | None = None) -> None:
        """Show a graph before any run, or after a run without events."""
        make = self.view.picture if result is not None else None
        state = make(result) if make is not None and result is not None else None
        self.player.payload = still(
            loaded.prepared, loaded.positions, self.view, loaded.label, state
        )

    def _note(self, name: str) -> None:
        """Give the speaker the text about a record of the gallery."""
        self.present.notes = entry(name).look if name else ""

    def _say(self, text: str) -> None:
        """Show a note below the player."""
        self._remark.value = cards.note(text)

    # Running an algorithm

    def run(self) -> None:
        """Start the run that the form describes on the loaded graph."""
        loaded = self._loaded
        if loaded is None or self.jobs.busy:
            return
        self.saved_runs.leave()
        self.link.started(self.saved_runs.in_form(loaded))
        name, params = self.runs.algorithm.value, self.runs.params()
        device_name, options = self.runs.device.value, self.runs.device_options()
        ranks = self.runs.rank_count
        reason = no_events_reason(self.view, loaded.prepared, self.limits)
        described = self.runs.described

        def work(progress: Progress, stop: Stop) -> Outcome:
            result = gpucore.run(
                name,
                loaded.prepared,
                device=get_device(device_name, **options),
                record="counters" if reason else "events",
                record_budget=self.limits.record_bytes,
                progress=progress,
                cancel=stop,
                ranks=ranks,
                **params,
            )
            progress("preparing the player", 0, 0)
            return outcome_of(loaded, result, self.view, self.limits)

        def done(outcome: Outcome) -> None:
            self._show(outcome)
            self._described = described  # the form may have changed during the run
            self._mark()

        self.services.start(work, done)

    def _show(self, outcome: Outcome, gallery: str | None = None) -> None:
        """Show a finished run.

        Parameters
        ----------
        outcome : Outcome
        gallery : str, optional
            None for a run, else the record's name in the gallery; empty for a file's.
        """
        result, loaded = outcome.result, outcome.loaded
        self._described = self.runs.described
        self._mark()
        lines = self.view.measures(result, loaded.prepared)
        events = None if outcome.timeline is None else len(outcome.timeline)
        self.measures.value = cards.measures_card(lines, result.seconds, where(result))
        self.certificate.value = cards.certificate_card(result.certificate)
        self.take_home.value = solution_card(
            loaded.prepared, [("", result)], self.view.family, loaded.prepared.name or "graph"
        )
        self.ending.show(events if events and outcome.message else 0)
        self._say(outcome.refusal)
        # Code, player and story belong together; the player can play while the charts are made.
        self.code.show(loaded.prepared, result)
        if outcome.message:
            with self.player.hold_sync():
                self.player.plays, self._plays = self._plays, False
                self.player.payload = outcome.message
            self.ending.reached(self.player.position)
        else:
            self._show_still(loaded, result)
        try:
            query = self.link.query(gallery)
            self.export.show(outcome, query)
            self.stories.show(outcome, query)
            # At once: later the visitor may have moved the replay.
            step = self.link.step(events)
            if step is not None:
                self.player.position = step
        finally:
            for panel in self.panels:
                panel.show(loaded.prepared, result)
            self.charts.show(result.record, outcome.timeline, loaded.prepared.names)

    def _opened(self, outcome: Outcome, gallery: str) -> None:
        """Show a record that was opened; `gallery` is its name in the gallery, or empty."""
        self._loaded = loaded = outcome.loaded
        self.graphs.show_facts(loaded.graph, loaded.prepared)
        # A record of the run that is on the page already does not change the player's message.
        self.player.position = 0
        self._show(outcome, gallery)
