"""A folder that a process of low priority writes, when a visitor first asks for it."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gpucore.interrupts import before_end, held_back

#: Below the pages of visitors, but not so far that a busy server writes nothing.
_NICENESS = 5


def server_folder() -> Path:
    """Make the folder of a server's temporary files; a process that is ended removes it."""
    folder = Path(tempfile.gettempdir()) / f"warplens-{secrets.token_hex(8)}"
    before_end.append(partial(shutil.rmtree, folder, ignore_errors=True))
    folder.mkdir(mode=0o700)
    return folder


def started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a process beside the server; it is reaped when it ends, long before the server does."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=quiet, stdout=quiet)
    threading.Thread(target=process.wait, name="warplens-reaper", daemon=True).start()
    return process


class WrittenFolder:
    """A folder of static files of one server.

    Parameters
    ----------
    folder : Path
        Where they are written; it is made here.
    module : str
        The module that writes them: its argument is the folder.
    wanted : bool
        Whether they are written at all.
    """

    def __init__(self, folder: Path, module: str, wanted: bool = True) -> None:
        self.folder, self._module, self._wanted = folder, module, wanted
        self.folder.mkdir()
        self._process: subprocess.Popen[bytes] | None = None
        before_end.insert(0, self.stop)  # before its folder is removed

    @property
    def writes(self) -> bool:
        """Whether the process that writes was started."""
        return self._process is not None

    def start(self) -> None:
        """Write the files, at the first call."""
        if self._wanted and not self.writes:
            command = [sys.executable, "-P", "-m", self._module, os.fspath(self.folder)]
            with held_back():  # Ctrl-C is the server's, which ends the process without a traceback
                self._process = started(command)

    def stop(self) -> None:
        """End the process that writes."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def give_way() -> None:
    """Leave the processor to the pages of visitors."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
