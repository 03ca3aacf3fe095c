"""Records of b-Suitor.

Source of the algorithm: see :mod:`gpucore.families.bmatching.run`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gpucore.families.bmatching.order import Kind, dependencies
from gpucore.families.bmatching.timeline import bmatching_timeline
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.linearise import linearise
from gpucore.record.record import (
    Record,
    elapsed,
    event_columns,
    make_header,
    row_columns,
    sum_by_iteration,
)

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.record.recorder import RawRecord

#: The eight words of a row; ``active`` are proposals to make, ``lane_slots`` lanes that were busy
#: or idle while ``edges`` were read, ``gain`` the sum of increases of the offers held.
ROW_WORDS = (
    "active",
    "edges",
    "lane_slots",
    "proposals",
    "accepted",
    "displaced",
    "exhausted",
    "gain",
)

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
        "at {b} the offer of {c} falls out ({value}), pushed by that of {a}",
    ),
    EventKind(
        Kind.OUTBID,
        "is refused",
        "minor",
        "{a} proposes to {b} with {value}, but {b} holds better offers only",
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

#: As in ``kernels/bsuitor_ranks.cuh``.
LATER_TURNS = 1 << 16


def bmatching_record(
    raw: RawRecord,
    graph: Graph,
    *,
    algorithm: str = "bmatching",
    params: Mapping[str, Any],
    device: Mapping[str, Any],
    launches: Launches,
    capacity: np.ndarray,
    holders: np.ndarray,
    proposers: np.ndarray,
) -> Record | None:
    """Make the record of a run.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`.
    graph : Graph
        The problem, with n vertices.
    algorithm, params, device
        See :func:`gpucore.record.record.make_header`.
    launches : {"one", "two", "many", "rounds"}
        See :data:`Launches`.
    capacity : ndarray of int32, shape (n,)
        b(v) of every vertex.
    holders, proposers : ndarray of int32, shape (offers,)
        The offers held at the end, as the kernels report them.

    Returns
    -------
    Record or None
        None if nothing was recorded.
    """
    if raw.level == "off":
        return None
    header = make_header(
        raw, graph, family="bmatching", algorithm=algorithm, params=params, device=device
    )
    warps = row_columns(raw, ROW_WORDS, floats=("gain",))
    steps: dict[str, np.ndarray] = {"iteration": np.arange(len(raw.rows), dtype=np.int32)}
    steps |= sum_by_iteration(warps, ROW_WORDS, len(raw.rows))
    # A matched edge ends as two offers, one at each end.
    steps["objective"] = np.cumsum(steps["gain"]) * 0.5
    events, header["consistent"] = _in_order(event_columns(raw), raw.times, launches)
    return Record(
        header=header,
        steps=steps,
        warps=warps,
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


def _in_order(
    events: dict[str, np.ndarray], times: np.ndarray, launches: Launches
) -> tuple[dict[str, np.ndarray], bool]:
    """Reorder events to a possible order of time; False if there is none."""
    launch = _launch(events, launches)
    turn = events["iteration"] if launches == "rounds" else launch
    known = dependencies(events, launch, turn)
    order, consistent = linearise(
        events["warp"], events["iteration"], events["batch"], known.before, known.after
    )
    in_order = {name: column[order] for name, column in events.items()}
    in_order["time"] = elapsed(times[order])
    return in_order, consistent and known.complete


def _launch(events: dict[str, np.ndarray], launches: Launches) -> np.ndarray:
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
)
