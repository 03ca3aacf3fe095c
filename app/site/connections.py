"""The HTTP server with a bound on what a connection may take: number, time, bytes.

Slow and half-open connections cost their owner only: one address has a share of all connections, a
request must arrive within seconds, and no connection but a websocket lives for ever. All together
stay below the number of files that the system allows, so that the server can always accept another.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream

from gpucore.errors import ParameterError

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
#: Share of one address; a browser opens six.
MOST_OF_ADDRESS = 128


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


class BoundedServer(HTTPServer):
    """An HTTP server with bounded connections.

    Parameters
    ----------
    application : tornado.web.Application
    most : int
        Largest number of connections.
    shared_address : bool
        Whether all visitors have one address, that of a reverse proxy; then it has no share.
    held : callable
        Returns how many of these connections are held as websockets, which this server does not
        see any more.
    of_address : int
        Share of one address.
    """

    def initialize(  # type: ignore[override]
        self,
        application: Any,
        *,
        most: int,
        shared_address: bool = False,
        held: Callable[[], int] = lambda: 0,
        of_address: int = MOST_OF_ADDRESS,
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
        self._held = held
        self._of_address: Counter[str] = Counter()
        #: Each connection's address, and when it was opened.
        self._opened: dict[IOStream, tuple[str, float]] = {}

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """Take a new connection, or close it at once."""
        name = str(address[0]) if address else ""
        full = len(self._opened) + self._held() >= self._most
        if full or self._of_address[name] >= self._most_of_address:
            stream.close()
            return
        self._opened[stream] = (name, monotonic())
        self._of_address[name] += 1
        super().handle_stream(stream, address)

    def on_close(self, server_conn: Any) -> None:
        """Forget a connection: it was closed, or has become a websocket."""
        super().on_close(server_conn)
        name, _ = self._opened.pop(server_conn.stream)
        self._of_address[name] -= 1
        if self._of_address[name] <= 0:
            del self._of_address[name]

    async def close_old(self) -> None:
        """Close connections that live too long; never returns."""
        while True:
            await asyncio.sleep(10)
            latest = monotonic() - _CONNECTION_SECONDS
            for stream, (_, opened) in list(self._opened.items()):
                if opened < latest:
                    stream.close()


__all__ = ["BoundedServer", "connections_for"]
