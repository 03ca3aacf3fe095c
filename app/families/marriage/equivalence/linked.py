"""The widget that plays a run on a graph beside one on its men and women, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gpucore.record.wire import encode

from ....widgets.side_by_side import SideBySide

#: Families of the two runs: on the graph, and on its men and women.
FAMILIES = ("matching", "marriage")


class Linked(SideBySide):
    """Two runs on one clock; each step of one run has its counterpart in the other.

    A vertex under the pointer, or a pinned one, is highlighted on both sides: vertex v on the
    graph, and man v and woman v.

    Parameters
    ----------
    payload : bytes
        From :func:`linked_payload`; empty shows `placeholder`.
    """

    entry: ClassVar[Path] = Path(__file__).with_name("linked.js")
    sheets: ClassVar[tuple[Path, ...]] = (*SideBySide.sheets, entry.with_suffix(".css"))

    def __init__(self, **traits: Any) -> None:
        super().__init__(FAMILIES, **traits)


@dataclass(frozen=True)
class Ledger:
    """The steps of both runs in words.

    Attributes
    ----------
    mode : {"proposals", "rounds"}
        What a step is: one proposal, or one round.
    unit : str
        Name of a step.
    heads : tuple of str
        Headings of the two runs.
    rows : sequence of (str, str, bool)
        What happens on each side, and whether this agrees with the claim.
    ends : tuple of ndarray of int, shape (rows,)
        Number of events of each run after each row.
    """

    mode: str
    unit: str
    heads: tuple[str, str]
    rows: Sequence[tuple[str, str, bool]]
    ends: tuple[np.ndarray, np.ndarray]


def linked_payload(
    messages: Sequence[bytes],
    tables: Mapping[str, tuple[str, Sequence[np.ndarray]]],
    ledger: Ledger,
    *,
    vertices: int,
) -> bytes:
    """Pack two replays for :class:`Linked`.

    Parameters
    ----------
    messages : sequence of bytes
        From :func:`app.widgets.player_payload`: on the graph, and on its men and women.
    tables : mapping
        For each alignment: name, text, and a table for each run (see
        :func:`app.clock.align`); the first is the default.
    ledger : Ledger
    vertices : int
        Number of vertices of the graph: of men, and of women.

    Returns
    -------
    bytes
        See :mod:`gpucore.record.wire`.
    """
    meta = {
        "titles": list(ledger.heads),
        "n": vertices,
        "compared": [],
        "alignments": [(how, text) for how, (text, _) in tables.items()],
        "span": None,
        "ledger": {"mode": ledger.mode, "unit": ledger.unit, "rows": list(ledger.rows)},
    }
    arrays = {f"run/{k}": np.frombuffer(message, np.uint8) for k, message in enumerate(messages)}
    for how, (_, both) in tables.items():
        arrays |= {f"clock/{how}/{k}": table.astype(np.int32) for k, table in enumerate(both)}
    arrays |= {f"ends/{k}": side.astype(np.int32) for k, side in enumerate(ledger.ends)}
    return encode(meta, arrays)
