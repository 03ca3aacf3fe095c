"""The widget that shows a page in lecture: full screen, large type, a clicker, speaker notes."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import anywidget
from traitlets import Unicode

from ..bundle import esm
from ..incoming import Incoming

#: The module with ``render`` and the style sheet.
ENTRY = Path(__file__).with_name("present.js")


class Present(anywidget.AnyWidget):
    """Buttons for the present mode of a page and for the window with speaker notes.

    In present mode the page shows its picture and its pseudo-code alone, in type that is read from
    the last row. PageUp and PageDown step through the events, or through the stops of a story.

    Attributes
    ----------
    notes : str
        What the page has for the speaker to say; the notes of a story come first.

    Notes
    -----
    All of it happens in the browser. The window with notes shows ``warplens:stop`` (a stop of a
    story), ``warplens:moved`` (an event) and ``warplens:explained`` (why it happened), which the
    page's other widgets announce on ``window``.
    """

    _esm = esm(ENTRY)
    _css = ENTRY.with_suffix(".css")

    incoming: ClassVar[Incoming] = Incoming()

    notes = Unicode("").tag(sync=True)
