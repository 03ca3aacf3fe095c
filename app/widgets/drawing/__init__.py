"""A canvas on which a visitor draws a graph; it comes as a small Matrix Market file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import numpy as np
from traitlets import Int

from ..bundle import esm
from ..incoming import Incoming, Message

_HERE = Path(__file__)


class Drawing(anywidget.AnyWidget):
    """A canvas for a graph: a click is a vertex, a drag is an edge, weights are typed.

    Arrow keys move a cross on the canvas, Enter puts a vertex there or begins and ends an edge,
    N and E go from vertex to vertex and from edge to edge, digits set the weight of the chosen
    edge, Delete deletes what is chosen, Ctrl+Z undoes.

    Parameters
    ----------
    on_drawn : callable
        Called with the text of a Matrix Market file and with the vertices' places, shape (n, 2),
        the y-axis up.

    Attributes
    ----------
    most_vertices, most_edges : int
        The browser draws no more.
    """

    _esm = esm(_HERE.with_name("drawing.js"))
    _css = _HERE.with_name("drawing.css")

    incoming: ClassVar[Incoming] = Incoming({}, {"drawing": Message(buffers=2)})

    most_vertices = Int(60).tag(sync=True)
    most_edges = Int(200).tag(sync=True)

    def __init__(self, on_drawn: Callable[[bytes, np.ndarray], None]) -> None:
        super().__init__()
        self._on_drawn = on_drawn
        self.on_msg(self._receive)

    def _receive(self, _: Any, content: dict[str, Any], buffers: list[Any]) -> None:
        if content.get("kind") == "drawing":
            places = bytes(buffers[1])
            # Of another length it is no list of places; the reader of the drawing refuses it.
            whole = places[: len(places) // 8 * 8]
            self._on_drawn(bytes(buffers[0]), np.frombuffer(whole, "<f4").reshape(-1, 2))
