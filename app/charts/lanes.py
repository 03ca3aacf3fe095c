"""What the lanes of one warp did, as the browser draws it.

A *batch* is one instruction of a warp that recorded something: the lanes that took part have an
event each, the others waited.  A record holds nothing more about a lane; scanned edges are counted
in the rows (``edges`` of ``lane_slots``).  Kernels that do not separate their instructions may log
several events of a lane in one batch; it becomes several steps then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpucore.format import counted
from gpucore.record import Record
from gpucore.record.balance import idle_share
from gpucore.record.wire import encode
from gpucore.record.words import naming, sentence_columns

LANES = 32

#: Columns of the events that a sentence of any family may need.
_WORDS = ("kind", "a", "b", "c", "value", "iteration")


@dataclass(frozen=True)
class WarpLanes:
    """The events of one warp, by lane and step.

    Attributes
    ----------
    warp : int
    event : ndarray of int32, shape (events,)
        Their numbers in the record, ascending.
    column : ndarray of int32, shape (events,)
        The step, counted from 0 without gaps.
    lane : ndarray of uint8, shape (events,)
    columns : int
        Number of steps.
    """

    warp: int
    event: np.ndarray
    column: np.ndarray
    lane: np.ndarray
    columns: int

    @property
    def acted(self) -> np.ndarray:
        """In how many steps each lane took part; int64, shape (32,)."""
        cells = np.unique(self.column.astype(np.int64) * LANES + self.lane)
        return np.bincount(cells % LANES, minlength=LANES)

    @property
    def waited(self) -> int:
        """Number of (lane, step) cells in which a lane waited for others of its warp."""
        return int(self.columns * LANES - self.acted.sum())


def lanes_of(record: Record, warp: int) -> WarpLanes:
    """Return the events of a warp; none if the record has no events."""
    events = record.events
    if not record.num_events:
        nothing = np.empty(0, np.int32)
        return WarpLanes(warp, nothing, nothing, nothing.astype(np.uint8), 0)
    own = np.flatnonzero(events["warp"] == warp)
    iteration, batch, lane = (events[name][own] for name in ("iteration", "batch", "lane"))
    if "batch" in sentence_columns(
        record
    ):  # then each event gets its own column, not each instruction
        batch = np.zeros_like(batch)
    again = _occurrence(np.stack([iteration, batch, lane]))
    steps, column = np.unique(np.stack([iteration, batch, again]), axis=1, return_inverse=True)
    return WarpLanes(
        warp=warp,
        event=own.astype(np.int32),
        column=column.astype(np.int32),
        lane=lane.astype(np.uint8),
        columns=steps.shape[1],
    )


def _occurrence(keys: np.ndarray) -> np.ndarray:
    """Return how many earlier columns of `keys`, shape (k, n), equal each one."""
    order = np.lexsort(keys)  # stable, so equal ones stay in order
    begins = np.r_[True, np.any(np.diff(keys[:, order], axis=1), axis=0)][: len(order)]
    place = np.arange(len(order))
    found = np.empty(len(order), np.int64)
    found[order] = place - np.maximum.accumulate(np.where(begins, place, 0))
    return found


def lane_words(record: Record, lanes: WarpLanes, turn: str) -> list[str]:
    """Describe what a warp did in sentences, with the record's own sums."""
    rows = record.warps["warp"] == lanes.warp
    went = int(rows.sum())
    words = [f"Warp {lanes.warp} had work in {counted(went, turn)}."]
    if "edges" in record.warps and "lane_slots" in record.warps:
        edges, slots = record.warps["edges"][rows], record.warps["lane_slots"][rows]
        words[0] = words[0][:-1] + f" and scanned {counted(int(edges.sum()), 'edge')}."
        if slots.sum():
            busy = LANES * (1 - idle_share(edges, slots))
            words.append(
                f"While it scanned, {busy:.1f} of its {LANES} lanes were at work on average: a row "
                f"of edges is read {LANES} at a time, and the last group is seldom full."
            )
    if not record.num_events:
        words.append(
            "What each lane did is not known: this run was recorded as counters. Run a smaller "
            "graph to see the lanes."
        )
    elif not lanes.columns:
        words.append("None of its lanes recorded an event.")
    else:
        took = LANES - lanes.waited / lanes.columns
        idle = int((lanes.acted == 0).sum())
        words.append(
            f"Each column below is one step of the warp that recorded something: "
            f"{lanes.columns:,} in all. A coloured cell is a lane that took part ({took:.1f} of "
            f"{LANES} on average), a pale one a lane that waited for the others. Scanning leaves "
            "no events, so its lanes are counted apart."
        )
        if idle:
            words.append(f"{counted(idle, 'lane')} never took part.")
    return words


def lane_message(
    record: Record, warp: int, names: Sequence[str] | None = None, turn: str = "iteration"
) -> bytes:
    """Pack a warp's lanes for :class:`app.widgets.lanes.Lanes`.

    Parameters
    ----------
    record : Record
    warp : int
        One of its warps.
    names : sequence of str, optional
        Of the vertices.
    turn : str
        The family's name of an iteration.
    """
    lanes = lanes_of(record, warp)
    meta = {
        "warp": warp,
        "warps": int(record.warps["warp"].max(initial=0)) + 1,
        **naming(record, names),
        "turn": turn,
        "words": lane_words(record, lanes, turn),
        "columns": lanes.columns,
        "waited": lanes.waited,
    }
    arrays = {"event": lanes.event, "column": lanes.column, "lane": lanes.lane}
    columns = dict.fromkeys((*_WORDS, *sentence_columns(record)))  # without duplicates
    arrays |= {name: record.events[name][lanes.event] for name in columns if name in record.events}
    return encode(meta, arrays)
