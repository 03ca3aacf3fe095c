"""What strangers send to a really running server: it goes on answering everyone else."""

from __future__ import annotations

import functools
import re
import socket
import struct
import sys
import threading
import time
from contextlib import ExitStack, suppress

import pytest
import websocket

from support.requests import port_of
from support.visitor import (
    HERE,
    Visitor,
    answer_to,
    ask_for_states,
    is_answered,
    message,
    serves_others,
    was_closed,
)
from support.waiting import PATIENCE, wait_until

MEBIBYTE = 1 << 20
OPTIONS = ("--max-pages", "4", "--pages-per-visitor", "2", "--pages-per-address", "4")


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
    for _ in range(200):  # nothing is read meanwhile
        ask_for_states(page)
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


@pytest.mark.skipif(sys.platform == "win32", reason="ZeroMQ has no sockets that are files there")
def test_no_port_is_chosen_for_a_page_process(server, visitor):
    visitor.open()
    (page,) = server.page_processes()
    # One is the process's own pipe between threads, at whatever port was free as it bound.
    assert len(page.net_connections(kind="tcp")) <= 1
    assert len({one.laddr for one in page.net_connections(kind="unix") if one.laddr}) >= 5


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


@pytest.mark.budget("messages of a page")
def test_a_flood_of_legal_messages_slows_its_sender_only(server, process):
    attacker, before = Visitor(server, source=HERE), process.memory_info().rss
    with ExitStack() as stack:
        stop, sent = threading.Event(), []
        for _ in range(2):
            flooded = attacker.open()
            stack.callback(attacker.close, flooded)
            page = attacker.connect(flooded)
            stack.callback(page.close)
            sender = threading.Thread(target=flood, args=(page, stop, sent))
            sender.start()
            stack.callback(sender.join)
            stack.callback(stop.set)
        other = Visitor(server)
        kernel = other.open("marriage")
        calm = other.connect(kernel)
        for _ in range(40):
            assert serves_others(server)
            assert is_answered(calm)
        calm.close()
        other.close(kernel)
    assert len(sent) > 200
    assert process.memory_info().rss - before < 100 * MEBIBYTE


@pytest.mark.budget("memory")
def test_large_messages_wait_until_the_page_process_has_taken_the_last(server, visitor, process):
    kernel = visitor.open()
    page = visitor.connect(kernel)
    before = process.memory_info().rss
    (worker,) = server.page_processes()
    worker.suspend()
    try:
        large = [b"x" * 20_000_000]
        page.settimeout(1)
        with pytest.raises((OSError, websocket.WebSocketException)):
            for _ in range(40):
                page.send_binary(
                    message("comm_msg", {"comm_id": "none", "data": {}}, buffers=large)
                )
        assert serves_others(server)
        assert process.memory_info().rss - before < 200 * MEBIBYTE
    finally:
        worker.resume()
        page.close()


# Places


def test_pages_that_never_connect_lose_their_places_in_seconds(server, visitor):
    for _ in range(3):
        Visitor(server).open()
    # Slow, but there: its scripts ask after the process before they can connect.
    slow = visitor.open()
    assert used(server) >= 1
    wait_until(lambda: visitor.state(slow)[0] == 200 and used(server) == 1, 60)


def test_the_first_page_counts_though_it_was_opened_without_a_cookie(visitor):
    with ExitStack() as stack:
        for _ in range(2):  # each connects at once: a page that does not soon loses its place
            stack.callback(visitor.connect(visitor.open()).close)
        status, _, text = visitor.get("matching")
        assert status == 503
        assert "You have enough pages open" in text


def test_a_page_without_its_browser_gives_way_to_a_new_one_of_its_visitor(visitor):
    lost = visitor.open()
    leaving = visitor.connect(lost)
    page = visitor.connect(visitor.open())
    leaving.close()
    wait_until(lambda: visitor.state(lost)[1]["connections"] == 0)
    new = visitor.connect(visitor.open())
    assert visitor.state(lost)[0] == 404
    assert is_answered(page) and is_answered(new)
    assert visitor.get("matching")[0] == 503
    page.close()
    new.close()


def test_aborted_requests_leave_no_process(server):
    for _ in range(4):
        with socket.create_connection(("127.0.0.1", port_of(server))) as stranger:
            stranger.sendall(b"GET /matching HTTP/1.1\r\nHost: localhost\r\n\r\n")
            time.sleep(0.1)
    wait_until(lambda: used(server) == 0)
    wait_until(lambda: not server.page_processes())


def test_who_waits_has_a_position_and_comes_in(server):
    holders, pages, sockets = [Visitor(server) for _ in range(4)], [], []
    for holder in holders:  # each connects at once: a page that does not soon loses its place
        pages.append(holder.open())
        sockets.append(holder.connect(pages[-1]))
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


# What strangers leave behind for others at their address


def nested(levels):
    return functools.reduce(lambda inner, _: {"data": inner}, range(levels), 1)


def connected(visitor, kernel):
    """Connect as soon as the server has forgotten a connection that it closed: a page has two."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return visitor.connect(kernel)
        except websocket.WebSocketBadStatusException as refused:
            if refused.status_code != 429 or time.monotonic() > end:
                raise
            time.sleep(0.05)


def test_halves_of_characters_and_deep_texts_close_their_own_connection_and_leave_no_log(
    server, visitor
):
    """The page process would fail on them, with a traceback in the log for each message."""
    kernel = visitor.open()
    before = len(server.output)
    halves = ({"msg_id": "\ud800"}, {"session": "\udfff"}, {"username": "\ud83d"})
    for header in (*halves, {"data": nested(600)}):
        attacker = connected(visitor, kernel)
        for _ in range(100):
            try:
                attacker.send_binary(message("kernel_info_request", header=header))
            except (OSError, websocket.WebSocketException):
                break
        assert was_closed(attacker)
    again = connected(visitor, kernel)
    assert is_answered(again)
    again.close()
    assert len(server.output) - before < 20_000


def test_a_message_that_comes_twice_is_answered_and_leaves_no_log(server, visitor):
    page = visitor.connect(visitor.open())
    assert is_answered(page)
    before = len(server.output)
    twice = message("kernel_info_request", identifier="twice")
    for _ in range(2):
        page.send_binary(twice)
        assert answer_to(page, "twice")["status"] == "ok"
    assert server.output[before:] == ""
    page.close()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_requests_that_are_given_up_leave_no_debt(server, method):
    """Thousands of them, and another visitor of the same address is answered in seconds."""
    port = port_of(server)
    request = f"{method} / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    for _ in range(2000):
        with (
            suppress(OSError),  # too many connections at once are closed by the server
            socket.create_connection(("127.0.0.1", port), timeout=10) as given_up,
        ):
            given_up.sendall(request.encode())

    def answered():
        with suppress(OSError):  # those of the address are still being closed
            return Visitor(server).get()[0] == 200
        return False

    wait_until(answered, 60)  # a debt has a ceiling of a second; it was minutes
