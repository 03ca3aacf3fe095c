"""A visitor without a browser: cookies, pages, websockets; also one who means no good."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
import urllib.error
import urllib.request
import uuid
from functools import partial
from http.cookiejar import CookieJar
from itertools import pairwise
from urllib.parse import urlsplit

import websocket

from warplens.app.page.gate import STATES
from warplens.app.site.frames import PROTOCOL

#: Where an attacker is, and where no other visitor is.
HERE, ELSEWHERE = "127.0.0.2", "127.0.0.3"
KERNEL = re.compile(r'"kernelId": "([0-9a-f-]{36})"')


def pack(channel, parts):
    """Return a frame with the given parts, whatever they hold."""
    begin = 8 * (len(parts) + 3)
    offsets = [begin, begin + len(channel)]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    table = b"".join(number.to_bytes(8, "little") for number in [len(offsets), *offsets])
    return table + channel + b"".join(parts)


def message(
    kind, content=None, *, channel=b"shell", buffers=(), identifier=None, header=None, metadata=None
):
    """Return a message as a page sends it."""
    header = {
        "msg_id": identifier or uuid.uuid4().hex,
        "msg_type": kind,
        "session": "0" * 32,
        "username": "",
        "date": "2026-01-01T00:00:00.000Z",
        "version": "5.2",
        **(header or {}),
    }
    texts = [json.dumps(part).encode() for part in (header, {}, metadata or {}, content or {})]
    return pack(channel, [*texts, *buffers])


def unpack(frame):
    """Return the channel, header, parent header and content of a frame from the server."""
    count = int.from_bytes(frame[:8], "little")
    places = [int.from_bytes(frame[8 * i : 8 * i + 8], "little") for i in range(1, count + 1)]
    channel, header, parent, _, content = (frame[start:end] for start, end in pairwise(places[:6]))
    return channel.decode(), *(json.loads(part) for part in (header, parent, content))


class _FromAddress(urllib.request.HTTPHandler):
    def __init__(self, source):
        super().__init__()
        self._connection = partial(http.client.HTTPConnection, source_address=source)

    def http_open(self, request):
        return self.do_open(self._connection, request)


class Visitor:
    """Visits a server; keeps its cookies.

    Parameters
    ----------
    server : support.serving.Server
    token : str
        Sent with the first request.
    source : str
        The visitor's network address, one of this computer.
    """

    def __init__(self, server, token="", source="127.0.0.1"):
        self.base = server.url.split("?")[0]
        self.source = source, 0
        self.jar = CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.jar), _FromAddress(self.source)
        )
        if token:
            assert self.get(f"?token={token}")[0] == 200

    @property
    def cookies(self):
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)

    def get(self, path="", headers=None, data=None, method=None):
        """Return status, headers and text."""
        request = urllib.request.Request(
            self.base + path, data=data, headers=headers or {}, method=method
        )
        try:
            with self._opener.open(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode("utf-8", "replace")

    def open(self, page="matching"):
        """Open a page and return the identifier of its process."""
        status, _, text = self.get(page)
        assert status == 200, text
        found = KERNEL.search(text)
        assert found, f"the server could not draw the page: {text[-500:]}"
        return found[1]

    def state(self, kernel):
        """Return status and what the server says of a page process."""
        status, _, text = self.get(f"api/kernels/{kernel}")
        return status, json.loads(text)

    def connect(self, kernel, *, protocols=(PROTOCOL,), headers=(), timeout=60):
        """Return an open websocket of a page."""
        path = f"api/kernels/{kernel}/channels?session_id={'0' * 32}"
        address = urlsplit(self.base)
        return websocket.create_connection(
            f"ws{self.base.removeprefix('http')}{path}",
            subprotocols=list(protocols),
            header=[f"Cookie: {self.cookies}", *headers],
            timeout=timeout,
            socket=socket.create_connection(
                (address.hostname, address.port), timeout, source_address=self.source
            ),
        )

    def close(self, kernel):
        """Send what a tab sends when it is closed, and return the status."""
        token = next((c.value for c in self.jar if c.name == "_xsrf"), "")
        return self.get(f"voila/api/shutdown/{kernel}", data=f"_xsrf={token}".encode())[0]


def is_quick(ask, seconds=2):
    """Return whether one of twenty calls takes less time; a busy machine slows most of them."""
    for _ in range(20):
        began = time.monotonic()
        if ask() and time.monotonic() - began < seconds:
            return True
    return False


def serves_others(server):
    """Return whether other visitors are served quickly: at HERE, and at another address."""
    visitors = [Visitor(server, source=source) for source in (HERE, ELSEWHERE)]
    return all(is_quick(lambda one=one: one.get()[0] == 200) for one in visitors)


def answer_to(socket, identifier):
    """Return the content of the answer on the shell channel to a message."""
    while True:
        kind, frame = socket.recv_data()
        assert kind == websocket.ABNF.OPCODE_BINARY, "the connection was closed"
        channel, _, parent, content = unpack(frame)
        if channel == "shell" and parent.get("msg_id") == identifier:
            return content


def ask_for_states(socket):
    """Open the comm on which a page asks for the states of all widgets, and ask once."""
    opened = {"comm_id": "states", "target_name": STATES, "data": {}}
    socket.send_binary(message("comm_open", opened, metadata={"version": "1.0.0"}))
    asked = {"comm_id": "states", "data": {"method": "request_states"}}
    socket.send_binary(message("comm_msg", asked))


def is_answered(socket):
    """Return whether a page process answers on a websocket."""
    identifier = uuid.uuid4().hex
    socket.send_binary(message("kernel_info_request", identifier=identifier))
    return answer_to(socket, identifier)["status"] == "ok"


def was_closed(socket):
    """Return whether the server closed a websocket; reads what it sent before."""
    try:
        while True:
            kind, _ = socket.recv_data()
            if kind == websocket.ABNF.OPCODE_CLOSE:
                return True
    except websocket.WebSocketTimeoutException:
        return False
    except (OSError, websocket.WebSocketException):
        return True
