"""The seats of a class: who follows, and from where.

A seat is one browser, by a signed cookie. It stays when its connection is lost, so that a phone
that sleeps comes back to its seat and its answer. A network address has a share of the seats. Where
the share is used up, an empty seat that has not answered makes room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .messages import ClassError

if TYPE_CHECKING:
    from .rooms import Connection

#: Connections of one seat: tabs, and those that a sleeping phone has left behind.
MOST_OF_SEAT = 3


@dataclass
class Seat:
    """One browser in a class.

    Attributes
    ----------
    name, address : str
    connections : dict
        Its connections, the oldest first.
    """

    name: str
    address: str
    connections: dict[Connection, None] = field(default_factory=dict)


class Seats:
    """The seats of one class.

    Parameters
    ----------
    most : callable
        Returns the number of seats.
    most_of_address : int
        Seats of one network address.
    """

    def __init__(self, most: Callable[[], int], most_of_address: int) -> None:
        self._most, self._most_of_address = most, most_of_address
        self._seats: dict[str, Seat] = {}
        self._of: dict[Connection, Seat] = {}
        self._of_address: Counter[str] = Counter()
        #: Seats without a connection, in the order in which they were left.
        self._empty: dict[str, dict[str, None]] = {}
        self.followed = 0

    def __contains__(self, name: str) -> bool:
        return name in self._seats

    def take(self, connection: Connection, name: str, address: str, keep: Container[str]) -> None:
        """Seat a connection.

        Parameters
        ----------
        connection : Connection
        name, address : str
            Of the seat.
        keep : container of str
            Seats that do not make room: they have answered.

        Raises
        ------
        ClassError
            The class is full, or the address has its share.
        """
        seat = self._seats.get(name)
        if seat is None:
            seat = self._new(name, address, keep)
        if not seat.connections:
            self.followed += 1
            self._empty.get(seat.address, {}).pop(name, None)
        elif len(seat.connections) >= MOST_OF_SEAT:
            oldest = next(iter(seat.connections))
            self.leave(oldest)
            oldest.drop("the class is open in newer tabs of this browser")
        seat.connections[connection] = None
        self._of[connection] = seat

    def _new(self, name: str, address: str, keep: Container[str]) -> Seat:
        if self._of_address[address] >= self._most_of_address and not self._free(address, keep):
            raise ClassError(
                f"{self._most_of_address} students follow from this network, which is its share; "
                "the lecturer can raise it"
            )
        if len(self._seats) >= self._most() and not any(
            self._free(other, keep) for other in list(self._empty)
        ):
            raise ClassError(f"this class is full: it has {self._most()} students")
        seat = self._seats[name] = Seat(name, address)
        self._of_address[address] += 1
        return seat

    def _free(self, address: str, keep: Container[str]) -> bool:
        """Free a seat that was left without an answer; return whether the address had one."""
        left = self._empty.get(address, {})
        name = next((name for name in left if name not in keep), None)
        if name is None:
            return False
        del left[name], self._seats[name]
        if not left:
            del self._empty[address]
        self._of_address[address] -= 1
        if not self._of_address[address]:
            del self._of_address[address]
        return True

    def leave(self, connection: Connection) -> bool:
        """Forget a connection, and keep its seat; return whether the seat is empty now."""
        seat = self._of.pop(connection, None)
        if seat is None:
            return False
        del seat.connections[connection]
        if seat.connections:
            return False
        self.followed -= 1
        self._empty.setdefault(seat.address, {})[seat.name] = None
        return True

    def of(self, connection: Connection) -> str | None:
        """Return the name of a connection's seat."""
        seat = self._of.get(connection)
        return None if seat is None else seat.name

    def connections(self) -> list[tuple[Connection, str]]:
        """Return all connections with the names of their seats."""
        return [(connection, seat.name) for connection, seat in self._of.items()]

    def connections_of(self, name: str) -> list[Connection]:
        """Return the connections of one seat."""
        return list(self._seats[name].connections)
