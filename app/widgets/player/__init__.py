"""The widget that plays a record in the browser."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import traitlets

from ..family_widget import FamilyWidget
from ..incoming import Incoming, count

#: The style sheet; those of other widgets extend it.
STYLE = Path(__file__).with_name("player.css")
#: The module with ``render``.
ENTRY = Path(__file__).with_name("player.js")


class Player(FamilyWidget):
    """Plays a record: graph, proposals, matched edges; forwards, backwards, at any speed.

    The whole replay is sent once, as one message; playing sends no message to the page process.

    Parameters
    ----------
    families : iterable of str
        Families whose records it can play.
    payload : bytes
        From :func:`app.widgets.player_payload`; empty shows `placeholder`.  Set it after the page
        has loaded if it is larger than a few megabytes.

    Attributes
    ----------
    position : int
        Number of events that have happened.  Setting it moves the replay; the browser sets it when
        the replay stops.
    plays : bool
        Whether the payload begins to play by itself: not in a page that a link opens, and not for
        those who want less motion.
    cursors : list of dict
        Marks in Bokeh charts that follow the replay without a message to the page process:
        ``{"name": "weight-cursor", "columns": {"x": "iteration"}}`` writes the quantity "iteration"
        into every entry of column "x" of the ColumnDataSource with that name. Quantities: event,
        iteration, warp and time (of the last event), reached (the highest iteration so far),
        objective.
    placeholder : str
        Text shown while there is nothing to play.

    Notes
    -----
    In the browser, an event ``warplens:seek`` on ``window`` with detail ``{event: 17}`` moves the
    replay, and every move bubbles up from it as ``warplens:moved`` with the quantities above,
    the last event's kind (0 for none) and the sentence that describes it (text).
    """

    incoming: ClassVar[Incoming] = Incoming({"position": count})

    payload = traitlets.Bytes(b"").tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    plays = traitlets.Bool(False).tag(sync=True)
    cursors = traitlets.List(traitlets.Dict()).tag(sync=True)
    placeholder = traitlets.Unicode("Run an algorithm to see it play here.").tag(sync=True)

    def __init__(self, families: Iterable[str], payload: bytes = b"", **traits: Any) -> None:
        super().__init__(ENTRY, (STYLE,), families, payload=payload, **traits)

    @traitlets.observe("payload")
    def _back_to_start(self, change: Any) -> None:
        self.position = 0
