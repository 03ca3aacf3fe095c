"""The button that copies a link to runs side by side; it also reports the page's own link."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anywidget
from traitlets import Unicode

from ..bundle import esm
from ..export_bar import STYLE
from ..incoming import Incoming, Message, count, text


class LinkBar(anywidget.AnyWidget):
    """Copies a link; the browser adds the place of the common clock.

    Parameters
    ----------
    on_beyond : callable
        ``on_beyond(position, length)``: a link's position lies behind the end of the runs.
    reason : str
        Why there is no link at first.

    Attributes
    ----------
    query : str
        The link's words without the place; empty if there is no link.
    reason : str
        Why there is no link.
    search : str
        The part of the page's address behind the question mark, sent by the browser.
    """

    _esm = esm(Path(__file__).with_name("link_bar.js"))
    _css = STYLE

    incoming: ClassVar[Incoming] = Incoming(
        {"search": text}, {"beyond": Message({"position": count, "length": count})}
    )

    query = Unicode("").tag(sync=True)
    reason = Unicode("").tag(sync=True)
    search = Unicode("").tag(sync=True)

    def __init__(self, on_beyond: Callable[[int, int], None], reason: str = "") -> None:
        super().__init__(reason=reason)
        self._on_beyond = on_beyond
        self.on_msg(self._receive)

    def _receive(self, _: Any, content: dict[str, Any], __: list[Any]) -> None:
        if content.get("kind") == "beyond":
            self._on_beyond(content["position"], content["length"])

    def go(self, how: str, position: int) -> None:
        """Move the common clock to a place, once the browser has the runs."""
        self.send({"how": how, "position": position})
