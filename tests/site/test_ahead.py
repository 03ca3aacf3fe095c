"""The processes beside a server end with it, and what has ended before is reaped."""

import sys
import time

import psutil
import pytest

from app.site.ahead import COMMAND, compiling_ahead
from app.site.background import WrittenFolder
from support.waiting import wait_until

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


def test_the_server_goes_on_when_it_has_ended_and_keeps_no_zombie():
    before = children()
    with compiling_ahead((sys.executable, "-c", "raise SystemExit(3)")):
        wait_until(lambda: children() == before)


def test_the_command_exists(call):
    assert call(*COMMAND[3:], "--help").exit_code == 0


def test_what_writes_a_folder_is_reaped_when_it_has_written(tmp_path):
    before = children()
    folder = WrittenFolder(tmp_path / "written", "this")
    folder.start()
    wait_until(lambda: children() == before)
    folder.stop()
    assert folder.writes
