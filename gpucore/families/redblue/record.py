"""Records of red/blue matching: round after round vertices are coloured, propose, respond, match.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching" (Facing the
Multicore-Challenge II, 2012), algorithm 3.

An iteration of the record is a sub-step of a round, ``4 * round + sub-step``.  In a sub-step every
memory word has exactly one writer and no vertex reads what others write, so its events are not
ordered among each other; the record sorts them by the time at which they were logged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from gpucore.families.redblue.timeline import (
    Kind,
    redblue_timeline,
    weight_after,
)
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.record import (
    About,
    Record,
    event_columns,
    make_header,
    reordered,
    row_columns,
    sum_by_iteration,
)

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.numbering import Permuted
    from gpucore.record.recorder import RawRecord

#: The eight words of a row; ``looked`` are vertices visited, ``live`` those of them that were
#: neither matched nor dead, ``lane_slots`` lanes, busy or idle, while ``edges`` were scanned.
ROW_WORDS = (
    "looked",
    "live",
    "edges",
    "lane_slots",
    "proposals",
    "responses",
    "matched",
    "dead",
)
#: The sub-steps of a round, in order.
SUB_STEPS = ("colour", "propose", "respond", "match")

#: All kinds of events; sentences are filled in by :mod:`gpucore.record.words`.
EVENTS = (
    EventKind(
        Kind.COLOUR,
        "is coloured",
        "accent",
        "{a} is coloured [b=0|blue: it may propose|red: it may be proposed to]",
    ),
    EventKind(
        Kind.PROPOSE,
        "proposes",
        "tried",
        "{a}, which is blue, proposes to {b} over an edge of weight {value}",
    ),
    EventKind(
        Kind.RESPOND,
        "responds",
        "red",
        "{a}, which is red, chooses the proposal of {b}, of weight {value}",
    ),
    EventKind(
        Kind.MATCH,
        "is matched",
        "done",
        "{a} is matched with {b} ({value}): they chose each other",
    ),
    EventKind(
        Kind.DIE,
        "is dead",
        "minor",
        "{a} has no live neighbour left and is dead: it stays alone",
    ),
    EventKind(
        Kind.TAKE,
        "takes a neighbour",
        "done",
        "{a} takes {b}, which is still free: they are matched with {value}",
        host=True,
    ),
)
BANDS = (
    Band("accent", "colours"),
    Band("tried", "proposals"),
    Band("red", "responses"),
    Band("done", "matches"),
    Band("minor", "deaths"),
)


def redblue_record(
    raw: RawRecord,
    graph: Graph,
    *,
    rounds: Sequence[Mapping[str, Any]],
    mate: np.ndarray,
    weight_of_mate: np.ndarray,
    **about: Unpack[About],
) -> Record | None:
    """Make the record of a run of red/blue matching.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`; iterations are ``4 * round + sub-step``.
    graph : Graph
        The problem, with n vertices.
    rounds : sequence of mapping
        One a round, JSON-able: live (vertices, before it), matched and dead (vertices, in it),
        and, where the host knows it, weight (of the matching after it).
    mate : ndarray of int32, shape (n,)
        Final mates, as the kernels report them; -1 for none.
    weight_of_mate : ndarray of float, shape (n,)
        Weight of the edge to the mate, 0 without one.
    **about
        What ran; see :func:`gpucore.record.record.make_header`.

    Returns
    -------
    Record or None
        None if nothing was recorded.  ``final`` has ``mate`` and ``weight`` (float32).
    """
    if raw.level == "off":
        return None
    header = make_header(raw, graph, family="redblue", **about)
    header["rounds"] = [dict(one) for one in rounds]
    header["consistent"] = True
    events = event_columns(raw)
    order = np.lexsort((raw.times, events["iteration"]))
    events = reordered(events, order, raw.times)
    weight = np.array(weight_of_mate, dtype=np.float32)
    # A vertex that matches reads no edge; the weight of its edge is known after the run.
    matches = events["kind"] == Kind.MATCH
    events["value"][matches] = weight[events["a"][matches]]
    warps = row_columns(raw, ROW_WORDS, floats=())
    steps = _steps_table(rounds, warps, events)
    steps["objective"] = (
        weight_after(events)[np.searchsorted(events["iteration"], steps["iteration"], "right")]
        if raw.level == "events" and not raw.lost_events
        else _weight_after_steps(rounds, steps, float(weight.sum(dtype=np.float64)) / 2)
    )
    return Record(
        header=header,
        steps=steps,
        warps=warps,
        events=events,
        initial={},
        final={"mate": np.array(mate, dtype=np.int32), "weight": weight},
    )


def in_graph_numbers(raw: RawRecord, other: Permuted) -> RawRecord:
    """Translate the events of a run to the vertex numbers of the given graph."""
    events, order = raw.events.copy(), other.order
    words = events.view(np.int32)
    words[:, 3] = order[words[:, 3]]
    pairs = (events[:, 2] & 0xFF) != Kind.COLOUR
    words[pairs, 4] = np.where(words[pairs, 4] >= 0, order[words[pairs, 4]], -1)
    return replace(raw, events=events)


def _steps_table(
    rounds: Sequence[Mapping[str, Any]],
    warps: Mapping[str, np.ndarray],
    events: Mapping[str, np.ndarray],
) -> dict[str, np.ndarray]:
    """Return the sums over the warps of every sub-step, and the host's numbers of its round.

    The columns live (before the round), matched and dead (in it) are equal in all four sub-steps.
    """
    latest = [int(events["iteration"].max(initial=-1)), int(warps["iteration"].max(initial=-1))]
    count = max(4 * len(rounds), *(4 * (last // 4 + 1) for last in latest))
    iteration = np.arange(count, dtype=np.int32)
    steps = {"iteration": iteration, "round": iteration // 4, "sub_step": iteration % 4}
    steps |= sum_by_iteration(warps, ROW_WORDS, count)
    for name in ("live", "matched", "dead"):
        known = np.zeros(count // 4, dtype=np.int64)
        known[: len(rounds)] = [one[name] for one in rounds]
        steps[name] = np.repeat(known, 4)
    return steps


def _weight_after_steps(
    rounds: Sequence[Mapping[str, Any]], steps: Mapping[str, np.ndarray], whole: float
) -> np.ndarray:
    """Return the weight after each sub-step as the host knows it: at least that of the end."""
    weight = np.zeros(len(steps["iteration"]))
    after = [float(one.get("weight", 0.0)) for one in rounds]
    for number, value in enumerate(after):
        weight[4 * number + 3 :] = value
    weight[-1:] = whole
    return weight


RECORD = RecordKind(EVENTS, BANDS, redblue_timeline)
