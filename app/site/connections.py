"""The HTTP server with a bound on what a connection may take: number, time, bytes.

Slow and half-open connections cost their owner only: one address has a share of all connections, a
request must arrive within seconds, and no connection but a websocket lives for ever. Where an
address has its share, its connection that has waited longest for a request gives way, so another
visitor of the address is served. All together, websockets too, stay below the number of files that
the system allows, so that the server can always accept another.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPMessageDelegate
from tornado.iostream import IOStream

from gpucore.errors import ParameterError

from .access import network_of

#: Seconds for the headers of a request, and for the wait between two.
_HEADER_SECONDS = 10
#: Seconds for the body of a request; nothing large is uploaded this way.
_BODY_SECONDS = 10
_HEADER_BYTES = 1 << 15
_BODY_BYTES = 1 << 20
#: Largest age of a connection that is no websocket.
_CONNECTION_SECONDS = 600

#: Open files that the server needs besides connections: libraries, logs, listening sockets.
_OWN_FILES = 64
#: Open files for each page process: pipes, and the sockets of its channels and of two browsers.
_FILES_OF_A_PAGE = 40

_MOST_CONNECTIONS = 2048
_FEWEST_CONNECTIONS = 32
#: Share of one address.
MOST_OF_ADDRESS = 128
#: Connections of an open page: a browser opens six, and a websocket; one may not be closed yet.
CONNECTIONS_OF_A_PAGE = 8


def connections_for(pages: int) -> int:
    """Return how many connections the system's limit of open files leaves, after raising it.

    Parameters
    ----------
    pages : int
        Number of page processes.

    Raises
    ------
    ParameterError
        The limit is too low for so many pages.
    """
    files = _raise_file_limit()
    free = files - _OWN_FILES - pages * _FILES_OF_A_PAGE
    if free < _FEWEST_CONNECTIONS:
        most = (files - _OWN_FILES - _FEWEST_CONNECTIONS) // _FILES_OF_A_PAGE
        remedy = f"use --max-pages {most} with --pool 0" if most > 0 else "serve fewer pages"
        raise ParameterError(
            f"{pages} page processes need about {files - free + _FEWEST_CONNECTIONS} open files, "
            f"and the system allows {files}; raise it with 'ulimit -n', or {remedy}"
        )
    return min(_MOST_CONNECTIONS, free)


def _raise_file_limit() -> int:
    """Raise the limit of open files as far as the system allows, and return it."""
    try:
        import resource
    except ImportError:  # Windows
        return _MOST_CONNECTIONS * 4
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1 << 16 if hard == resource.RLIM_INFINITY else min(hard, 1 << 16)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return soft if soft != resource.RLIM_INFINITY else 1 << 16


@dataclass(eq=False)
class _Connection:
    """An open connection: whether it has a request, or is a websocket."""

    address: str
    stream: IOStream
    opened: float = field(default_factory=monotonic)
    busy: bool = False
    upgraded: bool = False


class _Request(HTTPMessageDelegate):
    """A request of a connection, which is busy from the end of the headers on."""

    def __init__(self, connection: _Connection, delegate: HTTPMessageDelegate) -> None:
        self._connection = connection
        self.data_received = delegate.data_received  # type: ignore[method-assign]
        self.finish = delegate.finish  # type: ignore[method-assign]
        self.on_connection_close = delegate.on_connection_close  # type: ignore[method-assign]
        self._received = delegate.headers_received
        connection.busy = False

    def headers_received(self, start_line: Any, headers: Any) -> Any:
        """Note that there is a request."""
        self._connection.busy = True
        return self._received(start_line, headers)


class BoundedServer(HTTPServer):
    """An HTTP server with bounded connections.

    Parameters
    ----------
    application : tornado.web.Application
    most : int
        Largest number of connections, websockets too.
    shared_address : bool
        Whether all visitors have one address, that of a reverse proxy; then it has no share.
    of_address : int
        Share of one address.
    apart : callable
        Returns how many connections of an address have a share of their own.
    """

    def initialize(  # type: ignore[override]
        self,
        application: Any,
        *,
        most: int,
        shared_address: bool = False,
        of_address: int = MOST_OF_ADDRESS,
        apart: Callable[[str], int] = lambda address: 0,
    ) -> None:
        """Take the bounds."""
        super().initialize(
            application,
            max_header_size=_HEADER_BYTES,
            max_body_size=_BODY_BYTES,
            idle_connection_timeout=_HEADER_SECONDS,
            body_timeout=_BODY_SECONDS,
        )
        self._most = most
        self._most_of_address = most if shared_address else min(of_address, most // 2)
        self._apart = apart
        self._held: dict[IOStream, _Connection] = {}
        #: The same by address, the oldest first.
        self._near: defaultdict[str, dict[IOStream, _Connection]] = defaultdict(dict)

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """Take a new connection, or close it at once."""
        name = network_of(str(address[0]) if address else "")
        if not self._has_room(name):
            self._forget_closed()
        if not self._has_room(name) and not self._make_room(name):
            stream.close()
            return
        self._held[stream] = self._near[name][stream] = _Connection(name, stream)
        super().handle_stream(stream, address)

    def _has_room(self, address: str) -> bool:
        near = len(self._near.get(address, ())) - self._apart(address)
        return len(self._held) < self._most and near < self._most_of_address

    def _make_room(self, address: str) -> bool:
        """Close a connection of an address: the oldest without a request, else the oldest."""
        own = [one for one in self._near.get(address, {}).values() if not one.upgraded]
        if not own:
            return False
        oldest = min(own, key=lambda one: one.busy)
        self._forget(oldest)
        oldest.stream.close()
        return True

    def _forget(self, connection: _Connection) -> None:
        del self._held[connection.stream]
        near = self._near[connection.address]
        del near[connection.stream]
        if not near:
            del self._near[connection.address]

    def _forget_closed(self) -> None:
        """Forget websockets that were closed, which only their streams say."""
        for connection in [one for one in self._held.values() if one.stream.closed()]:
            self._forget(connection)

    def start_request(self, server_conn: Any, request_conn: Any) -> HTTPMessageDelegate:
        """Note when a request has come."""
        delegate = super().start_request(server_conn, request_conn)
        connection = self._held.get(server_conn.stream)
        return delegate if connection is None else _Request(connection, delegate)

    def on_close(self, server_conn: Any) -> None:
        """Forget a connection that was closed; one that has become a websocket counts on."""
        super().on_close(server_conn)
        connection = self._held.get(server_conn.stream)
        if connection is None:  # it has given way
            return
        if connection.stream.closed():
            self._forget(connection)
        connection.upgraded = True

    async def close_old(self) -> None:
        """Close connections that live too long; never returns."""
        while True:
            await asyncio.sleep(10)
            self._forget_closed()
            latest = monotonic() - _CONNECTION_SECONDS
            for connection in list(self._held.values()):
                if connection.opened < latest and not connection.upgraded:
                    connection.stream.close()


__all__ = ["BoundedServer", "connections_for"]
