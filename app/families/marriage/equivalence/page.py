"""The page that shows why greedy matching is a stable marriage: both, linked step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import ipywidgets as w

from gpucore.progress import Progress

from ....errors import Reporter
from ....limits import Limits
from ....page import cards
from ....page.controls import GraphChooser, labelled, show
from ....page.jobs import Jobs, Stop
from ....page.loading import Loaded, load
from ....page.run_bar import RunBar
from ....pages import get_view
from ....sources.graphs import LAST_SEED, Source
from ....widgets.browser import Browser
from ....widgets.linked import Linked
from .graphs import SOURCES, START
from .link import EquivalenceLink
from .story import (
    MODES,
    ORDERS,
    Story,
    tell,
)

#: Larger graphs are not taken: every step is a line, everybody a card or a strip.
VERTICES, EDGES = 200, 1_000

_NOTES = {
    "proposals": "A vertex that proposes to another, and displaces its suitor, is a man who "
    "proposes to a woman, and she leaves another man for him. Whoever was displaced goes on at "
    "once; only who has the first turn can be chosen.",
    "rounds": "A pointer asks for a neighbour until that one is matched; a woman refuses a man as "
    "soon as she has a better one. So men may be ahead of their vertices, and never behind.",
}
_WHY = """
<h3>Why it is so</h3>
<div class="lk-why">
<p>Make a man and a woman of every vertex, and let both list its neighbours from the heaviest
edge to the lightest. By <b>Lemma 3.1</b> of the paper these lists have exactly <b>one stable
marriage</b>: the edges of the <b>greedy matching</b>, each of them twice, since either end may be
the man. For two who are joined by the heaviest edge of all are each other’s first choice, so any
stable marriage has them; take them out, and the same is true of the heaviest edge that is
left.</p>
<p>So who solves the one solves the other. To bid more than the suitor of a vertex <i>is</i> to
stand higher in the list of its woman: <b>Suitor is the algorithm of McVitie and Wilson</b>,
proposal by proposal, if the same vertex has the first turn. <b>Pointers</b> to the heaviest free
neighbour, matched where two point to each other, are close to <b>Gale and Shapley’s rounds</b>,
and arrive at the same pairs.</p>
</div>
"""
_SOURCE = (
    "Manne, Naim, Lerring, Halappanavar, “On stable marriages and greedy matchings”, CSC 2016, "
    "section 3. Shown are runs that take one step after the other (the rounds of proposals: the "
    "kernel, run by the host executor), for the lanes of a kernel propose at the same time, in an "
    "order of their own on either side. They end in the same pairs, too."
)


class EquivalencePage:
    """The page with a graph on the left, and its men and women on the right.

    Parameters
    ----------
    limits : Limits, optional
        By default those that the server set.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.view = replace(get_view("matching"), sources=SOURCES, graph=START)
        given = limits or Limits.from_environment()
        self.limits = replace(
            given, vertices=min(VERTICES, given.vertices), edges=min(EDGES, given.edges)
        )
        self.reporter = Reporter(self)
        guard = self.reporter.guard
        self.jobs = Jobs(self._failed, self._idle)
        self._loaded: Loaded | None = None
        self._errors = w.HTML()
        self.graphs = GraphChooser(self.view, self.limits, self._load, guard)
        self.mode = w.ToggleButtons(options=[(text, name) for name, text in MODES.items()])
        self.mode.add_class("ws-tabs")
        self.order = w.Dropdown(options=[(text, name) for name, (text, _) in ORDERS.items()])
        self.seed = w.BoundedIntText(value=1, min=0, max=LAST_SEED)
        self._order, self._seed = labelled("First turn", self.order), labelled("Seed", self.seed)
        self._note = w.HTML()
        self.bar = RunBar(self.compare, self.jobs.cancel, guard)
        self.together = Linked(placeholder="Choose a graph to see it here.")
        self.link = EquivalenceLink(self)
        self._verdict = w.HTML().add_class("ws-card")
        self._quiet = False
        self.widget = self._arrange()
        for field in (self.mode, self.order, self.seed):
            field.observe(guard(lambda _: self._changed()), "value")
        self._offer()
        show(self.bar.widget, False)
        show(self._verdict, False)

    def _arrange(self) -> Any:
        turns = w.HBox([self._order, self._seed]).add_class("ws-pair")
        card = [w.HTML("<h2>What is linked</h2>"), self.mode, self._note, turns]
        left = [self.graphs.widget, w.VBox(card).add_class("ws-card"), self.bar.widget]
        stage = w.VBox([self.together, self.link.widget]).add_class("ws-card").add_class("ws-stage")
        why = w.HTML(_WHY + cards.note(_SOURCE)).add_class("ws-card")
        right = w.VBox([self._errors, self._verdict, stage, why]).add_class("ws-main")
        side = w.VBox(left).add_class("ws-side")
        return w.HBox([side, right, Browser().add_class("ws-hidden")]).add_class("ws-app")

    def start(self) -> None:
        """Load the first graph."""
        self.graphs.announce()

    def show_error(self, title: str, text: str) -> None:
        """Show an error above everything else."""
        self._errors.value = cards.error_card(title, text)

    def choose(self, mode: str, order: str, seed: int) -> None:
        """Set what is linked; nothing is run by this."""
        self._quiet = True
        self.mode.value, self.order.value, self.seed.value = mode, order, seed
        self._quiet = False

    def _failed(self, error: BaseException) -> None:
        self.reporter.report(error)
        self.link.failed()
        self.link.clear()
        if self._loaded is None:
            self.graphs.facts.value = ""
        self.together.payload = b""
        show(self._verdict, False)

    def _idle(self) -> None:
        self.bar.idle(ready=self._loaded is not None)
        show(self.bar.widget, False)

    def _busy(self, phase: str, done: int, total: int) -> None:
        """Show that something is running; the bar is there only then, for nothing has to be run."""
        show(self.bar.widget, True)
        self.bar.busy(phase, done, total)

    def _offer(self) -> None:
        """Show the fields that mean something for what is chosen."""
        self._note.value = cards.note(_NOTES[self.mode.value])
        show(self._order, self.mode.value == "proposals")
        show(self._seed, self.mode.value == "proposals" and self.order.value == "random")

    def _changed(self) -> None:
        self._offer()
        if not self._quiet:
            self.compare()

    def _load(self, source: Source) -> None:
        self._errors.value = ""
        self._loaded = None

        def work(progress: Progress, stop: Stop) -> tuple[Loaded, Story]:
            loaded = load(source, self.view, self.limits, progress, stop)
            return loaded, self._told(loaded, stop)

        self._start(work)

    def compare(self) -> None:
        """Run both sides again on the graph that is loaded."""
        loaded = self._loaded
        if loaded is None:
            return
        self._errors.value = ""
        self._start(lambda _, stop: (loaded, self._told(loaded, stop)))

    def _start(self, work: Any) -> None:
        self.link.started()
        seconds = self.limits.run_seconds
        self.jobs.start(work, self._show, progress=self._busy, seconds=seconds)

    def _told(self, loaded: Loaded, stop: Stop) -> Story:
        order = ORDERS[self.order.value][1](loaded.prepared, int(self.seed.value))
        return tell(loaded, self.mode.value, order, self.limits, stop)

    def _show(self, found: tuple[Loaded, Story]) -> None:
        self._loaded, story = found
        self.graphs.tell(self._loaded.graph, self._loaded.prepared)
        self.together.payload = story.message
        self.link.show(playing=True)
        self._verdict.value = story.verdict
        show(self._verdict, True)
