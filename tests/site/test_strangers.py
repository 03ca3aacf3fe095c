"""What strangers send to a really running server: it goes on answering everyone else."""

from __future__ import annotations

import http.client
import re
import socket
import struct
import threading
import time
from contextlib import ExitStack

import psutil
import pytest
import websocket

from support.serving import Server
from support.visitor import Visitor, is_answered, message, was_closed
from warpscope.app.pages import find_pages
from warpscope.app.site.addresses import listen
from warpscope.app.site.assets import TEMPLATE
from warpscope.app.site.frames import PROTOCOL
from warpscope.app.site.server import Settings, WarpscopeServer

MEBIBYTE = 1 << 20
OPTIONS = ("--max-pages", "4", "--pages-per-visitor", "4", "--pages-per-address", "4")
NOWHERE = "0123abcd-0000-4000-8000-000000000000"


def port_of(server):
    return int(re.search(r":(\d+)/", server.url)[1])


def wait_until(holds, seconds=60):
    """Wait until a condition holds; return whether it does."""
    for _ in range(seconds * 10):
        if holds():
            return True
        time.sleep(0.1)
    return holds()


def used(server):
    return int(re.search(r"(\d+) of \d+ places", server.get()[2])[1])


# Messages that stopped the server


FREEZES = {
    "offsets": struct.pack("<Q", 2**60) + b"x" * 64,
    "parts": struct.pack("!i", 2**31 - 1) + b"abc",
    "nothing": b"",
    "execute": message("execute_request", {"code": "import os; os.abort()", "silent": False}),
    "shutdown": message("shutdown_request", {"restart": False}, channel=b"control"),
}


@pytest.mark.parametrize("frame", FREEZES.values(), ids=FREEZES)
def test_a_frame_closes_its_own_connection_only(server, visitor, process, frame):
    kernel = visitor.open()
    before = process.memory_info().rss
    attacker = visitor.connect(kernel)
    attacker.send_binary(frame)
    assert was_closed(attacker)
    assert server.get()[0] == 200
    assert process.memory_info().rss - before < 100 * MEBIBYTE
    # The page process is not harmed, and the page learns why.
    status, state = visitor.state(kernel)
    assert status == 200
    assert "closed the connection" in state["refusal"]
    again = visitor.connect(kernel)
    assert is_answered(again)
    again.close()


@pytest.mark.parametrize("protocols", [(), ("v0.kernel.websocket.jupyter.org",)])
def test_only_one_form_of_messages_is_spoken(server, visitor, protocols):
    kernel = visitor.open()
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        visitor.connect(kernel, protocols=protocols)
    assert refused.value.status_code == 400
    # A proxy may have removed the header: the page says so.
    assert "Sec-WebSocket-Protocol" in visitor.state(kernel)[1]["refusal"]
    assert server.get()[0] == 200


def test_text_frames_are_refused(server, visitor):
    attacker = visitor.connect(visitor.open())
    attacker.send('{"header": {"msg_type": "kernel_info_request"}, "channel": "shell"}')
    assert was_closed(attacker)
    assert server.get()[0] == 200


def test_states_of_widgets_are_sent_however_often_they_are_requested(server, visitor, process):
    kernel = visitor.open()
    page = visitor.connect(kernel)
    before = process.memory_info().rss
    comm = {"comm_id": "c" * 32, "target_name": "jupyter.widget.control", "data": {}}
    page.send_binary(message("comm_open", comm | {"metadata": {}}))
    request = {"comm_id": "c" * 32, "data": {"method": "request_states"}}
    for _ in range(200):  # nothing is read meanwhile
        page.send_binary(message("comm_msg", request))
    assert server.get()[0] == 200
    assert is_answered(page)
    page.close()
    assert process.memory_info().rss - before < 200 * MEBIBYTE


def test_pings_in_masses_close_the_connection(server, visitor):
    page = visitor.connect(visitor.open())
    with pytest.raises((OSError, websocket.WebSocketException)):
        for _ in range(100_000):
            page.ping(b"x" * 100)
    assert server.get()[0] == 200


def test_a_third_connection_of_a_page_is_refused(visitor):
    kernel = visitor.open()
    with ExitStack() as stack:
        for _ in range(2):
            stack.callback(visitor.connect(kernel).close)
        with pytest.raises(websocket.WebSocketBadStatusException) as refused:
            visitor.connect(kernel)
        assert refused.value.status_code == 429


# Floods


def flood(page, stop, sent):
    """Send legal messages as fast as the server takes them."""
    page.settimeout(0.5)
    while not stop.is_set():
        try:
            page.send_binary(message("kernel_info_request"))
            sent.append(1)
        except websocket.WebSocketTimeoutException:
            continue
        except (OSError, websocket.WebSocketException):
            return


