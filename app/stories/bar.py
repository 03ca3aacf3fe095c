"""The widget that shows a story: title, stop k of n, back, next, caption, notes, questions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anywidget
from traitlets import Bool, Dict, Int, List

from ..widgets.bundle import esm
from ..widgets.incoming import Incoming, Message, count, flag, text
from .format import MOST_BYTES

#: The module with ``render`` and the style sheet.
ENTRY = Path(__file__).with_name("bar.js")
STYLE = ENTRY.with_suffix(".css")

Receive = Callable[[str, dict[str, Any]], None]


def _file(value: Any, _: Any = None) -> bool:
    """Return whether a value is a text no longer than a story can be."""
    return isinstance(value, str) and len(value) <= MOST_BYTES


class StoryBar(anywidget.AnyWidget):
    """Shows stories on the player beside it, asks questions, and records new stories.

    It moves the player by ``warplens:seek``, like charts do.

    Parameters
    ----------
    on_request : callable
        ``on_request(kind, content)``; kinds are "choose" (name), "open" (name, text), "ask" (step)
        and "leave".

    Attributes
    ----------
    story : dict
        Title, minutes and stops of the story that is shown; empty for none.
    stop : int
        Index of the current stop; the browser sets it, and setting it moves the story.
    asks : bool
        Whether questions are asked. In a story they are, elsewhere a visitor switches them on.
    question : dict
        A question outside of stories; empty for none.
    offered : list of dict
        The stories of this page: name, title, minutes.
    origin : dict
        What a recorded story is about: ``{"record": name}`` or ``{"run": words}``; empty if a
        story cannot name the run.
    recording : bool
        Whether stories can be recorded and opened here.

    Notes
    -----
    In the browser every stop is also the event ``warplens:stop`` on ``window``, with detail
    ``{title, stop, stops, caption, notes}``; without a story its detail is null. A second window
    shows the speaker notes from it.
    """

    _esm = esm(ENTRY)
    _css = STYLE

    incoming: ClassVar[Incoming] = Incoming(
        {"stop": count, "asks": flag},
        {
            "choose": Message({"name": text}),
            "open": Message({"name": text, "text": _file}),
            "ask": Message({"step": count}),
            "leave": Message(),
        },
    )

    story = Dict().tag(sync=True)
    stop = Int(0).tag(sync=True)
    asks = Bool(False).tag(sync=True)
    question = Dict().tag(sync=True)
    offered = List(Dict()).tag(sync=True)
    origin = Dict().tag(sync=True)
    recording = Bool(True).tag(sync=True)

    def __init__(self, on_request: Receive, **traits: Any) -> None:
        super().__init__(**traits)
        self._on_request = on_request
        self.on_msg(lambda _, content, __: on_request(content["kind"], content))
