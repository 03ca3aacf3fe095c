"""The widget that shows the 32 lanes of one warp over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from .bundle import esm
from .player import STYLE

LANES_STYLE = Path(__file__).parent / "lanes.css"


class Lanes(anywidget.AnyWidget):
    """Lanes × steps of a warp: what each lane did, and which waited.

    Parameters
    ----------
    payload : bytes
        From :func:`app.charts.lanes.lane_message`; empty shows `placeholder`.

    Attributes
    ----------
    asked : list of int
        Warp and iteration that the visitor asked for; the browser sets it when the chart that
        shows the warps tells of a click (event ``warpscope:warp`` on ``window``, detail
        ``{warp, iteration}``), or by the buttons of this widget (iteration -1).
    placeholder : str
        Text shown while no warp is chosen.

    Notes
    -----
    The mark that follows the replay listens to the player's ``warpscope:moved``; a click on a
    cell sends it a ``warpscope:seek``.  Neither asks anything of the kernel.
    """

    _esm = esm("lanes")
    _css = STYLE.read_text(encoding="utf-8") + LANES_STYLE.read_text(encoding="utf-8")

    payload = traitlets.Bytes(b"").tag(sync=True)
    asked = traitlets.List(traitlets.Int()).tag(sync=True)
    placeholder = traitlets.Unicode("").tag(sync=True)

    def __init__(self, payload: bytes = b"", **traits: Any) -> None:
        super().__init__(payload=payload, **traits)
