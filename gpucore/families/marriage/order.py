"""Order constraints between events of stable marriage.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings" (CSC 2016),
algorithm 1 and section 4.

Slots do not order the events of an interleaving, but three facts of the algorithm do.

* A woman only improves: her engagements happened in the order of her ranks, from worst to best, and
  each names the man that she left for it.
* A man goes down his list and never back.  After an engagement he went on only after the event that
  displaced him.
* A woman refuses a man, or is skipped, while she has a better man: after her engagement to that man
  and, if the event names him, before the engagement that displaced him.

The text calls the proposers men; the proposer is the event's ``a``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

import numpy as np

from gpucore.record.constraints import Dependencies, Lookup, pair
from gpucore.record.linearise import linearise

Events = Mapping[str, np.ndarray]


class Kind(IntEnum):
    """Kinds of events with the kernels' numbers.

    ``a`` proposes and ``b`` answers; ``value`` is the place of b in a's list, from 1, and
    ``batch`` that of a in b's.
    """

    ENGAGE = 1  # a is engaged to b, who leaves c (-1: none)
    REFUSE = 2  # a proposes to b in vain; c: the man she keeps, or -1 if unknown
    SKIP = 3  # a skips b: she has a better man, so he does not propose
    ALONE = 4  # a has come to the end of the list; value: its length
    FAILED = 5  # a's compare-and-swap at b failed: a looks at b again
    PROPOSE = 6  # a proposes to b in a round; the answer comes later in that round
    LEAVE = 7  # b, who has several partners, leaves c for a; batch: her rank of c


#: Order of the events at one place of a list, by kind.
_TURN = np.zeros(len(Kind) + 1, dtype=np.int8)
_TURN[[Kind.PROPOSE, Kind.ENGAGE, Kind.REFUSE, Kind.SKIP]] = [1, 2, 2, 2]


def in_order_of_seats(events: Events) -> tuple[np.ndarray, bool]:
    """Find an order of events where people have several partners; else as :func:`in_order`.

    A man proposes to a woman once, so a pair names one engagement: it comes before the event in
    which she leaves him. A proposal that goes along her seats may meet others on their way, so the
    man who loses a seat is not always one who had it before; hence two events.
    """
    kind, b = events["kind"], events["b"]
    engaged, left = np.flatnonzero(kind == Kind.ENGAGE), np.flatnonzero(kind == Kind.LEAVE)
    came = Lookup(pair(b[engaged], events["a"][engaged]), engaged)
    cause = came.find(pair(b[left], events["c"][left]))
    known = cause >= 0
    order, consistent = _linear(events, cause[known], left[known], events["lane"])
    return order, consistent and bool(known.all()) and came.unique


def _linear(
    events: Events, before: np.ndarray, after: np.ndarray, lane: np.ndarray | None
) -> tuple[np.ndarray, bool]:
    """Find an order in which iterations follow one another, else any order."""
    nothing = np.zeros(len(events["kind"]), dtype=np.int32)
    for iteration in (events["iteration"], nothing):
        order, consistent = linearise(events["warp"], iteration, nothing, before, after, lane)
        if consistent:
            break
    return order, consistent


def in_order(events: Events, *, in_rounds: bool) -> tuple[np.ndarray, bool]:
    """Find an order in which the events can have happened.

    Parameters
    ----------
    events : mapping of str to ndarray, shape (events,)
        Columns iteration, warp, lane, kind, a, b, c, value, batch, in slot order.
    in_rounds : bool
        Whether all warps end an iteration before the next begins; else every warp counts its own
        iterations.

    Returns
    -------
    order : ndarray of int64, shape (events,)
        Event numbers.
    consistent : bool
        False if the events contradict each other, or refer to missing events.
    """
    begin = np.arange(len(events["kind"]))
    if in_rounds:
        begin = np.argsort(events["iteration"], kind="stable")
    known = {name: column[begin] for name, column in events.items()}
    facts = dependencies(known, in_rounds=in_rounds)
    # Lanes of a warp read their places together.  If they diverged, only each lane's own events are
    # in the order of its slots.  In rounds a lane takes several men, and all answers are given
    # before any is logged: a refusal may be logged before the engagement that caused it.
    lane = None if in_rounds else known["lane"]
    seen = Dependencies.of([facts, _faster(known)])
    order, consistent = _linear(known, seen.before, seen.after, lane)
    if not consistent:
        order, consistent = _linear(known, facts.before, facts.after, lane)
    return begin[order], consistent and facts.complete


def dependencies(events: Events, *, in_rounds: bool) -> Dependencies:
    """Return the constraints of the algorithm on the order of events.

    Parameters
    ----------
    events : mapping of str to ndarray, shape (events,)
        Columns kind, a, b, c, value, batch, in slot order.
    in_rounds : bool
        In rounds, a man who skips a woman may have seen a proposal of the same round that she
        accepts later; the order of these two events is unknown.
    """
    engaged = np.flatnonzero(events["kind"] == Kind.ENGAGE)
    chain = engaged[np.lexsort((-events["batch"][engaged], events["b"][engaged]))]
    return Dependencies.of(
        [
            _improvements(events, chain),
            _ways_down(events, chain),
            _refusals(events, chain),
            _seen_better(events, chain, in_rounds=in_rounds),
        ]
    )


def _improvements(events: Events, chain: np.ndarray) -> Dependencies:
    """Order each woman's engagements by her ranks; each names the man of the previous one."""
    a, b, c, rank = (events[name][chain] for name in ("a", "b", "c", "batch"))
    follows = b[1:] == b[:-1]
    left = np.full(len(chain), -1, dtype=np.int64)
    left[1:][follows] = a[:-1][follows]
    distinct = not np.any(follows & (rank[1:] == rank[:-1]))
    return Dependencies(
        chain[:-1][follows], chain[1:][follows], complete=distinct and bool(np.all(left == c))
    )


