"""Records of greedy colouring: round after round some vertices take their colours.

An iteration of the record is a round. Events of one round have no order among each other, since
neighbours never take their colours together; the record shows them by their times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.record import (
    Record,
    elapsed,
    event_columns,
    make_header,
    row_columns,
    sum_by_iteration,
)
from gpucore.record.timeline import (
    Timeline,
    check_events,
    incomplete,
    join_changes,
    make_timeline,
)

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.record.recorder import RawRecord


class Kind(IntEnum):
    """Kinds of events, as the kernel numbers them."""

    TAKE = 1  # vertex a takes colour b


#: All kinds of events; sentences are filled in by :mod:`gpucore.record.words`.
EVENTS = (
    EventKind(
        Kind.TAKE,
        "takes a colour",
        "done",
        "{a} takes colour {b#}, the smallest that none of its neighbours has",
    ),
)
BANDS = (Band("done", "colours"),)

#: The words of a row; ``lane_slots`` are lanes, busy or idle, while ``edges`` were scanned.
ROW_WORDS = ("looked", "open", "edges", "lane_slots", "taken")


def colouring_record(
    raw: RawRecord,
    graph: Graph,
    *,
    params: Mapping[str, Any],
    device: Mapping[str, Any],
    rounds: Sequence[Mapping[str, int]],
    colour: np.ndarray,
) -> Record | None:
    """Make the record of a run, or None if nothing was recorded.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`; iterations are rounds.
    graph, params, device
        See :func:`gpucore.record.record.make_header`.
    rounds : sequence of mapping
        One a round: open (vertices without a colour before it), colours (in use after it).
    colour : ndarray of int32, shape (n,)
        In the end.
    """
    if raw.level == "off":
        return None
    header = make_header(
        raw, graph, family="colouring", algorithm="colouring", params=params, device=device
    )
    header["consistent"] = True
    events = event_columns(raw)
    order = np.lexsort((raw.times, events["iteration"]))
    events = {name: column[order] for name, column in events.items()}
    events["time"] = elapsed(raw.times[order])
    warps = row_columns(raw, ROW_WORDS, floats=())
    steps = {
        "iteration": np.arange(len(rounds), dtype=np.int32),
        **sum_by_iteration(warps, ROW_WORDS, len(rounds)),
        "objective": np.array([one["colours"] for one in rounds], dtype=np.float64),
    }
    return Record(
        header=header,
        steps=steps,
        warps=warps,
        events=events,
        initial={},
        final={"colour": np.array(colour, dtype=np.int32)},
    )


def colouring_timeline(record: Record) -> Timeline:
    """Turn the events of a record into changes of the field ``colour``, which begins at -1.

    It is exact if every vertex takes one colour, and the one that the kernel reported in the end.
    """
    check_events(record, "colouring", "a colouring")
    events, colour = record.events, record.final.get("colour")
    if colour is None or colour.dtype != np.int32:
        raise RecordError("the record is damaged: it lacks the final colours; make it again")
    n = len(colour)
    strange = (events["a"] < 0) | (events["a"] >= n) | ~np.isin(events["kind"], list(Kind))
    if strange.any():
        raise RecordError("the record is damaged: an event is of no vertex or kind; make it again")
    every = np.arange(record.num_events)
    changes = join_changes([(every, 0, events["a"], events["b"])])
    return make_timeline(no_colours(n), record.num_events, changes, _doubt(record, colour))


def no_colours(n: int) -> dict[str, np.ndarray]:
    """Return the state of `n` vertices before the first event."""
    return {"colour": np.full(n, -1, np.int32)}


def colours_after(timeline: Timeline) -> np.ndarray:
    """Return the number of colours in use after 0, 1, ... events: float64, shape (events + 1,)."""
    largest = np.maximum.accumulate(np.append(-1, timeline.new))
    return (largest[timeline.offsets] + 1).astype(np.float64)


def _doubt(record: Record, colour: np.ndarray) -> str:
    """Say why the timeline is not exact; nothing if it is."""
    if lacking := incomplete(record):
        return lacking
    events = record.events
    if np.any(np.bincount(events["a"], minlength=len(colour)) != 1):
        return "not every vertex takes one colour"
    if not np.array_equal(colour[events["a"]], events["b"]):
        return "the events do not lead to the colours that the kernel reported"
    return ""


RECORD = RecordKind(EVENTS, BANDS, colouring_timeline)
