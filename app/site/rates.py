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
        self.charge(amount)
        return self.owed()

    def charge(self, amount: float) -> float:
        """Take an amount; return what was really taken: beyond the debt nothing is."""
        self._refill()
        before = self._level
        self._level = max(before - amount, min(before, -self.debt))
        return before - self._level

    def owed(self) -> float:
        """Return the seconds until all that was taken is paid for."""
        self._refill()
        return max(0.0, -self._level / self.rate)

    def can_pay(self, amount: float) -> bool:
        """Return whether an amount can be taken at once."""
        self._refill()
        return self._level >= amount

    def give_back(self, amount: float = 1) -> None:
        """Give an amount back: what was taken is not used."""
        self._level = min(self.burst, self._level + amount)

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


class Shares:
    """A rate for each visitor, and a wider one for each network address.

    Who shows a signed cookie has a rate of its own, so that a class behind one address is served.
    New visitors of an address share one rate. No visitor waits longer than `longest`, whatever
    others at the address have taken, and an address pays only for what its visitors were charged.
    Requests beyond the rate are so bounded by the connections that wait.

    Parameters
    ----------
    rate, burst : float
        Of a visitor, see :class:`Bucket`.
    crowd : float
        How many times as much an address has.
    longest : float
        Seconds of the longest wait.
    clock : callable
        Returns seconds.
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        *,
        crowd: float = 10,
        longest: float = 1,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._visitors = Buckets(rate, burst, debt=rate * longest, clock=clock)
        self._addresses = Buckets(
            crowd * rate, crowd * burst, debt=crowd * rate * longest, clock=clock
        )

    def _of(self, visitor: str | None, address: str) -> tuple[Bucket, Bucket]:
        own = ("visitor", visitor) if visitor is not None else ("new", address)
        return self._visitors[own], self._addresses[address]

    def take(self, visitor: str | None, address: str, amount: float = 1) -> Turn:
        """Take an amount for a visitor, None for a new one."""
        own, all_here = self._of(visitor, address)
        charged = own.charge(amount)
        return Turn(own, all_here, charged, all_here.charge(charged))


@dataclass
class Turn:
    """What a visitor was charged, and how long it has to wait for it."""

    _own: Bucket
    _all_here: Bucket
    _charged: float
    _charged_here: float

    @property
    def wait(self) -> float:
        """Seconds until it is paid for."""
        return max(self._own.owed(), self._all_here.owed())

    def give_back(self) -> None:
        """Give back what was charged: the visitor has gone before it was used."""
        self._own.give_back(self._charged)
        self._all_here.give_back(self._charged_here)
        self._charged = self._charged_here = 0.0


__all__ = ["Bucket", "Buckets", "Shares", "Turn"]
