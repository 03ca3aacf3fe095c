"""The frame of a dashboard, the same for every family: choose, run, play.

The left column holds the controls, the right one the player, the results and the charts. All
work runs in a thread; what a family looks like comes from its :class:`~app.view.View`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

import gpucore
from gpucore.device import get_device
from gpucore.errors import ParameterError
from gpucore.family import get_family
from gpucore.progress import Progress
from gpucore.record.replay import timeline_of
from gpucore.result import Result

from ..charts.slot import CURSORS, ChartSlot, import_ahead
from ..code.card import CodePanel
from ..errors import Reporter
from ..limits import Limits
from ..pages import get_view
from ..sources.graphs import Source
from ..view import Services
from ..widgets.browser import Browser
from ..widgets.player import Player
from . import cards
from . import replay as scene
from .controls import GraphChooser, RunChooser, show
from .devices import gpu_present
from .export import Away
from .jobs import Jobs, Stop
from .loading import Loaded, load
from .saved_runs import Records


class Dashboard:
    """The page of one family.

    Parameters
    ----------
    family : str
        See :mod:`app.view`.
    limits : Limits, optional
        By default those that the server set.
    """

    def __init__(self, family: str, limits: Limits | None = None) -> None:
        self.view = get_view(family)
        self.limits = limits or Limits.from_environment()
        self.reporter = Reporter(self)
        self.jobs = Jobs(self._failed, self._idle)
        self._loaded: Loaded | None = None
        self._errors = w.HTML()
        self._remark = w.HTML()
        guard = self.reporter.guard
        self.graphs = GraphChooser(self.view, self.limits, self._load, guard)
        known = get_family(family).load_algorithms()
        if self.view.algorithm not in known:
            raise ParameterError(f"the algorithm {self.view.algorithm!r} is not installed")
        self.runs = RunChooser(known, self.view, gpu_present(), self.run, self.jobs.cancel, guard)
        self.browser = Browser().add_class("ws-hidden")
        self.player = Player(cursors=list(CURSORS), placeholder="Choose a graph to see it here.")
        self.charts = ChartSlot(self.view, guard)
        self.code = CodePanel(self.view, self.limits, self.jobs, self.runs.busy, self._begin, guard)
        services = Services(self.limits, self.jobs, self.runs.busy, self._begin, guard)
        self.panels = [make(services) for make in self.view.panels]
        self.browser.observe(guard(lambda change: self.charts.recolour(change["new"])), "dark")
        self.records = Records(self)
        self.away = Away(self, self.records.open_gallery)
        self._figures = w.HTML().add_class("ws-card")
        self._certificate = w.HTML().add_class("ws-card")
        self._results = w.HBox([self._figures, self._certificate]).add_class("ws-row")
        self.widget = self._arrange()
        show(self._results, False)

    def _arrange(self) -> Any:
        left = w.VBox([self.graphs.widget, self.runs.widget, self.records.widget]).add_class(
            "ws-side"
        )
        stage = (
            w.VBox([self.player, self._remark, self.away.widget])
            .add_class("ws-card")
            .add_class("ws-stage")
        )
        below = [self.code.widget, *(panel.widget for panel in self.panels), self.charts.widget]
        right = w.VBox([self._errors, stage, self._results, *below])
        return w.HBox([left, right.add_class("ws-main"), self.browser]).add_class("ws-app")

    def start(self) -> None:
        """Load the first graph."""
        self.graphs.announce()

    def show_error(self, title: str, text: str) -> None:
        """Show an error above everything else."""
        self._errors.value = cards.error_card(title, text)

    def _failed(self, error: BaseException) -> None:
        self.away.failed()
        self.reporter.report(error)
        if self._loaded is None:
            self._clear()

    def _clear(self) -> None:
        """Show no graph: the one that was wanted could not be loaded."""
        self.graphs.facts.value = ""
        self._say("")
        show(self._results, False)
        self._clear_charts()
        self.code.preview(self.runs.algorithm.value, self.runs.variant.value)
        self.away.clear()
        self.player.payload = b""

    def _clear_charts(self) -> None:
        self.charts.clear()
        for panel in self.panels:
            panel.clear()

    def _idle(self) -> None:
        self.runs.idle(ready=self._loaded is not None)
        self.away.idle(ready=self._loaded is not None)

    def _begin(self) -> None:
        self._errors.value = ""
        self.runs.run.disabled = True

    # Loading a graph

    def _load(self, source: Source) -> None:
        self._begin()
        self._loaded = None
        self.records.forget()
        self.away.clear()

        def work(progress: Progress, stop: Stop) -> Loaded:
            return load(source, self.view, self.limits, progress, stop)

        self.jobs.start(
            work, self._loaded_graph, progress=self.runs.busy, seconds=self.limits.run_seconds
        )

    def _loaded_graph(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self.code.preview(self.runs.algorithm.value, self.runs.variant.value)
        self.graphs.tell(loaded.graph, loaded.prepared)
        show(self._results, False)
        self._clear_charts()
        self._say("")
        if not self.records.graph_came(loaded):
            self._show_still(loaded)
        # Not before the graph is there: both would wait for the same interpreter.
        import_ahead()

    def _show_still(self, loaded: Loaded, result: Result | None = None) -> None:
        """Show a graph as it is before any run, or as a run without events left it."""
        make = self.view.picture if result is not None else None
        state = make(result) if make is not None and result is not None else None
        self.player.payload = scene.still(
            loaded.prepared, loaded.positions, self.view, loaded.label, state
        )

    def _say(self, text: str) -> None:
        """Say below the player what cannot be seen in it."""
        self._remark.value = cards.note(text)

    # Running an algorithm

    def run(self) -> None:
        """Run what the form says on the graph that is loaded."""
        loaded = self._loaded
        if loaded is None or self.jobs.busy:
            return
        self._begin()
        self.records.leave()
        self.away.started(self.records.shows(loaded))
        name, params = self.runs.algorithm.value, self.runs.params()
        device_name, options = self.runs.device.value, self.runs.device_options()
        level = (
            "counters" if scene.why_eventless(self.view, loaded.prepared, self.limits) else "events"
        )

        def work(progress: Progress, stop: Stop) -> Outcome:
            result = gpucore.run(
                name,
                loaded.prepared,
                device=get_device(device_name, **options),
                record=level,
                record_budget=self.limits.record_bytes,
                progress=progress,
                cancel=stop,
                **params,
            )
            progress("preparing the player", 0, 0)
            return self.prepare(loaded, result)

        self.jobs.start(work, self._ran, progress=self.runs.busy, seconds=self.limits.run_seconds)

    def prepare(self, loaded: Loaded, result: Result) -> Outcome:
        """Make everything the browser needs of a result."""
        record = result.record
        if record is None or not record.num_events:
            return Outcome(loaded, result, None, b"", self._why_still(loaded))
        timeline = timeline_of(record)
        message, refusal = scene.replay(
            loaded.prepared,
            loaded.positions,
            record,
            timeline,
            title=f"{loaded.label}: {result.algorithm}, {result.variant}",
            limits=self.limits,
        )
        return Outcome(loaded, result, timeline, message, refusal)

    def _why_still(self, loaded: Loaded) -> str:
        why = scene.why_eventless(self.view, loaded.prepared, self.limits)
        return why or "Nothing happened in this run, so there is nothing to play."

    def _ran(self, outcome: Outcome, gallery: str | None = None) -> None:
        result, loaded = outcome.result, outcome.loaded
        lines = self.view.figures(result, loaded.prepared)
        self._figures.value = cards.figures_card(lines, result.seconds, _where(result))
        self._certificate.value = cards.certificate_card(result.certificate)
        show(self._results, True)
        self._say(outcome.refusal)
        # The player first: it plays while the charts are made.
        if outcome.message:
            self.player.payload = outcome.message
        else:
            self._show_still(loaded, result)
        try:
            # Where a link goes, at once: later the visitor may be somewhere else already.
            self.away.show(outcome, gallery)
        finally:
            self.code.show(loaded.prepared, result)
            for panel in self.panels:
                panel.show(loaded.prepared, result)
            self.charts.show(result.record, outcome.timeline, loaded.prepared.names)

    # Records that were made elsewhere

    @property
    def loaded(self) -> Loaded | None:
        """The graph that is ready to be run on."""
        return self._loaded

    def begin(
        self, work: Callable[[Progress, Stop], Outcome], done: Callable[[Outcome], None]
    ) -> None:
        """Do what takes a while instead of a run."""
        self._begin()
        self.jobs.start(work, done, progress=self.runs.busy, seconds=self.limits.run_seconds)

    def opened(self, outcome: Outcome, gallery: str) -> None:
        """Show a record that was opened; `gallery` is its name there, or empty."""
        self._loaded = loaded = outcome.loaded
        self.graphs.tell(loaded.graph, loaded.prepared)
        # A record of the run that is on the page already does not change the player's message.
        self.player.position = 0
        self._ran(outcome, gallery)


@dataclass(frozen=True)
class Outcome:
    """A finished run, ready to be shown.

    Attributes
    ----------
    loaded : Loaded
    result : Result
    timeline : Timeline or None
        State changes, if events were recorded.
    message : bytes
        For the player; empty if nothing is played.
    refusal : str
        Why nothing is played.
    """

    loaded: Loaded
    result: Result
    timeline: Any
    message: bytes
    refusal: str


_ORDERS = {"random": "at random", "round_robin": "in turns", "sequential": "one after the other"}


def _where(result: Result) -> str:
    """Return where and how a result was computed."""
    device = result.device
    parts = [str(device.get("model") or device.get("name") or "")]
    if device.get("policy"):
        policy = _ORDERS.get(str(device["policy"]), str(device["policy"]))
        parts.append(f"warps {policy}, seed {device.get('seed')}")
    return ", ".join(part for part in parts if part)
