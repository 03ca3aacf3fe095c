"""The widget that shows the 32 lanes of one warp over time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import traitlets

from ..family_widget import FamilyWidget
from ..incoming import Incoming, place
from ..player import STYLE

_ENTRY = Path(__file__).with_name("lanes.js")
#: Style sheets: the player's and the lanes' own.
STYLES = (STYLE, _ENTRY.with_suffix(".css"))


class Lanes(FamilyWidget):
    """Lanes × steps of a warp: what each lane did, and which waited.

    Parameters
    ----------
    families : iterable of str
        Families whose warps it can show.
    payload : bytes
        From :func:`app.charts.lanes.lane_message`; empty shows `placeholder`.

    Attributes
    ----------
    asked : list of int
        Warp and iteration that the visitor asked for; the browser sets it when the chart that
        shows the warps reports a click (event ``warplens:warp`` on ``window``, detail
        ``{warp, iteration}``), or by the buttons of this widget (iteration -1).
    placeholder : str
        Text shown while no warp is chosen.

    Notes
    -----
    The mark that follows the replay listens to the player's ``warplens:moved``; a click on a
    cell sends it a ``warplens:seek``.  Neither sends a message to the page process.
    """

    incoming: ClassVar[Incoming] = Incoming({"asked": place})

    payload = traitlets.Bytes(b"").tag(sync=True)
    asked = traitlets.List(traitlets.Int()).tag(sync=True)
    placeholder = traitlets.Unicode("").tag(sync=True)

    def __init__(self, families: Iterable[str], payload: bytes = b"", **traits: Any) -> None:
        super().__init__(_ENTRY, STYLES, families, payload=payload, **traits)
