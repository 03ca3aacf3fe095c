"""Order constraints between the events of b-Suitor.

Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016.  A vertex proposes along an edge at most
once, so the pair *(holder, proposer)* names one offer: it is taken once, and falls out at most
once.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

import numpy as np

from gpucore.record.constraints import Dependencies, Lookup, pair


class Kind(IntEnum):
    """Kinds of the family's events, numbered as in ``kernels/bsuitor.cuh``."""

    PROPOSE = 1
    DROP = 2
    OUTBID = 3
    EXHAUSTED = 4


Events = Mapping[str, np.ndarray]


def dependencies(events: Events, launch: np.ndarray, turn: np.ndarray) -> Dependencies:
    """Return the constraints of the algorithm on the order of events.

    Parameters
    ----------
    events : mapping of str to ndarray, shape (events,)
        Columns kind, a, b, c, rank, in slot order.
    launch : ndarray of int, shape (events,)
        Number of the launch to which each event belongs; those of a rank follow one another.
    turn : ndarray of int, shape (events,)
        Number of the round, for which all ranks wait.

    Returns
    -------
    Dependencies
        An offer is taken before it falls out; what falls out in one launch comes before what its
        proposer does in a later one.  Within a launch the worker that makes an offer fall out goes
        on with its proposer, which the order of a warp's turns says already.
    """
    rank = events["rank"]
    return Dependencies.of(
        [
            _offers(events),
            _put_off(events, turn, np.zeros_like(rank)),
            _put_off(events, launch, rank),
        ]
    )


def own_turns(events: Events, at_once: np.ndarray) -> Dependencies:
    """Put what happens to each vertex in the order of the log: its offers, and their falls.

    Its next turn begins after the log has the one before, whichever worker has it; but `at_once`
    marks offers that are compared at the same time, bool, shape (events,).
    """
    fallen = events["kind"] == Kind.DROP
    order = np.argsort(np.where(fallen, events["c"], events["a"]), kind="stable")
    vertex = np.where(fallen, events["c"], events["a"])[order]
    same = (vertex[1:] == vertex[:-1]) & ~(at_once[order][1:] & at_once[order][:-1])
    return Dependencies(order[:-1][same], order[1:][same], complete=True)


def _offers(events: Events) -> Dependencies:
    """Put the taking of each offer before its fall."""
    kind, a, b, c = (events[name] for name in ("kind", "a", "b", "c"))
    taken, fallen = np.flatnonzero(kind == Kind.PROPOSE), np.flatnonzero(kind == Kind.DROP)
    takings = Lookup(pair(b[taken], a[taken]), taken)
    falls = Lookup(pair(b[fallen], c[fallen]), fallen)
    cause = takings.find(pair(b[fallen], c[fallen]))
    known = cause >= 0
    return Dependencies(
        before=cause[known],
        after=fallen[known],
        complete=bool(known.all() and takings.unique and falls.unique),
    )


def _put_off(events: Events, launch: np.ndarray, rank: np.ndarray) -> Dependencies:
    """Put each fall before what the proposer does first in a later launch of the rank."""
    kind, a, c = (events[name] for name in ("kind", "a", "c"))
    fallen, own = np.flatnonzero(kind == Kind.DROP), np.flatnonzero(kind != Kind.DROP)
    where = pair(rank, a)
    own = own[np.lexsort((launch[own], where[own]))]
    # Numbers of (rank, vertex) in ascending order, so that one search finds vertex and launch.
    places, place = np.unique(where[own], return_inverse=True)
    span = np.int64(launch.max(initial=0)) + 2
    wanted = np.searchsorted(places, pair(rank[fallen], c[fallen]))
    known = wanted < len(places)
    known[known] = places[wanted[known]] == pair(rank[fallen], c[fallen])[known]
    keys = place * span + launch[own]
    following = np.searchsorted(keys, wanted * span + launch[fallen] + 1)
    known &= following < len(own)
    known[known] = place[following[known]] == wanted[known]
    return Dependencies(before=fallen[known], after=own[following[known]], complete=True)
