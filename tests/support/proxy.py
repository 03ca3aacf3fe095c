"""A reverse proxy as administrators write them: passes the path and the host on, and websockets."""

from __future__ import annotations

import asyncio
import threading

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketHandler, websocket_connect

from support.waiting import PATIENCE

#: Tornado's own is twenty seconds.
_PATIENT = {"connect_timeout": PATIENCE, "request_timeout": PATIENCE}
_ANSWERED = ("Content-Type", "Location", "Set-Cookie", "Cache-Control", "Content-Security-Policy")


def _headers(request, drop):
    """Return what is sent on: the visitor's headers, and where the request came from."""
    headers = request.headers.copy()
    for name in drop:
        headers.pop(name, None)
    before = headers.get("X-Forwarded-For")
    seen = request.remote_ip
    headers["X-Forwarded-For"] = f"{before}, {seen}" if before else seen
    return headers


class _Pages(RequestHandler):
    def initialize(self, target):
        self.target = target

    async def get(self):
        request = HTTPRequest(
            self.target + self.request.uri,
            method=self.request.method,
            headers=_headers(self.request, ["Connection"]),
            body=self.request.body or None,
            follow_redirects=False,
            decompress_response=False,
            **_PATIENT,
        )
        answer = await AsyncHTTPClient().fetch(request, raise_error=False)
        self.set_status(answer.code)
        for name in _ANSWERED:
            for value in answer.headers.get_list(name):
                self.add_header(name, value) if name == "Set-Cookie" else self.set_header(
                    name, value
                )
        if answer.body:
            self.write(answer.body)

    post = get

    def check_xsrf_cookie(self):
        pass


class _Sockets(WebSocketHandler):
    def initialize(self, target):
        self.target = target

    def select_subprotocol(self, subprotocols):
        return subprotocols[0] if subprotocols else None

    async def open(self):
        names = [name for name in self.request.headers if name.startswith("Sec-Websocket")]
        headers = _headers(self.request, [*names, "Upgrade", "Connection"])
        request = HTTPRequest(
            "ws" + self.target[4:] + self.request.uri, headers=headers, **_PATIENT
        )
        self.server = await websocket_connect(
            request, subprotocols=[self.selected_subprotocol], on_message_callback=self._pass_back
        )

    def _pass_back(self, content):
        if content is None:
            self.close()
        else:
            self.write_message(content, binary=isinstance(content, bytes))

    async def on_message(self, content):
        await self.server.write_message(content, binary=isinstance(content, bytes))

    def on_close(self):
        self.server.close()


class ReverseProxy:
    """A proxy in a thread.

    Parameters
    ----------
    target : str
        ``http://host:port`` of the server.
    path : str
        What it passes on; everything else is its own site's and not found.
    """

    def __init__(self, target, path):
        self._ready = threading.Event()
        self._target, self._path = target, path
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        self.url = f"http://127.0.0.1:{self._port}{path}"

    async def _serve(self):
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        sockets = bind_sockets(0, "127.0.0.1")
        self._port = sockets[0].getsockname()[1]
        target = {"target": self._target}
        routes = [
            (rf"{self._path}api/kernels/.*/channels", _Sockets, target),
            (rf"{self._path}.*", _Pages, target),
        ]
        server = HTTPServer(Application(routes))
        server.add_sockets(sockets)
        self._ready.set()
        await self._stop.wait()
        server.stop()
        await server.close_all_connections()

    def stop(self):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(timeout=PATIENCE)
