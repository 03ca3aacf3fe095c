"""The page that compares runs of one graph: choose, run all, and watch them on one clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ipywidgets as w
import numpy as np

from gpucore.progress import Progress

from ..errors import Reporter
from ..limits import Limits
from ..links.words import Wanted, graph_of, set_graph
from ..page import cards
from ..page import replay as scene
from ..page.controls import GraphChooser, labelled, show
from ..page.devices import gpu_present
from ..page.jobs import Jobs, Stop
from ..page.loading import Loaded, load
from ..page.run_bar import RunBar
from ..pages import get_view
from ..sources.graphs import Source
from ..view import Contest, View
from ..widgets.browser import Browser
from ..widgets.side_by_side import SideBySide, side_by_side_payload
from .clock import Track
from .contenders import Contender, ContenderChooser
from .link import CompareLink
from .results import (
    Side,
    players,
    run_all,
    table_card,
    verdict_card,
)

#: How many schedules of one kernel can be looked at together.
SCHEDULES = (2, 3, 4, 6)


class ContestChooser:
    """Cards to choose what is compared with what.

    Parameters
    ----------
    view : View
        Offers contests.
    gpu : bool
        Whether a GPU can be offered.
    on_graph : callable
        Called with the name of the graph that a comparison asks for.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(self, view: View, gpu: bool, on_graph: Callable[[str], None], guard: Any) -> None:
        self._on_graph = on_graph
        self._contests = list(view.contests)
        if gpu:
            self._contests.append(_gpu_against_host(view))
        self.contest = w.Dropdown(options=[(c.title, i) for i, c in enumerate(self._contests)])
        self.mode = w.ToggleButtons(
            options=[("Two runs", "two"), ("Several schedules", "schedules")]
        ).add_class("ws-tabs")
        self.schedules = w.Dropdown(options=[(str(k), k) for k in SCHEDULES], value=4)
        self._schedules = labelled("Schedules", self.schedules)
        self._note = w.HTML()
        self.first = ContenderChooser("First run", view, gpu, guard)
        self.second = ContenderChooser("Second run", view, gpu, guard)
        card = [w.HTML("<h2>Comparison</h2>"), labelled("Begin with", self.contest), self._note]
        card += [self.mode, self._schedules]
        self.widget = w.VBox(
            [w.VBox(card).add_class("ws-card"), self.first.widget, self.second.widget]
        ).add_class("ws-stack")
        self.contest.observe(guard(lambda _: self._choose()), "value")
        self.mode.observe(guard(lambda _: self._arrange()), "value")
        if self._contests:
            self._choose()
        else:
            self._arrange()

    def _choose(self) -> None:
        contest = self._contests[self.contest.value]
        self._note.value = cards.note(contest.note)
        self.first.choose(contest.runs[0])
        if contest.schedules:
            self.schedules.value = contest.schedules
        else:
            self.second.choose(contest.runs[1])
        self.mode.value = "schedules" if contest.schedules else "two"
        self._arrange()
        if contest.graph:
            self._on_graph(contest.graph)

    def _arrange(self) -> None:
        several = self.mode.value == "schedules"
        show(self._schedules, several)
        show(self.second.widget, not several)
        self.first.rename("Kernel, and the first seed" if several else "First run")

    def contenders(self) -> list[Contender]:
        """Return what is to be compared; a schedule has a seed only on the host executor."""
        first = self.first.contender()
        if self.mode.value == "two":
            return [first, self.second.contender()]
        seed = int(first.options.get("seed", 0))
        return [first.with_seed(seed + k) for k in range(self.schedules.value)]

    @property
    def refusal(self) -> str:
        """Why what is chosen cannot be compared; empty if it can."""
        first = self.first.contender()
        if self.mode.value == "two" or first.options.get("policy") == "random":
            return ""
        return (
            "Only the random schedule of the host executor has a seed; choose it above, or "
            "compare two runs."
        )


def _gpu_against_host(view: View) -> Contest:
    run = {"name": view.algorithm, "variant": view.variant}
    return Contest(
        "GPU against host executor",
        "The same kernel source: thousands of threads at once, and every lane on a processor.",
        ({**run, "device": "cuda"}, {**run, "device": "host"}),
    )


