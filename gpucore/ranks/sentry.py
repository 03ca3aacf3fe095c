"""A rank's connection to the watchman: heartbeats, reports, and the order to end.

MPI alone does not notice that a rank has died: the others would wait for it forever.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import secrets
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from gpucore.errors import DeviceError
from gpucore.interrupts import end_at_once

if TYPE_CHECKING:
    from gpucore.ranks.comm import Comm

#: Seconds between two heartbeats; after how much silence a rank counts as dead, by default and by
#: this variable of the environment.
BEAT, SILENCE, VARIABLE = 0.5, 15.0, "WARPLENS_RANK_TIMEOUT"
#: Exit code where the watchman itself is gone.
TROUBLE = 4


class Sentry:
    """Connects a rank to the watchman; every rank makes one.

    Parameters
    ----------
    comm : Comm
        All ranks; used once, to hand out the watchman's address.

    Raises
    ------
    DeviceError
        The watchman does not start, or cannot be reached.
    """

    def __init__(self, comm: Comm) -> None:
        local = comm.one_host()
        address = comm.bcast(_start_watchman(comm.size, local) if comm.rank == 0 else None)
        if isinstance(address, str):
            raise DeviceError(address)
        host, port, token = address
        try:
            self._socket = socket.create_connection((host, port), timeout=30)
        except OSError as error:
            raise DeviceError(f"rank {comm.rank} cannot reach {host}:{port}: {error}") from None
        self._socket.settimeout(None)
        self._sending = threading.Lock()
        self._all_done = threading.Event()
        self._send(token=token, rank=comm.rank, pid=os.getpid(), host=platform.node())
        threading.Thread(target=self._listen, name="warplens-sentry", daemon=True).start()
        threading.Thread(target=self._beat, name="warplens-heartbeat", daemon=True).start()

    def fail(self, text: str, code: int, *, plain: bool = False) -> NoReturn:
        """Report an error and end; the watchman writes the text and ends all ranks.

        Parameters
        ----------
        text : str
            One sentence.
        code : int
            Exit code of all ranks.
        plain : bool
            Whether the text names the rank already, or concerns all ranks.
        """
        sys.stdout.flush()
        self._send(failed=text, code=code, plain=plain)
        if self._all_done.wait(timeout=10):
            raise SystemExit(code)  # all ranks have failed: MPI can end as usual
        end_at_once(code)

    def done(self) -> None:
        """Report success and wait until all ranks have done so."""
        self._send(done=True)
        self._all_done.wait()

    def _send(self, **message: Any) -> None:
        with self._sending, contextlib.suppress(OSError):  # the listener notices a lost connection
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def _beat(self) -> None:
        while not self._all_done.wait(BEAT):
            self._send()

    def _listen(self) -> None:
        """Follow the watchman's orders; end if it is gone."""
        waiting = b""
        while True:
            try:
                data = self._socket.recv(4096)
            except OSError:
                data = b""
            if not data:
                os.write(2, b"warplens: the process that watches the ranks died\n")
                end_at_once(TROUBLE)
            *lines, waiting = (waiting + data).split(b"\n")
            for message in map(json.loads, lines):
                if "end" in message:
                    end_at_once(int(message["end"]))
                if "bye" in message or "leave" in message:
                    self._all_done.set()
                    return


def _start_watchman(size: int, local: bool) -> tuple[str, int, str] | str:
    """Start the watchman; return its host, port and token, or why it does not start."""
    host, token = "127.0.0.1" if local else platform.node(), secrets.token_hex(16)
    settings = {
        "size": size,
        "token": token,
        "host": "127.0.0.1" if local else "",
        "timeout": silence(),
    }
    path = Path(__file__).with_name("watchman.py")
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdin is not None and process.stdout is not None
        with process.stdin, process.stdout:
            process.stdin.write(json.dumps(settings).encode() + b"\n")
            process.stdin.flush()
            return host, int(process.stdout.readline()), token
    except (OSError, ValueError) as error:
        return f"the process that watches the ranks does not start: {error}"


def silence() -> float:
    """Return after how many seconds of silence a rank counts as dead."""
    try:
        return max(2.0, float(os.environ[VARIABLE]))
    except (KeyError, ValueError):
        return SILENCE
