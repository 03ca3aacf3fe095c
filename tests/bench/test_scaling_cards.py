"""The session of runs on 1, 2, 4, ... cards: reasons of failed runs, and memory."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
RULE = "-" * 74
AS_ROOT = f"""{RULE}
mpiexec has detected an attempt to run as root.

Running as root is *strongly* discouraged as any mistake (e.g., in
defining TMPDIR) or bug can result in catastrophic damage to the OS
file system, leaving your system in an unusable state.
{RULE}
"""
ABORTED = f"""[1,0]<stderr>:Traceback (most recent call last):
[1,0]<stderr>:  File "scaling.py", line 9, in <module>
[1,0]<stderr>:    main()
[1,0]<stderr>:cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 9,000 bytes
[1,0]<stderr>:
[1,0]<stderr>:The above exception was the direct cause of the following exception:
[1,0]<stderr>:
[1,0]<stderr>:Traceback (most recent call last):
[1,0]<stderr>:  File "gpucore/device/base.py", line 3, in require_memory
[1,0]<stderr>:gpucore.errors.DeviceError: the rows need 90 GiB, 79 GiB are free; take more cards
{RULE}
MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD
  Proc: [[4242,1],0]
with errorcode 4.

NOTE: invoking MPI_ABORT causes Open MPI to kill all MPI processes.
You may or may not see output from other processes, depending on
exactly when Open MPI kills them.
{RULE}
"""
WRAPPED = f"""{RULE}
There are not enough slots available in the system to satisfy the 8
slots that were requested by the application:

  scaling.py
{RULE}
"""
HYDRA = """
===================================================================================
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   PID 77 RUNNING AT host
=   EXIT CODE: 9
===================================================================================
"""


@pytest.fixture
def cards(monkeypatch):
    """Load benchmarks/scaling_cards.py."""
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location("scaling_cards", FOLDER / "scaling_cards.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "scaling_cards", module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        (AS_ROOT, "mpiexec has detected an attempt to run as root."),
        (ABORTED, "the rows need 90 GiB, 79 GiB are free; take more cards"),
        ("warplens: there is no file x\n" + RULE, "there is no file x"),
        (
            WRAPPED,
            "There are not enough slots available in the system to satisfy the 8 slots that were "
            "requested by the application:",
        ),
        (HYDRA, "PID 77 RUNNING AT host EXIT CODE: 9"),
        ("ValueError: a thing\n", "ValueError: a thing"),
        (f"{RULE}\n\n{RULE}\n", ""),
        ("", ""),
    ],
)
def test_the_reason_is_a_sentence(cards, printed, sentence):
    assert cards.reason(printed) == sentence


def a_session(cards, monkeypatch, folder, *words):
    command = ["scaling_cards.py", "--output", str(folder), "--device", "host", *words]
    monkeypatch.setattr(sys, "argv", command)
    code = cards.main()
    path = folder / "scaling.json"
    return code, json.loads(path.read_text())["runs"] if path.exists() else []


def test_a_failed_launcher_says_why(cards, monkeypatch, tmp_path, capfd):
    launcher = tmp_path / "mpiexec"
    launcher.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{AS_ROOT}END\nexit 1\n")
    launcher.chmod(0o755)
    monkeypatch.setattr(cards, "plan", lambda *_: [cards.Run("strong", "path:n=4", 2)])
    words = ("--cards", "2", "--small", "--launcher", str(launcher))
    _, (row,) = a_session(cards, monkeypatch, tmp_path / "found", *words)
    assert row["failed"] == "mpiexec has detected an attempt to run as root."
    printed = capfd.readouterr().out
    assert printed.count("no recorded run: mpiexec has detected an attempt") == 1


@pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="there are cards")
def test_memory_comes_from_the_cards(cards, monkeypatch, tmp_path, capfd):
    assert cards.free_memory() is None
    code, runs = a_session(cards, monkeypatch, tmp_path, "--cards", "1")
    assert (code, runs) == (2, [])
    assert "pass --memory" in capfd.readouterr().out
    seen = []
    monkeypatch.setattr(cards, "free_memory", lambda: 79.5)
    monkeypatch.setattr(cards, "plan", lambda *given: seen.append(given) or [])
    monkeypatch.setattr(cards, "record", lambda options: "")
    for words, memory in (((), 79.5), (("--memory", "40"), 40)):
        a_session(cards, monkeypatch, tmp_path, "--cards", "2", *words)
        assert seen.pop() == (cards.LARGE, 2, memory)