class ComparePage:
    """The page on which runs of one family are compared.

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
        guard = self.reporter.guard
        self.jobs = Jobs(self._failed, self._idle)
        self._loaded: Loaded | None = None
        self._errors, self._remark = w.HTML(), w.HTML()
        self.graphs = GraphChooser(self.view, self.limits, self._load, guard)
        self.contest = ContestChooser(self.view, gpu_present(), self._take_graph, guard)
        self.bar = RunBar(self.run, self.jobs.cancel, guard)
        self.together = SideBySide(placeholder="Choose a graph to see it here.")
        self.link = CompareLink(self)
        self._verdict = w.HTML().add_class("ws-card")
        self._table = w.HTML().add_class("ws-card")
        self.widget = self._arrange()
        self._clear()

    def _arrange(self) -> Any:
        left = [self.graphs.widget, self.contest.widget, self.bar.widget]
        stage = w.VBox([self.together, self._remark, self.link.widget])
        stage.add_class("ws-card").add_class("ws-stage")
        right = w.VBox([self._errors, self._verdict, stage, self._table]).add_class("ws-main")
        side = w.VBox(left).add_class("ws-side")
        return w.HBox([side, right, Browser().add_class("ws-hidden")]).add_class("ws-app")

    def start(self) -> None:
        """Load the first graph."""
        self.graphs.announce()

    def _take_graph(self, name: str) -> None:
        set_graph(self.graphs, Wanted(*graph_of(name, self.view.sources)))
        self.graphs.announce()

    def show_error(self, title: str, text: str) -> None:
        """Show an error above everything else."""
        self._errors.value = cards.error_card(title, text)

    def _failed(self, error: BaseException) -> None:
        self.link.failed()
        self.reporter.report(error)
        if self._loaded is None:
            self.graphs.facts.value = ""
            self.together.payload = b""
            self._clear()

    def _clear(self) -> None:
        """Take the results away."""
        self._remark.value = ""
        show(self._verdict, False)
        show(self._table, False)

    def _idle(self) -> None:
        self.bar.idle(ready=self._loaded is not None)
        self.link.idle(ready=self._loaded is not None)

    def _begin(self) -> None:
        self._errors.value = ""
        self.bar.run.disabled = True

    def _load(self, source: Source) -> None:
        self._begin()
        self._loaded = None
        self.link.clear()

        def work(progress: Progress, stop: Stop) -> Loaded:
            return load(source, self.view, self.limits, progress, stop)

        self.jobs.start(
            work, self._loaded_graph, progress=self.bar.busy, seconds=self.limits.run_seconds
        )

    def _loaded_graph(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self.graphs.tell(loaded.graph, loaded.prepared)
        self._clear()
        still = scene.still(loaded.prepared, loaded.positions, self.view, loaded.label)
        self.together.payload = side_by_side_payload(
            [still],
            [loaded.label],
            [Track(np.empty(0, np.int32))],
            vertices=loaded.prepared.num_vertices,
            compared=(),
        )

    def run(self) -> None:
        """Run what the form says on the graph that is loaded."""
        loaded = self._loaded
        if loaded is None or self.jobs.busy:
            return
        if refusal := self.contest.refusal:
            self.link.failed()
            self.show_error("There is nothing to compare", refusal)
            return
        self._begin()
        self.link.started()
        contenders = self.contest.contenders()

        def work(progress: Progress, stop: Stop) -> Outcome:
            sides = run_all(contenders, loaded.prepared, self.view, self.limits, progress, stop)
            message, remark = players(
                sides, loaded.prepared, loaded.positions, self.view, self.limits
            )
            return Outcome(loaded, sides, message, remark)

        self.jobs.start(work, self._ran, progress=self.bar.busy, seconds=self.limits.run_seconds)

    def _ran(self, outcome: Outcome) -> None:
        loaded = outcome.loaded
        if outcome.message:
            self.together.payload = outcome.message
        else:
            self._loaded_graph(loaded)
        self.link.show(bool(outcome.message))
        self._verdict.value = verdict_card(outcome.sides, self.view)
        self._table.value = table_card(outcome.sides, loaded.prepared, self.view)
        self._remark.value = cards.note(outcome.remark)
        show(self._verdict, True)
        show(self._table, True)


@dataclass(frozen=True)
class Outcome:
    """Finished runs, ready to be shown.

    Attributes
    ----------
    loaded : Loaded
    sides : list of Side
    message : bytes
        For the players; empty if nothing is played.
    remark : str
        What is not played, and why.
    """

    loaded: Loaded
    sides: list[Side]
    message: bytes
    remark: str
