"""Where the charts of a page stand: behind tabs, and the warp map beside the picture if wanted.

The places are there before the charts, which need Bokeh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets as w

from ..fields import show

if TYPE_CHECKING:
    from ..view import View


class ChartPlaces:
    """Empty boxes for the charts of a family.

    Parameters
    ----------
    view : View
        Says which charts there are.

    Attributes
    ----------
    tabs : dict of str to widget
        The box of each tab, by the tab's text.
    side : widget
        The box beside the picture.
    tools : widget
        The box below the tabs.
    """

    def __init__(self, view: View) -> None:
        texts = ["Warps", "Progress"]
        texts += ["Counts"] * bool(view.charts.distributions)
        texts += ["More plots"] * bool(view.charts.drawings)
        self.tabs: dict[str, w.Box] = {
            text: w.VBox().add_class("ws-stack") for text in (*texts, "Ranks")
        }
        self.side = w.VBox().add_class("ws-beside")
        self.tools = w.VBox()
        self.show(False)

    def show(self, visible: bool, ranks: bool = False) -> None:
        """Show the boxes or hide them; `ranks` says whether the run was on several."""
        for text, box in self.tabs.items():
            show(box, visible and (ranks or text != "Ranks"))
        show(self.side, visible and bool(self.side.children))
        show(self.tools, visible)