def _ways_down(events: Events, chain: np.ndarray) -> Dependencies:
    """Order each man's events by his list, and his displacements in between."""
    kind, a, b, c, place = (events[name] for name in ("kind", "a", "b", "c", "value"))
    turn = _TURN[np.minimum(kind, len(Kind))]
    sequence = np.lexsort((turn, place, kind == Kind.ALONE, a))  # stable: of equals, by slot
    successive = a[sequence][1:] == a[sequence][:-1]
    first, second = sequence[:-1][successive], sequence[1:][successive]
    displacing = chain[c[chain] >= 0]
    displaced = Lookup(pair(b[displacing], c[displacing]), displacing)
    was_engaged = kind[first] == Kind.ENGAGE
    end = displaced.find(pair(b[first[was_engaged]], a[first[was_engaged]]))
    known = end >= 0
    return Dependencies(
        before=np.concatenate([first, end[known]]),
        after=np.concatenate([second, second[was_engaged][known]]),
        complete=bool(known.all()) and displaced.unique,
    )


def _refusals(events: Events, chain: np.ndarray) -> Dependencies:
    """Put refusals that name the man she keeps between his engagement and his displacement."""
    kind, a, b, c = (events[name] for name in ("kind", "a", "b", "c"))
    refusals = np.flatnonzero((kind == Kind.REFUSE) & (c >= 0))
    kept = pair(b[refusals], c[refusals])
    came = Lookup(pair(b[chain], a[chain]), chain).find(kept)
    displacing = chain[c[chain] >= 0]
    went = Lookup(pair(b[displacing], c[displacing]), displacing).find(kept)
    return Dependencies(
        before=np.concatenate([came[came >= 0], refusals[went >= 0]]),
        after=np.concatenate([refusals[came >= 0], went[went >= 0]]),
        complete=bool(np.all(came >= 0)),
    )


def _faster(events: Events) -> Dependencies:
    """Put the first engagement of a woman before every man who came too late to her."""
    kind, b = events["kind"], events["b"]
    engaged, late = np.flatnonzero(kind == Kind.ENGAGE), np.flatnonzero(kind == Kind.FAILED)
    cause = Lookup(b[engaged].astype(np.int64), engaged).find(b[late].astype(np.int64))
    known = cause >= 0
    known[known] = events["a"][cause[known]] != events["a"][late[known]]
    return Dependencies(cause[known], late[known], complete=True)


def _seen_better(events: Events, chain: np.ndarray, *, in_rounds: bool) -> Dependencies:
    """Put her first better engagement before every man who skips her or is refused."""
    kind, b, c, rank = (events[name] for name in ("kind", "b", "c", "batch"))
    found = (kind == Kind.REFUSE) & (c < 0)
    if not in_rounds:
        found |= kind == Kind.SKIP
    seen = np.flatnonzero(found)
    improving = pair(b, np.iinfo(np.int32).max - rank)  # ascending along the chain
    cause = np.searchsorted(improving[chain], improving[seen], side="right")
    known = cause < len(chain)
    known[known] = b[chain[cause[known]]] == b[seen[known]]
    return Dependencies(chain[cause[known]], seen[known], complete=bool(known.all()))
