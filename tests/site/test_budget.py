"""Each row of SECURITY.md's budget is driven past its bound, while others are served."""

from __future__ import annotations

import ast
import re
import socket
import sys
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil
import pytest
import websocket

from support.connected_page import ConnectedPage
from support.requests import port_of, raw
from support.serving import FORKS
from support.visitor import ELSEWHERE, HERE, Visitor, is_answered, serves_others
from warplens.app.site.connections import MOST_OF_ADDRESS

ROOT = Path(__file__).parents[2]
PAGES = 4
OPTIONS = ("--max-pages", str(PAGES), "--pages-per-visitor", "2", "--pages-per-address", "3")
LARGE = "?graph=rmat:scale=16,edge_factor=16,seed=1&algorithm=suitor&device=host"
FILE = "/voila/templates/warplens/static/bokeh.min.js"
HALF = b"GET / HTTP/1.1\r\nHost: localh"


def connect(server, sent=b""):
    """Return a connection of the attacker which has sent some bytes."""
    address = ("127.0.0.1", port_of(server))
    stranger = socket.create_connection(address, 10, source_address=(HERE, 0))
    with suppress(OSError):  # closed by the server
        stranger.sendall(sent)
    return stranger


@contextmanager
def flooding(work, threads=8):
    """Do some work in threads until the block ends."""
    stop = threading.Event()

    def repeat():
        while not stop.is_set():
            with suppress(OSError):
                work()

    running = [threading.Thread(target=repeat) for _ in range(threads)]
    for thread in running:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in running:
            thread.join()


def test_each_row_has_its_test():
    budget = (ROOT / "SECURITY.md").read_text().partition("## Budget")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+?) \|", budget, re.MULTILINE)[1:]
    tested = set()
    for file in [*Path(__file__).parent.glob("test_*.py"), *ROOT.glob("tests/classroom/test_*.py")]:
        for found in ast.walk(ast.parse(file.read_text())):
            if isinstance(found, ast.Call) and ast.unparse(found.func) == "pytest.mark.budget":
                tested.add(ast.literal_eval(found.args[0]))
    assert rows
    assert tested == set(rows)


@pytest.mark.budget("pages")
def test_pages_of_a_visitor_an_address_and_all(server):
    with ExitStack() as stack:

        def opened(visitor):
            kernel = visitor.open()
            stack.callback(visitor.close, kernel)
            stack.callback(visitor.connect(kernel).close)

        first, second = (Visitor(server, source=HERE) for _ in range(2))
        for visitor in (first, first, second):
            opened(visitor)
        for visitor, title in ((first, "You have enough"), (second, "Your network has enough")):
            status, _, text = visitor.get("matching")
            assert (status, title in text) == (503, True)
        opened(Visitor(server, source=ELSEWHERE))
        status, _, text = Visitor(server, source="127.0.0.4").get("matching")
        assert (status, "your turn" in text) == (503, True)
        assert serves_others(server)


@pytest.mark.budget("processes")
@pytest.mark.skipif(not FORKS, reason="counts the processes that are copies")
def test_who_leaves_while_a_page_starts_has_no_more_processes_than_places(server, process):
    processes, files = [], []
    for number in range(80):
        connect(server, b"GET /matching HTTP/1.1\r\nHost: localhost\r\n\r\n").close()
        time.sleep(0.03)
        if number % 20 == 0:
            assert serves_others(server)
    for _ in range(80):
        processes.append(len(server.page_processes()))
        files.append(process.num_fds())
        time.sleep(0.05)
    assert max(processes) <= PAGES
    assert max(files) < 64 + 40 * PAGES + MOST_OF_ADDRESS
    visitor = Visitor(server, source=HERE)
    assert visitor.close(visitor.open()) == 204


@pytest.mark.budget("memory")
@pytest.mark.skipif(sys.platform != "linux", reason="lowers the limit of a running process")
def test_a_run_beyond_the_memory_of_a_page_ends_with_a_sentence(server):
    """What the forms allow fits; so the limit is lowered until it does not."""
    with ConnectedPage(Visitor(server, source=HERE)) as page:
        (worker,) = server.page_processes()
        # Small messages still fit when a large array does not.
        most = worker.memory_info().vms + (48 << 20)
        worker.rlimit(psutil.RLIMIT_AS, (most, most))
        page.set(page.find(search=""), search=LARGE)
        page.wait_for(lambda: page.error)
        assert "There is not enough memory" in page.error
        assert serves_others(server)
        assert is_answered(page.socket)


@pytest.mark.budget("file descriptors")
def test_connections_of_an_address_count_its_websockets_and_give_way(server, process):
    visitor = Visitor(server, source=HERE)
    with ExitStack() as stack:
        kernels, sockets = [], []
        for _ in range(2):  # each connects at once: a page that does not soon loses its place
            kernels.append(visitor.open())
            sockets += [visitor.connect(kernels[-1]) for _ in range(2)]
        for kernel in kernels:
            stack.callback(visitor.close, kernel)
            with pytest.raises(websocket.WebSocketBadStatusException) as refused:
                visitor.connect(kernel)
            assert refused.value.status_code == 429
        for one in sockets:
            stack.callback(one.close)
        large = (
            b"GET /voila/templates/warplens/static/bokeh.min.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        for number in range(400):  # half a request, or an answer that is not taken
            stack.callback(connect(server, HALF if number % 8 else large).close)
            if number % 100 == 99:
                assert serves_others(server)
        held = [
            one
            for one in process.net_connections("tcp")
            if one.raddr and one.raddr.ip == HERE and one.status == "ESTABLISHED"
        ]
        assert len(held) <= MOST_OF_ADDRESS
        assert process.num_fds() < 64 + 40 * PAGES + MOST_OF_ADDRESS
        assert is_answered(sockets[1])
        assert is_answered(sockets[3])


@pytest.mark.budget("requests of pages")
def test_requests_in_masses_slow_their_visitor_only(server):
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with flooding(lambda: raw(server, request, source=HERE)):
        for _ in range(3):
            time.sleep(1)
            assert serves_others(server)


@pytest.mark.budget("bytes of files")
def test_files_in_masses_slow_their_visitor_only(server):
    request = f"GET {FILE} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    taken = []
    with flooding(lambda: taken.append(len(raw(server, request, source=HERE)))):
        for _ in range(3):
            time.sleep(1)
            assert serves_others(server)
    assert max(taken) > 1e6


@pytest.mark.budget("log")
def test_the_log_of_the_server_is_bounded(server):
    before = len(server.output)
    for number in range(400):  # 12 MB of lines
        path = f"/{number:04}" + "x" * 30_000
        raw(server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        if number % 100 == 99:
            assert serves_others(server)
    assert len(server.output) - before < (4 << 20) + 100_000
