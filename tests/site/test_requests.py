"""Malformed and slow requests to a really running server, and addresses that are not there."""

from __future__ import annotations

import http.client
import re
import socket
import time
from contextlib import ExitStack

import pytest

from support.requests import NOWHERE, port_of, raw, raw_get
from warplens.app.site.assets import TEMPLATE


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x02\x00\x01",
        b"GET /\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: attacker.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + b"a=b; " * 20_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFF\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET /matching?graph=%ff%fe&%00 HTTP/1.1\r\nHost: [::1\r\n\r\n",
        b"GET http://attacker.example/ HTTP/1.1\r\nHost: attacker.example\r\n\r\n",
        b"GET //attacker.example/%2e%2e?token=x HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_malformed_requests_are_refused_or_harmless(server, request_bytes):
    answer = raw(server, request_bytes, timeout=1)
    assert b"Traceback" not in answer
    assert b"site-packages" not in answer
    assert not re.match(rb"HTTP/1.1 (2..|5..) ", answer), answer[:200]
    assert not re.search(rb"\nLocation: (//|[^/])", answer)
    assert server.get()[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        f"voila/templates/{TEMPLATE}/static/../../../../etc/passwd",
        f"voila/templates/{TEMPLATE}/static/%2e%2e/%2e%2e/conf.json",
        f"voila/templates/{TEMPLATE}/static/..%2fconf.json",
        f"voila/templates/{TEMPLATE}/static//etc/passwd",
        f"voila/templates/{TEMPLATE}/conf.json",
        "voila/templates/../../x",
        "voila/templates/lab",
        "voila/templates/base/static/voila.js",
        "voila/templates/%00/static/x",
        "voila/static/../templates/warplens/static/base.css",
        "voila/static/%00",
        "voila/static/" + "a" * 5000,
        "voila/static/.",
        "voila/labextensions/../../jupyter/nbextensions",
        "voila/api/themes/x",
        "voila/query/" + NOWHERE,
        "voila/execution/" + NOWHERE,
        "login",
        "logout",
        "api",
        "api/kernels",
        "api/contents",
        "api/sessions",
        "favicon.ico",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"])
def test_there_are_no_other_addresses(server, path, method):
    connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=30)
    connection.request(method, f"/{path}", headers={"Host": "localhost"})
    answer = connection.getresponse()
    text = answer.read()
    assert answer.status in (403, 404, 405), text
    assert b"Traceback" not in text
    assert b"site-packages" not in text
    connection.close()


def test_files_are_sent_compressed_and_once(server):
    path = f"voila/templates/{TEMPLATE}/static/bokeh.min.js"
    plain = raw_get(server, path)
    packed = raw_get(server, path, {"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2
    again = raw_get(server, path, {"If-None-Match": plain.headers["ETag"]})
    assert again.status == 304


def test_slow_and_half_open_requests_keep_nobody_out(server):
    # From another address of this computer: each address has a share of the connections.
    address = ("127.0.0.1", port_of(server))
    with ExitStack() as stack:
        slow = []
        for _ in range(400):
            stranger = socket.create_connection(address, 10, source_address=("127.0.0.2", 0))
            stack.callback(stranger.close)
            slow.append(stranger)
        for stranger in slow:
            try:
                stranger.sendall(b"GET / HTTP/1.1\r\nHost: localh")
            except OSError:  # closed: the address has its share
                continue
        for _ in range(5):
            assert server.get()[0] == 200
    assert server.get()[0] == 200


def test_a_half_request_is_ended(server):
    started = time.monotonic()
    assert raw(server, b"GET / HTTP/1.1\r\nHost: localh", timeout=60) == b""
    assert time.monotonic() - started < 60
