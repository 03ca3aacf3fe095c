"""The server: Voila with our template and kernel manager, and with access restricted.

Kept from Voila: executing notebooks, the process pool, the websocket, static files. Left out: the
listing of directories, the contents interface, files next to the notebooks, configuration files of
the working directory, themes and templates chosen in the address.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from tornado.httpserver import HTTPServer
from tornado.web import Application
from traitlets.config import Config
from voila.app import Voila
from voila.static_file_handler import AllowListFileHandler
from voila.tornado.contentshandler import VoilaContentsHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.treehandler import TornadoVoilaTreeHandler

from ..limits import MEBIBYTE, PageLimits
from ..pages import find_pages
from . import assets
from .addresses import Listener, is_loopback
from .handlers import (
    CONTENT_SECURITY_POLICY,
    LandingHandler,
    NotFoundHandler,
    PageHandler,
)
from .kernel_pool import OwnKernelSpecManager, PageKernelManager, shares

#: The only extensions of the front end our pages use; others are not sent to the browser.
EXTENSIONS = [
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "@bokeh/jupyter_bokeh",
    "anywidget",
]

#: Handlers of Voila that our site does not use.
_LEFT_OUT = (
    AllowListFileHandler,
    TornadoVoilaHandler,
    TornadoVoilaTreeHandler,
    VoilaContentsHandler,
)


@dataclass(frozen=True)
class Settings:
    """The options of ``warpscope serve``; times are in seconds."""

    pool: int = 3
    max_pages: int = 16
    disconnected_timeout: int = 120
    connected_timeout: int = 7200
    token: str = ""
    allowed_hosts: tuple[str, ...] = ()
    verbose: bool = False
    limits: PageLimits = field(default_factory=PageLimits)

    @property
    def websocket_bytes(self) -> int:
        """Largest message from a browser: an upload and the message around it."""
        return self.limits.upload_bytes + MEBIBYTE


def configuration(settings: Settings) -> Config:
    """Return the configuration of Voila and its Jupyter parts."""
    return Config(
        {
            "VoilaConfiguration": {
                "template": assets.TEMPLATE,
                "theme": "light",
                "allow_template_override": "NO",
                "allow_theme_override": "NO",
                "show_tracebacks": False,
                "strip_sources": True,
                "preheat_kernel": settings.pool > 0,
                # Our manager starts the processes of the pool, one after the other.
                "default_pool_size": 0,
                "multi_kernel_manager_class": PageKernelManager,
                "kernel_spec_manager_class": OwnKernelSpecManager,
                "extension_allowlist": EXTENSIONS,
                "file_allowlist": [],
            },
            "PageKernelManager": {
                "max_pages": settings.max_pages,
                "disconnected_timeout": settings.disconnected_timeout,
                "connected_timeout": settings.connected_timeout,
                # Other users of the computer cannot read the messages of page process and server.
                "transport_encryption": "auto",
                "cull_interval": max(1, min(30, settings.disconnected_timeout // 2)),
            },
            # When many pages open at once, the output of a cell may come seconds after the message
            # that it has run. Without this wait the page is sent without output and stays empty.
            "VoilaExecutor": {"iopub_timeout": 120, "raise_on_iopub_timeout": True},
            # Jupyter keeps no database of the signatures of our notebooks.
            "NotebookNotary": {"db_file": ":memory:"},
        }
    )


class WarpscopeServer(Voila):
    """Voila for the pages of this package.

    Parameters
    ----------
    settings : Settings
    listener : Listener
        Bound sockets; they are closed with the server.
    """

    def __init__(self, settings: Settings, listener: Listener) -> None:
        super().__init__(config=configuration(settings))
        self.settings = settings
        self.listener = listener
        self.pages = find_pages()
        self.port = listener.port
        self.open_browser = False
        self.token = settings.token
        self.log_level = "DEBUG" if settings.verbose else "WARN"
        self.data = Path(tempfile.mkdtemp(prefix="warpscope-"))
        self.root_dir = str(self.data / "pages")
        assets.write_notebooks(self.data / "pages")
        self.connection_dir = str(self.data / "connections")
        Path(self.connection_dir).mkdir(mode=0o700)
        assets.build(self.data)
        _prepend_jupyter_path(self.data)
        os.environ.update(settings.limits.to_environment())

    def load_config_file(self, *args: Any, **kwargs: Any) -> None:
        """Read no configuration files: one in the working directory could run any code."""

    def init_settings(self) -> dict[str, Any]:
        """Return Tornado's settings."""
        loopback = is_loopback(self.listener.host)
        settings = super().init_settings()
        self._trust_pages()
        return {
            **settings,
            "headers": {
                "Content-Security-Policy": CONTENT_SECURITY_POLICY,
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "same-origin",
            },
            "websocket_max_message_size": self.settings.websocket_bytes,
            # On loopback the server answers only to its own host names, so that no web page can
            # reach it through a foreign name that points to 127.0.0.1.
            "allow_remote_access": not loopback,
            "local_hostnames": ["localhost", *self.settings.allowed_hosts],
            "compress_response": not loopback,
        }

    def _trust_pages(self) -> None:
        """Sign the notebooks, which are ours, so that Jupyter does not warn of them."""
        for path in Path(self.root_dir).glob("*.ipynb"):
            notebook = nbformat.read(path, as_version=4)
            self.contents_manager.notary.sign(notebook)

    def init_handlers(self) -> list[Any]:
        """Return the handlers: ours, and those of Voila that our pages need."""
        own = {"voila_configuration": self.voila_configuration}
        pages = {
            **own,
            "pages": self.pages,
            "template_paths": self.template_paths,
            "config": self.config,
        }
        kept = [rule for rule in super().init_handlers() if not issubclass(rule[1], _LEFT_OUT)]
        base = self.server_url
        landing = {**own, "pages": self.pages, "limits": self.settings.limits}
        return [
            (base, LandingHandler, landing),
            (base + r"(?P<path>[a-z0-9-]+)", PageHandler, pages),
            *kept,
            (r".*", NotFoundHandler, own),
        ]

    def _quieten(self) -> None:
        """Drop a false warning: Tornado reads Jupyter's milliseconds as seconds."""
        logging.getLogger("tornado.general").addFilter(
            lambda record: "websocket_ping_timeout" not in record.getMessage()
        )

    async def serve(self, ready: Any = None) -> None:
        """Serve until interrupted or terminated, then end every page process.

        Parameters
        ----------
        ready : callable, optional
            Called once the server answers.
        """
        stop = asyncio.Event()
        _on_signals(stop.set)
        self._quieten()
        self.app = Application(**self.init_settings())
        self.app.add_handlers(".*$", self.init_handlers())
        # Nothing is uploaded by HTTP; files come through the websocket.
        http = HTTPServer(self.app, max_body_size=MEBIBYTE)
        http.add_sockets(self.listener.sockets)
        warming = asyncio.ensure_future(self._warm())
        try:
            if ready is not None:
                ready()
            await stop.wait()
        finally:
            warming.cancel()
            http.stop()
            await self._end_kernels()
            await http.close_all_connections()

    async def _warm(self) -> None:
        """Keep page processes waiting for the next visitors."""
        if self.settings.pool:
            notebooks = (f"{name}.ipynb" for name in self.pages)
            await self.kernel_manager.keep_warm(shares(notebooks, self.settings.pool))

    async def _end_kernels(self) -> None:
        """End every page process, also those that a closing page is ending at this moment."""
        manager = self.kernel_manager
        try:
            await manager.shutdown_all(now=True)
        except Exception as error:  # a process that was ended twice must not keep the others alive
            self.log.debug("While page processes were ended: %r", error)
        for kernel_id in manager.list_kernel_ids():
            with contextlib.suppress(Exception):
                await manager.shutdown_kernel(kernel_id, now=True)

    def close(self) -> None:
        """Remove the temporary files."""
        shutil.rmtree(self.data, ignore_errors=True)


def _prepend_jupyter_path(directory: Path) -> None:
    """Make Jupyter find our template before any that the user has installed."""
    rest = os.environ.get("JUPYTER_PATH")
    os.environ["JUPYTER_PATH"] = os.pathsep.join([str(directory), *([rest] if rest else [])])


def _on_signals(stop: Any) -> None:
    """Stop at Ctrl-C and at the signal of service managers."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))


def run(settings: Settings, listener: Listener, ready: Any = None) -> None:
    """Run the server until it is stopped."""
    server = WarpscopeServer(settings, listener)
    try:
        server.initialize([])
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(server.serve(ready))
    finally:
        server.close()


__all__ = ["Settings", "WarpscopeServer", "configuration", "run"]
