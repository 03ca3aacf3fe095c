"""Warplens as a tile of JupyterLab: how jupyter-server-proxy starts the server and reaches it.

JupyterHub and Binder give every user a Jupyter server; the tile works there in the same way.
"""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Any

from ..browser_files import STATIC

#: Path of the pages below that of the user's Jupyter server.
NAME = "warplens"
#: One user alone visits this server. Nothing is kept warm: a hub has many such servers.
_OPTIONS = ("--no-browser", "--pool", "0", "--max-pages", "6", "--pages-per-visitor", "6")
#: Seconds until the server answers: on a busy computer with 30 users that start at once.
_SECONDS = 120


def server_proxy() -> dict[str, Any]:
    """Return what jupyter-server-proxy needs; it is the entry point ``warplens``.

    The server listens on loopback, which all users of a computer share. So each server has a token
    of its own, which only the proxy knows: other users of the computer are refused.
    """
    token = secrets.token_urlsafe(24)
    base = "{base_url}" + f"{NAME}/"
    start = "import sys; from gpucore.cli import main; sys.argv[0] = 'warplens'; main()"
    # The proxy passes the name of the hub on, which is not known here.
    serve = ["serve", "--port", "{port}", "--base-url", base, "--allow-host", "*", *_OPTIONS]
    return {
        "command": [sys.executable, "-P", "-c", start, *serve],
        "environment": {"WARPLENS_TOKEN": token},
        # The path stays as it is: links need no rewriting.
        "absolute_url": True,
        "request_headers_override": {"Authorization": f"token {token}"},
        "timeout": _SECONDS,
        "launcher_entry": {"title": "Warplens", "icon_path": str(Path(STATIC) / "mark.svg")},
        "new_browser_tab": True,
    }
