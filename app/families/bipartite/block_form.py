"""The widget that draws a matrix in block triangular form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from ...widgets.bundle import esm, style
from ...widgets.incoming import Incoming, Message
from ...widgets.player import STYLE

_ENTRY = Path(__file__).with_name("block_form.js")


class BlockForm(anywidget.AnyWidget):
    """Draws a matrix in its own order and in the order of its decomposition.

    Parameters
    ----------
    on_request : callable
        ``on_request(kind)`` is called when a file is requested: "matching" or "order".

    Attributes
    ----------
    header : dict
        From :func:`app.families.bipartite.block_picture.picture_of`, with "parts" (name and text of
        each coarse part) and "words" (sentences); empty shows `placeholder`. Set after `cells`.
    cells : bytes
        From the same function.
    placeholder : str
        Text shown instead.
    """

    _esm = esm(_ENTRY)
    _css = style((STYLE, _ENTRY.with_suffix(".css")))

    incoming: ClassVar[Incoming] = Incoming({}, {"matching": Message(), "order": Message()})

    header = traitlets.Dict().tag(sync=True)
    cells = traitlets.Bytes(b"").tag(sync=True)
    placeholder = traitlets.Unicode("").tag(sync=True)

    def __init__(self, on_request: Callable[[str], None]) -> None:
        super().__init__()
        self._on_request = on_request
        self.on_msg(self._receive)

    def draw(self, header: dict[str, Any], cells: bytes) -> None:
        """Show a matrix."""
        with self.hold_sync():
            self.cells = cells
            self.header = header
            self.placeholder = ""

    def clear(self, text: str = "") -> None:
        """Show a text instead of a matrix."""
        with self.hold_sync():
            self.cells = b""
            self.header = {}
            self.placeholder = text

    def deliver(self, name: str, content: bytes) -> None:
        """Let the browser save a table."""
        self.send({"kind": "file", "name": name}, buffers=[content])

    def _receive(self, _: Any, content: dict[str, Any], __: list[Any]) -> None:
        if content.get("kind") in ("matching", "order"):
            self._on_request(content["kind"])
