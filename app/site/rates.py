"""Rates: how much of something a visitor may use per second, and how long to wait for more."""

from __future__ import annotations

import functools
import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from time import monotonic


@dataclass
class Bucket:
    """A token bucket: `burst` at once, then `rate` a second.

    What exceeds the rate is not refused: it is taken on credit, and the caller waits. A larger debt
    than `debt` is forgotten.

    Examples
    --------
    >>> now = 0.0
    >>> bucket = Bucket(rate=10, burst=2, clock=lambda: now)
    >>> bucket.take(2), bucket.take(1)
    (0.0, 0.1)
    """

    rate: float
    burst: float
    clock: Callable[[], float] = monotonic
    debt: float = math.inf
    _level: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._level, self._at = self.burst, self.clock()

    def _refill(self) -> None:
        now = self.clock()
        self._level = min(self.burst, self._level + (now - self._at) * self.rate)
        self._at = now

    def take(self, amount: float = 1) -> float:
        """Take an amount and return the seconds to wait until it is paid for."""
        self._refill()
        self._level = max(self._level - amount, -self.debt)
        return max(0.0, -self._level / self.rate)

    def wait(self) -> float:
        """Return the seconds until one can be taken at once, without taking it."""
        self._refill()
        return max(0.0, (1 - self._level) / self.rate)


class Buckets:
    """One bucket for each key; the keys used last are kept.

    Parameters
    ----------
    rate, burst, debt : float
        See :class:`Bucket`.
    most : int
        Number of keys that are kept; strangers choose the keys, so there is a bound.
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        *,
        debt: float = math.inf,
        most: int = 4096,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._make = functools.partial(Bucket, rate, burst, clock, debt)
        self._most = most
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def __getitem__(self, key: Hashable) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = self._make()
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket

    def __len__(self) -> int:
        return len(self._buckets)


__all__ = ["Bucket", "Buckets"]
