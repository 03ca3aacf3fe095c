"""A row of tabs above panels of other widgets; the browser alone changes between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import ipywidgets as w
from traitlets import Bool, Int, List, Unicode

from ..bundle import esm
from ..incoming import Incoming, count

#: The style sheet; the code widget uses it, too.
STYLE = Path(__file__).with_name("tabs.css")


class Tabs(anywidget.AnyWidget):
    """The row of tabs; the panels are the widgets that follow it in its box.

    Attributes
    ----------
    label : str
        Name of the row for screen readers.
    texts : list of str
        One tab each.
    offered : list of bool
        Which tabs are shown.
    chosen : int
        The open tab; the browser sets it.
    """

    _esm = esm(Path(__file__).with_name("tabs.js"))
    _css = STYLE

    incoming: ClassVar[Incoming] = Incoming({"chosen": count})

    label = Unicode("").tag(sync=True)
    texts = List(Unicode()).tag(sync=True)
    offered = List(Bool()).tag(sync=True)
    chosen = Int(0).tag(sync=True)


def tabbed(label: str, panels: Sequence[tuple[str, w.Widget]]) -> w.Box:
    """Return a box with a tab for each panel; the tab of a panel that is not shown is hidden.

    Parameters
    ----------
    label : str
        Name of the row for screen readers.
    panels : sequence of (str, widget)
        Text of each tab, and what it shows.
    """
    widgets = [widget for _, widget in panels]
    row = Tabs(label=label, texts=[text for text, _ in panels])
    box = w.VBox([row, *(w.VBox([widget]).add_class("wv-panel") for widget in widgets)])

    def offer(_: Any = None) -> None:
        row.offered = [widget.layout.display != "none" for widget in widgets]
        box.layout.display = None if any(row.offered) else "none"

    for widget in widgets:
        widget.layout.observe(offer, "display")
    offer()
    return box.add_class("wv-tabbed")
