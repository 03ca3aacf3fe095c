"""The websockets of a live class."""

from __future__ import annotations

import asyncio
import hmac
import json
from typing import Any

from tornado import web, websocket

from ..classroom.messages import MOST_MESSAGE_BYTES, ClassError, parse
from ..classroom.rooms import Room
from .class_guard import ClassGuard
from .rates import Bucket

#: Messages of a lecturer's connection: so many a second, after so many at once.
_OF_LECTURER = (40, 200)
#: Seconds of messages in debt before a connection is closed.
_DEBT_SECONDS = 5
#: Messages that wait for a browser to take them; one that takes none is cut off.
_MOST_UNSENT = 256


class LiveHandler(websocket.WebSocketHandler):
    """The connection of a student, or of the lecturer."""

    room: Room | None = None
    leads = False

    def initialize(self, guard: ClassGuard) -> None:
        """Take the rules."""
        self.guard = guard
        self._gone = asyncio.Event()
        self._address = ""
        self._unsent = 0
        self._rate = Bucket(*_OF_LECTURER)

    @property
    def max_message_size(self) -> int:
        """Largest message in bytes."""
        return MOST_MESSAGE_BYTES

    @property
    def ping_interval(self) -> float:
        """Seconds between pings: a phone that went away without a word is found to be lost."""
        return 30.0

    async def prepare(self) -> None:
        """Find the class, slowly for who guesses, before the connection becomes a websocket."""
        code = self.path_args[0]
        secret = self.request.query_arguments.get("secret", [b""])[-1]
        found = self.guard.rooms.find(code)
        self.leads = found is not None and hmac.compare_digest(secret, found.secret.encode())
        if not self.leads:
            found = await self.guard.find(self.request, code, self._gone)
        self._found, self._secret = found, secret
        address = self.guard.address_of(self.request)
        if not self.guard.sockets.has_room(address, leads=self.leads):
            raise web.HTTPError(503)

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Answer with one sentence."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        full = "All places of classes are taken; try again in a minute."
        self.finish(full if status_code == 503 else "This is a websocket of a class.")

    def on_connection_close(self) -> None:
        """Wait no longer for who has gone."""
        self._gone.set()
        super().on_connection_close()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; a closed connection is forgotten when it says so."""
        if self._unsent >= _MOST_UNSENT:
            self._abort()
            return
        try:
            sent = self.write_message(json.dumps(message))
        except websocket.WebSocketClosedError:
            return
        self._unsent += 1
        sent.add_done_callback(self._was_sent)

    def _was_sent(self, sent: asyncio.Future[None]) -> None:
        self._unsent -= 1
        if not sent.cancelled():
            sent.exception()  # a connection that was lost says so in on_close

    def _abort(self) -> None:
        if self.ws_connection is not None:
            self.ws_connection._abort()

    def drop(self, reason: str) -> None:
        """Close the connection: another one has taken its place."""
        self.room = None
        self.close(4409, reason)

    def open(self, code: str) -> None:
        """Let a student join, or the lecturer lead."""
        self._address = self.guard.address_of(self.request)
        self.guard.sockets.add(self._address)
        room, seat = self._found, self.guard.seat_of(self.request)
        if room is None:
            self.close(4404, "there is no such class")
            return
        try:
            if self.leads:
                room.lead(self)
            elif self._secret:
                raise ClassError("who is this?")
            elif seat is None:
                raise ClassError("reload the page of the class, and allow its cookie")
            else:
                # Of the seat: a new connection brings no new rate, and counts as a message.
                self._rate = self.guard.messages[seat]
                if self._rate.take() > _DEBT_SECONDS:
                    self.close(4429, "too many connections")
                    return
                room.join(self, seat, self._address)
            self.room = room
        except ClassError as error:
            self.close(4403, str(error)[:120])

    def on_message(self, message: str | bytes) -> None:
        """Pass a message on."""
        if self.room is None:
            return
        if self._rate.take() > _DEBT_SECONDS:
            self.close(4429, "too many messages")
            return
        try:
            content = parse(message)
            if self.leads:
                self.room.command(content)
            else:
                self.room.answer(self, content)
        except ClassError as error:
            self.close(4400, str(error)[:100])

    def on_close(self) -> None:
        """Forget the connection."""
        room, self.room = self.room, None
        if room is not None:
            room.leave(self)
        if self._address:
            self.guard.sockets.remove(self._address)
            self._address = ""


__all__ = ["LiveHandler"]
