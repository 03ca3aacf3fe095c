"""The widget that reports the browser's state to the page process."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import anywidget
from traitlets import Bool

from ..incoming import Incoming, Message, flag


class Browser(anywidget.AnyWidget):
    """An invisible widget that reports properties of the browser.

    Attributes
    ----------
    dark : bool
        Whether the page is dark, by the visitor's choice or the system's setting; follows changes.
    narrow : bool
        Whether the window is as narrow as a phone's; follows changes.
    """

    _esm = Path(__file__).with_name("browser.js")

    incoming: ClassVar[Incoming] = Incoming({"dark": flag, "narrow": flag}, {"here": Message()})

    dark = Bool(False).tag(sync=True)
    narrow = Bool(False).tag(sync=True)
