"""Boxes that hold a Bokeh plot, or the reason why there is none."""

from __future__ import annotations

from typing import Any, ClassVar

import ipywidgets as w
from bokeh.models import LayoutDOM
from jupyter_bokeh import BokehModel

from .. import cards
from ..widgets.incoming import Incoming


class _Chart(BokehModel):
    """A Bokeh plot that can be closed twice: by us, and when Python collects it.

    The browser's changes of the plot, such as its zoom, stay in the browser.
    """

    incoming: ClassVar[Incoming] = Incoming(ignores=True)

    _is_closed = False

    def close(self) -> None:
        """Remove the plot from the browser and from the page process."""
        if not self._is_closed:
            self._is_closed = True
            super().close()


def put(box: w.Box, plot: LayoutDOM | str) -> None:
    """Replace the content of a box by a plot or a sentence."""
    old = box.children
    if isinstance(plot, str):
        box.children = [w.HTML(cards.note(plot)).add_class("ws-nochart")]
    else:
        box.children = [_Chart(plot)]
    for child in old:
        for part in (child, child.layout, getattr(child, "style", None)):
            if part is not None:
                part.close()


def card(title: str, tabs: list[w.Widget], box: w.Box, below: w.Widget) -> w.Box:
    """Return a card: heading, tabs beside it, a chart, and notes below."""
    head = w.HBox([w.HTML(f"<h3>{title}</h3>"), *tabs]).add_class("ws-head")
    return w.VBox([head, box, below]).add_class("ws-card")


def tabs(options: list[tuple[str, Any]], what: str) -> w.ToggleButtons:
    """Return a row of joined tabs; `what` labels it for screen readers."""
    return w.ToggleButtons(options=options, tooltips=[what] * len(options)).add_class("ws-tabs")
