"""Page processes are copies of one process, which must be fit for it and can be replaced."""

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from support.connected_page import ConnectedPage
from support.serving import FORKS, Server
from support.visitor import Visitor, is_answered
from support.waiting import PATIENCE
from warplens.app.site.log import PAGES

from .test_faults import wait_for_state

pytestmark = pytest.mark.skipif(not FORKS, reason="each page process is started by its command")


IMPORTED = """
import json, sys, threading
from warplens.app.site.page_forks import import_all
import_all()
threads = len(threading.enumerate())
print(json.dumps([threads, [name for name in ("cupy", "bokeh", "zmq") if name in sys.modules]]))
"""


def test_what_is_imported_before_the_fork_starts_no_thread_and_looks_for_no_gpu():
    done = subprocess.run(
        [sys.executable, "-P", "-c", IMPORTED], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [1, ["bokeh", "zmq"]]


def test_pages_are_sessions_of_their_own_below_one_process(tmp_path):
    server = Server(tmp_path, "--pool", "0")
    visitor = Visitor(server)
    kernels = []
    for _ in range(2):  # each connects at once: a page that does not soon loses its place
        kernels.append(visitor.open())
        assert is_answered(visitor.connect(kernels[-1]))
    pages = server.page_processes()
    assert {page.name() for page in pages} == {f"page {kernel[:8]}" for kernel in kernels}
    (original,) = {page.parent() for page in pages}
    assert original.ppid() == server.process.pid
    # Only the thread that forks would be in a copy, and locks of others would stay locked.
    assert original.num_threads() == 1
    assert server.stop() == 0
    gone, alive = psutil.wait_procs([original, *pages], PATIENCE)
    assert (len(gone), alive) == (3, [])


def test_without_that_process_pages_end_and_the_next_page_has_another(server, visitor):
    page = ConnectedPage(visitor)
    (process,) = server.page_processes()
    original = process.parent()
    original.kill()
    state = wait_for_state(visitor, page.kernel, lambda status, _: status == 404)
    assert "has died" in state["message"]
    psutil.wait_procs([process], PATIENCE)
    with ConnectedPage(visitor) as page:
        (process,) = server.page_processes()
        assert process.parent() != original


def test_no_process_outlives_a_server_that_is_killed(tmp_path):
    server = Server(tmp_path, "--pool", "0")
    Visitor(server).open()
    (page,) = server.page_processes()
    original = page.parent()
    server.process.kill()
    server.process.wait()
    _, alive = psutil.wait_procs([original, page], PATIENCE)
    assert alive == []


def test_an_interrupt_does_not_harm_a_page_that_begins(tmp_path):
    server = Server(tmp_path, "--pool", "0")
    visitor = Visitor(server)
    with ThreadPoolExecutor() as pool:
        opening = pool.submit(visitor.open)
        while not (pages := server.page_processes()) and not opening.done():
            time.sleep(0.001)
        pages[0].send_signal(signal.SIGINT)
        page = visitor.connect(opening.result())
    assert is_answered(page)
    page.close()
    assert server.stop() == 0
    assert "KeyboardInterrupt" not in server.output


def test_what_pages_write_without_python_has_one_bound_and_is_read_to_its_end(tmp_path):
    """As C code does, the test writes to descriptor 2 of two page processes."""
    server = Server(tmp_path, "--pool", "0")
    visitor = Visitor(server)
    pages = [ConnectedPage(visitor) for _ in range(2)]
    line = b"a warning of a library in C\n"
    for process in server.page_processes():
        with Path(f"/proc/{process.pid}/fd/2").open("wb") as log:
            log.write(line * (PAGES[1] // len(line)))
    assert all(is_answered(page.socket) for page in pages)
    assert server.get()[0] == 200
    assert server.stop() == 0
    assert 0.9 * PAGES[1] < len(server.output) < 1.1 * PAGES[1]
