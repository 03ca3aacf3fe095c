"""What the kernel needs to know of the browser."""

from __future__ import annotations

from pathlib import Path

import anywidget
from traitlets import Bool, Unicode


class Browser(anywidget.AnyWidget):
    """An invisible widget that tells about the browser.

    Attributes
    ----------
    dark : bool
        Whether the visitor's system asks for dark pages; follows a change.
    search : str
        The part of the address after the question mark. A kernel from the pool was started
        before anybody asked for the page and cannot know it otherwise.
    """

    _esm = Path(__file__).with_name("browser.js")

    dark = Bool(False).tag(sync=True)
    search = Unicode("").tag(sync=True)
