"""Curves over the events of a stable marriage: engagements, ranks, proposals.

Source of the bounds: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy
matchings" (CSC 2016), section 2, which quotes Wilson, "An analysis of the stable marriage
assignment algorithm" (BIT 1972).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gpucore.families.marriage.order import Kind
from gpucore.record.constraints import Lookup, pair

#: Kinds whose `value` is the proposer's place in the list.
LOOKING = (Kind.ENGAGE, Kind.REFUSE, Kind.SKIP, Kind.PROPOSE, Kind.ALONE)


@dataclass(frozen=True)
class Curves:
    """Figures after 0, 1, ... events; all arrays have the shape (events + 1,).

    Attributes
    ----------
    pairs : ndarray of int64
        Engaged pairs.
    proposers_rank, receivers_rank : ndarray of float64
        Mean rank, from 1, that the engaged people of a side give their partners; NaN while there
        are no pairs.
    proposals : ndarray of int64
        Proposals made; skipped places and failed compare-and-swaps do not count.
    considered : ndarray of int64
        Places of their lists that the proposers have read.
    """

    pairs: np.ndarray
    proposers_rank: np.ndarray
    receivers_rank: np.ndarray
    proposals: np.ndarray
    considered: np.ndarray


def curves_of(events: Mapping[str, np.ndarray], *, several: bool = False) -> Curves:
    """Compute the curves of a sequence of events.

    Parameters
    ----------
    events : mapping of str to ndarray, shape (events,)
        Columns kind, a, b, c, value, batch, in order of time.  Engagements whose events were
        lost are not counted.
    several : bool
        Whether people may have several partners, so that they search for them at the same time.

    Examples
    --------
    Man 0 is engaged to woman 2, his second choice, who then prefers man 1.

    >>> columns = {"kind": [1, 1], "a": [0, 1], "b": [2, 2], "c": [-1, 0], "batch": [2, 1]}
    >>> events = {name: np.array(column, np.int32) for name, column in columns.items()}
    >>> found = curves_of(events | {"value": np.array([2, 1], np.float32)})
    >>> found.pairs.tolist(), found.proposers_rank.tolist(), found.considered.tolist()
    ([0, 1, 1], [nan, 2.0, 1.0], [0, 2, 3])
    """
    kind, a, b, c = (events[name] for name in ("kind", "a", "b", "c"))
    engaged = np.flatnonzero(kind == Kind.ENGAGE)
    former = Lookup(pair(b[engaged], a[engaged]), engaged).find(pair(b[engaged], c[engaged]))
    former = np.where(c[engaged] >= 0, former, -1)
    left, parted = _parted(events, engaged)
    pairs = _running(engaged, (former < 0).astype(np.int64), len(kind))
    pairs -= _running(left, np.ones(len(left), np.int64), len(kind))
    ranks = []
    for name in ("value", "batch"):
        rank = events[name].astype(np.float64)
        gained = rank[engaged] - np.where(former >= 0, rank[former], 0.0)
        total = _running(engaged, gained, len(kind))
        total -= _running(left, rank[parted], len(kind))
        ranks.append(np.divide(total, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0))
    # In rounds a proposal and its answer are two events.
    asks = (Kind.PROPOSE,) if np.any(kind == Kind.PROPOSE) else (Kind.ENGAGE, Kind.REFUSE)
    made = np.isin(kind, asks).astype(np.int64)
    if several:
        considered = _running(slice(None), _reads(kind), len(kind))
    else:
        considered = _considered(events)
    return Curves(pairs, ranks[0], ranks[1], _running(slice(None), made, len(kind)), considered)


def _parted(events: Mapping[str, np.ndarray], engaged: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the events that part a pair, and the engagement that each of them ends."""
    a, b, c = (events[name] for name in ("a", "b", "c"))
    left = np.flatnonzero(events["kind"] == Kind.LEAVE)
    came = Lookup(pair(b[engaged], a[engaged]), engaged).find(pair(b[left], c[left]))
    return left[came >= 0], came[came >= 0]


def _reads(kind: np.ndarray) -> np.ndarray:
    """Return which events read a place of a list, 0 or 1."""
    return np.isin(kind, (Kind.ENGAGE, Kind.REFUSE, Kind.SKIP)).astype(np.int64)


def _considered(events: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return how many places of lists were considered after 0, 1, ... events."""
    kind, a = events["kind"], events["a"]
    looks = np.flatnonzero(np.isin(kind, LOOKING))
    by_proposer = looks[np.argsort(a[looks], kind="stable")]
    place = events["value"][by_proposer].astype(np.int64)
    step = place.copy()
    same = a[by_proposer][1:] == a[by_proposer][:-1]
    step[1:][same] -= place[:-1][same]
    return _running(by_proposer, step, len(kind))


def _running(where: np.ndarray | slice, what: np.ndarray, events: int) -> np.ndarray:
    """Return the running sum after 0, 1, ... events, where those at `where` add `what`."""
    added = np.zeros(events + 1, dtype=what.dtype)
    added[1:][where] = what
    return np.cumsum(added)


def n_log_n(n: int) -> float:
    """Return n ln n, the average number of places that n proposers consider on random lists."""
    return float(n * np.log(n)) if n > 1 else 0.0


def harmonic_bound(n: int) -> float:
    """Return n (1 + 1/2 + ... + 1/n), which bounds that average from above (Wilson).

    Examples
    --------
    >>> harmonic_bound(4), round(n_log_n(4), 3)
    (8.333333333333332, 5.545)
    """
    return float(n * np.sum(1.0 / np.arange(1, n + 1)))
