"""Programs of others, which a machine may have: found by path, run in a process of their own.

They are looked for in the folder that the environment variable ``WARPLENS_PEERS`` names, then on
the path of commands. Their authors' instructions are at their homes; what we need beyond these,
each program's adapter says.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gpucore.errors import DeviceError
from gpucore.progress import Cancel, check

#: Environment variable with the folder of the programs.
FOLDER = "WARPLENS_PEERS"
#: Seconds between two checks of the caller's request to stop.
_POLL = 0.02


def find_program(name: str) -> str | None:
    """Return the path of a program; None if this machine does not have it."""
    folder = os.environ.get(FOLDER)
    return (shutil.which(name, path=folder) if folder else None) or shutil.which(name)


@dataclass(frozen=True)
class Program:
    """A program of others.

    Attributes
    ----------
    name : str
        Name of the executable file.
    title : str
        Display label of what it does.
    home : str
        Address of its sources, with its authors' instructions.
    needs : str
        What the build needs beyond these instructions.
    """

    name: str
    title: str
    home: str
    needs: str

    def missing(self) -> str | None:
        """Return None if this machine has the program, else how to get it."""
        if find_program(self.name) is not None:
            return None
        return (
            f"{self.title} is not on this machine; build it as {self.home} says, {self.needs}, "
            f"call the program {self.name} and name its folder in {FOLDER}"
        )

    def run(self, *arguments: str | Path, cancel: Cancel | None) -> str:
        """Return what the program writes on stdout; it has ended when this returns or raises.

        Raises
        ------
        DeviceError
            It cannot be started, or ends with an error; the message has the last line it wrote.
        Cancelled
        """
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaints:
            try:
                process = subprocess.Popen(
                    [find_program(self.name) or self.name, *map(str, arguments)],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=complaints,
                )
            except OSError as error:
                raise DeviceError(
                    f"{self.title} cannot be started: {error.strerror}; build it"
                ) from None
            try:
                status = _wait(process, cancel)
            finally:
                process.kill()
                process.wait()
            output.seek(0)
            complaints.seek(0)
            said = output.read().decode(errors="replace")
            if status != 0:
                lines = (complaints.read().decode(errors="replace") or said).strip().splitlines()
                why = lines[-1] if lines else f"its process ended with status {status}"
                raise DeviceError(f"{self.title} gave no result: {why}")
        return said


def _wait(process: subprocess.Popen[bytes], cancel: Cancel | None) -> int:
    while True:
        try:
            return process.wait(_POLL)
        except subprocess.TimeoutExpired:
            check(cancel)
