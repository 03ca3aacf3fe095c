"""The widget with which a lecturer leads a live class, see :mod:`app.classroom`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anywidget
from traitlets import Int

from ..bundle import esm
from ..incoming import Incoming, Message, text

#: The module with ``render`` and the style sheet.
ENTRY = Path(__file__).with_name("classroom.js")


class Classroom(anywidget.AnyWidget):
    """Begins a class, shows its address, how many follow, and what they answer.

    Parameters
    ----------
    on_page : callable
        Called when the browser wants the run as a page; the answer is :meth:`deliver`.

    Attributes
    ----------
    run : int
        Number of the run on the page; 0 if there is none to show.

    Notes
    -----
    In the browser it follows ``warplens:moved`` and ``warplens:pinned`` of the player,
    ``warplens:stop`` of stories, ``warplens:asked`` and ``warplens:answered`` of questions. They go
    from browser to server, not through the page process, which only draws the QR code of the
    address.
    """

    _esm = esm(ENTRY)
    _css = ENTRY.with_suffix(".css")

    incoming: ClassVar[Incoming] = Incoming(
        {}, {"page": Message(), "code": Message({"address": text})}
    )

    run = Int(0).tag(sync=True)

    def __init__(self, on_page: Callable[[], None]) -> None:
        super().__init__()
        self._on_page = on_page
        self.on_msg(self._receive)

    def _receive(self, _: Any, content: dict[str, Any], __: list[Any]) -> None:
        if content["kind"] == "page":
            self._on_page()
        else:
            self.send({"kind": "code", "picture": code_of(content["address"])})

    def deliver(self, page: bytes) -> None:
        """Give the browser the run as a static page."""
        self.send({"kind": "page"}, [page])


def code_of(address: str) -> str:
    """Return the QR code of an address as a ``data:`` address; empty if it is too long for one."""
    import segno  # imported on call: it takes as long as the rest of a page's widgets

    try:
        code = segno.make_qr(address, error="m")
    except segno.DataOverflowError:
        return ""
    # White around it in every theme: phones do not read light codes on dark ground.
    return str(code.svg_data_uri(border=3, light="#fff"))
