"""The widget with which a lecturer leads a live class, see :mod:`app.classroom`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import anywidget
from traitlets import Int

from ..bundle import esm
from ..incoming import Incoming, Message

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
    In the browser it follows ``warplens:moved`` of the player, ``warplens:asked`` and
    ``warplens:answered`` of questions. Steps and answers go between browser and server, not
    through the page process.
    """

    _esm = esm(ENTRY)
    _css = ENTRY.with_suffix(".css")

    incoming: ClassVar[Incoming] = Incoming({}, {"page": Message()})

    run = Int(0).tag(sync=True)

    def __init__(self, on_page: Callable[[], None]) -> None:
        super().__init__()
        self.on_msg(lambda _, content, __: on_page())

    def deliver(self, page: bytes) -> None:
        """Give the browser the run as a static page."""
        self.send({"kind": "page"}, [page])
