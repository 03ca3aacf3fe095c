"""Order constraints between events of the bipartite matching family.

Source: Deveci, Kaya, Uçar, Çatalyürek, "GPU accelerated maximum cardinality matching algorithms
for bipartite graphs" (Euro-Par 2013), section 3 and algorithms 2 to 4.

The kernels read and write the same words without atomics, on purpose.  Several columns may reach
one row in one launch, and several walks may assign a row to one column; the last write stays.
Later events show which write was the last:

* the walk that takes a row goes to the column in ``predecessor[row]``, so among those that
  reached the row, that column wrote last;
* a repair names the row that lost a column and the row that has it, so among the rows
  assigned to the column, that row was the last.

Launches run one after the other, and a lane's actions happened in the order of its slots.
Walks go down the levels of the search, so an order that satisfies all constraints exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

import numpy as np

from gpucore.record.constraints import Lookup, pair
from gpucore.record.linearise import linearise

Events = Mapping[str, np.ndarray]
Pairs = tuple[np.ndarray, np.ndarray]


class Kind(IntEnum):
    """Kinds of events with the kernels' numbers; vertices have the graph's: row r, column R + c.

    Levels (``value``) count from 0, those of the unmatched columns where a search begins.
    """

    PHASE = 1  # a: its number, from 1; b: unmatched columns or -1; c: 1 if the forest is kept
    REACH = 2  # column a reaches row b, matched to column c, which joins the level `value`
    PATH = 3  # column a, of the level `value`, reaches the unmatched row b; c: the root or -1
    FLIP = 4  # column a is matched to row b now; c: the row that it had, or -1
    STOP = 5  # the walk at row a stops before column b, which another walk gave to row c
    FIX = 6  # row a is unmatched again; b: the column that it named or -1; c: that one's row or -1
    GRAFT = 7  # column a takes over row b with its column c (-1: none): the level 0 of the phase
    FREE = 8  # row a and its column b (-1: none) leave the forest
    MATCH = 9  # column a is matched to row b in the initial matching
    RUNAWAY = 10  # a walk without the predecessor check is stopped at row a


#: Events in which a column reaches a row.
REACHING = (Kind.REACH, Kind.PATH, Kind.GRAFT)


def in_order(events: Events) -> tuple[np.ndarray, bool]:
    """Find an order in which the events can have happened.

    Parameters
    ----------
    events : mapping of str to ndarray, shape (events,)
        Columns iteration, warp, lane, kind, a, b, c, in slot order.

    Returns
    -------
    order : ndarray of int64, shape (events,)
        Event numbers, launch by launch; in its launch the beginning of a phase is first.
    consistent : bool
        False if the events contradict each other; even then the write that stayed comes last,
        wherever it is known.
    """
    by_launch = np.lexsort((events["kind"] != Kind.PHASE, events["iteration"]))
    known = {name: column[by_launch] for name, column in events.items()}
    certain = [_joined_before(known), _last_reached(known), _last_given(known)]
    # Without the walks that stopped, the events that write the state are still in order.
    for parts in ([*certain, _stopped(known)], certain):
        order, consistent = _linear(known, parts)
        if consistent:
            break
    return by_launch[order], consistent


def _linear(events: Events, parts: list[Pairs]) -> tuple[np.ndarray, bool]:
    """Put events of each launch in an order that respects lanes and pairs."""
    # Lanes diverge in these kernels, so the instructions of a warp do not order its events; one
    # "batch" for a whole launch keeps only the order within each lane.
    return linearise(
        events["warp"],
        events["iteration"],
        np.zeros(len(events["warp"]), dtype=np.int32),
        np.concatenate([before for before, _ in parts]),
        np.concatenate([after for _, after in parts]),
        events["lane"],
    )


def _joined_before(events: Events) -> Pairs:
    """Put the event in which a column joins before the rows it reaches in the same launch.

    This happens where rows search for columns: they may find one that has just joined.
    """
    kind, iteration, a, c = (events[name] for name in ("kind", "iteration", "a", "c"))
    reaching = np.flatnonzero(np.isin(kind, REACHING))
    joining = reaching[(kind[reaching] != Kind.PATH) & (c[reaching] >= 0)]
    joined = Lookup(pair(c[joining], iteration[joining]), joining)
    cause = joined.find(pair(a[reaching], iteration[reaching]))
    return cause[cause >= 0], reaching[cause >= 0]


def _last_reached(events: Events) -> Pairs:
    """Put the write to a row's predecessor that stayed after all others of the same launch.

    The next walk that takes the row, or stops at it, names the column that stayed.
    """
    kind, iteration, a, b = (events[name] for name in ("kind", "iteration", "a", "b"))
    reaching = np.flatnonzero(np.isin(kind, REACHING))
    group, size = _groups(pair(b[reaching], iteration[reaching]))
    several = reaching[size > 1]
    if not len(several):
        return _NONE
    group = group[size > 1]
    flips, stops = np.flatnonzero(kind == Kind.FLIP), np.flatnonzero(kind == Kind.STOP)
    walked = np.concatenate([pair(b[flips], iteration[flips]), pair(a[stops], iteration[stops])])
    walked_to = np.concatenate([a[flips], b[stops]])
    by_row = np.argsort(walked, kind="stable")
    column = _next(walked[by_row], walked_to[by_row], pair(b[several], iteration[several]))
    return _behind(several, group, a[several] == column)


def _last_given(events: Events) -> Pairs:
    """Put the row that a column kept after all others assigned to it in the same launch.

    The next repair of a row that names the column also names the row that the column has.  Without
    the predecessor check a lane may assign several rows to a column in turn: its last one counts.
    """
    kind, iteration, a, b, c = (events[name] for name in ("kind", "iteration", "a", "b", "c"))
    flips = np.flatnonzero(kind == Kind.FLIP)
    group, size = _groups(pair(a[flips], iteration[flips]))
    flips, group = flips[size > 1], group[size > 1]
    if not len(flips):
        return _NONE
    fixes = np.flatnonzero((kind == Kind.FIX) & (b >= 0))
    fixed = pair(b[fixes], iteration[fixes])
    by_column = np.argsort(fixed, kind="stable")
    kept = _next(fixed[by_column], c[fixes][by_column], pair(a[flips], iteration[flips]))
    thread = pair(events["warp"][flips], events["lane"][flips].astype(np.int32))
    last = _last_of(group, thread)
    return _behind(flips[last], group[last], (b[flips] == kept)[last])


def _stopped(events: Events) -> Pairs:
    """Put the walk that took a column before the walks that found it taken."""
    kind, iteration, a, b, c = (events[name] for name in ("kind", "iteration", "a", "b", "c"))
    flips, stops = np.flatnonzero(kind == Kind.FLIP), np.flatnonzero(kind == Kind.STOP)
    # Pack three numbers into two: first (column, row), then that pair and the launch.
    given = pair(np.append(a[flips], b[stops]), np.append(b[flips], c[stops]))
    number = np.unique(given, return_inverse=True)[1].astype(np.int32)
    first = Lookup(pair(number[: len(flips)], iteration[flips]), flips)
    cause = first.find(pair(number[len(flips) :], iteration[stops]))
    return cause[cause >= 0], stops[cause >= 0]


_NONE: Pairs = (np.empty(0, np.int64), np.empty(0, np.int64))


def _groups(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each key's group, and the size of that group."""
    _, group, size = np.unique(keys, return_inverse=True, return_counts=True)
    return group, size[group]


def _next(keys: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the value of the first key (vertex, launch) not before each wanted one; else -1.

    `keys` ascend; a key counts only if it has the same vertex.
    """
    place = np.searchsorted(keys, wanted)
    found = place < len(keys)
    found[found] = keys[place[found]] >> 32 == wanted[found] >> 32
    answer = np.full(len(wanted), -1, dtype=np.int64)
    answer[found] = values[place[found]]
    return answer


def _last_of(group: np.ndarray, thread: np.ndarray) -> np.ndarray:
    """Return the places of each thread's last event in each group, ascending."""
    by_thread = np.lexsort((thread, group))
    group, thread = group[by_thread], thread[by_thread]
    ends = np.append((group[1:] != group[:-1]) | (thread[1:] != thread[:-1]), True)
    return np.sort(by_thread[ends])


def _behind(events: np.ndarray, group: np.ndarray, stayed: np.ndarray) -> Pairs:
    """Pair every event that did not stay with the latest one of its group that did."""
    last = np.full(int(group.max(initial=-1)) + 1, -1, dtype=np.int64)
    last[group[stayed]] = events[stayed]  # of several, the one with the highest slot
    lost = ~stayed & (last[group] >= 0)
    return events[lost], last[group[lost]]
