"""Results of runs: they give the end away, so the replay comes first."""

from __future__ import annotations

import ipywidgets as w

from ..errors import Guard
from ..fields import show
from . import note


class Ending:
    """Cards that are hidden until the replay has ended, or until the visitor asks.

    Parameters
    ----------
    cards : widget
        Holds the cards.
    waits : str
        What is shown at the end, in one sentence.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.

    Attributes
    ----------
    widget : widget
    """

    def __init__(self, cards: w.Box, waits: str, guard: Guard) -> None:
        self._cards = cards
        self._ask = w.Button(description="Show the result now").add_class("ws-tools")
        self._ask.on_click(guard(lambda _: self._open()))
        self._waiting = w.HBox([w.HTML(note(waits)), self._ask]).add_class("ws-waiting")
        self.widget = w.VBox([self._waiting, self._cards]).add_class("ws-stack")
        self.clear()

    def clear(self) -> None:
        """Show nothing: there is no run."""
        self._events = 0
        self._known = self._opened = self._held = False
        self._update()

    def show(self, events: int) -> None:
        """Hide the cards until the end of a replay of this length; 0: there is none."""
        self._events = events
        self._known, self._opened, self._held = True, not events, False
        self._update()

    def reached(self, position: int) -> None:
        """Show the cards if the replay has ended."""
        if self._known and not self._held and position >= self._events:
            self._open()

    def hold(self, held: bool) -> None:
        """Hide the cards before the last stop of a story; show them there."""
        self._opened |= self._held and not held
        self._held = held
        self._update()

    def _open(self) -> None:
        self._opened = True
        self._update()

    def _update(self) -> None:
        seen = self._known and not self._held
        show(self._cards, seen and self._opened)
        show(self._waiting, seen and not self._opened)
        show(self.widget, seen)
