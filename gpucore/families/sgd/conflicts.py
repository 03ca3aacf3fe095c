"""How often workers find a lock taken, estimated from the degrees alone.

Our refinement of f in section V of "Synchronization trade-offs in GPU implementations of graph
algorithms" (IPDPS 2016), which leaves it open. Model: the workers try their ratings at the same
time; of the tries of one vertex at that time one succeeds, and the others are deferred to the next
pass. A worker locks the user first; which item it has does not depend on that. As in our kernels,
fewer workers take part in a pass over few ratings (:func:`contenders`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Degrees = NDArray[np.integer]
_Floats = NDArray[np.float64]

#: Turns of a pass of edge locking, about, and workers at least.
TURNS_A_PASS, FEWEST_WORKERS = 64, 64
#: Passes that are followed one by one; those after it go on at the speed of the last one.
MOST_PASSES = 4096


@dataclass(frozen=True)
class Conflicts:
    """Tries of a sweep that find a lock taken.

    Attributes
    ----------
    passes : float
        Passes until all ratings are done.
    deferred : float
        Failed tries of all passes.
    turns : float
        Tries of one worker in all passes.
    """

    passes: float
    deferred: float
    turns: float


def contenders(count: int, workers: int) -> int:
    """Return the workers of a pass over `count` ratings, of which there are `workers`.

    The last passes have the ratings of a few items of high degree. The fewer workers, the more of
    them are processed one after the other in a pass instead of being deferred.

    Examples
    --------
    >>> contenders(1_000_000, 4096), contenders(100_000, 4096), contenders(10, 4096)
    (4096, 1562, 64)
    """
    return min(workers, max(FEWEST_WORKERS, count // TURNS_A_PASS))


@dataclass
class _Side:
    """Users or items by degree: how many there are, and the ratings that each has left."""

    number: _Floats
    left: _Floats

    @classmethod
    def of(cls, degrees: Degrees) -> _Side:
        values, counts = np.unique(degrees[degrees > 0], return_counts=True)
        return cls(counts.astype(np.float64), values.astype(np.float64))

    def total(self) -> float:
        return float(self.number @ self.left)

    def mean(self, share: _Floats) -> float:
        """Return the mean over the ratings of a number of their vertices."""
        return float(self.number @ (self.left * share)) / max(self.total(), 1e-300)


def _one_of(expected: _Floats) -> _Floats:
    """Return the share of tries that succeed, of as many at a time as are expected: Poisson."""
    tries = np.maximum(expected, 1e-9)
    return -np.expm1(-tries) / tries


def shuffled(of_users: Degrees, of_items: Degrees, workers: int) -> Conflicts:
    """Return the conflicts of ratings in random order, locked at both ends.

    Parameters
    ----------
    of_users, of_items : ndarray of int
        Degrees.
    workers : int

    Examples
    --------
    >>> few = shuffled(np.full(100, 10), np.full(100, 10), 2)
    >>> many = shuffled(np.full(100, 10), np.full(100, 10), 50)
    >>> few.deferred < many.deferred, shuffled(np.ones(9, int), np.ones(9, int), 1).passes
    (True, 1.0)
    """
    return _passes(of_users, of_items, workers, in_order=False)


def in_a_row(of_users: Degrees, of_items: Degrees, workers: int) -> Conflicts:
    """Return the conflicts of ratings in the order of the items, locked at both ends."""
    return _passes(of_users, of_items, workers, in_order=True)


def side_by_side(of_users: Degrees, active: float) -> float:
    """Return the share of ratings deferred in a pass in which only users are locked.

    Parameters
    ----------
    of_users : ndarray of int
        Degrees.
    active : float
        Items that are processed at a time, on average.
    """
    if active <= 1:
        return 0.0
    users = _Side.of(of_users)
    return 1.0 - users.mean(_one_of((active - 1) * users.left / users.total()))


def _passes(of_users: Degrees, of_items: Degrees, workers: int, *, in_order: bool) -> Conflicts:
    users, items = _Side.of(of_users), _Side.of(of_items)
    deferred, passes, turns = 0.0, 0.0, 0.0
    while (left := items.total()) >= 0.5:
        taking = contenders(int(left), workers)
        # One worker, or one rating, meets no other.
        rivals = max(min(taking, left) - 1, 0.0)
        of_user = _one_of(rivals * users.left / left)
        user = users.mean(of_user)
        # Only tries that hold their user meet at an item.
        meeting = user * (items.left if in_order else rivals * items.left / left)
        of_item = 1 / np.clip(meeting, 1.0, taking) if in_order else _one_of(meeting)
        item = items.mean(of_item)
        passes += 1
        turns += max(left / taking, 1.0)
        deferred += left * (1 - user * item)
        if passes >= MOST_PASSES:
            more = float(max(1 / (of_item * user).min(), 1 / (of_user * item).min()))
            return Conflicts(passes + more, deferred + left * more / 2, turns + more)
        items.left = items.left * (1 - of_item * user)
        users.left = users.left * (1 - of_user * item)
    return Conflicts(max(passes, 1.0), deferred, max(turns, 1.0))
