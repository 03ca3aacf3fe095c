"""The card that chooses the pair of runs, and which vertex starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import ipywidgets as w
import numpy as np

from gpucore.problems.graph.graph import Graph

from .... import cards
from ....fields import labelled, show
from ....sources.graphs import LAST_SEED
from .paired_runs import MODES, ORDERS

if TYPE_CHECKING:
    from ....errors import Guard

_NOTES = {
    "proposals": "A vertex that proposes to another, and displaces its suitor, is a man who "
    "proposes to a woman, and she leaves another man for him. A displaced man goes on at once; "
    "only the order of the first turns can be chosen.",
    "rounds": "A pointer asks for a neighbour until that one is matched; a woman refuses a man as "
    "soon as she has a better one. So men may be ahead of their vertices, and never behind.",
}


class PairChooser:
    """Card to choose the pair of runs.

    Parameters
    ----------
    on_change : callable
        Called without arguments when the choice has changed.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.

    Attributes
    ----------
    mode, order, seed : widget
        The fields.
    widget : widget
        The card.
    """

    def __init__(self, on_change: Callable[[], None], guard: Guard) -> None:
        self._on_change = on_change
        #: True while several fields are being set.
        self._quiet = False
        self.mode = w.ToggleButtons(options=[(text, name) for name, text in MODES.items()])
        self.mode.add_class("ws-tabs")
        self.order = w.Dropdown(options=[(text, name) for name, (text, _) in ORDERS.items()])
        self.seed = w.BoundedIntText(value=1, min=0, max=LAST_SEED)
        self._order, self._seed = labelled("First turn", self.order), labelled("Seed", self.seed)
        self._note = w.HTML()
        turns = w.HBox([self._order, self._seed]).add_class("ws-pair")
        heading = w.HTML("<h2>What is linked</h2>")
        self.widget = w.VBox([heading, self.mode, self._note, turns]).add_class("ws-card")
        for field in (self.mode, self.order, self.seed):
            field.observe(guard(lambda _: self._changed()), "value")
        self._offer()

    def choose(self, mode: str, order: str, seed: int) -> None:
        """Set the fields; `on_change` is not called."""
        self._quiet = True
        self.mode.value, self.order.value, self.seed.value = mode, order, seed
        self._quiet = False

    def turns(self, graph: Graph) -> np.ndarray:
        """Return the vertices of a graph in the chosen order of their first turns."""
        return ORDERS[self.order.value][1](graph, int(self.seed.value))

    def _offer(self) -> None:
        """Show the fields that apply to the current choice."""
        self._note.value = cards.note(_NOTES[self.mode.value])
        show(self._order, self.mode.value == "proposals")
        show(self._seed, self.mode.value == "proposals" and self.order.value == "random")

    def _changed(self) -> None:
        self._offer()
        if not self._quiet:
            self._on_change()
