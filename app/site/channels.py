"""The websocket between a page and its page process.

Every frame is checked before a library decodes it (:mod:`.frames`). A page that sends more than it
may is not cut off: the server stops reading from its connection until the rate is kept, the page
process has handled what was sent, and the page has taken what was sent to it. So a flood slows only
the page that makes it, and what the server holds for a page is bounded.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, cast

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler
from tornado import web
from tornado.websocket import WebSocketClosedError

from .frames import PROTOCOL, BadFrame, Message, check
from .places import Place
from .rates import Bucket

#: Messages that a page may send: so many a second, after so many at once when it opens.
MESSAGES = (200, 1000)

#: Pings that a page may send, likewise.
PINGS = (1, 20)

#: Bytes a second that a page may send, after one upload at full speed.
BYTES_A_SECOND = 8 << 20

#: Messages that wait for the page process before the server reads on.
MOST_UNANSWERED = 256

#: Seconds after which an answer is no longer expected.
_FORGET_AFTER = 60.0

#: Websockets of one page: one in use, and one that the server has not yet noticed to be lost.
MOST_CONNECTIONS = 2

_NO_PROTOCOL = (
    "The connection to the server passes something that removes the header "
    "Sec-WebSocket-Protocol, perhaps a reverse proxy. It must pass that header on."
)


def rates_of_page(upload_bytes: int) -> tuple[Bucket, Bucket]:
    """Return the rates of messages and bytes; a debt ends at a second, and at two uploads."""
    uploads = MOST_CONNECTIONS * upload_bytes
    messages = Bucket(*MESSAGES, debt=MESSAGES[0])
    return messages, Bucket(BYTES_A_SECOND, uploads, debt=uploads)


@dataclass
class Unanswered:
    """The messages that the page process has not handled yet, the oldest first."""

    bytes: int = 0
    _sent: dict[str, tuple[float, int]] = field(default_factory=dict)

    def add(self, identifier: str, size: int) -> None:
        """Note that a message was sent."""
        self.remove(identifier)
        self._sent[identifier] = (monotonic(), size)
        self.bytes += size

    def remove(self, identifier: str) -> None:
        """Note that a message was handled."""
        _, size = self._sent.pop(identifier, (0.0, 0))
        self.bytes -= size

    def since(self) -> float | None:
        """Return when the oldest message was sent; None if all are handled."""
        latest = monotonic() - _FORGET_AFTER
        for identifier, (sent, _) in list(self._sent.items()):
            if sent > latest:
                return sent
            self.remove(identifier)
        return None

    def __len__(self) -> int:
        return len(self._sent)


class PageConnection(ZMQChannelsWebsocketConnection):
    """Jupyter's connection, which also notes what the page process has handled."""

    #: Also after the websocket was closed, when Jupyter no longer knows it.
    subprotocol = PROTOCOL

    async def prepare(self) -> None:
        """Wait until the page process answers, or for a minute.

        Jupyter's own form sets a timer that holds a closed connection until the minute is over:
        who connects again and again would fill the memory.
        """
        await self._register_session()
        self.session.key = self.kernel_manager.session.key
        answer = asyncio.wrap_future(self.request_kernel_info())
        await asyncio.wait([answer], timeout=self.kernel_info_timeout)

    def _on_zmq_reply(self, stream: Any, parts: Sequence[Any]) -> None:
        """Pass a message on to the browser; every message is answered by a status "idle"."""
        kind = _text(parts[0]).get("msg_type")
        # The browser needs no copy of the code that a page process executes.
        if kind == "execute_input":
            return
        if kind == "status" and _text(parts[3]).get("execution_state") == "idle":
            handler = cast(ChannelsHandler, self.websocket_handler)
            handler.handled(str(_text(parts[1]).get("msg_id")))
        with contextlib.suppress(WebSocketClosedError):
            super()._on_zmq_reply(stream, parts)


def _text(part: Any) -> dict[str, Any]:
    """Return the JSON object in a part of a message from a page process."""
    found = json.loads(bytes(part))
    return found if isinstance(found, dict) else {}


