"""The cards of red/blue matching: the sweep of p, the strip of coarser graphs, and the quality."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import ipywidgets as w

from gpucore.families.redblue.colours import BEST_P
from gpucore.problems.graph.graph import Graph

from ...cards.background_card import BackgroundCard
from ...fields import labelled
from .quality import table
from .strip import strip
from .sweep import CHANCES, Sweep, picture, sweep, words

if TYPE_CHECKING:
    from gpucore.result import Result

    from ...view import Panel, Services

_SWEEP = (
    "Figure 3 of the paper, for this graph: six matchings for each of nineteen chances of blue, "
    "with mean, minimum and maximum. The dashed line is equation (2), for random "
    f"choices in a large random graph; it is highest at p = {BEST_P}. The matchings are those of "
    "the kernels, with colours from MD5; the time is that of one processor core."
)
_STRIP = (
    "The paper's use of matchings: every pair becomes one vertex, edges between the same two "
    "become one edge with the sum of their weights, and the graph that is left is matched again. "
    "A graph partitioner cuts the last level, and carries the cut back to the first. Bold: the "
    "pairs that become vertices of the next level."
)
_QUALITY = (
    "Algorithms 1 and 3 draw random numbers: the mean of sixteen runs, and the standard deviation. "
    "Algorithm 2 and Suitor find the same matching, of at least half the greatest weight."
)


def sweep_panel(services: Services) -> Panel:
    """Return the card of the sweep, with a slider for the chance of blue."""
    first, last, step = float(CHANCES[0]), float(CHANCES[-1]), 0.05
    chance = w.FloatSlider(
        value=0.55, min=first, max=last, step=step, readout_format=".2f", continuous_update=True
    )

    def drawn(found: Sweep) -> str:
        text = f'<p style="margin:4px 0 12px">{words(found, chance.value)}</p>'
        return text + picture(found, chance.value)

    def work(graph: Graph, result: Result, stop: Event) -> Sweep:
        return sweep(graph, str(result.params["select"]), stop)

    slider = labelled("Chance of blue, p", chance)
    panel = BackgroundCard(services, "Every chance of blue", _SWEEP, work, drawn, (slider,))
    chance.observe(services.guard(lambda _: panel.redraw()), "value")
    return panel


def strip_panel(services: Services) -> Panel:
    """Return the card with the strip of coarser graphs."""
    return BackgroundCard(services, "Coarser and coarser", _STRIP, strip)


def quality_panel(services: Services) -> Panel:
    """Return the card that compares with other methods."""
    return BackgroundCard(services, "How good is it?", _QUALITY, table)
