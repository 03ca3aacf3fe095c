"""The server: Voila's pages behind our own doors.

Kept from Voila: drawing notebooks, the front end in the browser, its template functions. All routes
are our own, and every request passes :mod:`.access` first. Left out: the listing of directories,
the contents interface, files next to the notebooks, the websocket that returns queries, the form to
log in, configuration files of the working directory, themes and templates chosen in the address.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import nbformat
from jupyter_events.logger import EventLogger
from tornado.httputil import HTTPServerRequest
from tornado.web import Application
from voila.app import Voila

from gpucore.interrupts import leave_at_interrupt

from ..classroom.rooms import Rooms
from ..limits import CLASSROOM
from ..pages import find_pages
from . import assets, log
from .access import Access, Refused, VisitorIdentity
from .addresses import ANY_HOST, Listener, is_loopback
from .answers import RefusalHandler, headers_for
from .background import server_folder
from .channels import PageConnection
from .class_guard import ClassSockets
from .classes import is_for_students
from .connections import CONNECTIONS_OF_A_PAGE, MOST_OF_ADDRESS, BoundedServer, connections_for
from .first_run import FirstRun
from .kernel_pool import shares
from .playground import Playground
from .priority import ProcessorShares
from .replays import StaticReplays
from .routes import routes_of
from .settings import Settings, configuration
from .watch import Watch


class SiteApplication(Application):
    """An application that no request enters unchecked, whatever its route.

    Parameters
    ----------
    access : Access
        The rules; :meth:`~.access.Access.check` sees every request.
    **settings
        Tornado's settings.
    """

    def __init__(self, access: Access, **settings: Any) -> None:
        super().__init__(**settings)
        self._access = access

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """Return what answers a request: the handler of its route, or a refusal."""
        try:
            self._access.check(request)
        except Refused as refused:
            answer = {
                "status": refused.status,
                "reason": refused.reason,
                "environment": self.settings["voila_jinja2_env"],
            }
            return self.get_handler_delegate(request, RefusalHandler, answer)
        return super().find_handler(request, **kwargs)


class WarplensServer(Voila):
    """Voila for the pages of this package.

    Parameters
    ----------
    settings : Settings
    listener : Listener
        Bound sockets; they are closed with the server.
    first_run : FirstRun, optional
        The run of its landing page, in the server's folder; by default both are made.
    """

    def __init__(
        self, settings: Settings, listener: Listener, first_run: FirstRun | None = None
    ) -> None:
        super().__init__(config=configuration(settings))
        self.base_url = self.server_url = settings.base_url
        self.headers = headers_for(settings.embedders)
        self.settings = settings
        self.listener = listener
        self.pages = find_pages()
        self.port = listener.port
        self.open_browser = False
        self.identity_provider_class = VisitorIdentity
        self.kernel_websocket_connection_class = PageConnection
        # One for all: Jupyter would make one for each page process, which is never forgotten.
        self.event_logger = EventLogger()
        self.log_level = "DEBUG" if settings.verbose else "WARN"
        loopback = is_loopback(listener.host)
        any_host = not loopback or ANY_HOST in settings.allowed_hosts
        self.access = Access(
            settings.token,
            listener.port,
            # On loopback the server answers only to its own host names.
            None if any_host else ["localhost", *settings.allowed_hosts],
            behind_proxy=loopback and bool(settings.allowed_hosts),
            base_url=settings.base_url,
            embedded=bool(settings.embedders),
        )
        self.rooms = Rooms(students_of_address=settings.students_per_address)
        if settings.classroom:
            self.access.open_to_all = lambda request: is_for_students(request, settings.base_url)
        self.most_connections = connections_for(settings.max_pages + settings.pool)
        # Students take half of all connections at most; the others are for pages.
        self.class_sockets = ClassSockets(self.most_connections // 2, settings.students_per_address)
        self.first_run = first_run or FirstRun(server_folder())
        self.data = self.first_run.server
        self.root_dir = str(self.data / "pages")
        assets.write_notebooks(self.data / "pages")
        self.connection_dir = str(self.data / "connections")
        Path(self.connection_dir).mkdir(mode=0o700)
        assets.build(self.data)
        self.replays = StaticReplays(self.data, settings.static_pages)
        self.playground = Playground(self.data)
        _prepend_jupyter_path(self.data)
        os.environ.update(settings.limits.to_environment())
        os.environ[CLASSROOM] = "1" if settings.classroom else ""

    def load_config_file(self, *args: Any, **kwargs: Any) -> None:
        """Read no configuration files: one in the working directory could run any code."""

    def init_settings(self) -> dict[str, Any]:
        """Return Tornado's settings."""
        settings = super().init_settings()
        self._trust_pages()
        self.identity_provider.access = self.access
        self.kernel_manager.places = self.settings.places()
        return {
            **settings,
            "headers": self.headers,
            "xsrf_cookie_kwargs": {"path": self.base_url},
            "log_function": log.log_request,
            "websocket_max_message_size": self.settings.websocket_bytes,
            # The host was checked before; see SiteApplication.
            "allow_remote_access": True,
            "compress_response": not is_loopback(self.listener.host),
        }

    def _trust_pages(self) -> None:
        """Sign the notebooks, which are ours, so that Jupyter does not warn of them."""
        for path in Path(self.root_dir).glob("*.ipynb"):
            notebook = nbformat.read(path, as_version=4)
            self.contents_manager.notary.sign(notebook)

    def init_handlers(self) -> list[Any]:
        """Return all routes."""
        return routes_of(self)

    async def serve(self, ready: Any = None) -> None:
        """Serve until interrupted or terminated, then end every page process.

        Parameters
        ----------
        ready : callable, optional
            Called once the server answers.
        """
        stop = asyncio.Event()
        _on_signals(stop.set)
        self._bound_log()
        self.app = SiteApplication(self.access, **self.init_settings())
        self.app.add_handlers(".*$", self.init_handlers())
        # A class of one address opens its pages at the same time, when it begins.
        students = self.settings.students_per_address if self.settings.classroom else 0
        of_pages = CONNECTIONS_OF_A_PAGE * self.kernel_manager.places.per_address
        http = BoundedServer(
            self.app,
            most=self.most_connections,
            shared_address=self.access.behind_proxy,
            of_address=max(MOST_OF_ADDRESS, students, of_pages),
            apart=self.class_sockets.of,
        )
        http.add_sockets(self.listener.sockets)
        watch = Watch(
            self.kernel_manager,
            self.settings.limits,
            self.settings.disconnected_timeout,
            self.settings.connected_timeout,
            ProcessorShares(self.settings.seconds_per_visitor),
        )
        endless = (self._warm(), watch.run(), http.close_old())
        loops = [asyncio.ensure_future(loop) for loop in endless]
        self.first_run.prepare()
        gc.freeze()  # what is loaded stays; the garbage of closed pages is found faster without it
        try:
            if ready is not None:
                ready()
            await stop.wait()
        finally:
            for loop in loops:
                loop.cancel()
            http.stop()
            self.replays.stop()
            self.playground.stop()
            self.first_run.stop()
            await self._end_kernels()
            await http.close_all_connections()

    def _bound_log(self) -> None:
        """Bound the log, unless everything is to be logged."""
        # Tornado reads Jupyter's milliseconds as seconds; a page was closed while messages came;
        # the server stopped while Jupyter waited for a page process.
        for name, words in (
            ("tornado.general", "websocket_ping_timeout"),
            ("tornado.general", "Got events for closed stream"),
            ("asyncio", "_GatheringFuture finished exception=CancelledError()"),
        ):
            logging.getLogger(name).addFilter(log.DropFalse(words))
        if not self.settings.verbose:
            log.bound_stderr(*log.SERVER)
            names = ("", "asyncio", "tornado.access", "tornado.application", "tornado.general")
            log.bound(self.log, *map(logging.getLogger, names))

    async def _warm(self) -> None:
        """Keep page processes waiting for visitors, as soon as the landing page has its run."""
        if self.settings.pool:
            await self.first_run.page()
            await self.kernel_manager.keep_warm(shares(self.pages, self.settings.pool))

    async def _end_kernels(self) -> None:
        """End every page process, also those that a closing page is ending at this moment."""
        manager = self.kernel_manager
        manager.stop_drawing()
        try:
            await manager.shutdown_all(now=True)
        except Exception as error:  # a process that was ended twice must not keep the others alive
            self.log.debug("While page processes were ended: %r", error)
        for kernel_id in manager.list_kernel_ids():
            with contextlib.suppress(Exception):
                await manager.shutdown_kernel(kernel_id, now=True)
        if manager.forks is not None:
            await manager.forks.close()

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


def run(
    settings: Settings,
    listener: Listener,
    ready: Any = None,
    first_run: FirstRun | None = None,
) -> None:
    """Run the server until it is stopped."""
    server = WarplensServer(settings, listener, first_run)
    try:
        server.initialize([])
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(server.serve(ready))
    finally:
        leave_at_interrupt()  # the loop has given its signals back
        server.close()
