"""The process that compiles ahead ends with the server, and the server with it or not."""

import sys
import time

import psutil
import pytest

from app.site.ahead import COMMAND, compiling_ahead

WAITS = (sys.executable, "-c", "import time; time.sleep(600)")
IGNORES = (
    sys.executable,
    "-c",
    "import signal, time, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
)


def children():
    return {child.pid for child in psutil.Process().children()}


@pytest.mark.parametrize("command", [WAITS, IGNORES])
def test_it_ends_with_the_server(command, monkeypatch):
    monkeypatch.setattr("app.site.ahead._PATIENCE", 1)
    before = children()
    with pytest.raises(KeyboardInterrupt), compiling_ahead(command):
        assert len(children() - before) == 1
        time.sleep(0.3)  # until the signal is ignored
        raise KeyboardInterrupt
    assert children() <= before


def test_the_server_goes_on_when_it_has_ended():
    with compiling_ahead((sys.executable, "-c", "raise SystemExit(3)")):
        time.sleep(0.3)


def test_the_command_exists(call):
    assert call(*COMMAND[3:], "--help").exit_code == 0
