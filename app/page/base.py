"""The base of all pages: a graph, runs on it in the background, errors, and two columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import ipywidgets as w

from gpucore.progress import Progress

from .. import cards
from ..errors import Reporter
from ..fields.graph_chooser import GraphChooser
from ..fields.run_bar import RunBar
from ..jobs import Jobs, Stop
from ..limits import PageLimits
from ..outcomes.loading import Loaded, load
from ..sources.graphs import GraphSource
from ..view import Services, View
from ..widgets.browser import Browser


class PageLink(Protocol):
    """The link that a page was opened with; it may wait for its graph and its run."""

    @property
    def waiting(self) -> bool:
        """Whether a link was opened whose runs are not on the page yet."""

    def idle(self, ready: bool) -> None:
        """Continue: no work is under way; `ready` says whether there is a graph."""

    def failed(self) -> None:
        """Drop the link: its run cannot be shown."""


class Page(ABC):
    """A page on which a visitor chooses one graph and looks at runs on it.

    A subclass makes its widgets and its `link`, and sets `widget` to what :meth:`_columns` returns.

    Parameters
    ----------
    view : View
        Declares which graphs are offered, and how they are prepared.
    limits : PageLimits, optional
        By default those that the server set.

    Attributes
    ----------
    graphs : GraphChooser
    bar : RunBar
    jobs : Jobs
    services : Services
        For its cards.
    reporter : Reporter
    browser : Browser
    link : PageLink
        Set by the subclass.
    widget : widget
        The whole page; set by the subclass.
    """

    link: PageLink
    widget: w.Box

    def __init__(self, view: View, limits: PageLimits | None = None) -> None:
        self.view = view
        self.limits = limits or PageLimits.from_environment()
        self.reporter = Reporter(self)
        self.guard = guard = self.reporter.guard
        self.jobs = Jobs(self._failed, self._idle)
        self.services = Services(
            self.limits, self.jobs, self._busy, self._begin, guard, themed=self.themed
        )
        self._loaded: Loaded | None = None
        #: The graph that the page still shows while another one is loaded.
        self._before: Loaded | None = None
        self._errors = w.HTML()
        self.graphs = GraphChooser(self.view, self.limits, self._load, guard)
        self.bar = RunBar(self.run, self.jobs.cancel, guard)
        self.browser = Browser().add_class("ws-hidden")

    @property
    def loaded(self) -> Loaded | None:
        """The graph that is ready to be run on."""
        return self._loaded

    def themed(self, call: Callable[[bool], None]) -> None:
        """Call a function whenever the page becomes dark or light."""
        self.browser.observe(self.guard(lambda change: call(change["new"])), "dark")

    def start(self) -> None:
        """Load the first graph."""
        self.graphs.announce()

    def between(self, act: Callable[[], None]) -> None:
        """Act while no job changes the page; see :meth:`Jobs.between`."""
        self.jobs.between(act)

    def show_error(self, title: str, text: str) -> None:
        """Show an error above everything else."""
        self._errors.value = cards.error_card(title, text)

    @abstractmethod
    def run(self) -> None:
        """Start the run that the form describes on the loaded graph."""

    # The arrangement

    def _columns(self, left: Sequence[w.Widget], right: Sequence[w.Widget]) -> w.Box:
        """Return the whole page: the form on the left; errors, then the results on the right."""
        side = w.VBox(list(left)).add_class("ws-side")
        main = w.VBox([self._errors, *right]).add_class("ws-main")
        return w.HBox([side, main, self.browser]).add_class("ws-app")

    @staticmethod
    def _stage(*content: w.Widget) -> w.Box:
        """Return the card with the player and what belongs below it."""
        return w.VBox(list(content)).add_class("ws-card").add_class("ws-stage")

    # Work in the background

    def _begin(self) -> None:
        """Remove the last error, and disable Run until the work has ended."""
        self._errors.value = ""
        self.bar.run.disabled = True

    def _busy(self, phase: str, done: int, total: int) -> None:
        """Show the progress of work in the background."""
        self.bar.busy(phase, done, total)

    def _failed(self, error: BaseException) -> None:
        """Show why work ended without a result; the page keeps the graph and the run it has."""
        self.link.failed()
        kept = ""
        if self._loaded is None and self._before is not None:
            self._loaded, self._before = self._before, None
            self.graphs.restore()
            what = self.view.sources.title.lower()
            kept = f"The page keeps the {what} {self._loaded.label}."
        self.reporter.report(error, kept)
        if self._loaded is None:
            self.graphs.facts.value = ""
            self._clear()

    def _idle(self) -> None:
        """Enable Run: no work is left."""
        ready = self._loaded is not None
        if ready:
            self._before = None
        self.bar.idle(ready=ready)
        self.link.idle(ready=ready)

    @abstractmethod
    def _clear(self) -> None:
        """Show neither graph nor results."""

    # Loading a graph

    def _load(self, source: GraphSource) -> None:
        # A link's graph is not replaced by another one.
        self._before = None if self.link.waiting else self._loaded or self._before
        self._loaded = None
        self.services.start(
            lambda progress, stop: self._read(source, progress, stop), self._graph_loaded
        )

    def _read(self, source: GraphSource, progress: Progress, stop: Stop) -> Any:
        """Return what :meth:`_graph_loaded` takes; runs in the background."""
        return load(source, self.view, self.limits, progress, stop)

    @abstractmethod
    def _graph_loaded(self, loaded: Any) -> None:
        """Show the graph that has been loaded."""
