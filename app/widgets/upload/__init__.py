"""A file from the visitor's computer, refused in the browser if it is too large.

ipywidgets' own upload knows no limit: a larger file closes the connection without a message.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anywidget
from traitlets import Bool, Int, Unicode

from gpucore.format import human_bytes

from ..incoming import Incoming, Message, text


class Upload(anywidget.AnyWidget):
    """A place to choose or drop one file.

    The file comes as a message and never becomes part of the widget's state, which Jupyter would
    echo to the browser.

    Parameters
    ----------
    limit : int
        Largest file in bytes.
    on_file : callable
        Called with the file's name and content.
    suffixes : tuple of str
        Endings that the browser offers.
    label : str
        Names the field for screen readers.
    paste : bool
        Whether lines can be pasted, too; they come as a file ``pasted.txt``.
    """

    _esm = Path(__file__).with_name("upload.js")

    incoming: ClassVar[Incoming] = Incoming({}, {"file": Message({"name": text}, buffers=1)})

    limit = Int().tag(sync=True)
    limit_text = Unicode().tag(sync=True)
    accept = Unicode().tag(sync=True)
    label = Unicode("Graph file").tag(sync=True)
    paste = Bool(False).tag(sync=True)

    def __init__(
        self,
        limit: int,
        on_file: Callable[[str, bytes], None],
        suffixes: tuple[str, ...],
        label: str = "Graph file",
        *,
        paste: bool = False,
    ) -> None:
        super().__init__(
            limit=limit,
            limit_text=human_bytes(limit),
            accept=",".join(suffixes),
            label=label,
            paste=paste,
        )
        self._on_file = on_file
        self.on_msg(self._receive)

    def _receive(self, _: Any, content: dict[str, Any], buffers: list[Any]) -> None:
        if content.get("kind") == "file":
            self._on_file(content["name"], bytes(buffers[0]))
