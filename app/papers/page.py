"""The page that shows the papers' figures, printed numbers and statements beside ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as w

from gpucore.bench.papers.charts import chart_of

from .. import cards
from ..charts.box import put
from ..charts.theme import DARK, LIGHT
from ..errors import Reporter
from ..fields import labelled
from ..widgets.browser import Browser
from ..widgets.local_export import LocalExport
from . import data, words
from .charts import draw


def says(figure: Mapping[str, Any]) -> tuple[int, bool]:
    """Return how many kinds of verdicts a figure has, and whether it has a chart."""
    verdicts = {one["holds"] for one in figure["expectations"]}
    return len(verdicts & {True, False}), bool(figure["charts"])


def telling(figures: Sequence[Mapping[str, Any]]) -> int:
    """Return the first of the figures that say most."""
    return max(range(len(figures)), key=lambda number: says(figures[number]))


def telling_paper() -> str:
    """Return the first of the papers with a figure that agrees and differs."""

    def most(name: str) -> tuple[int, bool]:
        return max(map(says, data.load(name)["figures"]), default=(0, False))

    return max(data.names(), key=most)


class PapersPage:
    """The page: choose a paper and a figure on the left, see both sides on the right.

    Attributes
    ----------
    paper, figure : Dropdown
        The choices.
    reporter : Reporter
        Reports errors on the page.
    widget : widget
        The whole page.
    """

    def __init__(self) -> None:
        self.reporter = Reporter(self)
        guard = self.reporter.guard
        self._errors = w.HTML()
        self.paper = w.Dropdown(options=[(self._title(n), n) for n in data.names()])
        self.figure = w.Dropdown(options=[])
        self.browser = Browser().add_class("ws-hidden")
        self._overview = w.HTML()
        self._head, self._beside, self._tables, self._where = (w.HTML() for _ in range(4))
        self._charts = w.VBox().add_class("ws-stack")
        self.export = LocalExport()
        self.paper.observe(guard(lambda _: self._choose_paper()), "value")
        self.figure.observe(guard(lambda _: self._choose_figure()), "value")
        self.browser.observe(guard(lambda _: self._draw()), ["dark", "narrow"])
        self.widget = self._arrange()

    @staticmethod
    def _title(name: str) -> str:
        paper = data.load(name)
        return f"{paper['source'].partition(',')[0]} and others: {paper['title']}"

    def _arrange(self) -> w.Box:
        choose = w.VBox([labelled("Paper", self.paper), labelled("Figure", self.figure)]).add_class(
            "ws-card"
        )
        about = w.VBox([self._overview]).add_class("ws-card")
        side = w.VBox([choose, about]).add_class("ws-side")
        parts = [self._head, self._beside, self._charts, self._tables, self._where, self.export]
        self._shown = w.VBox(parts).add_class("ws-card").add_class("ws-paper")
        main = w.VBox([self._errors, self._shown]).add_class("ws-main")
        return w.HBox([side, main, self.browser]).add_class("ws-app")

    def start(self) -> None:
        """Show a paper that agrees with ours in one point and differs in another."""
        self.paper.value = telling_paper()
        self._choose_paper()

    def between(self, act: Callable[[], None]) -> None:
        """Act at once: nothing changes this page in the background."""
        act()

    def show_error(self, title: str, text: str) -> None:
        """Show an error above everything else."""
        self._errors.value = cards.error_card(title, text)

    @property
    def shown(self) -> dict[str, Any]:
        """The chosen figure's data."""
        return data.load(self.paper.value)["figures"][self.figure.value]

    def _choose_paper(self) -> None:
        paper = data.load(self.paper.value)
        self._overview.value = words.overview(paper)
        options = []
        for number, figure in enumerate(paper["figures"]):
            label = figure["number"][:1].upper() + figure["number"][1:]
            options.append((f"{label}: {figure['title']}", number))
        self.figure.options = options
        self.figure.value = telling(paper["figures"]) if options else None
        self._choose_figure()
        self._shown.layout.display = None if options else "none"

    def _choose_figure(self) -> None:
        if self.figure.value is None:  # between two lists of figures
            return
        figure = self.shown
        self._head.value = words.heading(figure)
        self._beside.value = words.beside(figure)
        self._tables.value = words.tables(figure)
        self._where.value = words.measured_on(figure)
        self._draw()

    def _draw(self) -> None:
        if self.figure.value is None:
            return
        colours = DARK if self.browser.dark else LIGHT
        number = re.sub(r"[^a-z0-9]+", "-", self.shown["number"].lower()).strip("-")
        self.export.name = f"{self.paper.value}-{number}"
        charts = self.shown["charts"]
        shown = list(self._charts.children)
        while len(shown) < len(charts):
            shown.append(w.VBox([w.HTML(), w.VBox()]))
        for one, chart in zip(shown, charts, strict=False):
            title, box = one.children
            title.value = words.chart_title(chart)
            put(box, draw(chart_of(chart), colours, narrow=self.browser.narrow))
        for one in shown[len(charts) :]:
            title, box = one.children
            title.value = ""
            put(box, "")
        self._charts.children = shown
