"""Who comes to a live class: seats by signed cookie, slow guesses of codes, a bound on sockets.

A code lets anyone in, so it must not be found by trying. A wrong code costs its address; an address
that has guessed much waits for every answer, whether its code is right or wrong, and so does
everyone while all addresses together guess much. A wait is short, and who has a seat does not wait:
no visitor is locked out.
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections import Counter
from typing import Any

from tornado import web
from tornado.httputil import HTTPServerRequest
from tornado.web import create_signed_value, decode_signed_value

from ..classroom.rooms import MOST_LECTURERS, MOST_ROOMS, Room, Rooms
from .rates import Bucket, Buckets

#: Longest wait for an answer after many wrong codes, in seconds.
LONGEST_WAIT = 1.5
#: Wrong codes of one address, and of all: so many a second, after so many at once.
_OF_ADDRESS, _OF_ALL = (0.5, 30), (20, 600)
#: Messages of one seat: so many a second, after so many at once.
_MESSAGES = (5, 40)
#: Sockets that only lecturers may have.
_LECTURERS = MOST_ROOMS * MOST_LECTURERS
_SEAT_DAYS = 1


class ClassSockets:
    """The open websockets of classes: a part of the server's connections.

    Parameters
    ----------
    most : int
        Largest number.
    students_of_address : int
        Students of one network address in one class; an address has half as many sockets more, for
        phones that have come back before their old connection was found to be lost.
    """

    def __init__(self, most: int, students_of_address: int) -> None:
        self.most = most
        self.most_of_address = max(1, min(students_of_address * 3 // 2, most * 3 // 4))
        self._of_address: Counter[str] = Counter()
        self._open = 0

    def of(self, address: str) -> int:
        """Return how many sockets an address has open."""
        return self._of_address[address]

    def has_room(self, address: str, *, leads: bool = False) -> bool:
        """Return whether one more socket of an address fits; lecturers have places of their own."""
        if leads:
            return self._open < self.most + _LECTURERS
        return self._open < self.most and self._of_address[address] < self.most_of_address

    def add(self, address: str) -> None:
        """Note a socket that has been opened."""
        self._open += 1
        self._of_address[address] += 1

    def remove(self, address: str) -> None:
        """Note that it was closed."""
        self._open -= 1
        self._of_address[address] -= 1
        if self._of_address[address] <= 0:
            del self._of_address[address]


class ClassGuard:
    """The rules for visitors of classes.

    Parameters
    ----------
    rooms : Rooms
    access : Access
        Knows addresses, and signs.
    sockets : ClassSockets

    Attributes
    ----------
    messages : Buckets
        The rates of messages, one for each seat.
    """

    def __init__(self, rooms: Rooms, access: Any, sockets: ClassSockets) -> None:
        self.rooms, self.access, self.sockets = rooms, access, sockets
        self.messages = Buckets(*_MESSAGES)
        self._cookie = f"warplens-seat-{access.port}"
        rate, burst = _OF_ADDRESS
        self._wrong = Buckets(rate, burst, debt=rate * LONGEST_WAIT)
        rate, burst = _OF_ALL
        self._all_wrong = Bucket(rate, burst, debt=rate * LONGEST_WAIT)

    def address_of(self, request: HTTPServerRequest) -> str:
        """Return a visitor's network address."""
        return str(self.access.address_of(request))

    def is_inside(self, request: HTTPServerRequest) -> bool:
        """Return whether a visitor may see more than classes."""
        return not self.access.token or self.access.name_of(request) is not None

    # Seats

    def seat_of(self, request: HTTPServerRequest) -> str | None:
        """Return the seat that a visitor's cookie names, or None; it cannot be made up."""
        morsel = request.cookies.get(self._cookie)
        if morsel is None:
            return None
        found = decode_signed_value(
            self.access.secret, self._cookie, morsel.value, max_age_days=_SEAT_DAYS
        )
        return found.decode("ascii", "replace") if found else None

    def give_seat(self, handler: web.RequestHandler) -> None:
        """Give a visitor a seat, or the one that it has for another day."""
        request = handler.request
        name = self.seat_of(request) or uuid.uuid4().hex
        proxied = self.access.behind_proxy and request.headers.get("X-Forwarded-Proto") == "https"
        handler.set_cookie(
            self._cookie,
            create_signed_value(self.access.secret, self._cookie, name),
            expires_days=_SEAT_DAYS,
            path=f"{self.access.base_url}class/",
            httponly=True,
            samesite="Lax",
            secure=proxied or request.protocol == "https",
        )

    # Codes

    async def find(self, request: HTTPServerRequest, code: str, gone: asyncio.Event) -> Room | None:
        """Return the class with a code, or None; guesses are slow.

        Parameters
        ----------
        request : HTTPServerRequest
        code : str
        gone : asyncio.Event
            Set when the visitor has closed the connection, which then waits no longer.
        """
        room = self.rooms.find(code)
        seat = self.seat_of(request)
        if room is not None and seat is not None and room.has_seat(seat):
            return room
        address = self.address_of(request)
        # Where much was guessed, a right code costs the same as a wrong one: times tell nothing.
        buckets = (self._wrong[address], self._all_wrong)
        seconds = max(
            bucket.take() if room is None or bucket.wait() > 0 else 0.0 for bucket in buckets
        )
        await self._wait(seconds, gone)
        return self.rooms.find(code)

    async def _wait(self, seconds: float, gone: asyncio.Event) -> None:
        if seconds <= 0:
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(gone.wait(), min(seconds, LONGEST_WAIT))


__all__ = ["ClassGuard", "ClassSockets"]
