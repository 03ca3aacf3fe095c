"""Records of Irving's algorithms: proposals, cuts of lists, and rotations.

Source: R. W. Irving, J. Algorithms 6 (1985); D. Gusfield, R. W. Irving, "The Stable Marriage
Problem: Structure and Algorithms", MIT Press, 1989, chapter 4, from which the names are.

The first phase is iteration 0 of the record. Each rotation that is found begins the next one: it is
eliminated, or it is an odd party, which proves that no solution is stable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from gpucore.families.roommates.timeline import Kind, roommates_timeline
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
    from gpucore.problems.roommates.roommates import Roommates
    from gpucore.record.recorder import RawRecord

#: The eight words of a row; one thread is always busy.
ROW_WORDS = (
    "busy",
    "lane_slots",
    "proposals",
    "passed",
    "cuts",
    "found",
    "moved",
    "in_parties",
)

#: All kinds of events; sentences are filled in by :mod:`gpucore.record.words`.
EVENTS = (
    EventKind(
        Kind.PROPOSE,
        "proposes",
        "done",
        "{a} proposes to {b}, choice number {value#}; {b} ranks {a} as number {batch#} "
        "and [c|lets {c} go|had room]",
    ),
    EventKind(
        Kind.PASS,
        "passes by",
        "minor",
        "{a} passes {b} by, choice number {value#}: {b} would refuse",
    ),
    EventKind(
        Kind.CUT,
        "cuts the list",
        "undone",
        "{a} deletes all who stand behind place {value#} of the list",
    ),
    EventKind(
        Kind.ALONE,
        "is at the end",
        "minor",
        "{a} has come to the end of the list",
    ),
    EventKind(
        Kind.FIND,
        "is in a rotation",
        "accent",
        "{a} is in rotation {batch#}: the next choice is {b}, whose list ends with {c}",
    ),
    EventKind(
        Kind.MOVE,
        "moves on",
        "tried",
        "{a} moves on to {b}, choice number {value#}; {b} ranks {a} as number {batch#} "
        "and lets {c} go",
    ),
    EventKind(
        Kind.PARTY,
        "is in an odd party",
        "accent",
        "{a} is in an odd party, followed by {b}: no solution is stable",
    ),
)
BANDS = (
    Band("done", "proposals"),
    Band("tried", "rotations eliminated"),
    Band("undone", "lists cut"),
    Band("accent", "rotations and odd parties found"),
    Band("minor", "passed by, and ends of lists"),
)


def roommates_record(
    raw: RawRecord,
    lists: Roommates,
    *,
    bids: np.ndarray,
    party: np.ndarray,
    capacity: np.ndarray | None = None,
    **about: Unpack[About],
) -> Record:
    """Make the record of a run.

    Parameters
    ----------
    raw : RawRecord
        From the native call.
    lists : Roommates
        The problem, whose fingerprint its graph shares.
    bids : ndarray of int, shape (entries,)
        For each entry of the lists 1 if the person's proposal stands there at the end, else 0.
    party : ndarray of int32, shape (n,)
        Who follows each person in an odd party; -1 for none.
    capacity : ndarray of int32, shape (n,), optional
        Most mates of each person, in stable fixtures.
    **about
        What ran; see :func:`gpucore.record.record.make_header`.

    Returns
    -------
    Record
        With events, ``initial`` has the lists: ``indptr`` (int64) and ``others`` (int32), as in
        the problem. ``final`` has ``bid``, ``party`` and, in stable fixtures, ``capacity`` (int32).
    """
    header = make_header(raw, lists, family="roommates", **about)
    header["consistent"] = True
    events = event_columns(raw)
    warps = row_columns(raw, ROW_WORDS, floats=())
    kept = len(raw.rows)
    steps = {"iteration": np.arange(kept, dtype=np.int32)}
    steps |= sum_by_iteration(warps, ROW_WORDS, kept)
    steps["objective"] = np.cumsum(steps["proposals"] + steps["moved"]).astype(np.float64)
    final = {"bid": bids, "party": party}
    final |= {} if capacity is None else {"capacity": capacity}
    listed: dict[str, np.ndarray] = {}
    if raw.level == "events":
        listed = {"indptr": lists.indptr.copy(), "others": lists.others.copy()}
    return Record(
        header=header,
        steps=steps,
        warps=warps,
        events=reordered(events, np.arange(len(events["kind"])), raw.times),
        initial=listed,
        final={name: np.array(values, np.int32) for name, values in final.items()},
    )


RECORD = RecordKind(
    EVENTS, BANDS, roommates_timeline, noun="person", own_sizes=("indptr", "others", "bid")
)
