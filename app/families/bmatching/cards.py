"""The cards of b-matching: the sweep over b, and other roads to the same result."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

from gpucore.problems.graph.graph import Graph
from gpucore.result import Result

from ...cards.background_card import BackgroundCard
from .others import table
from .sweep import picture, sweep, words

if TYPE_CHECKING:
    from ...view import Panel, Services

_SWEEP = (
    "The b-matching of this graph for every b from 1 to 10, by b-Suitor on one core. The dashed "
    "line is a bound that no b-matching exceeds: every vertex's worst offers, added up. The weight "
    "grows less and less, since every further mate is a lighter edge."
)
_OTHERS = (
    "The greedy algorithm takes edges from the heaviest to the lightest where both ends have room. "
    "A stable assignment lets every vertex propose to its neighbours in the order of their "
    "weights, as residents do to hospitals, with b places on both sides; it knows ranks only. All "
    "end in the b-matching of this run."
)


def sweep_panel(services: Services) -> Panel:
    """Return the card of the sweep over b."""

    def work(graph: Graph, result: Result, stop: Event) -> str:
        found = sweep(graph, stop)
        b = result.params.get("b")
        text = f'<p style="margin:4px 0 12px">{words(found)}</p>'
        return text + picture(found, b if isinstance(b, int) else None)

    return BackgroundCard(services, "Weight against b", _SWEEP, work)


def methods_panel(services: Services) -> Panel:
    """Return the card that compares with other methods."""
    return BackgroundCard(services, "Other roads to the same b-matching", _OTHERS, table)