class ChannelsHandler(KernelWebsocketHandler):
    """One websocket of a page."""

    def initialize(self, upload_bytes: int, payload_bytes: int) -> None:
        """Take the largest message of a browser, and the largest one to it."""
        self._most_held = upload_bytes
        self._most_outgoing = 4 * payload_bytes
        self._pings = Bucket(*PINGS)
        self._unanswered = Unanswered()
        self._outgoing = 0
        self._place: Place | None = None
        self._wake = asyncio.Event()

    async def get(self, kernel_id: str) -> None:
        """Connect a page that has a place."""
        manager: Any = self.kernel_manager
        place = manager.places.of_process(kernel_id)
        if place is None:
            raise web.HTTPError(404)
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        if PROTOCOL not in [name.strip() for name in offered.split(",")]:
            place.refusal = _NO_PROTOCOL
            raise web.HTTPError(400)
        if len(place.sockets) >= MOST_CONNECTIONS:
            raise web.HTTPError(429)
        place.refusal = ""
        self._place = place
        if place.rates is None:  # of the page: a new connection brings no new rates
            place.rates = Bucket(*MESSAGES), Bucket(BYTES_A_SECOND, 2 * self._most_held)
        self._messages, self._bytes = place.rates
        place.sockets.append(self)
        try:
            await super().get(kernel_id)
        finally:
            # Returns when the websocket is closed, or when it could not be opened.
            place.sockets.remove(self)
            place.seen = manager.places.clock()

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Refuse a connection without a page, which no one would see."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{status_code}\n")

    def select_subprotocol(self, subprotocols: list[str]) -> str | None:
        """Return the only protocol that is spoken."""
        return PROTOCOL if PROTOCOL in subprotocols else None

    async def open(self, kernel_id: str) -> None:
        """Note that the page is connected, unless it went while it was asked for."""
        if self.connection is None:
            return
        assert self._place is not None
        self._place.was_connected = True
        # Answers to pings that the browser does not take count, too.
        connection: Any = self.ws_connection
        connection.stream.max_write_buffer_size = 2 * self._most_outgoing
        await super().open(kernel_id)
        # Jupyter's wait for the page process takes a cancellation of this task for its own: a
        # server that stops would wait until the browser does not answer a ping.
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise asyncio.CancelledError

    def on_ping(self, data: bytes) -> None:
        """Close the connection of who sends pings in masses; browsers send none."""
        connection: Any = self.ws_connection
        if self._pings.take() and connection is not None:
            # Without a farewell: until it is answered, more pings would be read.
            connection.stream.close()

    async def on_message(self, ws_message: bytes | str) -> None:
        """Pass one message on to the page process, when it may have it.

        The next message is read when this one is passed on.
        """
        # A server that stops ends what still waits; that is no error worth a traceback.
        with contextlib.suppress(asyncio.CancelledError):
            await self._pass_on(ws_message)

    async def _pass_on(self, ws_message: bytes | str) -> None:
        place = self._place
        assert place is not None
        size = len(ws_message)
        wait = max(self._messages.take(), self._bytes.take(size))
        if wait:
            await asyncio.sleep(wait)
        try:
            message = check(ws_message)
        except BadFrame as error:
            self.log.warning("A websocket was closed for its message: %s.", error)
            place.refusal = f"The server closed the connection for a message of this page: {error}."
            self.close(1008, "not a message of a page")
            return
        await self._room_for(size)
        if self.connection is None:  # closed meanwhile
            return
        manager: Any = self.kernel_manager
        place.seen = place.last_use = manager.places.clock()
        self._note_sent(place, message, size)
        self.connection.handle_incoming_message(ws_message)

    def _note_sent(self, place: Place, message: Message, size: int) -> None:
        self._unanswered.add(message.identifier, size)
        place.unanswered_since = self._unanswered.since()

    def handled(self, identifier: str) -> None:
        """Note that the page process has handled a message."""
        self._unanswered.remove(identifier)
        self._wake.set()
        if self._place is not None:
            self._place.unanswered_since = self._unanswered.since()

    async def _room_for(self, size: int) -> None:
        """Wait until a message of some bytes can be held for the page process."""
        while self.connection is not None and self._is_full(size):
            self._wake.clear()
            # Also wakes by itself: an answer may never come.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), 1)
            self._unanswered.since()

    def _is_full(self, size: int) -> bool:
        waiting = len(self._unanswered)
        if waiting and self._unanswered.bytes + size > self._most_held:
            return True
        return waiting >= MOST_UNANSWERED or self._outgoing > self._most_outgoing // 4

    def write_message(self, message: bytes | str | dict[str, Any], binary: bool = False) -> Any:
        """Send a message to the browser; a page that takes far too little is cut off."""
        size = len(message)
        if self._outgoing and self._outgoing + size > self._most_outgoing:
            self.log.warning("A websocket was closed: its page does not take what is sent.")
            self.close(1008, "messages are not taken")
            raise WebSocketClosedError
        self._outgoing += size
        sent = super().write_message(message, binary)
        sent.add_done_callback(lambda done: self._was_sent(done, size))
        return sent

    def _was_sent(self, done: Any, size: int) -> None:
        if not done.cancelled():
            done.exception()  # the connection was closed, which on_close handles
        self._outgoing -= size
        self._wake.set()

    def on_close(self) -> None:
        """Wake what waits, and close the connection to the page process."""
        self._wake.set()
        if self._place is not None:
            self._place.unanswered_since = None
        if self.ping_callback is not None:  # Jupyter's timer would hold this for half a minute
            self.ping_callback.stop()
        if getattr(self, "connection", None) is not None:
            super().on_close()


__all__ = ["ChannelsHandler", "PageConnection", "rates_of_page"]
