"""What closed pages leave in the server, and runs in their page process."""

from __future__ import annotations

import gc
import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace

import pytest

from support.connected_page import ConnectedPage
from support.visitor import Visitor

TESTS = Path(__file__).parents[1]
KINDS = ("PageConnection", "Session", "EventLogger", "NotebookRenderer", "PageKernel", "Prepared")


def open_and_close(visitor, count, most):
    """Return how many objects of some kinds this process has after pages were open.

    The server closes them a moment later, so counts above `most` are looked at again.
    """
    for _ in range(count):
        with ConnectedPage(visitor):
            pass
    end = monotonic() + 30
    while True:
        gc.collect()
        counted = Counter(type(one).__name__ for one in gc.get_objects())
        found = {kind: counted[kind] for kind in KINDS}
        found["loggers"] = len(logging.root.manager.loggerDict)
        if all(found[kind] <= number for kind, number in most.items()) or monotonic() > end:
            return found
        sleep(0.1)


def serve():
    """Serve pages, visit them from a thread, and write what is left after two and after four."""
    from warplens.app.site.addresses import listen
    from warplens.app.site.server import Settings, run

    listener = listen("127.0.0.1", 0)

    def visit():
        visitor = Visitor(SimpleNamespace(url=listener.url("")))
        try:
            before = open_and_close(visitor, 2, {"PageConnection": 0, "PageKernel": 0})
            print(json.dumps([before, open_and_close(visitor, 2, before)]))
        finally:
            os.kill(os.getpid(), signal.SIGINT)

    run(Settings(pool=0, static_pages=False), listener, threading.Thread(target=visit).start)


@pytest.mark.skipif(sys.platform == "win32", reason="the server stops by a signal")
def test_closed_pages_leave_no_object(tmp_path):
    program = f"from {Path(__file__).stem} import serve; serve()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path, capture_output=True, text=True, timeout=240,
        env={**os.environ, "PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS / 'site'}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    before, after = json.loads(done.stdout)
    assert all(after[kind] <= number for kind, number in before.items()), (before, after)
    assert after["PageConnection"] == after["PageKernel"] == 0


def test_a_message_for_a_closed_widget_leaves_no_line_in_the_log(server):
    """ipykernel would warn of it, although every reload sends some."""
    with ConnectedPage(Visitor(server)) as page:
        before = len(server.output)
        page.send("comm_msg", {"comm_id": "closed", "data": {"method": "update", "state": {}}})
        page.run()
    assert server.output[before:] == ""


@pytest.mark.slow
def test_runs_leave_nothing_in_their_page_process(server):
    with ConnectedPage(Visitor(server)) as page:
        (process,) = server.page_processes()

        def used_after(count):
            for _ in range(count):
                page.run()
            return process.memory_info().rss

        before = used_after(25)  # two arenas of the C library take their size
        assert used_after(10) - before < 2 << 20
