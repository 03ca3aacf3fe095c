"""Ctrl-C at any moment: exit code 130, one line, no traceback, and no temporary file."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from gpucore.errors import Cancelled, GraphError

#: Where the tests run in the background, the shell may have them and their children ignore Ctrl-C.
pytestmark = pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="Ctrl-C is ignored here"
)

#: The start of the interpreter, and of these few modules, is before any code of ours could act.
STARTED = """
import sys
from gpucore import cli
install = cli.leave_at_interrupt
def announce():
    install()
    print("started", flush=True)
cli.leave_at_interrupt = announce
cli.main(sys.argv[1:])
"""
SERVE = ("serve", "--port", "0", "--no-browser")
RUN = ("run", "suitor", "karate", "--device", "host")


def start(*words, **environment):
    """Start the command, in a process group of its own as a terminal does, and wait for Python."""
    process = subprocess.Popen(
        [sys.executable, "-c", STARTED, *map(str, words)], env={**os.environ, **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout.readline() == "started\n"
    return process


def interrupt(process, number=signal.SIGINT):
    """Send what Ctrl-C in a terminal sends: the signal to all processes of the group."""
    if process.poll() is None:
        os.killpg(process.pid, number)


def finish(process):
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "Traceback" not in err
    assert process.returncode in (0, 130), err
    if process.returncode == 130:
        assert err.splitlines()[-1] == "warplens: the work was cancelled"
    return process.returncode, out


def test_the_handler_is_installed_before_anything_long_is_imported():
    code = "import sys; old = set(sys.modules); import gpucore.cli; print(*set(sys.modules) - old)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    loaded = set(ran.stdout.split())
    assert "gpucore.interrupts" in loaded
    assert not loaded & {"typing", "inspect", "dataclasses", "numpy", "typer", "gpucore.family"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("words", "longest"),
    [(("datasets",), 0.05), (RUN, 0.3), (SERVE, 1.5)],
    ids=["datasets", "run", "serve"],
)
def test_many_times_at_the_beginning(words, longest, number, tmp_path):
    delays, codes = random.Random(number), []
    for _ in range(4):
        process = start(*words, TMPDIR=str(tmp_path))
        time.sleep(delays.uniform(0, longest))
        interrupt(process, number)
        codes.append(finish(process)[0])
        assert not list(tmp_path.iterdir())
    assert 130 in codes


def test_a_server_that_begins_leaves_no_files(tmp_path):
    process = start(*SERVE, TMPDIR=str(tmp_path))
    # Python itself tries a file there first, under another name.
    while not list(tmp_path.glob("warplens-*")):
        assert process.poll() is None
        time.sleep(0.001)
    interrupt(process)
    assert finish(process)[0] == 130
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("gap", [0.0, 0.002, 0.05, 0.3])
def test_twice_in_the_middle(gap, tmp_path):
    """On a path of rising weights only the last edge is dominant: many rounds."""
    n = 300_000
    path = tmp_path / "rising.mtx"
    path.write_text(
        f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {n - 1}\n"
        + "".join(f"{i + 1} {i} {i}\n" for i in range(1, n))
    )
    process = start("run", "ld", path, "--device", "host")
    time.sleep(1.5)
    interrupt(process)
    time.sleep(gap)
    interrupt(process)
    assert finish(process)[0] == 130


@pytest.mark.slow
def test_a_benchmark_with_its_processes(tmp_path):
    """Graphs are generated, and methods measured, in processes of the same group."""
    words = ("--graphs", "small", "--device", "host", "--cache", tmp_path / "cache")
    words += ("--repeat", 1000)  # so that it does not end before
    for delay in (1.0, 2.0):
        process = start("bench", "bipartite", *words, "--output", tmp_path / f"{delay}")
        time.sleep(delay)
        interrupt(process)
        assert finish(process)[0] == 130
        assert not list(tmp_path.rglob("*.part"))
        assert not list(tmp_path.rglob(".*"))


@pytest.mark.slow
def test_while_a_record_is_written(tmp_path):
    path = tmp_path / "run.npz"
    words = (*RUN[:2], "rmat:scale=10,seed=1", *RUN[3:], "--record", path)
    codes = []
    for step in range(4):
        process = start(*words)
        while not list(tmp_path.glob(".*.part")) and process.poll() is None:
            time.sleep(0.001)
        time.sleep(0.005 * step)
        interrupt(process)
        codes.append(finish(process)[0])
        assert {p.name for p in tmp_path.iterdir()} <= {"run.npz"}
    assert 130 in codes


def test_a_process_that_ignores_the_signal_goes_on():
    code = STARTED.replace(
        "import sys", "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); import sys"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "datasets"], stdout=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "karate" in out


IGNORED = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
from gpucore.cli.work import run_work
print(run_work(lambda progress, cancel: os.kill(os.getpid(), signal.SIGINT) or cancel.wait(0.2)))
"""


def test_work_that_ignores_the_signal_goes_on():
    ran = subprocess.run([sys.executable, "-c", IGNORED], capture_output=True, text=True)
    assert ran.stdout == "False\n", ran.stderr


def test_a_generating_process_that_ends_is_one_error(monkeypatch, tmp_path):
    from gpucore.bench import cache

    monkeypatch.setattr(cache, "leave_silently", os.abort)
    with pytest.raises(GraphError, match="ended early"):
        cache.generate_missing(["grid8"], tmp_path)


def test_a_generating_process_that_is_interrupted_is_cancelled(monkeypatch, tmp_path):
    import threading

    from gpucore.bench import cache

    monkeypatch.setattr(cache, "leave_silently", os.abort)
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        cache.generate_missing(["grid8"], tmp_path, cancel=cancel)