def test_a_flood_of_legal_messages_slows_its_sender_only(server, visitor, process):
    before = process.memory_info().rss
    with ExitStack() as stack:
        stop, sent = threading.Event(), []
        for _ in range(2):
            page = visitor.connect(visitor.open())
            stack.callback(page.close)
            sender = threading.Thread(target=flood, args=(page, stop, sent))
            sender.start()
            stack.callback(sender.join)
            stack.callback(stop.set)
        other = Visitor(server)
        kernel = other.open("marriage")
        calm = other.connect(kernel)
        for _ in range(40):
            assert other.get()[0] == 200
            assert is_answered(calm)
        calm.close()
        other.close(kernel)
    assert len(sent) > 200
    assert process.memory_info().rss - before < 100 * MEBIBYTE


def test_large_messages_wait_until_the_page_process_has_taken_the_last(server, visitor, process):
    kernel = visitor.open()
    page = visitor.connect(kernel)
    before = process.memory_info().rss
    worker = only_page_process(process)
    worker.suspend()
    try:
        large = [b"x" * 20_000_000]
        page.settimeout(1)
        with pytest.raises((OSError, websocket.WebSocketException)):
            for _ in range(40):
                page.send_binary(
                    message("comm_msg", {"comm_id": "none", "data": {}}, buffers=large)
                )
        assert server.get()[0] == 200
        assert process.memory_info().rss - before < 200 * MEBIBYTE
    finally:
        worker.resume()
        page.close()


def only_page_process(process):
    workers = [child for child in process.children() if "page_process" in " ".join(child.cmdline())]
    assert len(workers) == 1
    return workers[0]


# Places


def test_pages_that_never_connect_lose_their_places_in_seconds(server, visitor):
    for _ in range(3):
        Visitor(server).open()
    # Slow, but there: its scripts ask after the process before they can connect.
    slow = visitor.open()
    assert used(server) >= 1
    assert wait_until(lambda: visitor.state(slow)[0] == 200 and used(server) == 1, 30)


def test_aborted_requests_leave_no_process(server, process):
    for _ in range(4):
        with socket.create_connection(("127.0.0.1", port_of(server))) as stranger:
            stranger.sendall(b"GET /matching HTTP/1.1\r\nHost: localhost\r\n\r\n")
            time.sleep(0.1)
    assert wait_until(lambda: used(server) == 0, 30)
    assert wait_until(lambda: not process.children(), 30)


def test_who_waits_has_a_position_and_comes_in(server):
    holders = [Visitor(server) for _ in range(4)]
    pages = [holder.open() for holder in holders]
    sockets = [holder.connect(page) for holder, page in zip(holders, pages, strict=True)]
    first, second = Visitor(server), Visitor(server)
    for guest in (first, second):
        guest.get()
        status, headers, text = guest.get("matching")
        # Four places of one address: the share is used up, and the text says so.
        assert status == 503
        assert headers["Retry-After"]
        assert "Traceback" not in text
    for page in sockets:
        page.close()
    assert holders[0].close(pages[0]) == 204
    kernel = first.open()
    assert first.close(kernel) == 204
    for holder, page in zip(holders[1:], pages[1:], strict=True):
        assert holder.close(page) == 204
    assert used(server) == 0


# Requests


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
        "voila/static/../templates/warpscope/static/base.css",
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


