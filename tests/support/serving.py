"""Starts ``warplens serve`` the way a user does, in a folder of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
import weakref
from pathlib import Path

import psutil
import pytest

from support.waiting import PATIENCE

#: Whether page processes are copies of a process that has imported what they need.
FORKS = sys.platform == "linux"
START = "import sys; from gpucore.cli import main; sys.argv[0] = 'warplens'; main()"


def is_page(process):
    """Return whether a process is that of a page; one that has ended is not."""
    try:
        if FORKS:
            return process.name().startswith("page ")
        return "page_process" in " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return False


class Server:
    """A running ``warplens serve``, started in another folder.

    Parameters
    ----------
    folder : pathlib.Path
    *options : str
    environment : dict of str to str, optional
    files : int, optional
        Open files that the system allows the server.
    """

    def __init__(self, folder, *options, environment=None, files=None):
        self.folder = folder
        # Short as a user's, not in `folder`: where a socket's path would be too long, page
        # processes have ports, which other tests may take first.
        self.temporary = Path(tempfile.mkdtemp(prefix="ws-"))
        weakref.finalize(self, shutil.rmtree, self.temporary, ignore_errors=True)
        if "--static-pages" not in options:  # a minute's work for each server without a place
            options = (*options, "--no-static-pages")
        environment = {
            **os.environ,
            "TMPDIR": str(self.temporary),
            "COLUMNS": "200",
            "PYTHONUNBUFFERED": "1",
            **(environment or {}),
        }
        command = [sys.executable, "-P", "-c", START, "serve", "--port", "0", "--no-browser"]
        if files is not None and sys.platform != "win32":
            command = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
        self.process = subprocess.Popen(
            [*command, *options],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output = ""
        for line in self.process.stdout:
            self.output += line
            if found := re.match(r"Open (http://\S+)", line):
                self.url = found[1]
                break
        else:
            pytest.fail(f"the server did not start:\n{self.output}")
        # What is not read fills the pipe and stops the server.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.output += line

    def get(self, path="", headers=None, url=None):
        """Return status, headers and text, for a visitor with a new set of cookies."""
        request = urllib.request.Request((url or self.url) + path, headers=headers or {})
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        try:
            with visitor.open(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def page_processes(self):
        """Return the processes of the open pages, and those that wait for visitors."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        return list(filter(is_page, children))

    def stop(self, number=signal.SIGINT):
        """Press Ctrl-C, or send another signal, and return the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        return code
