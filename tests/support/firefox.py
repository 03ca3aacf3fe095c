"""Firefox without a driver: it speaks WebDriver BiDi itself, over a websocket."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path

import websocket

#: Names under which Firefox is installed.
_NAMES = ("firefox", "firefox-esr")


def find_firefox():
    """Return the path of Firefox, or None."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


class Firefox:
    """A Firefox without a window.

    Parameters
    ----------
    folder : Path
        An empty folder for its profile.
    settings : dict, optional
        Preferences.
    timeout : float
        Seconds that an answer may take.

    Attributes
    ----------
    errors : list of str
        What scripts of the pages threw or logged as errors.
    """

    def __init__(self, folder: Path, settings=None, timeout=60) -> None:
        port = folder / "WebDriverBiDiServer.json"
        chosen = [
            f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in (settings or {}).items()
        ]
        (folder / "user.js").write_text("\n".join(chosen))
        self._process = subprocess.Popen(
            [find_firefox(), "--headless", "--no-remote", "--profile", folder,
             "--remote-debugging-port", "0", "--width", "1280", "--height", "900"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"HOME": str(folder), "PATH": "/usr/bin:/bin", "MOZ_DISABLE_CONTENT_SANDBOX": "1"},
        )  # fmt: skip
        self.errors, self._count = [], 0
        until = time.monotonic() + 60
        while not port.is_file() or not (text := port.read_text()):
            assert time.monotonic() < until, "Firefox did not start"
            assert self._process.poll() is None, "Firefox ended"
            time.sleep(0.1)
        at = json.loads(text)
        address = f"ws://{at['ws_host']}:{at['ws_port']}/session"
        self._socket = websocket.create_connection(address, timeout=timeout, suppress_origin=True)
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._tab = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method, **params):
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == self._count:
                assert answer["type"] == "success", answer
                return answer["result"]
            entry = answer.get("params", {})
            if answer.get("method") == "log.entryAdded" and entry["level"] == "error":
                self.errors.append(entry["text"])

    def goto(self, address):
        """Open an address, and wait until it is loaded."""
        self._ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def evaluate(self, script):
        """Return the value of an expression as JSON has it; a promise is awaited."""
        result = self._ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({script}) ?? null))()",
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert result["type"] == "success", result["exceptionDetails"]["text"]
        return json.loads(result["result"]["value"])

    def wait_for(self, script, seconds=30):
        """Wait until an expression is true."""
        until = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({script})"):
            assert time.monotonic() < until, f"{script}; errors: {self.errors}"
            time.sleep(0.05)

    def close(self):
        """End Firefox."""
        self._socket.close()
        self._process.terminate()
        self._process.wait(timeout=30)
