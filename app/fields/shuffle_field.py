"""The field that puts a page's graph into a random order, where its family offers that."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as w

from ..cards import note
from ..errors import Guard
from ..sources.graphs import LAST_SEED, Shuffle


class ShuffleField:
    """A check box, and a field for the seed when it is ticked.

    Parameters
    ----------
    shuffle : Shuffle or None
        None hides the field.
    on_change : callable
        Called without arguments.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    def __init__(
        self,
        shuffle: Shuffle | None,
        on_change: Callable[[], None],
        guard: Guard,
    ) -> None:
        self.ticked = w.Checkbox(value=False, indent=False)
        self.number = w.BoundedIntText(value=1, min=0, max=LAST_SEED)
        self.number.description = "Seed of the order"
        self._seed = w.VBox([self.number.add_class("ws-field")])
        self.widget = w.VBox()
        if shuffle is not None:
            self.ticked.description = shuffle.label
            self._seed.children = (*self._seed.children, w.HTML(note(shuffle.note)))
            self.widget.children = [self.ticked.add_class("ws-check"), self._seed]
        self._arrange()
        self.ticked.observe(lambda _: self._arrange(), "value")
        for field in (self.ticked, self.number):
            field.observe(guard(lambda _: on_change()), "value")

    @property
    def seed(self) -> int | None:
        """The seed of the order; None for the original order."""
        return int(self.number.value) if self.ticked.value else None

    @seed.setter
    def seed(self, seed: int | None) -> None:
        if seed is not None:
            self.number.value = seed
        self.ticked.value = seed is not None

    def _arrange(self) -> None:
        self._seed.layout.display = None if self.ticked.value else "none"
