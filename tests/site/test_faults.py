"""Page processes that die, hang, or take too much: their page says so, and nothing else happens."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import psutil
import pytest

from support.connected_page import ConnectedPage
from support.serving import Server
from support.visitor import Visitor, is_answered, message, was_closed
from support.waiting import wait_until
from warplens.app.limits import PageLimits
from warplens.app.site.kernel_pool import PageKernelManager
from warplens.app.site.places import Places
from warplens.app.site.places import Visitor as Guest
from warplens.app.site.priority import ProcessorShares
from warplens.app.site.watch import LEFT, UNUSED, Watch

MEBIBYTE = 1 << 20
SHARES = ProcessorShares(1)

unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")


def wait_for_state(visitor, kernel, holds):
    """Wait until a condition holds of what the server says of a page process."""

    def held():
        status, state = visitor.state(kernel)
        return state if holds(status, state) else None

    return wait_until(held)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGXCPU])
def test_a_process_that_dies_frees_its_place_and_the_page_says_why(server, visitor, number):
    kernel = visitor.open()
    page = visitor.connect(kernel)
    (worker,) = server.page_processes()
    worker.send_signal(number)
    state = wait_for_state(visitor, kernel, lambda status, _: status == 404)
    expected = "processor time" if number == signal.SIGXCPU else "has died"
    assert expected in state["message"]
    assert "0 of" in server.get()[2]
    page.close()
    # The next page is not affected.
    assert visitor.state(visitor.open())[0] == 200


def test_a_process_that_is_killed_in_mid_run_harms_no_other_page(server, visitor):
    with ConnectedPage(Visitor(server)) as other:
        quiet = server.page_processes()
        page = ConnectedPage.in_long_run(visitor)
        (worker,) = set(server.page_processes()) - set(quiet)
        worker.kill()
        state = wait_for_state(visitor, page.kernel, lambda status, _: status == 404)
        assert "has died, perhaps because it ran out of memory" in state["message"]
        assert was_closed(page.socket)
        assert "1 of" in server.get()[2]
        assert is_answered(other.socket)
        assert server.page_processes() == quiet


def test_a_process_that_hangs_is_noticed_and_recovers(server, visitor):
    kernel = visitor.open()
    page = visitor.connect(kernel)
    assert is_answered(page)
    wait_for_state(visitor, kernel, lambda _, state: state["silent"] == 0)
    (worker,) = server.page_processes()
    worker.suspend()
    page.send_binary(message("kernel_info_request"))
    wait_for_state(visitor, kernel, lambda _, state: state["silent"] >= 2)
    worker.resume()
    wait_for_state(visitor, kernel, lambda _, state: state["silent"] == 0)
    assert is_answered(page)
    page.close()


def has_stopped_cleanly(server, number):
    """Stop a server by a signal, and check that it leaves neither processes nor files."""
    children = psutil.Process(server.process.pid).children(recursive=True)
    assert children
    assert server.stop(number) == 0, server.output
    assert "Traceback" not in server.output, server.output
    assert not [child for child in children if child.is_running()]
    return not [*server.temporary.iterdir(), *server.folder.iterdir()]


def test_a_page_that_is_drawn_while_the_server_stops_is_no_fault(monkeypatch):
    """Its process ends before it answers; the log would have a traceback of that."""

    class Renderer:
        async def generate_content_generator(self, *_):
            await asyncio.sleep(60)
            yield "a page", None

    async def stop():
        pool, html = PageKernelManager.__new__(PageKernelManager), asyncio.Queue()
        drawing = asyncio.ensure_future(pool._draw(Renderer(), "a", html))
        pool._drawings = {"a": drawing}
        await asyncio.sleep(0)
        pool.stop_drawing()
        await asyncio.wait([drawing], timeout=10)
        return drawing.cancelled(), pool._drawings, html.get_nowait()

    monkeypatch.setattr(PageKernelManager, "get_kernel", lambda *_: None)
    # In a thread of its own: that of the tests may have a loop, which drives a browser.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, stop()).result() == (True, {}, None)


def test_the_server_stops_while_pages_are_open(tmp_path):
    server = Server(tmp_path, "--pool", "1")
    visitor = Visitor(server)
    page = visitor.connect(visitor.open())
    assert is_answered(page)
    assert has_stopped_cleanly(server, signal.SIGINT)
    page.close()


def test_the_server_stops_during_a_run(tmp_path):
    server = Server(tmp_path, "--pool", "0")
    page = ConnectedPage.in_long_run(Visitor(server))
    assert page.runs
    assert has_stopped_cleanly(server, signal.SIGTERM)
    assert was_closed(page.socket)


@pytest.mark.slow
def test_opening_and_closing_pages_leaves_nothing(server, visitor, request):
    process = psutil.Process(server.process.pid)
    cycles, most = (30, 20) if request.config.getoption("--soak") else (5, 10)

    def cycle(times):
        for _ in range(times):
            kernel = visitor.open()
            page = visitor.connect(kernel)
            assert is_answered(page)
            page.close()
            assert visitor.close(kernel) == 204

    cycle(2)  # what is loaded once
    before, files = process.memory_info().rss, process.num_fds()
    cycle(cycles)
    assert process.memory_info().rss - before < most * MEBIBYTE
    assert process.num_fds() - files < most
    assert server.page_processes() == []


LIMITED = """
import sys
from warplens.app.errors import describe
from warplens.app.limits import PageLimits
from warplens.app.site.page_process import apply_limits
apply_limits(PageLimits(process_bytes=1 << 30, process_seconds=%d))
"""


def run_limited(code, seconds=60):
    """Run code in a process with the limits of a page process."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED % seconds + code],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@unix
