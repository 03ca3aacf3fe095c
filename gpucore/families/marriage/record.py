"""Records of stable marriages: proposals, refusals, engagements and displacements.

Source: see :mod:`gpucore.families.marriage.order`.  People have the graph's numbers: man ``m`` is
vertex m, woman ``w`` is vertex M + w.

An iteration of the record is a place of a list that a warp's lanes read, counted by each warp on
its own; in Gale and Shapley's rounds it is ``2 * round + sub-step``: propose, answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from gpucore.families.marriage.order import Kind, in_order, in_order_of_seats
from gpucore.families.marriage.seated import listed_pairs
from gpucore.families.marriage.timeline import marriage_timeline
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.load import for_run
from gpucore.problems.preferences.preferences import Preferences
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
from gpucore.record.words import parts_of

if TYPE_CHECKING:
    from gpucore.record.recorder import RawRecord

#: The eight words of a row; ``busy`` lanes had a free man, ``lane_slots`` are lanes, busy or idle,
#: ``considered`` places of lists that were read.
ROW_WORDS = (
    "busy",
    "lane_slots",
    "considered",
    "skipped",
    "engaged",
    "displaced",
    "refused",
    "failed",
)
#: The sub-steps of a round, in order.
SUB_STEPS = ("propose", "answer")
#: Names of people: "man 7", "woman 12".
SIDES = ("man ", "woman ")

#: All kinds of events; sentences are filled in by :mod:`gpucore.record.words`.
EVENTS = (
    EventKind(
        Kind.ENGAGE,
        "is engaged",
        "done",
        "{a} proposes to {b}, his choice number {value#}; she ranks him {batch#} and "
        "[c|leaves {c}|was alone]",
    ),
    EventKind(
        Kind.REFUSE,
        "is refused",
        "undone",
        "{a} proposes to {b}, his choice number {value#}; she ranks him {batch#} and "
        "[c|stays with {c}|holds a better one]",
    ),
    EventKind(
        Kind.SKIP,
        "passes by",
        "minor",
        "{a} passes {b} by, his choice number {value#}: she ranks him {batch#} and has "
        "a better one",
    ),
    EventKind(
        Kind.ALONE,
        "stays alone",
        "minor",
        "{a} has come to the end of his list and stays alone",
    ),
    EventKind(
        Kind.FAILED,
        "loses a race",
        "undone",
        "{a} comes too late to {b}, his choice number {value#}: another was faster, so "
        "he looks at her again",
        atomic=True,
    ),
    EventKind(
        Kind.PROPOSE,
        "proposes",
        "tried",
        "{a} proposes to {b}, his choice number {value#}; she ranks him {batch#} and "
        "answers when all have proposed",
    ),
    EventKind(
        Kind.LEAVE,
        "takes the seat of another",
        "undone",
        "{a} takes the seat of {c} at {b}; she ranks that one {batch#}",
        atomic=True,
    ),
)
BANDS = (
    Band("tried", "proposals"),
    Band("done", "engagements"),
    Band("undone", "refusals and lost races"),
    Band("minor", "passed by, and ends of lists"),
)
_SWAPPED = {"his": "her", "him": "her", "he": "she", "she": "he", "her": "him"}


def wording(header: Mapping[str, Any], sentences: Mapping[int, str]) -> Mapping[int, str]:
    """Return the sentences of a record by its header: the proposer is "he" or "she"."""
    if header.get("proposers") != "women":
        return sentences
    return {
        kind: " ".join(_SWAPPED.get(word, word) for word in text.split(" "))
        for kind, text in sentences.items()
    }


def marriage_record(
    raw: RawRecord,
    problem: PreferenceGraph | Preferences,
    *,
    rounds: Sequence[Mapping[str, Any]],
    wife: np.ndarray | None,
    pairs: tuple[np.ndarray, np.ndarray] | None = None,
    **about: Unpack[About],
) -> Record | None:
    """Make the record of a run for a stable marriage.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`.  Its events have the numbers of the kernels:
        the proposers come first, then the others.
    problem : PreferenceGraph or Preferences
        The problem, with M men and W women, whichever side proposes.  For counters alone it may
        be an instance that is too large for a graph.
    rounds : sequence of mapping
        For a run in rounds, one a round, JSON-able: free (free men before it), proposals (made in
        it).  Empty for other runs.
    wife : ndarray of int32, shape (M,), or None
        The final woman of each man, from 0, as the kernels report it; -1 for none.
    pairs : tuple of ndarray of int32, shape (pairs,), optional
        The men and the women of all pairs, where people may have several partners.
    **about
        What ran; see :func:`gpucore.record.record.make_header`. ``params["proposers"]`` is "men"
        (also where it is missing) or "women".

    Returns
    -------
    Record or None
        None if nothing was recorded.  ``final`` has ``mate`` (-1 for none) and, if there are
        `pairs`, ``men`` and ``women``; mates are then -1, and ``initial`` has the men's lists and
        the capacities, see :func:`gpucore.families.marriage.seated.listed_pairs`.
    """
    if raw.level == "off":
        return None
    preferences = problem.preferences if isinstance(problem, PreferenceGraph) else problem
    men, people = preferences.num_men, preferences.num_vertices
    # A page opens the record with the graph, by its fingerprint, whatever the run was given.
    shown = for_run(problem, recorded=True) if isinstance(problem, Preferences) else problem
    header = make_header(raw, shown, family="marriage", **about)
    header["parts"] = parts_of(men, people - men, SIDES)
    header["proposers"] = str(about["params"].get("proposers", "men"))
    header["rounds"] = [dict(one) for one in rounds]
    header["in_rounds"] = bool(rounds)
    events = event_columns(raw)
    if header["proposers"] == "women":
        events |= {name: _in_graph_numbers(events[name], men, people) for name in "abc"}
    _add_list_lengths(events, preferences)
    header["several"] = pairs is not None
    if pairs is None:
        order, header["consistent"] = in_order(events, in_rounds=bool(rounds))
    else:
        order, header["consistent"] = in_order_of_seats(events)
    warps = row_columns(raw, ROW_WORDS, floats=())
    final = {"mate": _mates(wife, men, people)}
    if pairs is not None:
        final |= {"men": np.array(pairs[0], np.int32), "women": np.array(pairs[1], np.int32)}
    return Record(
        header=header,
        steps=_steps_table(rounds, warps, len(raw.rows)),
        warps=warps,
        events=reordered(events, order, raw.times),
        initial=listed_pairs(preferences) if pairs is not None and raw.level == "events" else {},
        final=final,
    )


def retold(record: Record, _problem: Any) -> Record:
    """Return a record with its events in the order of a record made now."""
    if record.header.get("several"):
        return record
    events = record.events
    order, consistent = in_order(events, in_rounds=bool(record.header.get("in_rounds")))
    return replace(
        record,
        header=record.header | {"consistent": consistent},
        events=reordered(events, order, events.get("time")),
    )


def _in_graph_numbers(numbers: np.ndarray, men: int, people: int) -> np.ndarray:
    """Translate the kernels' numbers, women first, to the graph's, men first; -1 stays."""
    women = people - men
    given = np.where(numbers < women, numbers + men, numbers - women)
    return np.where(numbers < 0, numbers, given).astype(np.int32)


def _add_list_lengths(events: Mapping[str, np.ndarray], preferences: Preferences) -> None:
    """Write the list's length into each event that ends a list."""
    alone = np.flatnonzero(events["kind"] == Kind.ALONE)
    if not len(alone):
        return
    lengths = np.concatenate([preferences.list_lengths(side) for side in ("men", "women")])
    events["value"][alone] = lengths[events["a"][alone]]  # lanes with an empty list do not know it


def _mates(wife: np.ndarray | None, men: int, n: int) -> np.ndarray:
    """Return the mate of each person: int32, shape (n,), men before women, -1 for none."""
    mate = np.full(n, -1, dtype=np.int32)
    if wife is not None:
        married = np.flatnonzero(np.asarray(wife) >= 0)
        mate[married] = wife[married] + men
        mate[mate[married]] = married
    return mate


def _steps_table(
    rounds: Sequence[Mapping[str, Any]], warps: Mapping[str, np.ndarray], kept: int
) -> dict[str, np.ndarray]:
    """Return the sums over the warps of every iteration, and the host's numbers of its round.

    In rounds there are the columns round, sub_step and free; free and proposals are equal in both
    sub-steps.
    """
    count = max(kept, 2 * len(rounds))
    iteration = np.arange(count, dtype=np.int32)
    steps = {"iteration": iteration} | sum_by_iteration(warps, ROW_WORDS, count)
    steps["proposals"] = steps["engaged"] + steps["refused"]
    if rounds:
        steps |= {"round": iteration // 2, "sub_step": iteration % 2}
        for name in ("free", "proposals"):
            column = np.zeros(count, dtype=np.int64)
            column[: 2 * len(rounds)] = np.repeat([one[name] for one in rounds], 2)
            steps[name] = column
    steps["objective"] = np.cumsum(steps["engaged"] - steps["displaced"]).astype(np.float64)
    return steps


RECORD = RecordKind(
    EVENTS,
    BANDS,
    marriage_timeline,
    sides=SIDES,
    wording=wording,
    own_sizes=("men", "women", "indptr", "listed"),
    retold=retold,
)
