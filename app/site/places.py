"""The places of the site: which visitor has which page open, and who waits for a place.

Each open page is a process, so the site has a limited number of places. One visitor has some of
them at most, and so has one network address; the rest stay free for others. When no place is free,
visitors wait in a queue and get places in its order.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from .rates import Bucket

#: Seconds after which a waiting visitor who does not ask again leaves the queue.
SECONDS_IN_QUEUE = 20

#: Largest number of visitors in the queue.
LONGEST_QUEUE = 200


@dataclass(frozen=True)
class Visitor:
    """Who asks.

    Attributes
    ----------
    name : str
        Identifier from the visitor's cookie.
    address : str
        Network address; an IPv6 address stands for its network of 64 bits.
    """

    name: str
    address: str


@dataclass(eq=False)
class Place:
    """One open page.

    Attributes
    ----------
    visitor : Visitor
    kernel_id : str
        The page process; empty until there is one.
    served : bool
        Whether the whole page was sent.
    seen : float
        Time of the last sign of life of the page: a request, a message, a connection.
    last_use : float
        Time of the last message.
    sockets : list
        Open websockets, the oldest first.
    was_connected : bool
        Whether there was a websocket.
    unanswered_since : float or None
        When the oldest message was sent that the page process has not handled.
    refusal : str
        Why the server closed a websocket of this page; empty if it did not.
    processor_seconds : float or None
        Processor time that the page process had used when it was last measured.
    niceness : int
        What the server last set, see :mod:`.priority`.
    rates : tuple of Bucket, or None
        Messages and bytes that the page may send; of the page, not of a connection.
    """

    visitor: Visitor
    kernel_id: str = ""
    served: bool = False
    seen: float = 0.0
    last_use: float = 0.0
    sockets: list[Any] = field(default_factory=list)
    was_connected: bool = False
    unanswered_since: float | None = None
    refusal: str = ""
    processor_seconds: float | None = None
    niceness: int = 0
    rates: tuple[Bucket, Bucket] | None = None


class NoPlace(Exception):
    """There is no place for a visitor now.

    Attributes
    ----------
    reason : str
        ``"full"``: no place is free; ``"visitor"`` or ``"address"``: the visitor or the address has
        all the places that it may have; ``"queue"``: too many visitors wait.
    position : int
        Position in the queue, from 1; 0 outside the queue.
    """

    def __init__(self, reason: str, position: int = 0) -> None:
        super().__init__(reason, position)
        self.reason, self.position = reason, position


@dataclass
class Places:
    """The places of the site.

    Parameters
    ----------
    total : int
        Number of places.
    per_visitor, per_address : int
        Places of one visitor, and of one network address.
    clock : callable
        Returns the time in seconds.
    """

    total: int
    per_visitor: int
    per_address: int
    clock: Callable[[], float] = monotonic
    _taken: list[Place] = field(default_factory=list)
    #: Visitors that wait, each with the time of the last question.
    _queue: OrderedDict[Visitor, float] = field(default_factory=OrderedDict)

    @property
    def used(self) -> int:
        """Number of places in use."""
        return len(self._taken)

    def __iter__(self) -> Iterator[Place]:
        return iter(tuple(self._taken))

    def take(self, visitor: Visitor) -> Place:
        """Give a visitor a place.

        Raises
        ------
        NoPlace
            The visitor has enough places, or must wait.
        """
        self._forget_absent()
        self._check_share(visitor)
        ahead = self._ahead_of(visitor)
        if self.used + ahead >= self.total:
            raise NoPlace("full", self._wait(visitor))
        self._queue.pop(visitor, None)
        now = self.clock()
        place = Place(visitor, seen=now, last_use=now)
        self._taken.append(place)
        return place

    def release(self, place: Place) -> None:
        """Free a place; one that is free already stays free."""
        if place in self._taken:
            self._taken.remove(place)

    def of_process(self, kernel_id: str) -> Place | None:
        """Return the place of a page process, or None."""
        return next((place for place in self._taken if place.kernel_id == kernel_id), None)

    def lost_of(self, visitor: Visitor) -> Place | None:
        """Return the page of a visitor that has been without its browser for longest, or None."""
        lost = [
            place
            for place in self._taken
            if place.visitor.name == visitor.name and place.was_connected and not place.sockets
        ]
        return min(lost, key=lambda place: place.seen, default=None)

    def _check_share(self, visitor: Visitor) -> None:
        own = sum(place.visitor.name == visitor.name for place in self._taken)
        near = sum(place.visitor.address == visitor.address for place in self._taken)
        if own >= self.per_visitor:
            raise NoPlace("visitor")
        if near >= self.per_address:
            raise NoPlace("address")

    def _ahead_of(self, visitor: Visitor) -> int:
        """Return how many visitors wait before a visitor."""
        for position, waiting in enumerate(self._queue):
            if waiting == visitor:
                return position
        return len(self._queue)

    def _wait(self, visitor: Visitor) -> int:
        """Note that a visitor waits, and return the position in the queue."""
        if visitor not in self._queue:
            near = sum(waiting.address == visitor.address for waiting in self._queue)
            if len(self._queue) >= LONGEST_QUEUE or near >= max(self.per_address, 1) * 4:
                raise NoPlace("queue")
        self._queue[visitor] = self.clock()
        return self._ahead_of(visitor) + 1

    def _forget_absent(self) -> None:
        """Remove visitors from the queue who no longer ask."""
        latest = self.clock() - SECONDS_IN_QUEUE
        for visitor in [v for v, asked in self._queue.items() if asked < latest]:
            del self._queue[visitor]


__all__ = ["NoPlace", "Place", "Places", "Visitor"]
