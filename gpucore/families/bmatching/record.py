"""Records of b-Suitor, whose rows are those of Suitor.

Source of the algorithm: see :mod:`gpucore.families.bmatching.run`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from gpucore.families.bmatching.order import Kind, dependencies, own_turns
from gpucore.families.bmatching.refusals import Stacks, ties
from gpucore.families.bmatching.timeline import bmatching_timeline
from gpucore.families.matching.record import counters
from gpucore.record.causes import causes_first
from gpucore.record.constraints import Dependencies
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.record import About, Columns, Record, event_columns, make_header, reordered

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.record.recorder import RawRecord

EVENTS = (
    EventKind(
        Kind.PROPOSE,
        "makes an offer that is taken",
        "tried",
        "{a} proposes to {b} with {value}, and {b} takes the offer",
    ),
    EventKind(
        Kind.DROP,
        "an offer falls out",
        "undone",
        "at {b} the offer of {c} falls out ({value}), pushed by that of {a}"
        "[tie=1|, which is equal: the larger number wins|]",
        atomic=True,
    ),
    EventKind(
        Kind.OUTBID,
        "is refused",
        "minor",
        "{a} proposes to {b} with {value}, but "
        "[tie=0|{b} holds better offers only|]"
        "[tie=1|the weakest offer that {b} holds is equal: the larger number wins|]"
        "[tie=2|{b} refuses it for better ones that come at the same time|]",
    ),
    EventKind(
        Kind.EXHAUSTED,
        "no candidate left",
        "minor",
        "{a} has no candidate left for a proposal",
    ),
)
BANDS = (
    Band("tried", "offers taken"),
    Band("undone", "offers that fall out"),
    Band("minor", "refusals and others"),
)


#: How iterations are launches: all are one; those from 1 on are a second one; each is one; each is
#: two, the second of which has the turns from LATER_TURNS on.
Launches = Literal["one", "two", "many", "rounds"]

#: Most passes over the events: which offer pushes out which depends on their order.
_PASSES = 4
#: As in ``kernels/bsuitor_ranks.cuh``.
LATER_TURNS = 1 << 16


def bmatching_record(
    raw: RawRecord,
    graph: Graph,
    *,
    launches: Launches,
    capacity: np.ndarray,
    holders: np.ndarray,
    proposers: np.ndarray,
    **about: Unpack[About],
) -> Record | None:
    """Make the record of a run.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`.
    graph : Graph
        The problem, with n vertices.
    launches : {"one", "two", "many", "rounds"}
        See :data:`Launches`.
    capacity : ndarray of int32, shape (n,)
        b(v) of every vertex.
    holders, proposers : ndarray of int32, shape (offers,)
        The offers held at the end, as the kernels report them.
    **about
        What ran; see :func:`gpucore.record.record.make_header`.

    Returns
    -------
    Record or None
        None if nothing was recorded.
    """
    if raw.level == "off":
        return None
    header = make_header(raw, graph, family="bmatching", **about)
    header["launches"] = launches
    events, header["consistent"] = _in_order(
        event_columns(raw), raw.times, launches, graph, capacity
    )
    return Record(
        header=header,
        # A matched edge ends as two offers, one at each end.
        **counters(raw, 0.5),
        events=events,
        initial={
            "capacity": np.array(capacity, dtype=np.int32),
            "indptr": np.array(graph.indptr, dtype=np.int64),
            "indices": np.array(graph.indices, dtype=np.int32),
        },
        final={
            "holders": np.array(holders, dtype=np.int32),
            "proposers": np.array(proposers, dtype=np.int32),
        },
    )


def retold(record: Record, graph: Graph) -> Record:
    """Return a record with its events in the order, and with the columns, of a record made now."""
    record = _without_idle(record)
    launches = record.header.get("launches") or _launches_of(record)
    events, consistent = _in_order(
        record.events, record.events.get("time"), launches, graph, record.initial["capacity"]
    )
    header = record.header | {"consistent": consistent, "launches": launches}
    return replace(record, header=header, events=events)


def _in_order(
    events: Columns,
    times: np.ndarray | None,
    launches: Launches,
    graph: Graph,
    capacity: np.ndarray,
) -> tuple[Columns, bool]:
    """Reorder events to a possible order of time, causes first; False if there is none."""
    for _ in range(_PASSES):
        order, sound = _order(events, launches, graph, capacity)
        events = reordered(events, order, times)
        times = events.get("time")
        if np.array_equal(order, np.arange(len(order))):
            break
    return {**events, "tie": ties(events, capacity)}, sound


def _order(
    events: Columns, launches: Launches, graph: Graph, capacity: np.ndarray
) -> tuple[np.ndarray, bool]:
    """Return the order of the events, and whether it contradicts none of them."""
    launch = _launch(events, launches)
    turn = events["iteration"] if launches == "rounds" else launch
    known = dependencies(events, launch, turn)
    # Where all offers of a launch are compared at once, the lines of a warp's log are in no order.
    at_once = (events["iteration"] == 0) & (launches == "two")
    # What falls out has the batch after that of the offers, but may have come before the refusals.
    batch = launch if launches == "rounds" else np.where(at_once, 0, events["batch"] // 2)
    stacks = Stacks(events, capacity)
    causes = [stacks.pushes(), stacks.refusals(graph)]
    turns = Dependencies.of([known, own_turns(events, at_once)])
    order, consistent = causes_first(events, batch, turns, causes)
    if not consistent:  # a log has its lines late: only the order of its batches is certain
        order, consistent = causes_first(events, events["batch"], known, causes)
    return order, consistent and known.complete


def _without_idle(record: Record) -> Record:
    """Leave out what earlier kernels logged of idle lanes: a vertex of the rank before, exhausted.

    A vertex is exhausted on its own rank, so these events are on another.
    """
    if "ranks" not in record.header:
        return record
    events, bounds = record.events, record.header["ranks"]["bounds"]
    owner = np.searchsorted(bounds, events["a"], side="right") - 1
    kept = (events["kind"] != Kind.EXHAUSTED) | (owner == events["rank"])
    return replace(record, events={name: column[kept] for name, column in events.items()})


def _launches_of(record: Record) -> Launches:
    """Return how the iterations of a record were launches that does not say so itself."""
    if "ranks" in record.header:
        return "rounds"
    known: dict[str, Launches] = {"delayed": "many", "fast": "two"}
    return known.get(record.header["variant"], "one")


def _launch(events: Columns, launches: Launches) -> np.ndarray:
    """Return the number of the launch to which each event belongs."""
    iteration = events["iteration"]
    if launches == "rounds":
        return 2 * iteration + (events["batch"] >= 2 * LATER_TURNS)
    return np.minimum(iteration, {"one": 0, "two": 1}.get(launches, len(iteration)))


RECORD = RecordKind(
    EVENTS,
    BANDS,
    bmatching_timeline,
    own_sizes=("indptr", "indices", "holders", "proposers"),
    retold=retold,
)
