"""The widget that plays several records of one graph on one clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import traitlets

from gpucore.record.wire import encode

from ...clock import SHOWN, Track, align, common_unit, offered
from ..family_widget import FamilyWidget
from ..incoming import Incoming, flag
from ..player import STYLE


class SideBySide(FamilyWidget):
    """Plays records of one graph side by side; one clock drives all of them in the browser.

    Parameters
    ----------
    families : iterable of str
        Families whose records it can play.
    payload : bytes
        From :func:`side_by_side_payload`; empty shows `placeholder`.
    placeholder : str
        Text shown while there is nothing to play.

    Attributes
    ----------
    plays : bool
        Whether what it shows next plays at once; not for those who want less motion, and not where
        the page's address has a place.
    ended : bool
        The browser sets it when the clock has reached its end; it stays set.
    """

    entry: ClassVar[Path] = Path(__file__).with_name("side_by_side.js")
    sheets: ClassVar[tuple[Path, ...]] = (STYLE, Path(__file__).with_name("side_by_side.css"))

    incoming: ClassVar[Incoming] = Incoming({"ended": flag})

    payload = traitlets.Bytes(b"").tag(sync=True)
    plays = traitlets.Bool(False).tag(sync=True)
    ended = traitlets.Bool(False).tag(sync=True)
    placeholder = traitlets.Unicode("").tag(sync=True)

    def __init__(self, families: Iterable[str], **traits: Any) -> None:
        super().__init__(self.entry, self.sheets, families, **traits)


def side_by_side_payload(
    messages: Sequence[bytes],
    titles: Sequence[str],
    tracks: Sequence[Track],
    *,
    vertices: int,
    compared: Sequence[str],
    turn: str = "iteration",
) -> bytes:
    """Pack replays of one graph for :class:`SideBySide`.

    Parameters
    ----------
    messages : sequence of bytes
        Each from :func:`app.widgets.player_payload`.
    titles : sequence of str
        Names of the runs.
    tracks : sequence of Track
        Iterations and times of each run's events.
    vertices : int
        Number of vertices of the graph.
    compared : sequence of str
        State fields in which vertices are compared.
    turn : str
        The family's name of an iteration.

    Returns
    -------
    bytes
        See :mod:`gpucore.record.wire`.
    """
    ways = offered(tracks, turn)
    meta = {
        "titles": list(titles),
        "n": vertices,
        "compared": list(compared),
        "alignments": list(ways.items()),
        "span": _span(tracks) if "time" in ways else None,
    }
    arrays = {f"run/{k}": np.frombuffer(message, np.uint8) for k, message in enumerate(messages)}
    for how in ways:
        for k, table in enumerate(align(tracks, how)):
            arrays[f"clock/{how}/{k}"] = table
    return encode(meta, arrays)


def _span(tracks: Sequence[Track]) -> dict[str, object] | None:
    """Return how long the longest run takes, if all runs are shown on one scale."""
    unit = common_unit(tracks)
    if unit is None:
        return None
    last = max((int(t.time[-1]) for t in tracks if t.time is not None and len(t.time)), default=0)
    factor, shown = SHOWN[unit]
    return {"unit": shown, "length": last * factor}