def test_an_allocation_beyond_the_limit_is_an_error_of_the_page_alone(monkeypatch):
    ran = run_limited(
        "import numpy as np\n"
        "try:\n"
        "    np.ones(1 << 28)\n"
        "except MemoryError as error:\n"
        "    print(*describe(error))\n"
        "print(np.ones(5).sum())\n"
    )
    assert ran.returncode == 0, ran.stderr
    assert "There is not enough memory" in ran.stdout
    assert ran.stdout.endswith("5.0\n")


@unix
def test_a_run_whose_kernels_need_too_much_memory_is_an_error_of_the_page_alone():
    ran = run_limited(
        "import gpucore\n"
        "import resource\n"
        "from gpucore import native\n"
        "native.load()\n"
        "graph = gpucore.load('rmat:scale=14,seed=1')\n"
        "from pathlib import Path\n"
        "used = int(Path('/proc/self/statm').read_text().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (2 << 20),) * 2)\n"
        "try:\n"
        "    gpucore.run('suitor', graph, device='host')\n"
        "except Exception as error:\n"
        "    print(*describe(error))\n"
    )
    assert ran.returncode == 0, (ran.returncode, ran.stderr)
    assert "memory" in ran.stdout


@unix
def test_too_much_processor_time_ends_the_process():
    ran = run_limited("while True: pass\n", seconds=1)
    assert ran.returncode == -signal.SIGXCPU


@unix
def test_a_large_file_is_refused(tmp_path):
    ran = run_limited(
        f"file = open({str(tmp_path / 'large')!r}, 'wb')\n"
        "import signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "file.truncate(1 << 31)\n"
    )
    assert "OSError" in ran.stderr


class Manager:
    """Page processes that are started here, without Jupyter."""

    def __init__(self, process, places):
        self.places = places
        self.process = process
        self.warnings = []
        self.log = SimpleNamespace(warning=lambda *words: self.warnings.append(words))
        self.reason = ""

    def process_of(self, kernel_id):
        return self.process

    def ending(self, kernel_id):
        return self.reason


def test_a_process_that_uses_too_much_memory_is_ended():
    code = "held = b'x' * (200 << 20); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.readline()
        manager = Manager(process, Places(1, 1, 1))
        frugal = Watch(manager, PageLimits(process_bytes=1 << 30), 10, 100, SHARES)
        assert frugal.look_at("any") == ""
        strict = Watch(manager, PageLimits(process_bytes=100 << 20), 10, 100, SHARES)
        assert "more memory than a page may (100 MiB)" in strict.look_at("any")
        process.communicate(b"\n")
    assert "has died" in frugal.look_at("any")


def test_a_process_that_was_ended_on_purpose_has_not_died():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        process.kill()
    manager = Manager(process, Places(1, 1, 1))
    manager.reason = "The visitor left."
    assert Watch(manager, PageLimits(), 10, 100, SHARES).look_at("any") == "The visitor left."
    assert manager.warnings == []


@pytest.mark.parametrize(
    ("state", "seconds", "reason"),
    [
        ({}, 50, ""),  # its page is still being made
        ({"served": True}, 5, ""),
        ({"served": True}, 15, LEFT),
        ({"served": True, "was_connected": True}, 9, ""),
        ({"served": True, "was_connected": True}, 11, LEFT),
        ({"served": True, "was_connected": True, "sockets": ["one"]}, 99, ""),
        ({"served": True, "was_connected": True, "sockets": ["one"]}, 101, UNUSED),
    ],
)
def test_pages_that_are_left_or_not_used_are_ended(state, seconds, reason):
    now = [0.0]
    places = Places(1, 1, 1, lambda: now[0])
    place = places.take(Guest("ann", "10.0.0.1"))
    for name, value in state.items():
        setattr(place, name, value)
    now[0] = seconds
    assert Watch(Manager(None, places), PageLimits(), 10, 100, SHARES).not_used(place) == reason