def raw_get(server, path, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=30)
    connection.request("GET", f"/{path}", headers=headers or {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


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


# Access


def sample(pattern):
    """Return an address that a route's pattern matches."""
    address = pattern.replace(r"(?P<path>[a-z0-9-]+)", "matching")
    address = address.replace(r"(?P<kernel_id>[0-9a-f-]{36})", NOWHERE)
    address = address.replace("(.+)", "base.css").replace(".*", "/nothing-here")
    return re.sub(r"\(([^|)]+)[^)]*\)", r"\1", address)


def routes():
    """Return an address of every route of the application."""
    settings = Settings(pool=0)
    listener = listen("127.0.0.1", 0)
    site = WarpscopeServer(settings, listener)
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


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server that other computers can reach."""
    folder = tmp_path_factory.mktemp("guarded")
    running = Server(folder, "--pool", "0", "--host", "0.0.0.0", "--token", "right-token")
    yield running
    assert running.stop() == 0, running.output


def asks_at(port, path, headers=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, headers=headers or {})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": PROTOCOL,
}


def test_every_route_needs_the_token(guarded):
    port = port_of(guarded)
    addresses = routes()
    assert len(addresses) >= 8
    static = f"/voila/templates/{TEMPLATE}/static/base.css"
    files = [static, "/voila/static/voila.js"]
    for path in [*addresses, *files, *(f"/{name}" for name in find_pages())]:
        headers = UPGRADE if path.endswith("/channels") else {}
        for method in ("GET", "POST", "HEAD", "DELETE"):
            answer, text = asks_at(port, path, headers, method)
            assert answer.status == 403, (method, path)
            assert "Set-Cookie" not in answer.headers
            assert method == "HEAD" or "needs a token" in text
    # With the right one each route answers for itself.
    right = {"Authorization": "token right-token"}
    for path in addresses:
        if path == "/matching":
            continue  # starts a process; tested above
        headers = right | (UPGRADE if path.endswith("/channels") else {})
        assert asks_at(port, path, headers)[0].status in (200, 404, 405), path
    assert asks_at(port, static, right)[0].status == 200


def test_a_wrong_token_is_answered_once_and_often_wrong_ones_must_wait(tmp_path):
    server = Server(tmp_path, "--pool", "0", "--token", "right-token")
    try:
        port = port_of(server)
        answer, text = asks_at(port, "/?token=wrong")
        assert answer.status == 403
        assert "not the token" in text
        assert "<form" in text
        for _ in range(30):
            answer, text = asks_at(port, "/", {"Authorization": "token wr\u00f6ng"})
        assert answer.status == 429
        # Even the right one, or it could be guessed at any speed.
        assert asks_at(port, "/?token=right-token")[0].status == 429
    finally:
        server.stop()
    assert "right-token" not in server.output.partition("Anyone")[2]


def test_the_token_leaves_the_address_and_a_cookie_stays(guarded):
    port = port_of(guarded)
    answer, _ = asks_at(port, "/compare?graph=karate&token=right-token&first.seed=5")
    assert answer.status == 302
    assert answer.headers["Location"] == "/compare?graph=karate&first.seed=5"
    (cookie,) = [c for c in answer.headers.get_all("Set-Cookie") if c.startswith("warpscope-")]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    own = {"Cookie": cookie.split(";")[0]}
    assert asks_at(port, "/", own)[0].status == 200
    # Changed in one character, or signed by another server.
    forged = own["Cookie"][:-3] + ("abc" if not own["Cookie"].endswith("abc") else "abd")
    other = f'warpscope-{port}="2|1:0|10:1795000000|15:warpscope-12345|44:YWFh|00"'
    for cookie in (forged, other, f"warpscope-{port}=x", f"warpscope-{port}="):
        assert asks_at(port, "/", {"Cookie": cookie})[0].status == 403
    answer, _ = asks_at(port, "//attacker.example/x?token=right-token")
    assert answer.headers.get("Location", "/").startswith("/attacker.example")


def test_a_visitor_with_a_token_works_and_no_page_process_has_it(guarded):
    visitor = Visitor(guarded, "right-token")
    kernel = visitor.open("matching?graph=karate&token=right-token")
    assert visitor.state(kernel)[0] == 200
    page = visitor.connect(kernel)
    assert is_answered(page)
    page.close()
    (worker,) = [
        child
        for child in psutil.Process(guarded.process.pid).children()
        if "page_process" in " ".join(child.cmdline())
    ]
    assert "right-token" not in str(worker.environ())
    assert "right-token" not in " ".join(worker.cmdline())
    # Another visitor without the token sees nothing of it.
    assert Visitor(guarded).get(f"api/kernels/{kernel}")[0] == 403
    assert visitor.close(kernel) == 204


@pytest.mark.parametrize(
    "host",
    ["attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.example", "[::2]"],
)
def test_foreign_names_are_refused_on_every_route(server, host):
    for path in [*routes(), f"/voila/templates/{TEMPLATE}/static/base.css"]:
        headers = {"Host": f"{host}:{port_of(server)}"}
        if path.endswith("/channels"):
            headers |= UPGRADE
        answer, text = asks_at(port_of(server), path, headers)
        assert answer.status == 403, path
        assert "host name" in text


def test_a_foreign_page_cannot_use_a_page_process(server, visitor):
    kernel = visitor.open()
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        visitor.connect(kernel, headers=["Origin: http://attacker.example"])
    assert refused.value.status_code == 403
    # A form of a foreign page has the cookies, but not the value that must go with them.
    assert visitor.get(f"voila/api/shutdown/{kernel}", data=b"")[0] == 403
    assert visitor.get(f"api/kernels/{kernel}", method="DELETE")[0] in (403, 405)
    assert visitor.state(kernel)[0] == 200


def test_unknown_processes_are_not_found(server, visitor):
    visitor.get()
    status, state = visitor.state(NOWHERE)
    assert status == 404
    assert "Traceback" not in str(state)
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        visitor.connect(NOWHERE)
    assert refused.value.status_code == 404
    assert visitor.close(NOWHERE) in (403, 404)
