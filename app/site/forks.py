"""Page processes as copies of a process that has imported what pages need: the server's side.

The server writes a line of JSON for each page: its arguments, environment and folder. It reads
``started PID`` in answer, and later ``ended PID CODE`` for each page. See :mod:`.page_forks`.

All page processes write their standard error to one pipe, and the server copies it to its log
within one bound. Libraries in C write there too.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner

from .log import PAGES, BoundedStream

#: Command that starts the process of which pages are copies.
COMMAND = (sys.executable, "-P", "-m", f"{__package__}.page_forks")

#: Seconds in which the end of a killed process is reported; Jupyter asks again afterwards.
_SECONDS_TO_END = 2

#: Bytes of the log that are read at once, and seconds until the next: a page that writes without
#: end waits, and the server has time for others.
_LOG_BYTES, _LOG_PAUSE = 1 << 16, 0.01

#: Whether pages are copies here. Elsewhere system libraries do not allow a fork without an exec.
CAN_FORK = sys.platform == "linux"


class ForkedProcess:
    """A page process; like :class:`subprocess.Popen`, as far as Jupyter uses it.

    Parameters
    ----------
    pid : int

    Attributes
    ----------
    returncode : int or None
        As of Popen; set when the end is reported.
    ended : asyncio.Event
        Set then, too.
    """

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.ended = asyncio.Event()

    def end(self, code: int) -> None:
        """Note the exit code."""
        self.returncode = code
        self.ended.set()

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""
        return self.returncode

    def wait(self) -> int | None:
        """Return the exit code of an ended process."""
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to a process that runs."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)


class Forks:
    """Starts page processes as copies; the process that they are copies of starts with the first.

    If that process dies, its pages are ended, and the next page starts another one.
    """

    def __init__(self) -> None:
        self._original: asyncio.subprocess.Process | None = None
        self._reading: set[asyncio.Task[None]] = set()
        self._log: BoundedStream | None = None
        self._running: dict[int, ForkedProcess] = {}
        self._answers: asyncio.Queue[ForkedProcess | None] = asyncio.Queue()
        self._one_at_a_time = asyncio.Lock()

    async def start(self, arguments: list[str], environment: dict[str, str]) -> ForkedProcess:
        """Start a page process.

        Raises
        ------
        OSError
            The process that pages are copies of could not be started, or has died.
        """
        request = {"arguments": arguments, "environment": environment, "folder": str(Path.cwd())}
        async with self._one_at_a_time:
            if self._original is None:
                await self._start_original()
            assert self._original is not None
            assert self._original.stdin is not None
            self._original.stdin.write(f"{json.dumps(request)}\n".encode())
            process = await self._answers.get()
        if process is None:
            raise OSError("the process that pages are copies of has died")
        return process

    async def _start_original(self) -> None:
        pipe = asyncio.subprocess.PIPE
        # In a session of its own: Ctrl-C is the server's.
        self._original = await asyncio.create_subprocess_exec(
            *COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
        self._answers = asyncio.Queue()
        # Another original continues the bound of the first.
        self._log = self._log or BoundedStream(sys.stderr, *PAGES)
        reading = self._read(self._original, self._answers), self._copy_log(self._original)
        self._reading = set(map(asyncio.ensure_future, reading))

    async def _copy_log(self, original: asyncio.subprocess.Process) -> None:
        """Copy what the pages write to standard error to the server's log, within the bound."""
        assert original.stderr is not None and self._log is not None
        text = codecs.getincrementaldecoder("utf-8")("replace")
        while written := await original.stderr.read(_LOG_BYTES):
            with contextlib.suppress(OSError):  # a full disk must not make pages wait
                self._log.write(text.decode(written))
            await asyncio.sleep(_LOG_PAUSE)

    async def _read(
        self, original: asyncio.subprocess.Process, answers: asyncio.Queue[ForkedProcess | None]
    ) -> None:
        """Take the reports of starts and ends."""
        assert original.stdout is not None
        while line := await original.stdout.readline():
            word, *numbers = line.decode().split()
            if word == "started":
                process = ForkedProcess(int(numbers[0]))
                self._running[process.pid] = process
                answers.put_nowait(process)
            else:
                pid, code = map(int, numbers)
                self._running.pop(pid).end(code)
        for process in self._running.values():
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.end(-signal.SIGKILL)
        self._running.clear()
        self._original = None
        answers.put_nowait(None)

    async def close(self) -> None:
        """End the process that pages are copies of; its pages have ended before."""
        original = self._original
        if original is not None:
            assert original.stdin is not None
            original.stdin.close()
            await original.wait()
            await asyncio.wait(self._reading, timeout=_SECONDS_TO_END)


class ForkProvisioner(LocalProvisioner):
    """Starts a process for Jupyter by :class:`Forks`; its command is the one of a page process.

    Parameters
    ----------
    forks : Forks
    **kwargs
        Of Jupyter's provisioner.
    """

    def __init__(self, forks: Forks, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._forks = forks

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start the process of a command ``python -P -m PROGRAM ARGUMENTS...``."""
        process = await self._forks.start(cmd[4:], kwargs["env"])
        self.process = process  # type: ignore[assignment]  # does what Jupyter asks of a Popen
        self.pid = self.pgid = process.pid
        return self.connection_info

    async def kill(self, restart: bool = False) -> None:
        """End the process and wait for the report, so that Jupyter need not ask in turns."""
        process: Any = self.process
        await super().kill(restart)
        if process is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.ended.wait(), _SECONDS_TO_END)


__all__ = ["CAN_FORK", "ForkProvisioner", "ForkedProcess", "Forks"]
