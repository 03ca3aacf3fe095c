"""Requests without a browser, well formed or not, and an address of every route."""

from __future__ import annotations

import functools
import http.client
import re
import socket

from warplens.app.site.addresses import listen
from warplens.app.site.frames import PROTOCOL
from warplens.app.site.server import WarplensServer
from warplens.app.site.settings import Settings

#: An identifier that no page process has.
NOWHERE = "0123abcd-0000-4000-8000-000000000000"

#: Headers that ask for a websocket.
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": PROTOCOL,
}


def port_of(server):
    return int(re.search(r":(\d+)/", server.url)[1])


def raw(server, request, *, source="127.0.0.1", timeout=10):
    """Send bytes and return what comes back until the server closes or is silent."""
    address = ("127.0.0.1", port_of(server))
    with socket.create_connection(address, timeout, source_address=(source, 0)) as stranger:
        stranger.sendall(request)
        received = b""
        try:
            while part := stranger.recv(1 << 16):
                received += part
        except (TimeoutError, ConnectionResetError):
            pass
        return received


def raw_get(server, path, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=30)
    connection.request("GET", f"/{path}", headers=headers or {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def asks_at(port, path, headers=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, headers=headers or {})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def sample(pattern):
    """Return an address that a route's pattern matches."""
    address = pattern.replace(r"(?P<path>[a-z0-9-]+)", "matching")
    address = address.replace(r"(?P<kernel_id>[0-9a-f-]{36})", NOWHERE)
    address = address.replace("(.+)", "base.css").replace(".*", "/nothing-here")
    address = address.replace(r"\.", ".")
    return re.sub(r"\(([^|)]+)[^)]*\)", r"\1", address)


@functools.cache
def routes():
    """Return an address of every route of the application."""
    settings = Settings(pool=0)
    listener = listen("127.0.0.1", 0)
    site = WarplensServer(settings, listener)
    try:
        site.initialize([])
        site.init_settings()
        patterns = [rule[0] for rule in site.init_handlers()]
    finally:
        site.close()
        for bound in listener.sockets:
            bound.close()
    addresses = [sample(pattern) for pattern in patterns]
    for pattern, address in zip(patterns, addresses, strict=True):
        assert re.fullmatch(pattern, address), (pattern, address)
    return addresses
