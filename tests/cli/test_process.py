"""The command as a real process: exit codes, streams, signals, start-up."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


def test_result_goes_to_stdout_and_nothing_else_does(process):
    ran = process("run", "suitor", "karate", "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["certified"] is True
    assert ran.stderr == ""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 2),
        (("run",), 2),
        (("run", "suitor", "karate", "--device", "abacus"), 2),
        (("run", "nope", "karate"), 2),
        (("run", "suitor", "/no/such/file.mtx"), 3),
        (("--version",), 0),
        (("bench", "nope"), 2),
    ],
)
def test_exit_codes(process, words, code):
    ran = process(*words)
    assert ran.returncode == code, ran.stderr
    assert "Traceback" not in ran.stderr + ran.stdout


def test_a_missing_gpu_exits_with_4(process):
    ran = process("run", "suitor", "karate", "--device", "cuda", env=without_gpu())
    assert ran.returncode == 4
    assert len(ran.stderr.splitlines()) == 1
    assert "GPU" in ran.stderr


def without_gpu():
    return {**os.environ, "CUDA_VISIBLE_DEVICES": ""}


def test_a_broken_file_exits_with_3_and_names_the_line(process, tmp_path):
    path = tmp_path / "broken.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 9 1.0\n")
    ran = process("run", "greedy", path)
    assert ran.returncode == 3
    assert len(ran.stderr.splitlines()) == 1
    assert "line 3" in ran.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc to see that the run is at work")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_cancels_cleanly(number, tmp_path):
    """On a path of rising weights only the last edge is dominant: half a million rounds."""
    n = 600_000
    path = tmp_path / "rising.mtx"
    path.write_text(
        f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {n - 1}\n"
        + "".join(f"{i + 1} {i} {i}\n" for i in range(1, n))
    )
    command = [sys.executable, "-m", "gpucore.cli", "run", "ld", str(path), "--device", "host"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    try:
        wait_until_it_works(process.pid)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert out == ""
    assert err.strip() == "warplens: the work was cancelled"


def wait_until_it_works(pid):
    """Wait until the process has its worker thread and has computed for a while."""
    for _ in range(600):
        time.sleep(0.1)
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        threads, ticks = int(stat[17]), int(stat[11])
        if threads > 1 and ticks > 2 * os.sysconf("SC_CLK_TCK"):
            return
    raise AssertionError("the run never started")


def modules_after(*command):
    """Return the modules that a process has imported when a command has ended."""
    code = (
        "import sys\n"
        "from gpucore.cli import main\n"
        "try:\n"
        f"    main({list(command)!r})\n"
        "finally:\n"
        "    print(*sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.splitlines()[-1].split())


def test_help_imports_neither_numpy_nor_the_app(process):
    """Start-up is fast because a command imports only what it needs."""
    heavy = {"numpy", "scipy", "networkx", "cupy", "voila", "bokeh", "tornado"}
    assert not heavy & modules_after("--help")


def test_a_run_imports_the_family_of_its_algorithm_only(process):
    modules = [
        name.split(".") for name in modules_after("run", "suitor", "karate", "--device", "host")
    ]
    inner = {name[2] for name in modules if name[:2] == ["gpucore", "families"] and len(name) > 3}
    assert inner == {"matching"}


def test_other_packages_add_commands(process):
    ran = process("serve", "--help")
    assert ran.returncode == 0, ran.stderr
    assert "--port" in ran.stdout


def test_too_little_memory_is_one_line(call, monkeypatch):
    def none_left(*_, **__):
        raise MemoryError("Unable to allocate 1 TiB")

    monkeypatch.setattr("gpucore.cli.datasets._show_all", none_left)
    found = call("datasets")
    assert found.exit_code == 4
    assert found.stderr.startswith("warplens: there is too little memory: Unable to allocate")
