"""The place for exports below the player: links, records, pictures, animations, pages, charts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anywidget
from traitlets import Bool, Int, Unicode

from ..bundle import esm
from ..incoming import Incoming, Message, count, text
from .animation import MOST_FRAMES

#: The style sheet; the link bar uses it, too.
STYLE = Path(__file__).with_name("export_bar.css")

Answer = Callable[[str, dict[str, Any], list[bytes]], None]


class ExportBar(anywidget.AnyWidget):
    """Copy a link, save record, picture, animation, page, the time axis or a chart.

    The browser makes pictures, tables and vectors. The page process makes the other files: the
    browser requests one by a message, and the file comes back as one.

    Parameters
    ----------
    on_request : callable
        ``on_request(kind, content, buffers)``; kinds are "record", "page", "gif" and "frame".

    Attributes
    ----------
    query : str
        The link's words without the step; empty if there is no link.
    reason : str
        Why there is no link.
    playing : bool
        Whether there is a replay.
    name : str
        Name of the files, without their endings.
    search : str
        The part of the page's address behind the question mark, sent by the browser. A page
        process of the pool starts before the page is requested, so it cannot know it otherwise.
    frames : int
        Largest number of frames of an animation.
    """

    _esm = esm(Path(__file__).with_name("export_bar.js"))
    _css = STYLE

    incoming: ClassVar[Incoming] = Incoming(
        {"search": text},
        {
            "record": Message(),
            "page": Message({"position": count}),
            "gif": Message({"count": count, "milliseconds": count}),
            "frame": Message(buffers=1),
        },
    )

    query = Unicode("").tag(sync=True)
    reason = Unicode("").tag(sync=True)
    playing = Bool(False).tag(sync=True)
    name = Unicode("warplens").tag(sync=True)
    search = Unicode("").tag(sync=True)
    frames = Int(MOST_FRAMES).tag(sync=True)

    def __init__(self, on_request: Answer) -> None:
        super().__init__()
        self._on_request = on_request
        self.on_msg(self._receive)

    def _receive(self, _: Any, content: dict[str, Any], buffers: list[Any]) -> None:
        kind = content.get("kind")
        if kind in ("record", "page", "gif", "frame"):
            self._on_request(kind, content, [bytes(buffer) for buffer in buffers])

    def deliver(self, name: str, media_type: str, content: bytes) -> None:
        """Let the browser save a file."""
        self.send({"kind": "file", "name": name, "type": media_type}, buffers=[content])

    def refuse(self) -> None:
        """Report to the browser that its request failed; the page shows the error."""
        self.send({"kind": "refused"})
