"""The card of the cost model: costs with sliders, and the schedule that it would take."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import ipywidgets as w

from gpucore.families.sgd.cost import PLATFORMS, Costs
from gpucore.families.sgd.structure import Structure
from gpucore.format import human_time
from gpucore.problems.graph.graph import Graph
from gpucore.problems.ratings.ratings import Ratings

from ... import cards
from ...cards.run_card import RunCard
from ...fields import labelled
from .predictor import drawn, key, paper_bars, schedule_bars, verdict

if TYPE_CHECKING:
    from gpucore.result import Result

    from ...view import Services

_ABOUT = (
    "Section V of the paper: an offline schedule processes one rating of the busiest user or item "
    "between two barriers, an online one pays for locks and has few barriers. p is the time of an "
    "update, l of its locks, b of a barrier; d is the largest degree of these ratings, and f the "
    "fraction of its ratings that an online schedule processes between two barriers, estimated "
    "for shuffled ratings."
)
_REFINED = (
    "The same costs, but counted for each schedule: what its slowest thread does (or all updates "
    "or atomics together, if they take longer), its barriers, and its launches."
)
#: Threads that a visitor can choose; the last ones are about those of the paper's K40 and of newer
#: GPUs, if a thread is a group of eight lanes.
_THREADS = (2, 8, 64, 1024, 3840, 33_792)

#: Label of each slider, and the powers of ten at its ends; seconds, but for the fraction.
_SLIDERS = {
    "update": ("p, an update", -8, -4),
    "lock": ("l, its locks", -10, -4),
    "barrier": ("b, a barrier", -8, -3),
    "fraction": ("f, between two barriers", -5, 0),
}


class PredictorPanel(RunCard[tuple[Ratings, "Result"]]):
    """The cost model of one page.

    Parameters
    ----------
    services : Services
        Services of the page, see :mod:`app.view`.

    Attributes
    ----------
    widget : widget
        The card.
    """

    def __init__(self, services: Services) -> None:
        self._structure: Structure | None = None
        first = next(iter(PLATFORMS))
        self.platform = w.Dropdown(options=list(PLATFORMS), value=first)
        self.threads = w.Dropdown(options=[(f"{n:,}", n) for n in _THREADS], value=64)
        #: Sliders of the powers of ten.
        self.sliders = {
            name: w.FloatSlider(value=least, min=least, max=most, step=0.001, readout=False)
            for name, (_, least, most) in _SLIDERS.items()
        }
        fields = [labelled(_SLIDERS[name][0], slider) for name, slider in self.sliders.items()]
        choices = [labelled("Costs as on", self.platform), labelled("Threads", self.threads)]
        self._words, self._paper, self._schedules = w.HTML(), w.HTML(), w.HTML()
        grid = w.Layout(
            grid_template_columns="repeat(auto-fit, minmax(min(100%, 300px), 1fr))",
            grid_gap="12px 28px",
            width="100%",
        )
        left = w.GridBox([*choices, *fields], layout=w.Layout(grid_gap="8px", width="100%"))
        both = w.GridBox([left, w.VBox([self._words, self._paper])], layout=grid)
        super().__init__(
            services, "Which schedule? The cost model", _ABOUT, [both, self._schedules]
        )
        guard = services.guard
        self.platform.observe(guard(lambda _: self._choose_platform()), "value")
        self.threads.observe(guard(lambda _: self._count()), "value")
        for slider in self.sliders.values():
            slider.observe(guard(lambda _: self._draw()), "value")
        self._quiet = False
        self._choose_platform()
        self.clear()

    @property
    def costs(self) -> Costs:
        """The costs that the sliders say; the others are those of the platform."""
        chosen = {name: self._value(name) for name in ("update", "lock", "barrier")}
        return replace(PLATFORMS[self.platform.value], **chosen)

    @property
    def fraction(self) -> float:
        """The fraction f that its slider says."""
        return self._value("fraction")

    def _value(self, name: str) -> float:
        return float(10 ** self.sliders[name].value)

    def _set(self, name: str, value: float) -> None:
        _, least, most = _SLIDERS[name]
        self.sliders[name].value = min(max(math.log10(value), least), most)

    def clear(self) -> None:
        """Hide the card: there is no run."""
        self._structure = None
        super().clear()

    def show(self, graph: Graph, result: Result) -> None:
        """Show the model of the ratings of a run, with the tiles of its parameters."""
        assert isinstance(graph, Ratings)
        self._appear((graph, result))
        given = int(result.params.get("threads", 0))
        known = sorted({*_THREADS, *([given] if given else [])})
        self._quiet = True
        self.threads.options = [(f"{n:,}", n) for n in known]
        self.threads.value = given or 64
        self._quiet = False
        self._count()

    def _choose_platform(self) -> None:
        costs = PLATFORMS[self.platform.value]
        self._quiet = True
        for name in ("update", "lock", "barrier"):
            self._set(name, getattr(costs, name))
        self._quiet = False
        self._draw()

    def _count(self) -> None:
        """Count what the model needs, in a thread of its own; the latest choice counts."""
        if self._subject is None or self._quiet:
            return
        (ratings, result), workers = self._subject, int(self.threads.value)
        params = result.params
        tiles = {k: int(params.get(k, 32)) for k in ("tile_items", "tile_users")}
        head = float(params.get("head", 0.1))
        self._compute(lambda: Structure.of(ratings, workers, **tiles, head=head), self._counted)

    def _counted(self, found: Structure) -> None:
        self._structure = found
        self._quiet = True
        self._set("fraction", found.fraction)
        self._quiet = False
        self._draw()

    def _draw(self) -> None:
        if self._quiet:
            return
        costs, fraction = self.costs, self.fraction
        for name, slider in self.sliders.items():
            text = f"1 / {_short(1 / fraction)}" if name == "fraction" else ""
            value = text or human_time(self._value(name))
            slider.description = f"{_SLIDERS[name][0]}: {value}"
        found = self._structure
        if found is None:
            return
        self._words.value = (
            f'<p style="margin:0 0 10px">d = {found.degree:,}. '
            f"{verdict(found, costs, fraction)}</p>"
        )
        bars = paper_bars(found.degree, costs, fraction)
        self._paper.value = drawn(bars) + key("updates", "locks", "barriers")
        self._schedules.value = (
            '<h4 style="margin:14px 0 2px">A sweep of each schedule</h4>'
            + cards.note(_REFINED)
            + drawn(schedule_bars(found, costs))
            + key("work", "barriers", "launches")
        )


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or math.isclose(value, round(value)) else f"{value:.3g}"
